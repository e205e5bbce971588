// The devices that were found on the broker and have no card yet: what they look like, and a dialog to use them.
import { tagOf } from "./api.js";
import { Card, badge } from "./card.js";
import { askBefore, el, hold, keep, put, say, styles } from "./dom.js";
import { calledName, humanName, isCommand, kindFor } from "./house.js";
import { icon } from "./icons.js";
import { roomsOf } from "./rooms.js";
import { t, told } from "./texts.js";
import { clock } from "./time.js";

/** How often the bridge is asked while somebody looks, in milliseconds. */
const PAUSE = 2000;
/** So many kinds without a device are worth telling. */
const FEW = 5;

const addressOf = (kind, device) => `/v1/found/${encodeURIComponent(kind)}/${encodeURIComponent(device)}`;
/** What a device is called without a name that somebody chooses. */
const usualName = (found) => calledName(found, found.device);

export class FoundDevices {
  /** The devices as a part of a view; the bridge listens for them while it is open. */
  constructor(context) {
    this.context = context;
    this.state = el("p", { class: "listening", role: "status" });
    this.awaited = el("p", { class: "small", role: "status" });
    this.list = el("ul", { class: "found-list" });
    this.hiddenList = el("ul", { class: "found-list" });
    this.hiddenPart = el("details", { class: "found-more", hidden: true }, el("summary", {}, t("found.hidden")), this.hiddenList);
    this.unknownList = el("ul", { class: "found-list found-unknown" });
    this.unknownPart = el("section", { hidden: true }, el("h3", {}, t("found.unknown")), el("p", { class: "small" }, t("found.unknownWhy")), this.unknownList);
    this.said = el("p", { class: "found-said", role: "status" });
    this.node = el("details", { class: "found" }, el("summary", {}, icon("ear", 18), el("h2", {}, t("found.title"))),
      this.said, this.state, this.awaited, this.list, this.hiddenPart, this.unknownPart);
    this.node.addEventListener("toggle", () => this.node.open && this.listen());
  }

  close() { this.isClosed = true; }

  /** Asks again and again while somebody looks. */
  async listen() {
    if (this.isListening || !this.context.may("author")) return;
    this.isListening = true;
    while (this.node.open && !this.isClosed && this.context.may("author")) {
      if (!document.hidden) await this.look();
      await new Promise((done) => setTimeout(done, PAUSE));
    }
    this.isListening = false;
  }

  async look() {
    try {
      const answer = await this.context.api("GET", "/v1/found");
      this.show({ ...answer, problem: await told(answer.problem) });
      await this.tellAwaited();
    } catch (error) {
      this.tell(error.message, "problem");
    }
  }

  /** Tells what is in use and has no device yet, as a plug that was recognised before it said anything to show. */
  async tellAwaited() {
    const { model } = this.context, kinds = new Set([...model.devices.values()].map(({ kind }) => kind));
    const names = [...new Set((await model.definitions()).filter(({ kind }) => !kinds.has(kind)).map(({ kind, name }) => name ?? humanName(kind)))];
    say(this.awaited, names.length && names.length <= FEW ? t("found.awaited", { names: names.join(", ") }) : "");
  }

  tell(text, kind = "listening") {
    if (this.state.textContent === text) return;
    this.state.className = kind;
    put(this.state, kind === "listening" ? el("span", { class: "pulse" }) : null, text);
  }

  show({ listening, problem, messages, found, unknown }) {
    const hadFocus = this.node.contains(document.activeElement);
    if (!listening) this.tell(problem ?? t("found.preparing"), problem ? "problem" : "listening");
    else this.tell(found.some((one) => !one.hidden) ? t("found.listening") : t(messages ? "found.nothingYet" : "found.silent"));
    const shown = found.filter((one) => !one.hidden), hidden = found.filter((one) => one.hidden);
    this.fill(this.list, shown, (one) => this.row(one));
    this.fill(this.hiddenList, hidden, (one) => this.hiddenRow(one));
    this.hiddenPart.hidden = hidden.length === 0;
    const others = unknown.filter(({ filter }) => !isCommand(filter));
    this.fill(this.unknownList, others.map(({ messages, ...one }) => one), (one) => this.unknownRow(one));
    this.unknownPart.hidden = others.length === 0;
    if (hadFocus) this.keepFocus();
  }

  /** Where the row with the focus is gone, what takes it back has it. */
  keepFocus() {
    if (document.activeElement === document.body) (this.said.querySelector("button") ?? this.node.firstChild).focus();
  }

  /** A row is replaced only when it says something else, so that the keyboard keeps its place. */
  fill(list, items, make) {
    const before = new Map([...list.children].map((row) => [row.says, row]));
    keep(list, items.map((one) => {
      const { content, state, title, ...rest } = one, says = JSON.stringify(rest);
      const row = before.get(says) ?? Object.assign(make(one), { says });
      row.found = one;
      return row;
    }));
  }

