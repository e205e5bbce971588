// A recording in virtual time, and what an edit of its definition would have done to it.
import { tagOf } from "./api.js";
import { el, put, say, styles, typed } from "./dom.js";
import { clock, dateAndTime, length, number, timeOfDay } from "./time.js";
import { Timeline, lastAt, legend, paints, phasesOf, second } from "./timeline.js";
import { StateChart } from "./chart.js";
import { Editor } from "./editor.js";
import { compare } from "./compare.js";
import { byName, distinctNames, humanName, stateTitle, statusOf } from "./house.js";
import { drawIsland, drawLockCard, redraw } from "./phone-draw.js";
import { symbol } from "./symbols.js";
import { told } from "./told.js";
import { t } from "./texts.js";
import "./texts-views.js";

await styles("views", "phone");

const SPEEDS = [1, 10, 60, 600];
/** What is typed: what was replayed last, as `{ input, name, key }`, and edits that are not saved, by their kinds. */
const LAST = "replay", editOf = (kind) => `edit ${kind}`;
/** The folder of the definitions that come with Skerry, which nobody edits. */
const SHIPPED = /\/share\/skerry\/devices\//;
/** How many other devices of a recording are drawn beside the one that is looked at. */
const OTHERS = 7;

/** Opens the replay; a route with a device begins with its last hours. */
export function open(root, route, context) {
  const view = new ReplayView(root, route, context);
  view.start();
  return { close: () => view.close(), takeSession: () => view.takeSession() };
}

/** The view itself; `replay`, `otherSource` and `editPart` are what another page replaces, which asks no bridge. */
export class ReplayView {
  /** The largest recording that is read, in MiB: the bridge takes 4 MiB of JSON, in which each quote of a recording is two characters. */
  limit = 3;

  constructor(root, route, context) {
    this.root = root;
    this.route = route;
    this.context = context;
    this.at = 0;
    this.speed = 60;
    this.isPlaying = false;
    this.turn = 0;
  }

  start() {
    const { route } = this, key = `${route.kind}/${route.device}`;
    this.build();
    if (route.kind && route.device) this.run({ device: key }, this.context.model.called(key));
    else if (typed.has(LAST)) this.run(typed.get(LAST).input, typed.get(LAST).name, typed.get(LAST).key);
  }

  close() {
    this.isClosed = true;
    this.pause();
    this.drop();
    this.endDevices?.();
  }

  drop() {
    this.keepDraft();
    this.timeline?.close();
    this.chart?.close();
    this.editor?.close();
    this.endDefinitions?.();
    this.timeline = this.chart = this.editor = this.newest = null;
    this.edited = null;
  }

  keepDraft() {
    if (!this.editor) return;
    const { editor: { source }, definition, device, tag, base } = this;
    if (source === definition.source) typed.delete(editOf(device.kind));
    else typed.set(editOf(device.kind), { source, tag, base });
  }

  // MARK: What to replay

  build() {
    this.file = el("input", { type: "file", accept: ".jsonl,.ndjson,.json,.txt,application/x-ndjson", class: "unseen", id: "recording-file", onchange: () => this.take(this.file.files[0]) });
    this.message = el("p", { class: "replay-message", role: "status" });
    const zone = el("div", { class: "drop",
      ondragover: (event) => { event.preventDefault(); zone.classList.add("is-over"); }, ondragleave: () => zone.classList.remove("is-over"),
      ondrop: (event) => { event.preventDefault(); zone.classList.remove("is-over"); this.take(event.dataTransfer.files[0]); } },
    el("div", { class: "drop-half" }, el("strong", {}, t("replay.drop")), el("p", { class: "soft" }, t("replay.dropHelp")), this.file, el("label", { for: "recording-file", class: "as-button" }, t("replay.choose"))),
    this.otherSource());
    this.result = el("div", { class: "replay-result" });
    this.page = el("div", { class: "views replay-view" }, el("header", {}, el("h1", { class: "view-title" }, t("replay.title")), el("p", { class: "small" }, t("replay.lead"))), el("section", { class: "part part-drop", "aria-label": t("replay.source") }, zone, this.message), this.result);
    put(this.root, this.page);
  }

