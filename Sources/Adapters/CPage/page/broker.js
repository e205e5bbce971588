// The broker: for an administrator a form that tries another one before the bridge uses it.
import { el, hold, put, say } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./texts.js";
import { told } from "./told.js";
import "./texts-settings.js";

const PORTS = { none: "1883", system: "8883", authority: "8883" };
/** The largest file with certificates of an authority, in bytes. */
const AUTHORITY_LIMIT = 12288;
/** Whether a change may have been made although no answer came. */
const isUncertain = ({ status, code }) => [0, 502, 504].includes(status) || code === "no-answer";

/** Shows in a node how the broker can be changed; draws anew only for another role, because a form may hold what somebody types. */
export async function drawBroker(node, context) {
  const isAdmin = context.may("administer");
  if (node.isAdmin === isAdmin) return;
  node.isAdmin = isAdmin;
  if (!isAdmin) {
    put(node, el("p", { class: "small" }, t("broker.signIn")), el("div", {}, el("button", { type: "button", class: "quiet", onclick: async () => {
      if (await context.signIn("administer") && node.isConnected) drawBroker(node, context);
    } }, icon("person", 18), t("shell.signIn"))));
    return;
  }
  try {
    const broker = await context.api("GET", "/v1/broker");
    if (broker.fixed) put(node, el("p", {}, el("code", {}, `${broker.host}:${broker.port}`)), el("p", { class: "small" }, told(broker.fixed)));
    else put(node, new BrokerForm(broker, context).node);
  } catch (error) {
    node.isAdmin = null;
    put(node, el("p", { class: "small" }, error.message));
  }
}

