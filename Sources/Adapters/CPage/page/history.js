// Past runs: each device's day as a Gantt chart, and one run over the others, aligned at their starts.
import { el, svg, put, say } from "./dom.js";
import { stateTitle } from "./house.js";
import { everySecond, clock, length, number } from "./time.js";
import { bar, dayName, hour, legend, paints, patterns, scale, swatch } from "./timeline.js";
import { symbol } from "./symbols.js";
import { styles } from "./styles.js";
import { t } from "./texts.js";
import "./texts-views.js";

await styles("views");

const LIMIT = { runs: 500, compared: 12 };
const ROW = { height: 30, bar: 22 };

/** Opens the history. */
export function open(root, route, context) {
  const view = new HistoryView(root, context);
  view.start();
  return { close: () => view.close() };
}

/** The first moment of the day in which a moment lies, some days later, in the reader's time zone. */
function dayStart(at, days = 0) {
  const date = new Date(at * 1000);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime() / 1000;
}

/** The length in the middle of all lengths; null of none. */
function median(lengths) {
  if (!lengths.length) return null;
  const sorted = [...lengths].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

class HistoryView {
  constructor(root, context) {
    this.root = root;
    this.context = context;
    this.runs = [];
    /** The run behind which older ones are; null when all have been read. */
    this.next = undefined;
    /** The moment down to which all ends of runs have been read. */
    this.readTo = Infinity;
    this.definitions = new Map();
    this.paint = new Map();
    this.day = dayStart(clock());
    this.ends = [];
  }

  async start() {
    put(this.root, el("p", { class: "loading", role: "status" }, t("views.loading")));
    try {
      await this.read();
    } catch (error) {
      if (!this.isClosed) put(this.root, el("div", { class: "part" }, el("h1", {}, t("history.title")), el("p", {}, error.message)));
      return;
    }
    if (this.isClosed) return;
    this.build();
    this.draw();
    this.ends.push(this.context.model.subscribe(({ type }) => {
      if (type === "definitions") this.isOutdated = true;
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
    const { api, model } = this.context;
    const { runs, next } = await api("GET", `/v1/runs?limit=${LIMIT.runs}${before ? `&before=${encodeURIComponent(before)}` : ""}`);
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

  /** Reads older runs until those of the chosen day are there, and a day before it to go back to. */
  async readOlder() {
    if (this.isReading) return;
    this.isReading = true;
    try {
      while (!this.isClosed && this.next && (this.readTo > this.day || !this.runs.some((run) => run.start < this.day))) {
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
    this.laterButton = button("›", t("history.later"), () => this.go(1));
    this.todayButton = el("button", { type: "button", onclick: () => { this.day = dayStart(clock()); this.draw(); } }, t("history.today"));
    const tools = el("div", { class: "history-tools", role: "group", "aria-label": t("history.days") },
      button("‹", t("history.earlier"), () => this.go(-1)), this.laterButton, this.todayButton);
    this.rows = el("div", { class: "gantt", onkeydown: (event) => this.key(event) });
    this.legendPlace = el("div", { class: "legend-rows" });
    this.tip = el("div", { class: "tip", role: "tooltip", id: "run-tip", hidden: true });
    this.table = el("details", { class: "as-table" }, el("summary", {}, t("history.asTable")), el("div", { class: "scroller", tabindex: "0", role: "group", "aria-label": t("history.asTable") }));
    this.compare = el("section", { class: "part part-compare", hidden: true, "aria-label": t("history.compare") });
    this.page = el("div", { class: "views history-view" }, el("h1", { class: "view-title" }, t("history.title")),
      el("section", { class: "part" }, el("header", { class: "part-head" }, this.dayText, tools), this.rows, this.legendPlace, this.table),
      this.compare, this.tip);
    put(this.root, this.page);
    this.watcher = new ResizeObserver(() => this.draw());
    this.watcher.observe(this.rows);
    const hide = () => this.hideTip();
    addEventListener("scroll", hide, { passive: true });
    this.ends.push(() => removeEventListener("scroll", hide));
  }

  go(days) {
    this.day = dayStart(this.day, days);
    this.draw();
  }

  ofDay() {
    const to = dayStart(this.day, 1);
    return this.runs.filter((run) => run.start < to && (run.end ?? clock()) > this.day);
  }

  // MARK: The day

  draw() {
    if (!this.page) return;
    const to = dayStart(this.day, 1);
    const runs = this.ofDay();
    const isToday = this.day === dayStart(clock());
    say(this.dayText, isToday ? `${t("history.today")}, ${dayName(this.day)}` : dayName(this.day));
    this.laterButton.disabled = this.todayButton.disabled = isToday;
    const keys = [...new Set(this.runs.map((run) => `${run.kind}/${run.device}`))].sort();
    const focused = document.activeElement?.dataset?.run;
    this.hideTip();
    if (!keys.length) {
      put(this.rows, el("p", { class: "soft" }, t("history.none")));
    } else {
      put(this.rows, keys.map((key) => this.row(key, runs.filter((run) => `${run.kind}/${run.device}` === key), to)), this.axis(to));
      if (!runs.length) this.rows.append(this.emptyDay());
    }
    const first = this.rows.querySelector("[data-run]");
    first?.setAttribute("tabindex", "0");
    if (focused) this.rows.querySelector(`[data-run="${CSS.escape(focused)}"]`)?.focus();
    this.drawLegend(runs);
    this.drawTable(runs);
    this.drawCompare();
    this.readOlder();
  }

  emptyDay() {
    const before = this.runs.find((run) => run.start < this.day);
    return el("p", { class: "soft gantt-empty" }, t("history.emptyDay"), " ",
      before && el("button", { type: "button", class: "quiet", onclick: () => { this.day = dayStart(before.start); this.draw(); } }, t("history.lastRuns", { day: dayName(before.start) })));
  }

  get width() { return Math.max(160, this.rows.clientWidth - (this.rows.clientWidth > 620 ? 176 : 0)); }

  row(key, runs, to) {
    const [kind, device] = key.split("/");
    const definition = this.definitions.get(kind);
    const { width } = this;
    const x = (at) => ((Math.min(to, Math.max(this.day, at)) - this.day) / (to - this.day)) * width;
    const pattern = patterns();
    const now = clock();
    const grid = scale(this.day, to, width, 46).map((mark) => svg("path", { d: `M${x(mark.at)} 0V${ROW.height}`, class: "gantt-line" }));
    const groups = runs.map((run) => {
      const end = run.end ?? now;
      const parts = (run.phases ?? []).map((phase) => bar(pattern, this.paint.get(kind).of(phase.state) ?? 5,
        { x: x(phase.from), y: (ROW.height - ROW.bar) / 2, width: x(phase.to ?? now) - x(phase.from), height: ROW.bar, radius: 3 }));
      const frame = svg("rect", { x: x(run.start) - 2, y: 2, width: Math.max(4, x(end) - x(run.start)) + 4, height: ROW.height - 4, rx: 6, class: `run-frame${run.end === null ? " is-running" : ""}` });
      return svg("g", {
        class: `gantt-run${run.id === this.selected ? " is-selected" : ""}`, role: "button", tabindex: "-1", dataset: { run: run.id }, "aria-label": this.sentence(run), "aria-pressed": String(run.id === this.selected),
        onmouseenter: (event) => this.showTip(run, event.currentTarget), onmouseleave: () => this.hideTip(),
        onfocus: (event) => this.showTip(run, event.currentTarget), onblur: () => this.hideTip(), onclick: () => this.select(run.id),
      }, parts, frame);
    });
    const nowLine = now > this.day && now < to && svg("path", { d: `M${x(now)} 0V${ROW.height}`, class: "gantt-now" });
    const name = el("a", { class: "gantt-name", href: `#/device/${encodeURIComponent(kind)}/${encodeURIComponent(device)}` },
      el("span", { class: "gantt-symbol", "aria-hidden": "true" }, symbol(definition?.layout?.symbol ?? "circle")),
      el("span", {}, el("strong", {}, this.context.model.called(`${kind}/${device}`)), el("small", {}, definition?.name ?? kind)));
    if (definition?.layout?.tint) name.style.setProperty("--tint", definition.layout.tint);
    return el("div", { class: "gantt-row" }, name,
      svg("svg", { viewBox: `0 0 ${width} ${ROW.height}`, height: ROW.height, class: "gantt-bars", role: "group", "aria-label": t("history.runsOf", { device: this.context.model.called(key), count: runs.length }) }, pattern.defs, grid, nowLine, groups));
  }

  axis(to) {
    const { width } = this;
    const marks = scale(this.day, to, width, 46);
    return el("div", { class: "gantt-row is-axis", "aria-hidden": "true" }, el("span", {}),
      svg("svg", { viewBox: `0 0 ${width} 18`, height: 18, class: "gantt-bars" }, marks.map((mark, index) => {
        const x = ((mark.at - this.day) / (to - this.day)) * width;
        const anchor = index === 0 ? "start" : x > width - 18 ? "end" : "middle";
        return svg("text", { x, y: 13, "text-anchor": anchor, class: "axis" }, hour(mark.at));
      })));
  }

  tick(at) {
    if (Math.floor(at) % 20 === 0 && this.ofDay().some((run) => run.end === null)) this.draw();
  }

  sentence(run) {
    const end = run.end ?? clock();
    const phases = (run.phases ?? []).map((phase) => `${phase.title} ${length((phase.to ?? end) - phase.from)}`).join(", ");
    return t(run.end === null ? "history.sentenceRunning" : "history.sentence", { device: this.context.model.called(`${run.kind}/${run.device}`), from: hour(run.start), to: hour(end), length: length(end - run.start), phases, count: run.updates });
  }

  drawLegend(runs) {
    put(this.legendPlace, [...new Set(runs.map((run) => run.kind))].map((kind) => {
      const phases = runs.filter((run) => run.kind === kind).flatMap((run) => run.phases ?? []);
      return el("div", { class: "legend-row" }, el("span", { class: "legend-kind" }, this.definitions.get(kind)?.name ?? kind), legend(phases, this.paint.get(kind)));
    }));
  }

  drawTable(runs) {
    const head = ["history.device", "history.start", "history.end", "history.length", "history.phases", "history.updates"].map((key) => el("th", { scope: "col" }, t(key)));
    const rows = runs.map((run) => el("tr", {}, el("th", { scope: "row" }, this.context.model.called(`${run.kind}/${run.device}`)), el("td", {}, hour(run.start)), el("td", {}, run.end === null ? t("history.running") : hour(run.end)),
      el("td", {}, length((run.end ?? clock()) - run.start)),
      el("td", {}, (run.phases ?? []).map((phase) => `${phase.title} ${length((phase.to ?? clock()) - phase.from)}`).join(", ")), el("td", {}, number(run.updates))));
    put(this.table.querySelector(".scroller"), el("table", { class: "messages is-wide" }, el("caption", { class: "unseen" }, dayName(this.day)), el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)));
  }

  // MARK: Choosing a run

  showTip(run, node) {
    const kind = this.paint.get(run.kind);
    const end = run.end ?? clock();
    put(this.tip, el("strong", {}, `${hour(run.start)} – ${run.end === null ? t("history.running") : hour(run.end)}`), el("span", { class: "note" }, ` ${length(end - run.start)}`),
      el("ul", {}, (run.phases ?? []).map((phase) => el("li", {}, swatch(kind.of(phase.state) ?? 5), phase.title, el("span", {}, length((phase.to ?? end) - phase.from))))),
      el("p", { class: "note" }, t("history.tipUpdates", { count: run.updates })));
    this.tip.hidden = false;
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
    if (this.selected) this.compare.scrollIntoView({ block: "nearest" });
  }

  drawCompare() {
    const run = this.runs.find((one) => one.id === this.selected)
      ?? this.ofDay().find((one) => this.runs.filter((other) => other.kind === one.kind && other.device === one.device).length > 1);
    this.compare.hidden = !run;
    if (!run) return;
    const now = clock();
    const lasting = (one) => (one.end ?? now) - one.start;
    const all = this.runs.filter((one) => one.kind === run.kind && one.device === run.device);
    const place = all.indexOf(run);
    const others = all.slice(Math.max(0, Math.min(place - 2, all.length - LIMIT.compared)), Math.max(0, Math.min(place - 2, all.length - LIMIT.compared)) + LIMIT.compared);
    const longest = Math.max(...others.map(lasting));
    const usual = median(all.filter((one) => one.end !== null).map(lasting));
    const width = Math.max(120, this.width - 70);
    const x = (seconds) => (seconds / longest) * width;
    const rows = others.map((one) => {
      const pattern = patterns();
      const bars = (one.phases ?? []).map((phase) => bar(pattern, this.paint.get(run.kind).of(phase.state) ?? 5,
        { x: x(phase.from - one.start), y: 2, width: x((phase.to ?? now) - phase.from), height: 18, radius: 3 }));
      const line = usual !== null && usual <= longest && svg("path", { d: `M${x(usual)} 0V22`, class: "usual" });
      return el("li", { class: one === run ? "is-selected" : null },
        el("button", { type: "button", class: "run-name", "aria-label": `${dayName(one.start)}, ${this.sentence(one)}`, onclick: () => { this.selected = one.id; this.day = dayStart(one.start); this.draw(); } }, `${dayName(one.start)} ${hour(one.start)}`),
        svg("svg", { viewBox: `0 0 ${width} 22`, height: 22, "aria-hidden": "true" }, pattern.defs, bars, line), el("span", { class: "run-length" }, length(lasting(one))));
    });
    put(this.compare, el("header", { class: "part-head" }, el("h2", {}, t("history.compareOf", { device: this.context.model.called(`${run.kind}/${run.device}`) })),
      usual !== null && el("span", { class: "soft" }, t("history.usually", { length: length(usual), count: all.length }))), el("ol", { class: "compared" }, rows), legend(others.flatMap((one) => one.phases ?? []), this.paint.get(run.kind)));
  }
}