  /** What can be replayed instead of a file: the last hours of a device. */
  otherSource() {
    const { model } = this.context;
    this.select = el("select", { id: "recording-device", "aria-label": t("replay.device"), onchange: () => { this.wanted = this.select.value; } });
    this.choice = el("div", { class: "replay-choice" }, this.select, el("button", { type: "button", class: "main", onclick: () => this.run({ device: this.select.value }, model.called(this.select.value)) }, t("replay.take")));
    this.hoursHelp = el("p", { class: "soft" });
    this.fillDevices();
    this.endDevices = model.subscribe(({ type }) => { if (["snapshot", "refreshed", "forgotten"].includes(type)) this.fillDevices(); });
    return el("div", { class: "drop-half" }, el("strong", {}, t("replay.hours")), this.hoursHelp, this.choice);
  }

  fillDevices() {
    const keys = [...this.context.model.devices.keys()], names = this.names(keys);
    keys.sort((one, other) => byName(names.get(one), names.get(other)));
    // A list that somebody has open stays as long as it is right.
    const shown = JSON.stringify([...names]);
    if (this.select.shown !== shown) put(this.select, keys.map((key) => el("option", { value: key }, names.get(key)))).shown = shown;
    if (keys.includes(this.wanted)) this.select.value = this.wanted;
    this.choice.hidden = !keys.length;
    const hours = this.context.model.status?.recordHours;
    say(this.hoursHelp, !keys.length ? t("welcome.title") : hours ? t("replay.hoursHelp", { length: length(hours * 3600) }) : hours === 0 ? t("replay.hoursOff") : "");
  }

  /** What the devices with these keys are called. */
  names(keys) {
    const { model } = this.context;
    return distinctNames(keys, (key) => model.called(key), (kind) => model.known(kind)?.name ?? humanName(kind));
  }

  async take(file) {
    if (!file) return;
    if (file.size > this.limit << 20) return say(this.message, t("replay.tooLarge", { size: number(this.limit) }));
    this.run({ recording: await file.text() }, file.name);
  }

  async run(input, name, key = input.device) {
    const turn = ++this.turn;
    if (input.device) {
      this.wanted = input.device;
      this.fillDevices();
    }
    this.pause();
    say(this.message, t("replay.running"));
    try {
      const answer = this.happened(input, await this.replay(input, null));
      if (turn !== this.turn || this.isClosed) return;
      const devices = answer.devices.filter((device) => device.events.length);
      if (!devices.length) {
        if (input.device && answer.from === null) {
          const since = await this.context.model.keptSince();
          return say(this.message, since ? t("device.nothingRecorded", { time: timeOfDay(since) }) : t("replay.noRecording"));
        }
        const why = answer.problems?.[0]?.message;
        return say(this.message, why ?? t(answer.messages ? "replay.nothingRead" : "replay.empty"));
      }
      say(this.message, answer.truncated ? t("replay.truncated") : "");
      this.input = input;
      this.name = name;
      this.answer = { ...answer, devices };
      await this.chooseDevice(devices.find((device) => `${device.kind}/${device.device}` === key) ?? devices[0], turn);
    } catch (error) {
      if (turn === this.turn) say(this.message, error.message);
    }
  }

  /** What has happened of a replay. That of a device lives on after its last message, beyond the present. */
  happened({ device }, answer, until = device ? clock() : Infinity) {
    const devices = answer.devices.map((one) => ({ ...one, events: one.events.filter(({ at }) => at <= until) }));
    return { ...answer, devices, to: Math.min(answer.to, until) };
  }

  replay(input, source, kind = null) {
    const deviceKind = kind ?? input.device?.split("/")[0] ?? null;
    return this.context.api("POST", "/v1/replay", { source, kind: source === null ? deviceKind : null, recording: input.recording ?? null, device: input.device ?? null });
  }

  async chooseDevice(device, turn = ++this.turn) {
    this.drop();
    const others = this.answer.devices.filter((one) => one !== device).slice(0, OTHERS);
    const [definition, ...definitions] = await Promise.all([device, ...others].map((one) => this.context.model.definition(one.kind)));
    if (turn !== this.turn || this.isClosed) return;
    this.device = device;
    typed.set(LAST, { input: this.input, name: this.name, key: `${device.kind}/${device.device}` });
    this.definition = definition;
    this.paint = paints(definition);
    this.before = { ...sorted(device.events), definition };
    this.others = others.map((one, index) => [{ ...sorted(one.events), definition: definitions[index], paint: paints(definitions[index]) }, `${one.kind}/${one.device}`]);
    this.calledNames = this.names(this.answer.devices.map((one) => `${one.kind}/${one.device}`));
    this.at = this.before.updates[0]?.at ?? this.answer.from;
    this.buildResult();
    this.seek(this.at);
  }

  // MARK: The frame