class BrokerForm {
  constructor(broker, context) {
    this.broker = broker;
    this.context = context;
    const id = (name) => `broker-${name}`;
    const field = (name, input, hint) => el("label", { class: "field", for: id(name) }, el("span", {}, t(`broker.${name}`)), input, hint ? el("span", { class: "small" }, hint) : null);
    const plain = { autocomplete: "off", autocapitalize: "none", spellcheck: "false" };
    this.host = el("input", { id: id("host"), value: broker.host, maxlength: 253, required: true, onchange: () => this.#take(), ...plain });
    this.port = el("input", { id: id("port"), type: "number", min: 1, max: 65535, value: broker.port, required: true });
    this.tls = el("select", { id: id("tls"), onchange: () => this.#choose() }, Object.keys(PORTS).map((name) => el("option", { value: name, selected: name === broker.tls }, t(`broker.tls.${name}`))));
    this.authority = el("input", { id: id("authority"), type: "file", accept: ".pem,.crt,.cer" });
    this.username = el("input", { id: id("username"), value: broker.username ?? "", maxlength: 1024, ...plain });
    this.password = el("input", { id: id("password"), type: "password", maxlength: 1024, autocomplete: "new-password", placeholder: broker.hasPassword ? t("broker.kept") : null });
    this.certificates = field("authority", this.authority, broker.tls === "authority" ? t("broker.authorityKept") : null);
    this.button = el("button", { type: "submit", class: "main" }, t("broker.try"));
    this.back = broker.isChosen ? el("button", { type: "button", class: "quiet", onclick: () => this.#goBack() }, t("broker.back")) : null;
    this.problem = el("div", { role: "alert" });
    this.said = el("p", { class: "listening", role: "status" });
    this.node = el("form", { class: "broker-form", onsubmit: (event) => { event.preventDefault(); this.#submit(); } },
      el("div", { class: "pair" }, field("host", this.host), field("port", this.port)), field("tls", this.tls), this.certificates,
      field("username", this.username), field("password", this.password), this.problem, this.said, el("div", { class: "sheet-foot" }, this.button, this.back));
    this.last = this.tls.value;
    this.#choose();
  }

  /** Takes an address of the web apart. */
  #take() {
    const [, scheme, host, port] = /^(?:(mqtts?|tcp|ssl|tls):\/\/)?([^/:@]+|\[.+\])(?::(\d+))?\/?$/i.exec(this.host.value.trim()) ?? [];
    if (!host) return;
    this.host.value = host.replace(/[[\]]/g, "");
    if (/^(mqtts|ssl|tls)$/i.test(scheme) && this.tls.value === "none") {
      this.tls.value = "system";
      this.#choose();
    }
    if (port) this.port.value = port;
  }

  /** Shows what the chosen encryption needs; a usual port becomes the usual one. */
  #choose() {
    this.certificates.hidden = this.tls.value !== "authority";
    if (this.port.value === PORTS[this.last]) this.port.value = PORTS[this.tls.value];
    this.last = this.tls.value;
  }

  async #wish() {
    const [file] = this.authority.files, tls = this.tls.value, username = this.username.value;
    if (tls === "authority" && file?.size > AUTHORITY_LIMIT) throw Object.assign(new Error(file.name), { code: "broker-settings" });
    return {
      host: this.host.value.trim(), port: Number(this.port.value), tls, ...(tls === "authority" && file && { authority: await file.text() }),
      ...(username && { username }), ...(this.password.value && { password: this.password.value }),
    };
  }

  #submit() {
    return this.#change("broker.trying", "broker.works", async () => this.context.api("PUT", "/v1/broker", await this.#wish()));
  }

  // The second press goes back: the first one asks.
  #goBack() {
    if (!this.back.dataset.sure) {
      this.back.dataset.sure = "yes";
      say(this.back, t("broker.backSure"));
      setTimeout(() => { say(this.back, t("broker.back")); delete this.back.dataset.sure; }, 5000);
      return;
    }
    this.#change("broker.starts", "broker.starts", () => this.context.api("DELETE", "/v1/broker"));
  }

  /** Asks for a change, and waits until the bridge has begun anew with it. */
  async #change(before, after, ask) {
    const { api } = this.context, buttons = [this.button, this.back].filter(Boolean);
    put(this.problem);
    this.#say(before);
    for (const button of buttons) hold(button);
    try {
      const { started } = await api("GET", "/v1/status");
      const lost = await ask().then(() => null, (error) => { if (isUncertain(error)) return error; throw error; });
      this.#say(after);
      await this.#wait(started, lost);
    } catch (error) {
      put(this.said);
      const key = `broker.error.${error.code}`, words = t(key);
      put(this.problem, words === key ? null : el("p", { class: "problem" }, words), el("p", { class: "small" }, words === error.message ? null : [error.message.replace(/[^.!?。]$/, "$&."), " "], t("broker.nothing")));
      for (const button of buttons) hold(button, false);
    }
  }

  #say(key) {
    put(this.said, el("span", { class: "pulse" }), t(key));
  }

  /** Waits until the bridge has begun anew; throws what stands for a lost answer if it has not. */
  async #wait(started, lost) {
    const { api } = this.context;
    let status = null, left = 60;
    const answers = () => status !== null && status.started !== started;
    while (left > 0 && !(answers() && status.broker.connected)) {
      await new Promise((done) => setTimeout(done, 1000));
      status = await api("GET", "/v1/status").catch(() => null);
      left = Math.min(left - 1, answers() ? 8 : 60);
    }
    if (lost && status?.started === started) throw lost;
    const words = answers() ? (status.broker.connected ? "broker.done" : "broker.notYet") : "broker.gone";
    if (!this.node.isConnected) return;
    const said = el("p", { class: words === "broker.done" ? "success" : "problem", role: "status" }, words === "broker.done" ? icon("check", 24) : null, t(words, { address: status?.broker.address ?? "" }), words === "broker.notYet" && status.broker.problem ? ` ${told(status.broker.problem)}` : null);
    const fresh = el("div");
    this.node.replaceWith(said, fresh);
    if (answers()) drawBroker(fresh, this.context);
  }
}
