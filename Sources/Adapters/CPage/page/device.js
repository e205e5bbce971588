// One device. For people: what it does and why, what comes next, its last runs, and its settings. For authors, one step away: its statechart,
// what it heard, what it waits for, and why most of what it heard changed nothing.
import { isAway } from "./api.js";
import { el, hold, put, say, styles } from "./dom.js";
import { clockField, deviceStatus, humanName, stateTitle } from "./house.js";
import { factList } from "./card.js";
import { cardTexts, eventButtons, levelIsAt } from "./phone-layout.js";
import { everySecond, clock, isTime, length, locale, reading, clockText, relative, timeOfDay } from "./time.js";
import { StateChart, countMoves } from "./chart.js";
import { Timeline, paints, phasesOf, legend, lastAt } from "./timeline.js";
import { SettingsForm, drawGuards, drawJournal, drawMessages, drawRuns, drawSignals, drawTimes, drawWhy, drawWire, panel, remember, timeText, valueText } from "./device-parts.js";
import { comesNext } from "./why.js";
import { symbol } from "./symbols.js";
import { t } from "./texts.js";
import "./texts-views.js";

await styles("views");

/** How many moves and publications are kept while the view is open. */
const LIMIT = { moves: 500, wire: 200 };
/** A recording that ended longer ago than this is no part of the present. */
const RECENT = 172800;
const encoder = new TextEncoder();
/** Where the browser remembers that somebody reads the part for authors. */
const AUTHORS = "skerry.authors";

/** Opens the view of the device that the route names. */
export function open(root, route, context) {
  const view = new DeviceView(root, route, context);
  view.start();
  return { close: () => view.close() };
}

function remembered() {
  try { return localStorage.getItem(AUTHORS) !== null; } catch { return false; }
}

class DeviceView {
  constructor(root, route, context) {
    this.root = root;
    this.context = context;
    this.kind = route.kind;
    this.device = route.device;
    this.isForAuthors = route.levels[2] === "authors" || remembered();
    this.key = `${route.kind}/${route.device}`;
    this.path = `/v1/devices/${encodeURIComponent(route.kind)}/${encodeURIComponent(route.device)}`;
    this.moves = [];
    this.wire = [];
    this.recording = null;
    this.past = null;
    this.ends = [];
  }

  async start() {
    put(this.root, el("p", { class: "loading", role: "status" }, t("views.loading")));
    const { api, model } = this.context;
    try {
      [this.definition, this.explanation] = await Promise.all([model.definition(this.kind), api("GET", this.path)]);
    } catch (error) {
      if (this.isClosed) return;
      if (isAway(error)) this.context.missing(this.root, error.message);
      else this.sayAbsent(model.called(this.key), error.status === 404 ? t("device.unknown") : error.message);
      return;
    }
    if (this.isClosed) return;
    this.moves = [...(this.explanation.moves ?? [])];
    this.entry = this.moves.length ? null : this.lastEntry(this.explanation);
    const { activity } = this.explanation;
    if (activity?.changed) this.publish({ id: activity.id, rev: activity.rev, prev: activity.rev - 1, epoch: activity.epoch, at: activity.updated, patch: activity.changed });
    this.build();
    this.ends.push(() => this.takeApart(), model.watch(this.key, (explanation) => this.take(explanation)), model.subscribe((change) => this.hear(change)));
    this.take(this.explanation);
    this.readRecording();
  }

  close() {
    this.isClosed = true;
    for (const end of this.ends) end();
  }

  /** Says that the device is not there, until it is. */
  sayAbsent(name, words) {
    this.close();
    put(this.root, el("div", { class: "part" }, el("h1", {}, name), el("p", {}, words), el("p", {}, el("a", { href: "#/now" }, t("history.everyDevice")))));
    this.ends = [this.context.model.subscribe(({ type, key }) => type === "moved" && key === this.key && this.context.redraw())];
  }

  /** The move into the present state, as far as it is known without any: a bridge that has just started remembers no moves. */
  lastEntry({ states = [], at }) {
    const parents = new Set(states.map(({ name }) => this.definition.machine.states.find((one) => one.name === name)?.parent));
    const inner = states.filter(({ name }) => !parents.has(name));
    return inner.length ? { at: Math.max(...inner.map(({ since }) => since ?? at)), from: null, to: inner.map(({ name }) => name).join(",") } : null;
  }

