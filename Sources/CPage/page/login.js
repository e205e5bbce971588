// The door: who looks from beyond the gateway needs a token. A guest whose run is over needs none, but is told so.
import { el, put } from "./dom.js";
import { icon, mark } from "./icons.js";

/** Opens the view. */
export function open(root, route, context) {
  if (context.wasGuest) sayGoodbye(root, context);
  else askForToken(root, context);
  return { close() {} };
}

function sayGoodbye(root, context) {
  const { t } = context;
  put(root, el("section", { class: "door card goodbye" },
    icon("check", 64), el("h1", {}, t("guest.over")), el("p", {}, t("guest.overWhy")),
    el("button", { type: "button", class: "plain", onclick: () => askForToken(root, context) }, t("guest.token"))));
}

function askForToken(root, { t, api, renew }) {
  const problem = el("p", { class: "problem", role: "alert" });
  const token = el("input", { id: "token", name: "token", type: "password", autocomplete: "current-password", required: true, spellcheck: "false", "aria-describedby": "token-help" });
  const button = el("button", { class: "main", type: "submit" }, t("login.enter"));
  const enter = async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      await api("POST", "/v1/session", { token: token.value.trim() });
      await renew();
    } catch (error) {
      put(problem, error.status === 429 ? t("login.wait") : error.status === 403 || error.status === 401 ? t("login.wrong") : error.message);
      token.select();
      token.focus();
    } finally {
      button.disabled = false;
    }
  };
  put(root, el("form", { class: "door card", onsubmit: enter },
    mark(64),
    el("h1", {}, t("login.title")),
    el("p", {}, t("login.why")),
    el("input", { name: "username", autocomplete: "username", value: "skerry", hidden: true }),
    el("label", { class: "field", for: "token" }, el("span", {}, t("login.token")), token),
    problem, button,
    el("div", { class: "small", id: "token-help" },
      el("p", {}, t("login.where")), el("code", { class: "command" }, "sudo cat /var/lib/skerry/admin-token"), el("p", {}, t("login.whereHome")),
      el("code", { class: "command" }, "cat ~/.local/state/skerry/admin-token"))));
  token.focus();
}
