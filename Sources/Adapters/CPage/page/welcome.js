// The first minutes: nothing is there yet, and what to do about it.
import { el, put, say } from "./dom.js";
import { icon } from "./icons.js";
import { t, told } from "./texts.js";

/** A command to copy. */
export function command(text) {
  const button = el("button", { type: "button", class: "plain", "aria-label": t("shell.copy"), title: t("shell.copy") }, icon("copy", 18));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      put(button, icon("check", 18));
    } catch {
      getSelection().selectAllChildren(button.previousSibling);
    }
    setTimeout(() => put(button, icon("copy", 18)), 2000);
  });
  return el("div", { class: "command" }, el("code", {}, text), button);
}

/** Says whether the broker is there, and what to do while it is not, until it is; `lead` gets what follows from that. */
async function tellBroker(node, lead, context) {
  const { api } = context, said = el("div", { class: "said", role: "status" }), form = el("div", { class: "broker" });
  put(node, said, form);
  while (true) {
    let broker = null;
    try {
      ({ broker } = await api("GET", "/v1/status"));
      const { address, settings } = broker;
      // Who may add devices reads above that the bridge listens.
      say(lead, !broker.connected ? t("welcome.leadAway") : context.may("author") ? "" : t("welcome.lead"));
      const words = broker.connected ? [el("p", {}, t("welcome.brokerUp", { address }))]
        : broker.problem ? [el("p", {}, t("welcome.brokerDown", { address })), el("p", { class: "problem" }, await told(broker.problem)), context.may("administer") ? null : el("p", { class: "small" }, settings ? t("welcome.brokerWhere", { file: settings }) : t("welcome.brokerNoFile"))]
          : [el("p", { class: "listening" }, el("span", { class: "pulse" }), t("welcome.brokerTrying", { address }))];
      const text = words.map((line) => line?.textContent).join("\n");
      if (said.text !== text) put(said, words).text = text;
      if (broker.connected) put(form);
      else if (broker.problem) import("./broker.js").then(({ drawBroker }) => drawBroker(form, context));
    } catch { /* the banner says that the bridge does not answer */ }
    if (broker?.connected) return;
    await new Promise((done) => setTimeout(done, 2000));
    if (!node.isConnected) return;
  }
}

/** What to do when no device has spoken. */
export async function welcome(node, context) {
  const lead = el("p", { class: "lead" }), broker = el("div", { class: "broker" }), known = el("div", { class: "plainlist" });
  put(node,
    lead,
    el("ol", { class: "steps" },
      el("li", { class: "card" }, el("h2", {}, t("welcome.broker")), broker),
      el("li", { class: "card" }, el("h2", {}, t("welcome.known")), known),
      el("li", { class: "card" }, el("h2", {}, t("welcome.try")), el("p", { class: "small" }, t("welcome.tryWhy")), command("skerry demo"))));
  tellBroker(broker, lead, context);
  drawKnown(known, context);
  const end = context.model.subscribe(({ type }) => (node.isConnected ? type === "definitions" && drawKnown(known, context) : end()));
}

async function drawKnown(known, { model, api }) {
  try {
    const [definitions, { adopts }] = await Promise.all([model.definitions(), api("GET", "/v1/status")]), called = ({ name, kind }) => name ?? kind, topics = new Map(definitions.map((one) => [called(one), []]));
    for (const one of definitions) topics.get(called(one)).push(...one.topics);
    put(known, topics.size ? [el("p", { class: "small" }, t("welcome.knownWhy")), el("ul", { class: "plainlist" }, [...topics].map(([name, some]) => el("li", {}, el("details", {}, el("summary", {}, name), [...new Set(some)].map((topic) => el("code", { class: "topic" }, topic))))))]
      : el("p", { class: "small" }, t("welcome.noneKnown")),
    el("p", { class: "small" }, t(adopts ? "welcome.adopts" : "welcome.adoptsNone")));
  } catch (error) {
    put(known, el("p", { class: "problem" }, error.message));
  }
}