  buildResult() {
    const { answer, device, definition } = this;
    const key = (one) => `${one.kind}/${one.device}`;
    const tabs = answer.devices.length > 1 && el("select", { "aria-label": t("replay.device"), onchange: (event) => this.chooseDevice(answer.devices.find((one) => key(one) === event.target.value)) },
      answer.devices.map((one) => el("option", { value: key(one), selected: one === device }, this.calledNames.get(key(one)))));
    this.timeline = new Timeline({ label: t("replay.slider"), onSeek: (at) => { this.pause(); this.seek(at); } });
    this.timeText = el("p", { class: "replay-time", role: "timer" });
    this.playButton = el("button", { type: "button", class: "main", onclick: () => (this.isPlaying ? this.pause() : this.play()) });
    const tool = (text, label, act) => el("button", { type: "button", class: "replay-step", title: label, "aria-label": label, onclick: act }, text);
    const speeds = el("fieldset", { class: "segments replay-speed" }, el("legend", { class: "unseen" }, t("replay.speed")), SPEEDS.map((speed) => el("label", {},
      el("input", { type: "radio", name: "speed", value: speed, checked: speed === this.speed, onchange: () => { this.speed = speed; } }), el("span", {}, `${speed}×`))));
    const tools = el("div", { class: "replay-tools", role: "group", "aria-label": t("replay.tools") }, tool("◂", t("replay.back"), () => this.step(-1)), this.playButton, tool("▸", t("replay.forward"), () => this.step(1)), speeds, this.timeText);
    this.legendPlace = el("div", {});
    this.verdict = el("div", { class: "verdicts", role: "status" });
    this.chart = new StateChart(definition);
    this.phones = el("div", { class: "replay-phones" });
    this.moment = el("div", { class: "replay-moment" });
    const { updates } = this.before;
    const head = el("header", { class: "replay-head" }, el("span", { class: "replay-badge" }, t("replay.badge")), el("h2", { dataset: { device: key(device) } }, symbol(definition.layout?.symbol ?? "circle"), ` ${this.calledNames.get(key(device))}`), tabs,
      el("p", {}, t("replay.summary", { name: this.name, from: dateAndTime(answer.from), length: length(answer.to - answer.from), messages: t("replay.messages", { count: number(answer.messages) }), updates: t("replay.updates", { count: number(updates.length) }) })));
    put(this.result, el("section", { class: "part part-replay", "aria-label": t("replay.badge") }, head, this.timeline.node, this.legendPlace, tools, this.verdict), this.editPart(),
      el("div", { class: "replay-columns" },
        el("section", { class: "part", "aria-label": t("device.machine") }, el("header", { class: "part-head" }, el("h2", {}, t("device.machine")), this.chart.tools), this.chart.node),
        el("div", { class: "device-side" }, el("section", { class: "part", "aria-label": t("replay.phone") }, el("header", { class: "part-head" }, el("h2", {}, t("replay.phone"))), this.phones),
          el("section", { class: "part", "aria-label": t("replay.moment") }, el("header", { class: "part-head" }, el("h2", {}, t("replay.moment"))), this.moment))));
    this.drawPlay();
    this.drawTimeline();
  }

  lane(version, name) {
    const { from, to } = this.answer;
    const title = (state) => stateTitle(version.definition, String(state).split(",")[0]);
    const phases = phasesOf(version.moves, Math.max(from, version.messages[0]?.at ?? from), to, version.moves[0]?.from).map((phase) => ({ ...phase, title: title(phase.state) }));
    const times = (list) => list.map((event) => event.at);
    return { name, phases, definition: version.definition, paint: version.paint ?? this.paint, updates: times(version.updates), messages: times(version.messages) };
  }

  drawTimeline() {
    const name = this.calledNames.get(`${this.device.kind}/${this.device.device}`);
    const lanes = [this.lane(this.before, this.edited ? t("replay.before") : this.others.length ? name : null)];
    if (this.edited) {
      const { first } = this.compared();
      lanes.push({ ...this.lane(this.edited, t("replay.after")), difference: first?.at ?? null });
      lanes[0].difference = first?.at ?? null;
    }
    const own = lanes.flatMap((lane) => lane.phases);
    for (const [version, other] of this.others) lanes.push(this.lane(version, this.calledNames.get(other)));
    this.timeline.show({ from: this.answer.from, to: this.answer.to, lanes });
    this.timeline.move(this.at);
    put(this.legendPlace, legend(own, this.paint, this.definition));
  }