  row(found) {
    const name = usualName(found), use = t("found.useNamed", { name });
    const row = el("li", { class: "card" },
      el("div", { class: "found-who" }, el("p", { class: "found-kind" }, t("found.looksLike", { kind: found.called })), el("h3", {}, name), el("code", { class: "topic" }, found.topic)),
      el("div", { class: "found-does" },
        el("button", { type: "button", class: "main", "aria-label": use, onclick: () => this.ask(() => new UseDialog(row.found, this)) }, t("found.use")),
        el("button", { type: "button", class: "plain", "aria-label": t("found.hideNamed", { name }), onclick: (event) => this.decide(event.target, row.found, "hide") }, t("found.hide"))));
    return row;
  }

  hiddenRow(found) {
    const row = el("li", {}, el("span", {}, `${usualName(found)} · ${found.called}`),
      el("button", { type: "button", class: "plain", "aria-label": t("found.showNamed", { name: usualName(found) }), onclick: (event) => this.decide(event.target, row.found, "show") }, t("found.show")));
    return row;
  }

  unknownRow({ filter, devices, like }) {
    return el("li", {}, el("code", { class: "topic" }, filter), el("span", { class: "small" }, devices.join(", ")),
      like ? el("span", { class: "small" }, t("found.like", { kind: like })) : null,
      el("button", { type: "button", class: "quiet", "aria-label": t("found.describeNamed", { filter }), onclick: () => this.ask(() => new DescribeDialog(filter, devices[0], this)) }, t("found.describe")));
  }

  /** Opens a dialog for an administrator, who signs in first. */
  async ask(make) {
    if (await this.context.signIn("administer")) make().open();
  }

  /** Hides a device, or shows it again, for an administrator, who signs in first. */
  async decide(button, found, decision) {
    if (!await this.context.signIn("administer")) return;
    hold(button);
    try {
      await this.carryOut(found, decision);
    } catch (error) {
      put(this.said, error.message);
    } finally {
      hold(button, false);
      await this.look();
    }
  }

  async carryOut(found, decision) {
    await this.take(found, decision);
    if (decision === "hide") this.offerUndo(t("found.isHidden", { name: usualName(found) }), () => this.take(found, "show"));
  }

  take(found, decision, more = {}) { return this.context.api("PUT", addressOf(found.kind, found.device), { decision, ...more }); }

  /** Says what was done, with a button that takes it back unless `takeBack` is null. */
  offerUndo(text, takeBack) {
    if (!takeBack) return put(this.said, text);
    const undo = el("button", { type: "button", class: "quiet", onclick: async () => {
      hold(undo);
      try {
        await takeBack();
        put(this.said, t("found.undone"));
        this.node.firstChild.focus();
      } catch (error) {
        put(this.said, error.message);
      }
      await this.look();
    } }, t("found.undo"));
    put(this.said, el("span", {}, text), " ", undo);
  }
}

/** A dialog about something that was found. */
class FoundDialog {
  constructor(list) {
    this.list = list;
    this.context = list.context;
    this.problem = el("p", { class: "problem", role: "alert" });
  }

  /** Makes the dialog: `action` is what its main button says, `submit` what that does. */
  make(title, action, submit, ...parts) {
    this.button = el("button", { type: "submit", class: "main" }, action);
    this.node = el("dialog", { class: "sheet", "aria-labelledby": "found-title", onclose: () => this.end() },
      el("form", { onsubmit: (event) => { event.preventDefault(); this.submit(submit); } },
        el("h2", { id: "found-title" }, title), parts,
        this.problem,
        el("div", { class: "sheet-foot" }, this.button, el("button", { type: "button", onclick: () => this.node.close() }, t("rooms.cancel")))));
    askBefore(this.node, t("shell.discard"));
  }

  open() {
    document.body.append(this.node);
    this.node.showModal();
    this.opened?.();
  }

  end() {
    this.node.remove();
    this.list.keepFocus();
    this.closed?.();
  }

  async submit(body) {
    say(this.problem, "");
    hold(this.button);
    try {
      await body();
      this.node.close();
      await this.list.look();
    } catch (error) {
      say(this.problem, error.status === 401 || error.code === "not-allowed" ? t("found.notAdmin") : error.message);
      hold(this.button, false);
    }
  }
}

/** Asks how a found device is to be used, and shows what its card will look like. */
class UseDialog extends FoundDialog {
  constructor(found, list) {
    super(list);
    this.found = found;
    const kinds = [{ kind: found.kind, called: found.called }, ...found.alternatives], one = (name) => `found-${name}`;
    this.kind = el("select", { id: one("kind"), onchange: () => this.preview() }, kinds.map(({ kind, called }) => el("option", { value: kind }, called)));
    this.name = el("input", { id: one("name"), type: "text", maxlength: 200, autocomplete: "off", value: usualName(found) });
    this.room = el("input", { id: one("room"), type: "text", maxlength: 200, autocomplete: "off", list: "found-rooms", placeholder: t("rooms.optional") });
    this.card = el("div", { class: "found-card", role: "group", "aria-label": t("found.preview") });
    this.make(t("found.useNamed", { name: usualName(found) }), t("found.use"), () => this.use(),
      el("label", { class: "field", for: one("kind") }, el("span", {}, t("found.kind")), this.kind),
      el("label", { class: "field", for: one("name") }, el("span", {}, t("rooms.called")), this.name),
      el("label", { class: "field", for: one("room") }, el("span", {}, t("rooms.room")), this.room),
      el("datalist", { id: "found-rooms" }, roomsOf(this.context.model.cards).map((room) => el("option", { value: room }))),
      el("h3", {}, t("found.preview")), this.card);
  }

