// Past runs: each device's day as a Gantt chart, and one run over the others, aligned at their starts.
import { isAway } from "./api.js";
import { el, letters, put, say, styles, svg } from "./dom.js";
import { byName, humanName, stateTitle } from "./house.js";
import { everySecond, clock, firstDay, length, number, timeOfDay, median } from "./time.js";
import { axisWords, bar, dateName, dayName, hour, legend, paints, patterns, scale, swatch, tint } from "./timeline.js";
import { symbol } from "./symbols.js";
import { asCSV, asJSON, byWeek, curves, dayStart, weekStarts } from "./history-export.js";
import { t } from "./texts.js";
import "./texts-views.js";

await styles("views");

const DAY = 86400;
/** The spans by the days that they have; `last` ends now, the others with a day. */
const SPANS = { last: 1, day: 1, week: 7, month: 30 };
/** So many devices are shown also where they had no run. */
const MANY = 20;

const LIMIT = { runs: 500, compared: 12, curves: 2 };
const ROW = { height: 30, bar: 22 };

/** Opens the history. */
export function open(root, route, context) {
  const view = new HistoryView(root, context, route.kind && route.device ? `${route.kind}/${route.device}` : null);
  view.start();
  return { close: () => view.close() };
}

/** The phases of a run; the run itself as one where none are known. */
const phasesIn = (run) => (run.phases?.length ? run.phases : [{ state: null, from: run.start, to: run.end }]);

/** The number of a phase's colour: a run without phases has the first one. */
const phaseColour = (paint, { state }) => (state === null ? 0 : paint.of(state) ?? 5);

class HistoryView {
  constructor(root, context, only) {
    this.root = root;
    this.context = context;
    /** The device whose runs are shown; null for all. */
    this.only = only;
    this.span = only ? "month" : "last";
    this.runs = [];
    /** The run behind which older ones are; null when all have been read. */
    this.next = undefined;
    /** The moment down to which all ends of runs have been read. */
    this.readTo = Infinity;
    this.definitions = new Map();
    this.paint = new Map();
    /** The day with which the span ends, and the present one. */
    this.day = this.today = dayStart(clock());
    this.ends = [];
  }