  // MARK: Virtual time

  play() {
    if (this.at >= this.answer.to - 0.01) this.at = this.answer.from;
    this.isPlaying = true;
    this.drawPlay();
    let last = performance.now();
    const frame = (now) => {
      if (!this.isPlaying || this.isClosed) return;
      const at = this.at + ((now - last) / 1000) * this.speed;
      last = now;
      this.seek(at);
      if (at >= this.answer.to) return this.pause();
      this.frame = requestAnimationFrame(frame);
    };
    this.frame = requestAnimationFrame(frame);
  }

  pause() {
    this.isPlaying = false;
    cancelAnimationFrame(this.frame);
    this.drawPlay();
  }

  drawPlay() {
    if (this.playButton) say(this.playButton, t(this.isPlaying ? "replay.pause" : "replay.play"));
  }

  /** To the next or the last moment at which something happened that people could see. */
  step(way) {
    this.pause();
    const moments = [this.before, this.edited].filter(Boolean).flatMap((version) => [...version.moves, ...version.shown].map((event) => event.at)).sort((one, other) => one - other);
    const next = way > 0 ? moments.find((at) => at > this.at + 0.01) : moments.findLast((at) => at < this.at - 0.01);
    this.seek(next ?? (way > 0 ? this.answer.to : this.answer.from));
  }

  seek(at) {
    this.at = Math.min(this.answer.to, Math.max(this.answer.from, at));
    this.timeline.move(this.at);
    say(this.timeText, timeOfDay(this.at, true));
    const stamp = [this.before, this.edited].map((version) => version && lastAt(version.events, this.at)).map((event) => (event ? `${event.at}${event.what}` : "")).join();
    const isNew = stamp !== this.stamp || !this.moment.firstChild;
    this.stamp = stamp;
    if (isNew) this.drawMoment();
    this.drawPhones(isNew);
  }

  shownBy(version) {
    const event = lastAt(version.shown, this.at), { kind, device } = this.device;
    if (event?.what !== "update") return null;
    // A replay knows no name that people chose.
    const { snapshot } = event, name = this.context.model.devices?.get(`${kind}/${device}`)?.name;
    const isTopic = name && snapshot.attributes?.name === device;
    return isTopic ? { ...snapshot, attributes: { ...snapshot.attributes, name } } : snapshot;
  }

  drawPhones(isNew) {
    const versions = [[this.before, this.edited ? t("replay.before") : null], ...(this.edited ? [[this.edited, t("replay.after")]] : [])];
    const snapshots = versions.map(([version]) => this.shownBy(version));
    const form = snapshots.map((snapshot) => snapshot?.id ?? "").join() + versions.length + (this.edited?.source ?? "");
    if (isNew && form !== this.form) {
      this.form = form;
      this.drawn = [];
      put(this.phones, versions.map(([version, name], index) => {
        const snapshot = snapshots[index];
        const { layout } = version.definition;
        const views = snapshot && layout ? [drawIsland(layout, snapshot, { at: this.at }), drawIsland(layout, snapshot, { at: this.at, form: "expanded" }), drawLockCard(layout, snapshot, { at: this.at })] : [];
        this.drawn.push(views);
        return el("div", { class: "replay-phone" }, name && el("h3", {}, name), views.length ? views : el("p", { class: "soft" }, t("replay.nothingShown")));
      }));
      return;
    }
    // Clocks tick by the second: what is drawn in between would look the same.
    const tick = Math.floor(this.at);
    if (!isNew && tick === this.tick) return;
    this.tick = tick;
    this.drawn?.forEach((views, index) => { if (snapshots[index]) for (const view of views) redraw(view, snapshots[index], this.at); });
  }

  drawMoment() {
    const { moves, messages, updates } = this.before;
    const parents = new Map(this.definition.machine.states.map((state) => [state.name, state.parent]));
    const move = lastAt(moves, this.at);
    const state = move?.to ?? moves[0]?.from ?? null;
    const states = [];
    for (const leaf of String(state ?? "").split(",")) for (let name = leaf; name && parents.has(name); name = parents.get(name)) states.push(name);
    this.chart.show({ states, move });
    if (this.isPlaying && move && this.at - move.at < this.speed / 20) this.chart.pulse(move);
    const message = lastAt(messages, this.at);
    const update = lastAt(updates, this.at);
    put(this.moment, message ? [el("h3", {}, t("replay.lastMessage", { time: second(message.at) })), el("p", { class: "said" }, el("code", { class: "said-topic" }, message.topic), el("code", {}, message.payload)),
      el("p", {}, el("span", { class: `tag is-${message.did}` }, t(`did.${message.did}`)), message.why && el("span", { class: "note" }, ` ${told(message.why)}`))] : el("p", { class: "soft" }, t("replay.noMessageYet")),
    update && [el("h3", {}, t("replay.lastUpdate", { time: second(update.at), count: number(updates.indexOf(update) + 1) })), el("p", { class: "said" }, el("code", {}, update.patch ? JSON.stringify(update.patch) : t("device.wholeSnapshot"))),
      el("p", { class: "note" }, t("device.bytes", { count: number(update.bytes) }))]);
  }

