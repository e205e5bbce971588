// A statechart on the page: drawn once from its layout, then lit, counted and read out as the device moves.
import { el, letters, svg, put, still } from "./dom.js";
import { layoutChart, plainWords, cut, transitionKey } from "./chart-layout.js";
import { plainTitle } from "./house.js";
import { length, number } from "./time.js";
import { t } from "./texts.js";
import "./texts-views.js";

const MONO = "ui-monospace, \"SF Mono\", \"Cascadia Code\", \"Roboto Mono\", \"DejaVu Sans Mono\", monospace";
let charts = 0;
let ruler = null;

function measure(text, size, isMono) {
  ruler ??= document.createElement("canvas").getContext("2d");
  ruler.font = isMono ? `${size}px ${MONO}` : `600 ${size}px system-ui, sans-serif`;
  return ruler.measureText(text).width;
}

const words = (transition) => plainWords(transition, (trigger, time) => t(`chart.${trigger}`, { time }));

/** The smallest text of each of both drawings, in points, and the smallest that anybody reads. */
const SIZE = { guards: 11, titles: 12, least: 11 };

/** A transition in one sentence: `done, when operation == "Finished"`. */
function transitionWords({ to, trigger, label, guard }) {
  const target = to.length ? t("chart.to", { to: to.join(", ") }) : t("chart.stays");
  const when = [];
  if (trigger === "event") when.push(t("chart.onEvent", { event: label }));
  if (guard) when.push(t("chart.when", { guard }));
  if (trigger !== "always" && trigger !== "event") when.push(t(`chart.${trigger}`, { time: label }));
  return `${target}: ${when.join(", ") || t("chart.always")}`;
}

const innermost = (states) => (states === null || states === undefined ? [] : String(states).split(","));

/** The innermost states that a move left, and those that it entered: in a parallel machine, the others stay as they were. */
function changed({ from, to }) {
  const [before, after] = [innermost(from), innermost(to)];
  const left = before.filter((name) => !after.includes(name)), entered = after.filter((name) => !before.includes(name));
  return left.length || entered.length ? { left, entered } : { left: before, entered: after };
}

/** What a number of moves says: how often each state was entered and for how long it lasted, how often each line was taken. */
export function countMoves(moves, until) {
  const states = new Map();
  const lines = new Map();
  const of = (name) => states.get(name) ?? states.set(name, { count: 0, seconds: 0 }).get(name);
  moves.forEach((move, index) => {
    const next = moves[index + 1]?.at ?? until;
    for (const name of changed(move).entered) of(name).count += 1;
    for (const name of innermost(move.to)) of(name).seconds += Math.max(0, next - move.at);
    const key = `${move.from}>${move.to}`;
    lines.set(key, (lines.get(key) ?? 0) + 1);
  });
  return { states, lines };
}

export class StateChart {
  /** Draws the machine of a definition. `node` is the picture with its list, `tools` are the buttons for its size. */
  constructor(definition) {
    this.definition = definition;
    this.machine = definition.machine;
    this.id = `chart${++charts}`;
    this.above = new Map(this.machine.states.map((state) => [state.name, state.parent]));
    this.scale = null;
    this.hasGuards = false;
    this.chosen = null;
    this.frameNode = el("div", { class: "chart-frame", tabindex: "-1" });
    const button = (label, sign, act, more = {}) => el("button", { type: "button", class: "chart-tool", title: label, "aria-label": label, onclick: act, ...more }, sign);
    this.guardsButton = button(t("chart.guards"), "≡", () => this.toggleGuards(), { "aria-pressed": "false" });
    this.tools = el("div", { class: "chart-tools" }, this.guardsButton,
      button(t("chart.smaller"), "−", () => this.zoom(this.scale / 1.2)),
      button(t("chart.larger"), "+", () => this.zoom(this.scale * 1.2)),
      button(t("chart.fit"), "⤢", () => this.fit()));
    this.detail = el("div", { class: "chart-detail" });
    this.list = el("details", { class: "chart-list" }, el("summary", {}, t("chart.asList")), el("ul", {}));
    this.node = el("div", { class: "chart-box" }, this.frameNode, this.detail, this.list);
    this.watcher = new ResizeObserver(() => { if (!this.isZoomed) this.fit(); });
    this.watcher.observe(this.frameNode);
    this.draw(definition);
    this.writeList();
  }

  /** Draws the conditions at the lines, or only the titles of states. */
  toggleGuards() {
    this.hasGuards = !this.hasGuards;
    this.guardsButton.setAttribute("aria-pressed", String(this.hasGuards));
    this.draw(this.definition);
    if (this.shown) this.show(this.shown);
    if (this.counted) this.count(this.counted);
    if (this.explained) this.explain(...this.explained);
    this.fit();
  }