  async start() {
    put(this.root, el("p", { class: "loading", role: "status" }, t("views.loading")));
    try {
      await this.read();
    } catch (error) {
      if (this.isClosed) return;
      if (isAway(error)) this.context.missing(this.root, error.message);
      else put(this.root, el("div", { class: "part" }, el("h1", {}, t("shell.tab.history")), el("p", {}, error.message)));
      return;
    }
    if (this.isClosed) return;
    this.build();
    this.draw();
    this.ends.push(this.context.model.subscribe(({ type }) => {
      if (type === "definitions") this.isOutdated = true;
      if (type === "cards") this.draw();
      if (["moved", "activity", "dismissed", "definitions"].includes(type)) this.readSoon();
    }), everySecond(this.page, (at) => this.tick(at)));
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.soon);
    this.watcher?.disconnect();
    for (const end of this.ends) end();
  }

  readSoon() {
    this.soon ??= setTimeout(async () => {
      this.soon = null;
      try {
        await this.read();
        if (!this.isClosed) this.draw();
      } catch { /* the page says that the bridge is gone */ }
    }, 2000);
  }

  /** Reads the newest runs, or those behind a run. */
  async read(before = null) {
    const { model } = this.context;
    const { runs, next } = await model.runs(`limit=${LIMIT.runs}${before ? `&before=${encodeURIComponent(before)}` : ""}`);
    const all = new Map([...this.runs, ...runs].map((run) => [run.id, run]));
    this.runs = [...all.values()].sort((one, other) => other.start - one.start);
    if (before || this.next === undefined) {
      this.next = next ?? null;
      this.readTo = next ? runs.findLast((run) => run.ended)?.end ?? Infinity : -Infinity;
    }
    const { isOutdated } = this;
    this.isOutdated = false;
    for (const kind of new Set(this.runs.map((run) => run.kind))) {
      if (this.definitions.has(kind) && !isOutdated) continue;
      const definition = await model.definition(kind).catch(() => null);
      this.definitions.set(kind, definition);
      this.paint.set(kind, paints(definition));
    }
    for (const run of this.runs) for (const phase of run.phases ?? []) phase.title ??= stateTitle(this.definitions.get(run.kind), phase.state.split(",")[0]);
  }

  /** The first moment that is shown, and the one after the last. */
  get from() { return this.span === "last" ? clock() - DAY : dayStart(this.day, 1 - SPANS[this.span]); }
  get to() { return this.span === "last" ? clock() : dayStart(this.day, 1); }
  get isNow() { return this.day === dayStart(clock()); }

  /** Reads older runs until those of the chosen span are there, and some before it to go back to. */
  async readOlder() {
    if (this.isReading) return;
    this.isReading = true;
    try {
      while (!this.isClosed && this.next && (this.readTo > this.from || !this.runs.some((run) => run.start < this.from))) {
        await this.read(this.next);
        if (!this.isClosed) this.draw();
      }
    } catch { /* the page says that the bridge is gone */ }
    this.isReading = false;
  }

  // MARK: The frame

  build() {
    const button = (text, label, act) => el("button", { type: "button", title: label, "aria-label": label, onclick: act }, text);
    this.dayText = el("h2", { "aria-live": "polite" });
    this.earlierButton = button("‹", t("history.earlier"), () => this.go(-1));
    this.laterButton = button("›", t("history.later"), () => this.go(1));
    this.todayButton = el("button", { type: "button", onclick: () => { this.day = dayStart(clock()); this.draw(); } }, t("span.now"));
    const span = (name) => el("label", {}, el("input", { type: "radio", name: "span", value: name, checked: name === this.span, onchange: () => this.choose(name) }), el("span", {}, t(`span.${name}`)));
    this.spans = el("fieldset", { class: "segments history-spans" }, el("legend", { class: "unseen" }, t("span.name")), Object.keys(SPANS).map(span));
    this.tools = el("div", { class: "history-tools", role: "group", "aria-label": t("history.days") }, this.earlierButton, this.laterButton, this.todayButton);
    const save = (format, type, write) => el("button", { type: "button", class: "quiet", "aria-label": t("history.exportAs", { format }), onclick: () => this.save(format, type, write) }, format);
    const files = el("div", { class: "history-files", role: "group", "aria-label": t("history.export") }, save("CSV", "text/csv", asCSV), save("JSON", "application/json", asJSON));
    const only = this.only && el("p", { class: "history-only" }, el("strong", {}, t("history.only", { device: this.context.model.called(this.only) })), " ", el("a", { href: "#/history" }, t("history.everyDevice")));
    this.weeks = el("section", { class: "part part-weeks", hidden: true, "aria-label": t("history.weeks") });
    this.rows = el("div", { class: "gantt", onkeydown: (event) => this.key(event) });
    this.legendPlace = el("div", { class: "legend-rows" });
    this.tip = el("div", { class: "tip", role: "tooltip", id: "run-tip", hidden: true });
    this.table = el("details", { class: "as-table" }, el("summary", {}, t("history.asTable")), el("div", { class: "scroller", tabindex: "0", role: "group", "aria-label": t("history.asTable") }));
    this.foot = el("div", { class: "history-foot" }, this.table, files);
    this.compare = el("section", { class: "part part-compare", hidden: true, "aria-label": t("history.compare") });
    this.page = el("div", { class: "views history-view" }, el("header", { class: "history-head" }, el("h1", { class: "view-title" }, t("shell.tab.history")), this.spans), only,
      el("section", { class: "part" }, el("header", { class: "part-head" }, this.dayText, this.tools), this.rows, this.legendPlace, this.foot),
      this.compare, this.weeks, this.tip);
    put(this.root, this.page);
    this.watcher = new ResizeObserver(() => this.draw());
    this.watcher.observe(this.rows);
    const hide = () => this.hideTip();
    addEventListener("scroll", hide, { passive: true });
    this.ends.push(() => removeEventListener("scroll", hide));
  }

  choose(span) {
    this.span = span;
    if (span === "last") this.day = dayStart(clock());
    this.draw();
  }

  /** Goes a span back or on; from the last 24 hours to the day before. */
  go(spans) {
    if (this.span === "last") {
      this.span = "day";
      this.spans.querySelector("[value=day]").checked = true;
    }
    this.day = dayStart(this.day, spans * SPANS[this.span]);
    if (this.day > clock()) this.day = dayStart(clock());
    this.draw();
  }

  /** Gives a file with the runs that are shown. */
  save(format, type, write) {
    const name = `skerry-${new Date(this.from * 1000).toLocaleDateString("sv")}.${format.toLowerCase()}`;
    const address = URL.createObjectURL(new Blob([write(this.shown(), (key) => this.context.model.called(key))], { type }));
    el("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  /** The runs that the span has something of. */
  shown() {
    const { from, to } = this;
    return this.runs.filter((run) => run.start < to && (run.end ?? clock()) > from && this.isMeant(`${run.kind}/${run.device}`));
  }

  /** Whether the runs of a device are shown: of all, what somebody has hidden is left out. */
  isMeant(key) { return this.only ? key === this.only : !this.context.model.cards.get(key)?.hidden; }

  title() {
    if (this.span === "last") return t("span.lastTitle");
    if (this.span === "day") return this.isNow ? `${t("history.today")}, ${dayName(this.day)}` : dayName(this.day);
    return this.isNow ? t(`span.${this.span}Title`) : t("span.fromTo", { from: dayName(this.from), to: dayName(this.day) });
  }

  // MARK: The span

  draw() {
    if (!this.page) return;
    const { to, isNow } = this;
    const runs = this.shown();
    say(this.dayText, this.title());
    this.laterButton.disabled = this.todayButton.disabled = isNow;
    const isDay = SPANS[this.span] === 1;
    for (const [node, key] of [[this.earlierButton, isDay ? "history.earlier" : "span.earlier"], [this.laterButton, isDay ? "history.later" : "span.later"]]) {
      node.setAttribute("aria-label", t(key));
      node.title = t(key);
    }
    const every = new Set(this.runs.map((run) => `${run.kind}/${run.device}`)), ran = new Set(runs.map((run) => `${run.kind}/${run.device}`));
    const keys = [...(every.size > MANY ? ran : every)].filter((key) => this.isMeant(key)).sort((one, other) => this.order(one, other));
    const focused = document.activeElement?.dataset?.run;
    this.hideTip();
    this.spans.hidden = this.tools.hidden = !every.size;
    if (!every.size) {
      put(this.rows, el("p", { class: "soft" }, t("history.none")));
    } else {
      put(this.rows, keys.map((key) => this.row(key, runs.filter((run) => `${run.kind}/${run.device}` === key), to)), this.axis(to));
      if (!runs.length) this.rows.append(this.emptyDay());
    }
    const first = this.rows.querySelector("[data-run]");
    first?.setAttribute("tabindex", "0");
    if (focused) this.rows.querySelector(`[data-run="${CSS.escape(focused)}"]`)?.focus();
    this.foot.hidden = !runs.length;
    this.drawLegend(runs);
    this.drawTable(runs);
    this.drawWeeks(runs);
    this.drawCompare();
    this.readOlder();
  }

  /** How often and how long each device ran in each week of the span. */
  drawWeeks(runs) {
    this.weeks.hidden = this.span !== "month" || runs.length === 0;
    if (this.weeks.hidden) return;
    const { to } = this, starts = weekStarts(this.from, to, firstDay());
    const devices = byWeek(runs, starts, to), most = Math.max(1, ...[...devices.values()].flat().map((week) => week.count));
    const rows = [...devices].sort(([one], [other]) => this.order(one, other)).map(([key, weeks]) => {
      const row = el("tr", {}, el("th", { scope: "row" }, this.context.model.called(key)), weeks.toReversed().map(({ count, seconds }) => {
        const words = t("history.weekRuns", { count: number(count), length: length(seconds) });
        return el("td", { title: words }, el("span", { class: "week-bar", "aria-hidden": "true", style: { "--part": (count / most).toFixed(3) } }), el("span", { class: "week-count", "aria-label": words, role: "img" }, count ? number(count) : "–"));
      }));
      return tint(row, this.definitions.get(key.slice(0, key.indexOf("/"))));
    });
    put(this.weeks, el("header", { class: "part-head" }, el("h2", {}, t("history.weeks"))), el("div", { class: "scroller", tabindex: "0", role: "group", "aria-label": t("history.weeks") },
      el("table", { class: "weeks" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("replay.device")), starts.toReversed().map((start) => el("th", { scope: "col", title: t("history.weekOf", { day: dayName(start) }) }, dateName(start))))), el("tbody", {}, rows))));
  }

  /** The order of devices by their keys: those of a kind together, by their names. */
  order(one, other) {
    const kind = (key) => this.definitions.get(key.slice(0, key.indexOf("/")))?.name ?? key.slice(0, key.indexOf("/"));
    return byName(kind(one), kind(other)) || byName(this.context.model.called(one), this.context.model.called(other));
  }

  emptyDay() {
    const before = this.runs.find((run) => run.start < this.from && this.isMeant(`${run.kind}/${run.device}`));
    return el("p", { class: "soft gantt-empty" }, t(SPANS[this.span] === 1 ? "history.emptyDay" : "span.empty"), " ",
      before && el("button", { type: "button", class: "quiet", onclick: () => { if (this.span === "last") this.go(0); this.day = dayStart(before.start); this.draw(); } }, t("history.lastRuns", { day: dayName(before.start) })));
  }

  /** The width of the bars, in points of the drawing: beside the names where there is room for both. */
  get width() {
    const { clientWidth } = this.rows, size = letters();
    return Math.max(160, clientWidth / size - (clientWidth > 620 * size ? 176 : 0));
  }

  row(key, runs, to) {
    const [kind, device] = key.split("/");
    const definition = this.definitions.get(kind);
    const { width } = this;
    const { from } = this;
    const x = (at) => ((Math.min(to, Math.max(from, at)) - from) / (to - from)) * width;
    const pattern = patterns();
    const now = clock();
    const grid = scale(from, to, width, this.room).map((mark) => svg("path", { d: `M${x(mark.at)} 0V${ROW.height}`, class: "gantt-line" }));
    const groups = runs.map((run) => {
      const end = run.end ?? now;
      const parts = phasesIn(run).map((phase) => bar(pattern, phaseColour(this.paint.get(kind), phase),
        { x: x(phase.from), y: (ROW.height - ROW.bar) / 2, width: x(phase.to ?? now) - x(phase.from), height: ROW.bar, radius: 3 }));
      const frame = svg("rect", { x: x(run.start) - 2, y: 2, width: Math.max(4, x(end) - x(run.start)) + 4, height: ROW.height - 4, rx: 6, class: `run-frame${run.end === null ? " is-running" : ""}` });
      return svg("g", {
        class: `gantt-run${run.id === this.selected ? " is-selected" : ""}`, role: "button", tabindex: "-1", dataset: { run: run.id }, "aria-label": this.sentence(run), "aria-pressed": String(run.id === this.selected),
        onmouseenter: (event) => this.showTip(run, event.currentTarget), onmouseleave: () => this.hideTip(),
        onfocus: (event) => this.showTip(run, event.currentTarget), onblur: () => this.hideTip(), onclick: () => this.select(run.id),
      }, parts, frame);
    });
    const nowLine = now > from && now < to && svg("path", { d: `M${x(now)} 0V${ROW.height}`, class: "gantt-now" });
    const name = el("a", { class: "gantt-name", title: this.context.model.called(key), href: `#/device/${encodeURIComponent(kind)}/${encodeURIComponent(device)}` },
      el("span", { class: "gantt-symbol", "aria-hidden": "true" }, symbol(definition?.layout?.symbol ?? "circle")),
      el("span", {}, el("strong", {}, this.context.model.called(key)), el("small", {}, definition?.name ?? kind)));
    return tint(el("div", { class: "gantt-row" }, name,
      svg("svg", { viewBox: `0 0 ${width} ${ROW.height}`, height: ROW.height * letters(), class: "gantt-bars", role: "group", "aria-label": t("history.runsOf", { device: this.context.model.called(key), count: runs.length }) }, pattern.defs, grid, nowLine, groups)), definition);
  }

  /** The room that a mark of the axis takes: days have longer names than hours, and dates alone shorter ones. */
  get room() { return { month: 60, week: 84 }[this.span] ?? 46; }

  axis(to) {
    const { width, from } = this;
    return el("div", { class: "gantt-row is-axis", "aria-hidden": "true" }, el("span", {}),
      svg("svg", { viewBox: `0 0 ${width} 18`, height: 18 * letters(), class: "gantt-bars" }, axisWords(scale(from, to, width, this.room), (at) => ((at - from) / (to - from)) * width, width, 13)));
  }

  tick(at) {
    const before = this.today;
    this.today = dayStart(at);
    // What ends now goes on into the new day.
    if (this.day === before) this.day = this.today;
    if (before !== this.today || (Math.floor(at) % 20 === 0 && (this.span === "last" || this.shown().some((run) => run.end === null)))) this.draw();
  }

  /** A run in words; `words` are those of a moment. */
  sentence(run, words = (at) => this.moment(at)) {
    const end = run.end ?? clock();
    const phases = (run.phases ?? []).map((phase) => `${phase.title} ${length((phase.to ?? end) - phase.from)}`).join(", ");
    return t(run.end === null ? "history.sentenceRunning" : "history.sentence", { device: this.context.model.called(`${run.kind}/${run.device}`), from: words(run.start), to: words(end), length: length(end - run.start), phases, updates: t("history.tipUpdates", { count: run.updates }) });
  }

  drawLegend(runs) {
    put(this.legendPlace, [...new Set(runs.map((run) => run.kind))].map((kind) => {
      const phases = runs.filter((run) => run.kind === kind).flatMap((run) => run.phases ?? []);
      const definition = this.definitions.get(kind);
      return tint(el("div", { class: "legend-row" }, el("span", { class: "legend-kind" }, definition?.name ?? kind), legend(phases, this.paint.get(kind))), definition);
    }));
  }

  drawTable(runs) {
    const head = ["replay.device", "history.start", "history.end", "history.length", "history.phases", "history.updates"].map((key) => el("th", { scope: "col" }, t(key)));
    const rows = runs.map((run) => el("tr", {}, el("th", { scope: "row" }, this.context.model.called(`${run.kind}/${run.device}`)), el("td", {}, this.moment(run.start)), el("td", {}, run.end === null ? t("history.running") : this.moment(run.end)),
      el("td", {}, length((run.end ?? clock()) - run.start)),
      el("td", {}, (run.phases ?? []).map((phase) => `${phase.title} ${length((phase.to ?? clock()) - phase.from)}`).join(", ")), el("td", {}, number(run.updates))));
    put(this.table.querySelector(".scroller"), el("table", { class: "messages is-wide" }, el("caption", { class: "unseen" }, this.title()), el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)));
  }

  /** A moment in words, with its day where the span has several. */
  moment(at) { return SPANS[this.span] > 1 || this.span === "last" ? timeOfDay(at) : hour(at); }

  // MARK: Choosing a run

  showTip(run, node) {
    const kind = this.paint.get(run.kind);
    const end = run.end ?? clock();
    put(this.tip, el("strong", {}, `${this.moment(run.start)} – ${run.end === null ? t("history.running") : this.moment(run.end)}`), el("span", { class: "note" }, ` ${length(end - run.start)}`),
      el("ul", {}, (run.phases ?? []).map((phase) => el("li", {}, swatch(kind.of(phase.state) ?? 5), phase.title, el("span", {}, length((phase.to ?? end) - phase.from))))),
      el("p", { class: "note" }, t("history.tipUpdates", { count: run.updates })));
    tint(this.tip, this.definitions.get(run.kind)).hidden = false;
    const at = node.getBoundingClientRect();
    const size = this.tip.getBoundingClientRect();
    const left = Math.min(innerWidth - size.width - 8, Math.max(8, at.left + at.width / 2 - size.width / 2));
    const top = at.bottom + size.height + 12 < innerHeight ? at.bottom + 8 : at.top - size.height - 8;
    this.tip.style.setProperty("left", `${left}px`);
    this.tip.style.setProperty("top", `${top}px`);
  }

  hideTip() { this.tip.hidden = true; }

  key(event) {
    const here = event.target.closest?.("[data-run]");
    if (!here) return;
    if (event.key === "Escape") return this.hideTip();
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      return this.select(here.dataset.run);
    }
    const rows = [...this.rows.querySelectorAll(".gantt-bars")].map((row) => [...row.querySelectorAll("[data-run]")].sort((one, other) => this.startOf(one) - this.startOf(other))).filter((row) => row.length);
    const row = rows.findIndex((one) => one.includes(here));
    const place = rows[row].indexOf(here);
    const next = { ArrowRight: rows[row][place + 1], ArrowLeft: rows[row][place - 1], ArrowDown: rows[row + 1]?.[0], ArrowUp: rows[row - 1]?.[0], Home: rows[row][0], End: rows[row].at(-1) }[event.key];
    if (!next) return;
    event.preventDefault();
    here.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  }

  startOf(node) { return this.runs.find((run) => run.id === node.dataset.run)?.start ?? 0; }

  select(id) {
    this.selected = this.selected === id ? null : id;
    for (const node of this.rows.querySelectorAll("[data-run]")) {
      const isSelected = node.dataset.run === this.selected;
      node.classList.toggle("is-selected", isSelected);
      node.setAttribute("aria-pressed", String(isSelected));
    }
    this.drawCompare();
    if (!this.selected) return;
    this.compare.scrollIntoView({ block: "nearest" });
    this.readCurve(this.runs.find((run) => run.id === this.selected));
  }

  /** Reads the messages of a run, and draws the numbers that they had. */
  async readCurve(run) {
    if (!run || this.curve?.id === run.id) return;
    this.curve = { id: run.id, drawn: null };
    let events = [];
    const { recordHours, started } = this.context.model.status ?? {}, isKept = recordHours > 0 && (run.end ?? clock()) > Math.max(started, clock() - recordHours * 3600);
    if (isKept) try {
      const answer = await this.context.api("POST", "/v1/replay", { kind: run.kind, source: null, recording: null, device: `${run.kind}/${run.device}` });
      events = answer.devices?.find((one) => one.kind === run.kind && one.device === run.device)?.events ?? [];
    } catch { /* nothing is kept of it */ }
    if (this.isClosed || this.curve.id !== run.id) return;
    const end = run.end ?? clock(), found = curves(events, run.start, end).slice(0, LIMIT.curves);
    this.curve.drawn = el("div", { class: "run-curves" }, el("h3", {}, t("curve.title")),
      found.length ? found.map((one) => this.curveOf(one, run.start, end)) : el("p", { class: "soft" }, t("curve.none")));
    this.drawCompare();
  }

  curveOf({ name, samples }, from, to) {
    const width = Math.max(160, (this.rows.clientWidth - 8) / letters()), height = 120, values = samples.map((one) => one.value);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const x = (at) => Math.min(width, Math.max(0, ((at - from) / (to - from || 1)) * width)), y = (value) => height - 4 - ((value - low) / (high - low)) * (height - 8);
    const path = samples.map(({ at, value }, index) => `${index ? "H" : "M"}${x(at).toFixed(1)}${index ? "V" : " "}${y(value).toFixed(1)}`).join("");
    const words = t("curve.of", { name: humanName(name), low: number(low), high: number(high) });
    return el("figure", { class: "run-curve" }, el("figcaption", {}, words),
      svg("svg", { viewBox: `0 0 ${width} ${height + 20}`, role: "img", "aria-label": words }, svg("path", { d: `${path}H${x(to).toFixed(1)}V${height}H${x(samples[0].at).toFixed(1)}Z`, class: "curve-area" }), svg("path", { d: path, class: "curve-line" }),
        axisWords(scale(from, to, width), x, width, height + 15)));
  }

  /** Shows a run, on its day if it lies outside of the span. */
  show(run) {
    if (run.start >= this.to || (run.end ?? clock()) <= this.from) {
      if (this.span === "last") this.go(0);
      this.day = dayStart(run.start);
    }
    this.selected = run.id;
    this.draw();
    this.readCurve(run);
  }

  drawCompare() {
    const run = this.runs.find((one) => one.id === this.selected)
      ?? this.shown().find((one) => this.runs.filter((other) => other.kind === one.kind && other.device === one.device).length > 1);
    this.compare.hidden = !run;
    if (!run) return;
    const now = clock();
    const lasting = (one) => (one.end ?? now) - one.start;
    const all = this.runs.filter((one) => one.kind === run.kind && one.device === run.device);
    const place = all.indexOf(run);
    const others = all.slice(Math.max(0, Math.min(place - 2, all.length - LIMIT.compared)), Math.max(0, Math.min(place - 2, all.length - LIMIT.compared)) + LIMIT.compared);
    const longest = Math.max(...others.map(lasting));
    const ended = all.filter((one) => one.end !== null), usual = ended.length > 1 ? median(ended.map(lasting)) : null;
    const width = Math.max(120, this.width - 70);
    const x = (seconds) => (seconds / longest) * width;
    const rows = others.map((one) => {
      const pattern = patterns();
      const bars = phasesIn(one).map((phase) => bar(pattern, phaseColour(this.paint.get(run.kind), phase),
        { x: x(phase.from - one.start), y: 2, width: x((phase.to ?? now) - phase.from), height: 18, radius: 3 }));
      const line = usual !== null && usual <= longest && svg("path", { d: `M${x(usual)} 0V22`, class: "usual" });
      return el("li", { class: one === run ? "is-selected" : null },
        el("button", { type: "button", class: "run-name", "aria-label": `${dayName(one.start)}, ${this.sentence(one, hour)}`, onclick: () => this.show(one) }, `${dayName(one.start)} ${hour(one.start)}`),
        svg("svg", { viewBox: `0 0 ${width} 22`, height: 22 * letters(), "aria-hidden": "true" }, pattern.defs, bars, line), el("span", { class: "run-length" }, length(lasting(one))));
    });
    put(this.compare, el("header", { class: "part-head" }, el("h2", {}, t("history.compareOf", { device: this.context.model.called(`${run.kind}/${run.device}`) })),
      usual !== null && el("span", { class: "soft" }, t("history.usually", { length: length(usual), count: ended.length }))), el("ol", { class: "compared" }, rows), legend(others.flatMap((one) => one.phases ?? []), this.paint.get(run.kind)),
      this.curve?.id === run.id && this.curve.drawn);
    tint(this.compare, this.definitions.get(run.kind));
  }
}