  // MARK: What would this edit have done

  editPart() {
    const body = el("div", { class: "part-body" });
    return el("details", { class: "part part-edit", open: typed.has(editOf(this.device.kind)), ontoggle: (event) => { if (event.target.open && !this.editor) this.openEditor(body); } },
      el("summary", {}, el("h2", {}, t("replay.edit")), el("span", { class: "soft" }, t("replay.editHelp"))), body);
  }

  openEditor(body) {
    const { definition, context } = this, draft = typed.get(editOf(this.device.kind));
    this.saveButton = el("button", { type: "button", class: "main", disabled: true, onclick: () => this.save() }, t("replay.save"));
    // What is edited, and what an edit may replace.
    this.base = draft?.base ?? definition.source;
    this.tag = draft?.tag ?? tagOf(definition);
    this.former = null;
    this.endDefinitions = context.model.subscribe(({ type }) => type === "definitions" && this.readAgain());
    this.resetButton = el("button", { type: "button", class: "quiet", disabled: true, onclick: () => this.reset() }, t("replay.reset"));
    this.saved = el("p", { class: "soft", role: "status" });
    this.tellRight();
    this.editor = new Editor({
      source: draft?.source ?? definition.source, label: t("replay.definition"), check: (source, signal) => context.api("POST", "/v1/check", { source }, { signal }), onChange: (source, answer) => this.tryEdit(source, answer),
    });
    schema(context.api).then((found) => { if (this.editor) this.editor.schema = found; });
    body.append(this.editor.node, el("div", { class: "edit-tools" }, this.saveButton, this.resetButton, this.saved));
    // It may have changed since the recording was replayed.
    this.readAgain();
  }

  /** Shows the button that saves to those who may save. */
  tellRight() {
    const { session, may, signIn } = this.context, mayEdit = Boolean(session?.mayEdit);
    const isShipped = SHIPPED.test(this.definition.file);
    this.saveButton.hidden = !mayEdit || isShipped;
    put(this.saved, mayEdit ? isShipped && this.whereTo() : may("administer") ? t("replay.mayNotEdit")
      : [t("replay.signIn"), " ", el("button", { type: "button", class: "quiet", onclick: () => signIn("administer") }, t("shell.signIn"))]);
  }

  /** What to do with an edit of a definition that is not in a folder of its own. */
  whereTo() { return t("replay.shipped", { kind: this.device.kind }); }

  /** Takes a sign in or out, and keeps what somebody has written; false if another view is to be made. */
  takeSession() {
    if (!this.editor || !this.context.may("author")) return false;
    this.tellRight();
    return true;
  }

  async tryEdit(source, answer) {
    const isChanged = source !== this.definition.source;
    this.drawReset();
    this.saveButton.disabled = !isChanged || !answer.ok;
    const turn = (this.editTurn = (this.editTurn ?? 0) + 1);
    if (!isChanged) {
      this.edited = null;
      put(this.verdict);
    } else if (answer.ok) {
      try {
        const replayed = this.happened(this.input, await this.replay(this.input, source), this.answer.to);
        if (turn !== this.editTurn || this.isClosed) return;
        const events = replayed.devices.find((one) => one.device === this.device.device)?.events ?? [];
        this.edited = { ...sorted(events), source, definition: answer.definition ?? this.definition };
        this.judge();
      } catch (error) {
        if (turn === this.editTurn) put(this.verdict, el("p", { class: "is-bad" }, error.message));
        return;
      }
    } else {
      return;
    }
    this.drawTimeline();
    this.form = null;
    this.stamp = null;
    this.seek(this.at);
  }

  compared() {
    const { before, edited } = this;
    return compare(before.events, edited.events, this.answer.to, [before.definition, edited.definition]);
  }