  // MARK: Drawing

  draw(definition) {
    this.layout = layoutChart(this.machine, { initial: definition.initial, measure, words, stats: true, isPlain: !this.hasGuards });
    const { width, height, states, edges } = this.layout;
    this.stateNodes = new Map();
    this.edgeNodes = edges.map((edge) => this.edgeNode(edge));
    const frames = states.filter((state) => state.isCompound);
    const leaves = states.filter((state) => !state.isCompound);
    this.picture = svg("svg", {
      class: "chart", viewBox: `0 0 ${width} ${height}`, role: "group",
      "aria-label": t("chart.name", { name: definition.name ?? definition.kind }),
      onkeydown: (event) => this.key(event),
    },
    svg("defs", {}, this.marker("arrow"), this.marker("arrow-lit")),
    svg("g", {}, frames.map((state) => this.frame(state))),
    svg("g", {}, this.edgeNodes.map((node) => node.line)),
    svg("g", {}, frames.map((state) => this.frameTitle(state))),
    svg("g", {}, leaves.map((state) => this.leaf(state))),
    svg("g", {}, this.edgeNodes.map((node) => node.chip)));
    put(this.frameNode, this.picture);
    const first = leaves[0] && this.stateNodes.get(leaves[0].name);
    first?.setAttribute("tabindex", "0");
  }