  opened() { this.preview(); }

  closed() { this.drawn?.end(); }

  async preview() {
    const kind = this.kind.value, { device, content, state, title, name } = this.found, isFirst = kind === this.found.kind;
    let definition = null;
    try {
      definition = await this.context.api("GET", `/v1/found/${encodeURIComponent(kind)}`);
    } catch { /* the card has no colours then */ }
    if (!this.node.isConnected || this.kind.value !== kind) return;
    this.drawn?.end();
    if (isFirst && content) {
      this.drawn = new Card(`${kind}/${device}`, this.context);
      this.drawn.draw({ id: `${kind}/${device}/${clock()}`, rev: 0, epoch: 0, at: clock(), phase: "active", state, content, attributes: {} }, { name, states: [] }, { ...definition, events: [] });
      this.drawn.node.inert = true;
      return put(this.card, this.drawn.node);
    }
    put(this.card, el("div", { class: "found-idle" }, badge(definition), el("p", {}, isFirst && title ? t("found.idle", { title }) : t("found.unheard"))));
  }

  async use() {
    const chosen = { ...this.found, kind: this.kind.value }, name = this.name.value.trim(), usual = usualName(this.found);
    const { model } = this.context, key = `${chosen.kind}/${chosen.device}`, room = this.room.value.trim(), before = model.cards.get(key)?.room ?? "";
    const { added } = await this.list.take(chosen, "use", name && name !== usual ? { name } : {});
    this.list.offerUndo(t("found.used", { name: name || usual }), added ? async () => {
      await this.list.take(chosen, "give-up");
      if (room) await model.moveTo(key, before);
    } : null);
    // The device is used, also where its room can't be kept.
    if (room) await model.moveTo(key, room).catch((error) => this.list.said.append(" ", error.message));
  }
}

/** Shows a first text for the definition of devices that nobody knows, to be changed and saved. */
class DescribeDialog extends FoundDialog {
  constructor(filter, device, list) {
    super(list);
    this.filter = filter;
    this.kind = el("input", { id: "found-kind", type: "text", maxlength: 64, autocomplete: "off", spellcheck: "false", required: true, value: kindFor(filter.replace("{device}", device ?? "")), onchange: () => this.propose() });
    this.text = el("div", {});
    const { mayEdit } = this.context.session;
    this.make(t("found.describeNamed", { filter }), t(mayEdit ? "rooms.save" : "shell.copy"), () => (mayEdit ? this.save() : this.copy()),
      el("p", { class: "small" }, t("found.describeWhy")), mayEdit ? null : el("p", { class: "small" }, t("found.copyWhy")),
      el("label", { class: "field", for: "found-kind" }, el("span", {}, t("found.newKind")), this.kind), this.text);
    this.node.classList.add("wide");
  }

  async opened() {
    const [{ Editor }] = await Promise.all([import("./editor.js"), import("./texts-views.js"), styles("replay")]);
    if (!this.node.isConnected) return;
    this.editor = new Editor({ source: "", label: t("replay.definition"), check: (source, signal) => (source ? this.context.api("POST", "/v1/check", { source }, { signal }) : { ok: true, problems: [] }) });
    put(this.text, this.editor.node);
    await this.propose();
  }

  closed() { this.editor?.close(); }

  /** Asks for the text; one that somebody has changed stays, with the new kind. */
  async propose() {
    say(this.problem, "");
    const kind = this.kind.value.trim();
    try {
      if (this.proposed === undefined || this.editor.source === this.proposed) {
        const { source } = await this.context.api("POST", "/v1/proposals", { kind, filter: this.filter });
        if (!this.node.isConnected) return;
        this.proposed = this.editor.source = source;
      } else {
        this.editor.source = this.editor.source.replace(/^kind:.*$/m, () => `kind: ${kind}`);
      }
    } catch (error) {
      say(this.problem, error.message);
    }
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.editor.source);
    } catch {
      throw new Error(t("found.copyYourself"));
    }
    this.list.offerUndo(t("found.copied", { kind: this.kind.value.trim() }), null);
  }

  async save() {
    const { api } = this.context, kind = this.kind.value.trim(), address = `/v1/definitions/${encodeURIComponent(kind)}`;
    await api("PUT", address, { source: this.editor.source }, { isNew: true });
    // What somebody has changed since then is not removed.
    const match = tagOf(await api("GET", address));
    this.list.offerUndo(t("found.saved", { kind }), () => api("DELETE", address, undefined, { match }));
  }
}
