// Signing in, by a code that an administrator's browser or the gateway shows, or by a token. A guest whose run is over needs neither, but is told so.
import { el, hold, put, say } from "./dom.js";
import { browserName } from "./house.js";
import { icon, mark } from "./icons.js";
import { t } from "./texts.js";

/** Opens the door: the view of those who may see nothing yet. */
export function open(root, route, context) {
  if (context.wasGuest) sayGoodbye(root, context);
  else askAtTheDoor(root, context);
  return { close() {} };
}

function sayGoodbye(root, context) {
  put(root, el("section", { class: "door card goodbye" },
    icon("check", 64), el("h1", {}, t("guest.over")), el("p", {}, t("guest.overWhy")),
    el("button", { type: "button", class: "plain", onclick: () => askAtTheDoor(root, context) }, t("shell.signIn"))));
}

function askAtTheDoor(root, context) {
  const form = signInForm(context, () => {});
  form.node.classList.add("door", "card");
  form.node.prepend(mark(64), el("h1", {}, t("login.title")), el("p", {}, t("login.why")));
  put(root, form.node);
  form.focus();
}

/**
 * Asks for a code in a dialog, unless `right` is there already. Returns whether it is there in the end; without a right, whether somebody
 * signed in.
 */
export function signIn(context, right) {
  if (right && context.may(right)) return Promise.resolve(true);
  return new Promise((done) => {
    let isIn = false;
    const form = signInForm(context, () => {
      isIn = !right || context.may(right);
      if (isIn) dialog.close();
      else form.refuse(t("login.tooLittle"));
    });
    const dialog = el("dialog", { class: "sheet sign-in", "aria-labelledby": "sign-in-title", onclose: () => {
      dialog.remove();
      // The button at the top has become another one.
      if (document.activeElement === document.body) document.querySelector(".account")?.focus();
      done(isIn);
    } }, form.node);
    form.node.prepend(el("h2", { id: "sign-in-title" }, t("shell.signIn")), el("p", {}, t(right ? "login.needed" : "login.dialogWhy")));
    form.foot.append(el("button", { type: "button", onclick: () => dialog.close() }, t("rooms.cancel")));
    document.body.append(dialog);
    dialog.showModal();
    form.focus();
  });
}

/** The form; a code that came with the address of the page stands in it. */
function signInForm(context, then) {
  const problem = el("p", { class: "problem", role: "alert" });
  const field = (id, properties, label) => {
    const input = el("input", { id, name: id, spellcheck: "false", "aria-describedby": "sign-in-help", ...properties });
    return { input, node: el("label", { class: "field", for: id }, el("span", {}, label), input) };
  };
  const code = field("code", { type: "text", autocomplete: "one-time-code", autocapitalize: "characters", maxlength: 20, placeholder: "ACDE-3467", value: context.code }, t("login.code"));
  const token = field("token", { type: "password", autocomplete: "current-password" }, t("login.token"));
  context.code = null;
  const tokens = el("details", {}, el("summary", {}, t("login.haveToken")), el("input", { name: "username", autocomplete: "username", value: "skerry", hidden: true }), token.node);
  const button = el("button", { class: "main", type: "submit" }, t("shell.signIn")), foot = el("div", { class: "sheet-foot" }, button);
  const refuse = (text, { input } = code) => {
    say(problem, text);
    input.select();
    input.focus();
  };
  const enter = async (event) => {
    event.preventDefault();
    const byToken = tokens.open && token.input.value.trim() !== "", one = byToken ? token : code, value = one.input.value.trim();
    if (!value) return refuse(t("login.nothing"));
    say(problem, "");
    hold(button);
    try {
      await context.api("POST", "/v1/session", { [byToken ? "token" : "code"]: value, name: browserName(navigator.userAgent) });
      await context.renew();
      then();
    } catch (error) {
      refuse(error.status === 429 ? t("login.wait") : error.code === "wrong-code" ? t("login.wrongCode") : error.code === "wrong-token" ? t("login.wrong") : error.message, one);
    } finally {
      hold(button, false);
    }
  };
  const node = el("form", { class: "sign-in-form", onsubmit: enter }, code.node,
    el("div", { class: "small", id: "sign-in-help" }, el("p", {}, t("login.where")), el("code", { class: "command" }, "sudo skerry pair --browser")), tokens, problem, foot);
  return { node, foot, refuse, focus: () => (code.input.value ? button : code.input).focus() };
}