  marker(name) {
    return svg("marker", { id: `${this.id}-${name}`, class: `chart-${name}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto", markerUnits: "userSpaceOnUse" },
      svg("path", { d: "M0.5 0.8 7.5 4 0.5 7.2 2 4z" }));
  }

  frame(state) {
    const { x, y, width, height } = state;
    const parts = [svg("rect", { x, y, width, height, rx: 14, class: `chart-compound${state.isRegion ? " is-region" : ""}` })];
    if (state.isInitial) parts.push(this.start(state));
    const node = svg("g", { class: "chart-state is-compound", role: "img" }, parts);
    this.stateNodes.set(state.name, node);
    return node;
  }

  frameTitle(state) {
    const text = svg("text", { x: state.x + 14, y: state.y + 19, class: "chart-compound-title" }, cut(state.main, 34));
    const stats = svg("text", { x: state.x + 14 + measure(cut(state.main, 34), 12.5) + 10, y: state.y + 19, class: "chart-stats" });
    const node = this.stateNodes.get(state.name);
    node.statsNode = stats;
    return svg("g", { class: "chart-compound-head" }, text, stats);
  }

  leaf(state) {
    const { x, y, width, height } = state;
    const middle = x + width / 2;
    if (state.kind === "history") {
      const node = svg("g", { class: "chart-state is-history", role: "img", tabindex: "-1", dataset: { state: state.name } },
        svg("circle", { cx: middle, cy: y + 15, r: 14, class: "chart-box-line" }),
        svg("text", { x: middle, y: y + 19.5, class: "chart-title", "text-anchor": "middle" }, "H"));
      this.stateNodes.set(state.name, node);
      return node;
    }
    const parts = [svg("rect", { x, y, width, height, rx: 10, class: "chart-box-line" })];
    if (state.kind === "final") parts.push(svg("rect", { x: x + 3.5, y: y + 3.5, width: width - 7, height: height - 7, rx: 7, class: "chart-final" }));
    let line = y + 22;
    const before = parts.length;
    const isPlain = state.title === null;
    parts.push(svg("text", { x: middle, y: line, "text-anchor": "middle", class: `chart-title${isPlain ? " is-name" : ""}` }, state.main));
    if (state.sub) parts.push(svg("text", { x: middle, y: (line += 14), "text-anchor": "middle", class: "chart-sub" }, state.sub));
    const stats = svg("text", { x: middle, y: (line += 15), "text-anchor": "middle", class: "chart-stats" });
    parts.push(stats);
    if (state.lines.length) {
      line += 6;
      parts.push(svg("path", { d: `M${x + 8} ${line}H${x + width - 8}`, class: "chart-rule" }));
      for (const text of state.lines) parts.push(svg("text", { x: x + 11, y: (line += 14), class: "chart-within" }, text));
    }
    const writing = svg("g", { class: "chart-writing" }, parts.splice(before));
    parts.push(writing);
    if (state.isInitial) parts.push(this.start(state));
    const node = svg("g", {
      class: "chart-state", role: "img", tabindex: "-1", dataset: { state: state.name },
      onmouseenter: () => this.point(state.name), onmouseleave: () => this.point(null),
      onfocus: () => { this.point(state.name); this.choose(state.name); }, onblur: () => this.point(null), onclick: () => this.choose(state.name),
    }, parts);
    node.statsNode = stats;
    node.classList.toggle("has-lines", state.lines.length > 0);
    this.stateNodes.set(state.name, node);
    return node;
  }

  /** The dot that says where a machine or a compound state begins. */
  start({ x, y, height, isCompound }) {
    const at = isCompound ? y + 15 : y + height / 2;
    return svg("g", { class: "chart-start" }, svg("circle", { cx: x - 18, cy: at, r: 4 }),
      svg("path", { d: `M${x - 14} ${at}H${x - 1}`, class: "chart-line", "marker-end": `url(#${this.id}-arrow)` }));
  }

  edgeNode(edge) {
    const path = (name) => svg("path", { d: edge.path, class: name });
    const main = path("chart-line");
    main.setAttribute("marker-end", `url(#${this.id}-arrow)`);
    const line = svg("g", { class: "chart-edge" }, path("chart-halo"), main);
    const chip = svg("g", { class: "chart-chip" });
    const node = { edge, line, main, chip, bars: [], dots: [] };
    if (edge.label) this.fillChip(node);
    return node;
  }

  fillChip(node) {
    const { x, y, width, height } = node.edge.label;
    const { chip, edge } = node;
    chip.append(svg("title", {}, edge.transitions.map((transition) => transitionWords(transition)).join("\n")),
      svg("rect", { x, y, width, height, rx: 7, class: "chart-chip-box" }));
    let before = 0;
    edge.lines.forEach((line, index) => {
      const top = y + 3.5 + index * 14.5;
      if (line.index !== before) chip.append(svg("path", { d: `M${x + 6} ${top}H${x + width - 6}`, class: "chart-rule" }));
      before = line.index;
      chip.append(svg("text", { x: x + width / 2, y: top + 10.8, "text-anchor": "middle", class: `chart-words is-${line.kind}` }, line.text));
      const isLast = edge.lines[index + 1]?.index !== line.index;
      if (!isLast) return;
      const bar = svg("rect", { x: x + 6, y: top + 14, width: width - 12, height: 2, rx: 1, class: "chart-bar" });
      const place = [x - 2, top + 7.25];
      const dot = svg("g", { class: "chart-holds" }, svg("circle", { cx: place[0], cy: place[1], r: 7 }), svg("path", {}));
      dot.place = place;
      node.bars[line.index] = bar;
      node.dots[line.index] = dot;
      chip.append(bar, dot);
    });
    node.count = svg("g", { class: "chart-count" });
    chip.append(node.count);
  }

  // MARK: Size

  fit() {
    const room = this.frameNode.clientWidth;
    if (!room) return;
    this.isZoomed = false;
    this.setScale(Math.min(1.2 * letters(), Math.max(this.least, room / this.layout.width)));
    this.reveal();
  }

  /** The scale at which the smallest text can still be read: a chart that is larger than its frame scrolls. */
  get least() { return letters() * SIZE.least / (this.hasGuards ? SIZE.guards : SIZE.titles); }

  zoom(scale) {
    this.isZoomed = true;
    this.setScale(Math.min(2.5 * letters(), Math.max(this.least, scale)));
  }

  setScale(scale) {
    this.scale = scale;
    this.picture.style.setProperty("width", `${Math.ceil(this.layout.width * scale)}px`);
    this.picture.style.setProperty("height", `${Math.ceil(this.layout.height * scale)}px`);
  }

  /** Scrolls so that the current state is in sight. */
  reveal() {
    const state = this.layout.states.find((one) => !one.isCompound && this.lit?.has(one.name));
    const room = this.frameNode.clientWidth;
    if (!state || this.layout.width * this.scale <= room + 2) return;
    this.frameNode.scrollTo({ left: (state.x + state.width / 2) * this.scale - room / 2, behavior: still() ? "auto" : "smooth" });
  }

  // MARK: What it shows

  /** Lights the active states; `move` is the transition just taken, `isPast` when this is not now. */
  show({ states, move = null, isPast = false }) {
    this.shown = { states, move, isPast };
    this.lit = new Set(states);
    this.node.classList.toggle("is-past", isPast);
    for (const [name, node] of this.stateNodes) node.classList.toggle("is-lit", this.lit.has(name));
    const taken = move ? this.edgeOf(move.from, move.to) : null;
    for (const node of this.edgeNodes) {
      const isTaken = node === taken;
      node.line.classList.toggle("is-taken", isTaken);
      node.chip.classList.toggle("is-taken", isTaken);
      node.line.classList.toggle("is-open", this.lit.has(node.edge.from) || node.edge.from === "");
      node.chip.classList.toggle("is-open", this.lit.has(node.edge.from));
      node.main.setAttribute("marker-end", `url(#${this.id}-${isTaken ? "arrow-lit" : "arrow"})`);
    }
    this.label();
  }

  /** Lets the transition just taken be seen: it pulses once. */
  pulse(move) {
    const taken = this.edgeOf(move.from, move.to);
    if (!taken || still()) return;
    const dot = svg("circle", { r: 5, class: "chart-pulse" });
    dot.style.setProperty("offset-path", `path("${taken.edge.path}")`);
    dot.addEventListener("animationend", () => dot.remove());
    taken.line.append(dot);
  }

  /** The line that was taken by a move between two innermost states. */
  edgeOf(from, to) {
    const chain = (name) => {
      const names = [];
      for (let at = name; at; at = this.above.get(at)) names.push(at);
      return [...names, ""];
    };
    const { left, entered } = changed({ from, to });
    for (const one of left) {
      for (const source of chain(one)) {
        for (const other of entered) {
          for (const target of chain(other).slice(0, -1)) {
            const found = this.edgeNodes.find((node) => node.edge.from === source && node.edge.to === target);
            if (found) return found;
          }
        }
      }
    }
    return null;
  }

  /** Shows what `countMoves` says, on states and lines. */
  count({ states, lines }) {
    this.counted = { states, lines };
    this.counts = states;
    const sums = new Map();
    for (const [key, value] of lines) {
      const [from, to] = key.split(">");
      const edge = this.edgeOf(from, to);
      if (edge) sums.set(edge, (sums.get(edge) ?? 0) + value);
    }
    for (const node of this.edgeNodes) {
      const sum = sums.get(node) ?? 0;
      node.line.style.setProperty("--often", String(Math.min(1.8, Math.log2(1 + sum) * 0.35)));
      if (node.count) this.badge(node, sum);
    }
    for (const [name, node] of this.stateNodes) {
      if (!node.statsNode) continue;
      const known = states.get(name);
      node.classList.toggle("has-stats", Boolean(known?.count));
      put(node.statsNode, known?.count ? t("chart.stats", { count: number(known.count), time: length(known.seconds, "narrow") }) : "");
    }
    this.label();
  }

  badge(node, sum) {
    put(node.count);
    if (!sum) return;
    const { x, y, width } = node.edge.label;
    const text = `×${number(sum)}`;
    const size = measure(text, 11) + 9;
    node.count.append(svg("rect", { x: x + width - size + 7, y: y - 8, width: size, height: 15, rx: 7.5 }),
      svg("text", { x: x + width - size / 2 + 7, y: y + 3, "text-anchor": "middle" }, text));
  }

  /** Shows which guards hold and how far the waits are, from an explanation; nothing for a moment of the past. */
  explain(explanation, now) {
    this.explained = [explanation, now];
    const open = new Map();
    for (const one of explanation?.transitions ?? []) open.set(keyOf(one), one);
    const waits = new Map();
    for (const one of explanation?.waits ?? []) waits.set(keyOf(one), one);
    for (const node of this.edgeNodes) {
      node.edge.transitions.forEach((transition, index) => {
        const key = transitionKey(transition.from, transition.to, transition.trigger, transition.guard);
        this.dot(node.dots[index], open.get(key)?.holds);
        const wait = waits.get(key);
        const part = wait?.due && !wait.lapsed ? Math.min(1, Math.max(0, (now - wait.since) / (wait.due - wait.since))) : 0;
        node.bars[index]?.style.setProperty("--part", String(part));
      });
    }
    this.writeDetail();
  }

  dot(node, holds) {
    if (!node) return;
    node.classList.toggle("is-true", holds === true);
    node.classList.toggle("is-false", holds === false);
    const [x, y] = node.place;
    if (holds !== undefined) node.lastChild.setAttribute("d", holds ? `M${x - 3.2} ${y}l2.4 2.6 4.2-5.2` : `M${x - 2.4} ${y - 2.4}l4.8 4.8m0-4.8l-4.8 4.8`);
  }

  // MARK: Reading it

  /** Points at a state: its lines come forward, the others stand back. */
  point(name) {
    this.node.classList.toggle("is-pointing", name !== null);
    for (const node of this.edgeNodes) {
      const isMeant = name !== null && (node.edge.from === name || node.edge.to === name);
      node.line.classList.toggle("is-meant", isMeant);
      node.chip.classList.toggle("is-meant", isMeant);
    }
  }

  /** Writes what leads out of a state below the chart, with what each condition says now; out of the state that is active, if none is chosen. */
  choose(name) {
    this.chosen = name;
    this.writeDetail();
  }

  writeDetail() {
    const active = this.layout.states.findLast((one) => !one.isCompound && this.lit?.has(one.name))?.name;
    const state = this.machine.states.find((one) => one.name === (this.chosen ?? active));
    const open = new Map((this.explained?.[0]?.transitions ?? []).map((one) => [keyOf(one), one.holds]));
    const key = JSON.stringify([state?.name, [...open]]);
    if (this.detailed === key) return;
    this.detailed = key;
    const chain = [];
    for (let at = state?.name; at; at = this.above.get(at)) chain.push(at);
    const leads = this.machine.transitions.filter((one) => chain.includes(one.from) && one.to.length);
    put(this.detail, state && el("p", { class: "chart-detail-head" }, t("chart.chosen", { state: plainTitle(state.title) ?? state.name })),
      state && el("ul", {}, leads.map((one) => {
        const holds = open.get(transitionKey(one.from, one.to, one.trigger, one.guard));
        return el("li", { class: holds === undefined ? null : `is-${holds}` }, transitionWords(one), holds !== undefined && el("span", { class: "note" }, ` · ${t(holds ? "device.holds" : "device.holdsNot")}`));
      })), el("p", { class: "note" }, t("chart.choose")));
  }

  key(event) {
    const here = event.target.closest?.("[data-state]")?.dataset.state;
    if (!here) return;
    const way = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (!way) return;
    event.preventDefault();
    const next = this.nearest(here, way);
    if (!next) return;
    this.stateNodes.get(here).setAttribute("tabindex", "-1");
    const node = this.stateNodes.get(next);
    node.setAttribute("tabindex", "0");
    node.focus();
  }

  nearest(name, [right, down]) {
    const middle = (one) => [one.x + one.width / 2, one.y + one.height / 2];
    const [x, y] = middle(this.layout.states.find((one) => one.name === name));
    let best = null;
    let least = Infinity;
    for (const state of this.layout.states) {
      if (state.isCompound || state.name === name) continue;
      const [dx, dy] = [middle(state)[0] - x, middle(state)[1] - y];
      const along = dx * right + dy * down;
      const aside = Math.abs(dx * down) + Math.abs(dy * right);
      if (along < 4 || along + 2.5 * aside >= least) continue;
      least = along + 2.5 * aside;
      best = state.name;
    }
    return best;
  }

  sentence(state) {
    const title = plainTitle(state.title), parts = [title && title !== state.name ? `${title} (${state.name})` : state.name];
    if (this.lit?.has(state.name)) parts.push(t(this.node.classList.contains("is-past") ? "chart.wasHere" : "chart.isHere"));
    const known = this.counts?.get(state.name);
    if (known?.count) parts.push(t("chart.statsLong", { count: known.count, time: length(known.seconds, "long") }));
    return parts.join(", ");
  }

  label() {
    this.writeDetail();
    for (const state of this.machine.states) {
      const leads = this.machine.transitions.filter((one) => one.from === state.name).map(transitionWords);
      this.stateNodes.get(state.name)?.setAttribute("aria-label", [this.sentence(state), ...leads].join(". "));
    }
    if (this.list.open) this.writeList();
    else this.list.ontoggle = () => { if (this.list.open) this.writeList(); };
  }

  writeList() {
    const item = (state) => el("li", { class: this.lit?.has(state.name) ? "is-lit" : null },
      el("strong", {}, this.sentence(state)),
      el("ul", {}, this.machine.transitions.filter((one) => one.from === state.name).map((one) => el("li", {}, transitionWords(one))),
        this.machine.states.filter((one) => one.parent === state.name).map(item)));
    put(this.list.querySelector("ul"), this.machine.states.filter((state) => !state.parent).map(item));
  }

  close() { this.watcher.disconnect(); }
}

/** The key of a transition, or of a wait, as an explanation has it. */
export function keyOf(one) {
  const trigger = one.on !== undefined ? "event" : one.after !== undefined ? "after" : one.for !== undefined ? "for"
    : one.quiet !== undefined ? "quiet" : one.at !== undefined ? "at" : one.past !== undefined ? "past" : "always";
  return transitionKey(one.in, one.to, trigger, one.guard);
}