  /** Says in words what the edit changes. */
  judge() {
    const result = this.compared();
    const lines = [];
    const say = (key, list, values = {}) => { if (list.length) lines.push(t(key, { count: list.length, ...values })); };
    say("replay.more", result.more);
    say("replay.fewer", result.fewer);
    say("replay.cut", result.cut);
    say("replay.joined", result.joined);
    say("replay.gone", result.gone);
    say("replay.new", result.new);
    const figure = (name, [one, other]) => el("div", { class: `figure${one === other ? "" : one < other ? " is-more" : " is-fewer"}` }, el("dt", {}, name),
      el("dd", {}, one === other ? number(one) : [number(one), el("span", { "aria-hidden": "true" }, " → "), el("span", { class: "unseen" }, ` ${t("replay.becomes")} `), el("strong", {}, number(other))]));
    put(this.verdict, el("h3", {}, result.first || lines.length ? t("replay.differs") : t("replay.same")),
      el("dl", { class: "figures" }, figure(t("history.updates"), result.updates), figure(t("replay.runs"), result.runs), figure(t("replay.bytes"), result.bytes)),
      lines.length > 0 && el("ul", { class: "verdict-lines" }, lines.map((line) => el("li", {}, line))),
      result.first && el("p", {}, this.firstWords(result.first), " ",
        el("button", { type: "button", class: "quiet", onclick: () => { this.pause(); this.seek(result.first.at); } }, t("replay.goThere"))));
  }

  firstWords({ at, before, after, isOneMoment }) {
    const time = timeOfDay(at, true);
    const words = (snapshot, { definition }) => (snapshot ? statusOf(snapshot, definition) : t("did.nothing"));
    const [was, is] = [words(before, this.before), words(after, this.edited)];
    if (was !== is) return t("replay.first", { time, before: was, after: is });
    const [one, other] = [before?.content ?? {}, after?.content ?? {}];
    const fields = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
    return fields.length ? t("replay.firstFields", { time, fields: fields.join(", ") }) : t(isOneMoment ? "replay.firstLook" : "replay.firstTime", { time });
  }

  /**
   * Puts the text of the bridge in place of the edit; after it was saved, the text from before that. If the bridge has another one, the
   * recording is replayed with it.
   */
  async reset() {
    const { source } = this.definition, isFormer = this.editor.source === source && !this.newest;
    this.editor.source = isFormer ? this.former : source;
    if (!this.newest) return;
    await this.run(this.input, this.name, typed.get(LAST).key);
    const part = this.result.querySelector(".part-edit");
    if (part) part.open = true;
  }

  /** Looks at the definition that the bridge has now. One that was not written here is taken when the edit is undone. */
  async readAgain() {
    const newest = await this.context.model.definition(this.device.kind).catch(() => null);
    if (!newest || this.isClosed || !this.editor) return;
    const isOurs = [this.base, this.saving].includes(newest.source);
    this.newest = isOurs ? null : newest;
    if (isOurs) this.tag = tagOf(newest);
    else say(this.saved, t("replay.outdated"));
    this.drawReset();
  }

  drawReset() {
    const { editor: { source }, definition, newest, former } = this;
    this.resetButton.disabled = source === definition.source && !newest && [null, source].includes(former);
  }

  async save() {
    const { source } = this.editor;
    this.saveButton.disabled = true;
    this.saving = source;
    try {
      const answer = await this.context.api("PUT", `/v1/definitions/${encodeURIComponent(this.device.kind)}`, { source }, { match: this.tag });
      if (this.isClosed) return;
      if (answer && answer.ok === false) return this.editor.show(answer.problems);
      this.former = this.definition.source;
      this.definition = { ...this.definition, source };
      this.base = source;
      this.newest = null;
      this.drawReset();
      say(this.saved, t("replay.saved", { time: timeOfDay(clock(), true) }));
    } catch (error) {
      this.saveButton.disabled = false;
      if (error.status === 412) await this.readAgain();
      else say(this.saved, error.code === "outside-of-definitions" ? this.whereTo() : error.message);
    } finally {
      this.saving = null;
    }
  }
}

/** The events of a device by what they are; what phones show changes with those in `shown`. */
function sorted(events) {
  const those = (...kinds) => events.filter((event) => kinds.includes(event.what));
  return { events, moves: those("moved"), messages: those("message"), updates: those("update"), shown: those("update", "dismissed") };
}

let language = null;

/** The language's schema, read once; null when the bridge does not serve it. */
function schema(api) {
  language ??= api("GET", "/v1/schema").catch(() => null);
  return language;
}