  /** Takes the definition as it is now, if it is another one: what is drawn once is drawn again. */
  async define() {
    const { api, model } = this.context;
    const [definition, explanation] = await Promise.all([model.definition(this.kind), api("GET", this.path)]).catch(() => []);
    if (this.isClosed || !definition || JSON.stringify(definition) === JSON.stringify(this.definition)) return;
    const hasSettings = JSON.stringify(definition.settings) === JSON.stringify(this.definition.settings);
    this.definition = definition;
    this.takeApart();
    this.build(hasSettings ? this.settings : null);
    if (this.recording) drawMessages(this.parts.messages.body, this.recording.events);
    this.take(explanation);
    if (this.past !== null) this.seek(this.past);
  }

  takeApart() {
    this.endTicks();
    this.chart.close();
    this.timeline.close();
  }

  titleOf(state) {
    const names = String(state).split(",").map((name) => name.trim());
    const active = new Map((this.explanation?.states ?? []).map((one) => [one.name, one.title]));
    return names.map((name) => {
      return active.get(name) ?? stateTitle(this.definition, name);
    }).join(", ");
  }

  // MARK: The frame

  /** Builds the view; `settings` is the form of the settings, in which something may be written already. */
  build(settings = null) {
    const { definition } = this;
    this.paint = paints(definition);
    const title = (state) => this.titleOf(state);
    this.title = title;
    this.stateText = el("p", { class: "device-state", "aria-live": "polite" });
    this.clockText = el("p", { class: "device-clock", role: "timer", "aria-live": "off" });
    this.heading = el("h1", {}, humanName(this.device));
    this.kindText = el("p", { class: "device-kind" });
    this.facts = el("p", { class: "device-facts" });
    this.unread = el("p", { class: "soft" });
    this.lines = el("ul", { class: "device-lines" });
    this.others = el("div", { class: "device-others" });
    this.nextText = el("p", { class: "device-next" });
    this.eventsPlace = el("div", { class: "device-buttons", tabindex: "-1" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.progress = el("div", { class: "meter device-progress", "aria-hidden": "true" }, el("i", {}));
    const head = el("header", { class: "device-head" },
      el("span", { class: "device-symbol", "aria-hidden": "true" }, symbol(definition.layout?.symbol ?? definition.symbol ?? "circle")),
      el("div", { class: "device-names" }, this.heading, this.kindText, this.facts),
      el("div", { class: "device-now" }, this.stateText, this.clockText), this.lines, this.progress, this.others,
      el("div", { class: "device-foot" }, this.nextText, this.eventsPlace, this.problem));
    if (definition.layout?.tint) head.style.setProperty("--tint", definition.layout.tint);
    this.parts = {
      why: panel(t("people.why"), "why"), runs: panel(t("people.runs"), "runs"),
      slider: panel(t("device.moment"), "moment"), chart: panel(t("device.machine"), "chart"),
      times: panel(t("device.times"), "times"), guards: panel(t("device.guards"), "guards"), signals: panel(t("device.signals"), "signals"),
      then: panel(t("device.then"), "then"), journal: panel(t("device.journal"), "journal"),
      messages: panel(t("device.messages"), "messages", el("a", { class: "to-replay", href: `#/replay/${encodeURIComponent(this.kind)}/${encodeURIComponent(this.device)}` }, t("device.toReplay")), el("button", { type: "button", class: "quiet", onclick: () => this.readRecording() }, t("device.readAgain"))),
      wire: panel(t("device.wire"), "wire"),
    };
    this.settings = null;
    const { mayEdit, mayRename } = this.context.session ?? {};
    if (mayEdit || mayRename) {
      this.settings = settings ?? new SettingsForm(this.key, mayEdit ? definition.settings ?? [] : [], (choice) => this.choose(mayEdit ? choice : { name: choice.name }));
      this.parts.settings = panel(t("shell.tab.settings"), "settings");
      this.parts.settings.body.append(this.settings.node);
    }
    this.chart = new StateChart(definition);
    this.parts.chart.body.append(this.chart.node);
    this.parts.chart.node.querySelector(".part-head").append(this.chart.tools);
    this.timeline = new Timeline({ label: t("device.slider"), onSeek: (at) => this.seek(at) });
    this.pastNote = el("p", { class: "past-note", role: "status" });
    this.back = el("button", { type: "button", class: "back", hidden: true, onclick: () => this.seek(null) }, t("device.backToNow"));
    this.legendPlace = el("div", {});
    this.sinceText = el("p", { class: "soft recorded-since" });
    this.parts.slider.body.append(el("div", { class: "past-bar" }, this.pastNote, this.back), this.timeline.node, this.legendPlace, this.sinceText);
    const { why, runs, slider, chart, then, times, guards, signals, journal, wire, messages } = this.parts;
    this.people = el("div", { class: "device-people" }, why.node, el("div", { class: "device-side" }, runs.node, this.parts.settings?.node));
    this.authors = el("details", { class: "authors", open: this.isForAuthors },
      el("summary", { onclick: () => this.rememberAuthors(!this.authors.open) }, el("h2", {}, t("authors.title")), el("span", { class: "soft" }, t("authors.lead"))),
      el("div", { class: "authors-parts" }, slider.node, chart.node,
        el("div", { class: "device-lists" }, then.node, guards.node, times.node, signals.node, journal.node, wire.node), messages.node));
    this.page = el("div", { class: "views device-view" }, head, this.people, this.authors);
    put(this.root, this.page);
    this.drawRuns();
    this.endTicks = everySecond(this.page, (at) => this.tick(at));
  }

  rememberAuthors(isOpen) {
    this.isForAuthors = isOpen;
    try { this.isForAuthors ? localStorage.setItem(AUTHORS, "open") : localStorage.removeItem(AUTHORS); } catch { /* for this visit only */ }
  }

  async drawRuns() {
    this.runsDue = null;
    const { body } = this.parts.runs;
    try {
      await drawRuns(body, this.kind, this.device, this.context.api);
    } catch (error) {
      put(body, el("p", { class: "soft" }, error.message));
    }
  }

  /** Reads the runs a moment after something happened: the end of a run is kept after it was told. */
  drawRunsSoon() {
    this.runsDue ??= setTimeout(() => !this.isClosed && this.drawRuns(), 500);
  }

  /** Draws the buttons that send events, as far as the state has some: again only when they are others, since one may have the focus. */
  drawButtons() {
    const { api } = this.context, states = (this.explanation.states ?? []).map((state) => state.name);
    const shown = this.context.may("act") ? eventButtons(this.definition, states) : [], key = JSON.stringify(shown);
    if (this.eventsPlace.dataset.shown === key) return;
    this.eventsPlace.dataset.shown = key;
    const hadFocus = this.eventsPlace.contains(document.activeElement);
    put(this.eventsPlace, ...shown.map(({ event, title }) => el("button", {
      type: "button", class: "quiet", onclick: async (click) => {
        const button = click.currentTarget;
        hold(button);
        say(this.problem, "");
        try {
          await api("POST", `${this.path}/events`, { event });
          button.classList.add("is-sent");
          say(button, this.context.model.sent(title));
          setTimeout(() => { button.classList.remove("is-sent"); say(button, title); }, 3000);
        } catch (error) {
          say(this.problem, error.message);
        }
        hold(button, false);
      },
    }, title)));
    if (hadFocus) this.eventsPlace.focus();
  }

  /** Chooses the settings and the name of the device in place of those chosen before, and shows it with them. */
  async choose(choice) {
    const explanation = await this.context.api("PUT", `${this.path}/settings`, choice);
    if (!this.isClosed) this.take(explanation);
    this.context.model.refresh();
    return explanation;
  }

  // MARK: What comes in

  take(explanation) {
    this.explanation = explanation;
    remember(explanation);
    if (explanation.moves) {
      const known = lastAt(this.moves, Infinity)?.at ?? -Infinity;
      for (const move of explanation.moves) if (move.at > known + 1e-6) this.moves.push(move);
    }
    if (this.past === null) this.drawNow();
    this.drawHead();
    this.drawButtons();
    this.draw("journal", [explanation.phones, this.moves.length, this.moves.at(-1)], (body) => drawJournal(body, explanation, this.moves, this.title));
  }

  /** Draws a part again only when what it shows has changed, and where it was scrolled to. */
  draw(name, inputs, draw) {
    const part = this.parts[name];
    const key = JSON.stringify(inputs);
    if (part.key === key) return;
    part.key = key;
    const scrolled = part.body.querySelector('[tabindex="0"]')?.scrollTop ?? 0;
    draw(part.body);
    const list = part.body.querySelector('[tabindex="0"]');
    if (list && scrolled) list.scrollTop = scrolled;
  }

  hear({ type, key, data }) {
    if (type === "definitions") return this.define();
    if (type === "cards") return this.drawHead();
    if (key !== this.key) return;
    if (type === "forgotten") return this.sayAbsent(this.heading.textContent, t("device.forgotten"));
    // A diff within a run changes nothing in the list of those that are over.
    if (["moved", "activity", "dismissed"].includes(type)) this.drawRunsSoon();
    if (type === "moved") {
      const known = lastAt(this.moves, Infinity);
      if (!known || data.at > known.at + 1e-6) this.moves.push({ at: data.at, from: data.from, to: data.to, through: data.through });
      if (this.moves.length > LIMIT.moves) this.moves.shift();
      if (this.past === null) this.chart.pulse(data);
    } else if (type === "diff" || type === "activity") {
      this.publish(data);
      this.drawWire();
      this.drawHead();
    }
  }

  /** Notes a snapshot or a diff as it was published. */
  publish(data) {
    this.wire.push({ at: data.at, rev: data.rev, bytes: encoder.encode(JSON.stringify(data)).length, patch: data.patch ?? null });
    if (this.wire.length > LIMIT.wire) this.wire.shift();
  }

  async readRecording() {
    const { api } = this.context;
    const { body } = this.parts.messages;
    try {
      const answer = await api("POST", "/v1/replay", { kind: this.kind, source: null, recording: null, device: this.key });
      if (this.isClosed) return;
      if (answer.from === null) {
        this.recording = null;
        const since = await this.context.model.keptSince();
        if (this.isClosed) return;
        put(body, since ? el("p", { class: "soft" }, t("device.nothingRecorded", { time: timeOfDay(since) }))
          : [el("p", { class: "soft" }, t("device.noRecording")), el("pre", {}, el("code", {}, "record: { hours: 24 }"))]);
        return this.drawPast();
      }
      // A replay lives on after its last message; what it foresees has not happened.
      const present = clock();
      const events = (answer.devices.find((one) => one.kind === this.kind && one.device === this.device)?.events ?? []).filter((event) => event.at <= present);
      this.recording = { from: answer.from, to: answer.to, events, isRecent: clock() - answer.to < RECENT };
      drawMessages(body, events);
    } catch (error) {
      if (this.isClosed) return;
      this.recording = null;
      put(body, el("p", { class: "soft" }, error.message));
    }
    this.drawPast();
  }

  drawPast() {
    this.drawSlider();
    this.drawWire();
  }

  // MARK: Drawing

  drawHead() {
    const { explanation, definition } = this;
    say(this.heading, explanation.name ?? humanName(this.device));
    say(this.kindText, [definition.name ?? this.kind, this.context.model.cards.get(this.key)?.room].filter(Boolean).join(" · "));
    const states = explanation.states ?? [];
    const shown = states.findLast((state) => state.title) ?? states.at(-1);
    const snapshot = this.context.model.activities.get(this.key), known = { states: states.map(({ name }) => name), title: shown?.title };
    if (this.past === null) say(this.stateText, deviceStatus(snapshot, definition, known, shown ? shown.title ?? this.titleOf(shown.name) : t("device.notStarted")));
    const field = snapshot ? clockField(snapshot, definition.layout) : null;
    this.running = snapshot && snapshot.phase !== "ended" && field ? snapshot.content[field] : null;
    this.page.classList.toggle("is-stale", snapshot?.phase === "stale");
    this.drawLines(this.past === null && snapshot?.phase !== "ended" ? snapshot : null, field);
    this.tick(clock());
  }

  /** What the layout says of the running activity besides its state, and its other values as its card has them. */
  drawLines(snapshot, field) {
    const { definition } = this, said = [this.stateText.textContent, this.heading.textContent, this.device];
    const { lines, named } = snapshot ? cardTexts(definition.layout, snapshot, [...said, definition.name ?? this.kind], locale()) : { lines: [] };
    this.lines.hidden = lines.length === 0;
    put(this.lines, lines.map((line) => el("li", {}, line)));
    this.level = snapshot ? levelIsAt(definition.layout, snapshot) : null;
    const others = snapshot && factList(snapshot, definition, { field, named, shows: said });
    this.others.hidden = !others;
    put(this.others, others);
  }

  /** What comes next, in words; nothing where a countdown or a silence says that something will. */
  soon(at) {
    const next = comesNext(this.explanation, at, this.title);
    if (next) return t("device.next", { time: timeOfDay(next.at), length: length(next.at - at), what: next.what });
    const { down, paused, seconds } = this.running ? reading(this.running, at) : {};
    const isSilence = this.explanation.waits?.some(({ quiet, due }) => quiet !== undefined && due > at);
    return isSilence || (down && !paused && seconds > 0) ? "" : t("device.nothingNext");
  }

  tick(at) {
    const { explanation } = this;
    if (!explanation) return;
    const time = this.past === null ? this.running : this.ranThen;
    if (this.past !== null) at = this.past;
    say(this.clockText, time ? clockText(time, at) : "");
    this.clockText.classList.toggle("is-paused", Boolean(time && reading(time, at).paused));
    this.clockText.classList.toggle("is-late", Boolean(time && reading(time, at).over >= 60));
    const progress = (time ? reading(time, at).progress : null) ?? (this.past === null ? this.level : null) ?? null;
    this.progress.hidden = progress === null;
    this.progress.style.setProperty("--part", String(progress ?? 0));
    if (this.past !== null) return say(this.nextText, "");
    const since = explanation.states?.at(-1)?.since;
    say(this.facts, [explanation.available === false ? t("device.offline") : explanation.available ? t("device.online") : null,
      explanation.heard ? t("device.heard", { time: relative(explanation.heard, at) }) : t("device.neverHeard"),
      since ? t("device.since", { time: timeOfDay(since) }) : null].filter(Boolean).join(" · "));
    say(this.unread, [explanation.failedReadings ? t("device.failed", { count: explanation.failedReadings }) : null,
      explanation.unread ? t("device.unread", { what: explanation.unread.join("; ") }) : null].filter(Boolean).join(" · "));
    say(this.nextText, this.soon(at));
    this.drawTimesAt?.(at);
    this.drawAgesAt?.(at);
    this.chart.explain(explanation, at);
    if (at - this.timeline.to > (this.timeline.to - this.timeline.from) / 500) this.drawSlider();
  }

  drawNow() {
    const { explanation } = this;
    const last = this.moves[this.moves.length - 1] ?? null;
    this.chart.show({ states: (explanation.states ?? []).map((state) => state.name), move: last });
    this.chart.count(countMoves(this.moves, explanation.at ?? clock()));
    this.chart.explain(explanation, clock());
    const { signals, reported, variables, settings, states, transitions, timers, waits, events } = explanation;
    this.draw("signals", [signals, explanation.durations, explanation.moments, reported, variables, settings], (body) => { this.drawAgesAt = drawSignals(body, explanation, this.definition, this.settings ? null : settings); body.append(this.unread); });
    this.drawAgesAt(clock());
    this.settings?.show(explanation);
    this.draw("guards", [states, transitions], (body) => drawGuards(body, explanation, this.title));
    this.draw("why", [states, transitions, waits, timers, settings, variables, last], (body) => drawWhy(body, explanation, this.definition, this.known(), this.title));
    this.draw("times", [states, timers, waits, events], (body) => { this.drawTimesAt = drawTimes(body, explanation, this.title); });
    this.drawTimesAt(clock());
    this.drawSlider();
    this.drawWire();
  }

  drawWire() {
    const recorded = this.recording?.isRecent ? this.recording.events.filter((event) => event.what === "update") : [];
    const known = new Set(recorded.map((one) => `${one.rev} ${Math.round(one.at)}`));
    const all = [...recorded, ...this.wire.filter((one) => !known.has(`${one.rev} ${Math.round(one.at)}`))].filter((one) => this.past === null || one.at <= this.past);
    this.draw("wire", [all.length, all.at(-1)?.at], (body) => drawWire(body, all));
  }

  drawSlider() {
    const at = clock();
    const recorded = this.recording?.isRecent ? this.recording : null;
    const moves = this.known();
    // Where nothing is known, an hour without phases.
    const first = Math.min(moves[0]?.at ?? at - 3600, recorded?.from ?? Infinity);
    const from = Math.max(first - (at - first) * 0.03, at - 7 * 86400);
    const events = recorded?.events ?? [];
    const phases = phasesOf(moves, from, at).map((phase) => ({ ...phase, title: this.titleOf(phase.state) }));
    const pick = (what) => events.filter((event) => event.what === what).map((event) => event.at);
    this.timeline.show({ from, to: at, lanes: [{ phases, definition: this.definition, paint: this.paint, updates: [...pick("update"), ...this.wire.map((one) => one.at)].sort((a, b) => a - b), messages: pick("message") }] });
    this.timeline.move(this.past ?? at);
    put(this.legendPlace, legend(phases, this.paint, this.definition));
    const since = recorded?.from ?? this.moves[0]?.at;
    say(this.sinceText, since === undefined ? "" : t("device.recordedSince", { time: timeOfDay(since) }));
    this.writePast();
  }

  /** All moves that are known: those of the recording before the ones since the start. */
  known() {
    const later = this.entry ? [this.entry, ...this.moves] : this.moves;
    const first = later[0]?.at ?? Infinity;
    const earlier = this.recording?.isRecent ? this.recording.events.filter((event) => event.what === "moved" && event.at < first) : [];
    return [...earlier, ...later];
  }

  // MARK: The past

  /** Shows the device as it was at a moment; null for now. */
  seek(at) {
    const isNow = at === null || at >= this.timeline.to - (this.timeline.to - this.timeline.from) / 400;
    this.past = isNow ? null : at;
    this.page.classList.toggle("is-past", !isNow);
    this.people.inert = !isNow;
    if (isNow) {
      this.timeline.move(clock());
      this.drawNow();
      this.drawHead();
      if (this.recording) drawMessages(this.parts.messages.body, this.recording.events);
      return;
    }
    const moves = this.known();
    const move = lastAt(moves, at);
    const state = move?.to ?? null;
    const isFirst = moves[0] && !moves[0].from && moves[0] !== this.entry;
    this.chart.show({ states: this.withParents(state), move, isPast: true });
    this.chart.explain(null, at);
    this.writePast();
    this.drawThen(at, state, move, isFirst);
    this.tick(at);
    this.drawWire();
    if (this.recording?.isRecent) drawMessages(this.parts.messages.body, this.recording.events, at);
  }

  withParents(state) {
    const parents = new Map(this.definition.machine.states.map((one) => [one.name, one.parent]));
    const names = [];
    for (const leaf of String(state ?? "").split(",")) for (let name = leaf; name && parents.has(name); name = parents.get(name)) names.push(name);
    return names;
  }

  writePast() {
    this.back.hidden = this.past === null;
    say(this.pastNote, this.past === null ? t("device.slideHint") : t("device.asItWas", { time: timeOfDay(this.past, true), ago: relative(this.past) }));
  }

  drawThen(at, state, move, isFirst) {
    const events = this.recording?.isRecent ? this.recording.events : [];
    const update = lastAt(events.filter((event) => event.what === "update" || event.what === "dismissed"), at);
    const snapshot = update?.what === "update" ? update.snapshot : null;
    const content = Object.entries(snapshot?.content ?? {});
    const field = snapshot && snapshot.phase !== "ended" ? clockField(snapshot, this.definition.layout) : null;
    this.ranThen = field ? snapshot.content[field] : null;
    const words = state ? deviceStatus(snapshot, this.definition, { states: state.split(",").map((name) => name.trim()) }, this.titleOf(state)) : t(isFirst ? "device.notStarted" : "device.notRecorded");
    say(this.stateText, words);
    put(this.parts.then.body,
      el("p", { class: "then-state" }, el("strong", {}, words), move ? ` ${t("device.since", { time: timeOfDay(move.at, true) })}` : ""),
      content.length > 0 && el("table", { class: "signals" }, el("tbody", {}, content.map(([name, value]) =>
        el("tr", {}, el("th", { scope: "row" }, el("code", {}, name)), el("td", { class: "value" }, isTime(value) ? timeText(value, at) : valueText(value, this.definition.fields?.find((one) => one.name === name))))))),
      content.length === 0 && el("p", { class: "soft" }, t("device.thenUnknown")));
  }
}
