// Time drawn from left to right: phases in colours with patterns, lanes of updates and messages, a hand that people move.
import { el, letters, svg, put } from "./dom.js";
import { stateTitle } from "./house.js";
import { hourStyle, length, locale, timeOfDay } from "./time.js";
import { language, t } from "./texts.js";

/** The number of colours with a pattern of their own. */
const PAINTS = 6;
let drawings = 0;

/** Remembers which paint each state of a definition has, by its title: those in which something runs come first. */
export function paints(definition) {
  const numbers = new Map();
  const states = definition?.machine?.states ?? [];
  const number = (name) => {
    const title = stateTitle(definition, name);
    if (!numbers.has(title)) numbers.set(title, numbers.size % PAINTS);
    return numbers.get(title);
  };
  for (const state of states) if (state.type !== "compound" && state.type !== "parallel" && !isAtRest(definition, state.name)) number(state.name);
  return {
    of(state) {
      const name = String(state ?? "").split(",")[0];
      return definition && isAtRest(definition, name) ? null : number(name);
    },
  };
}

/** Draws the phases in a node in shades of the colour of a definition. */
export function tint(node, definition) {
  const colour = definition?.layout?.tint;
  if (colour) node.style.setProperty("--tint", colour);
  node.classList.add("tinted");
  return node;
}

/** Whether nothing runs in a state: it lies in none of the states in which the activity runs. */
function isAtRest(definition, name) {
  const parents = new Map(definition.machine.states.map((state) => [state.name, state.parent]));
  if (!parents.has(name) || !definition.starts?.length) return false;
  const ends = new Set(definition.ends);
  for (let at = name; at; at = parents.get(at)) if (definition.starts.includes(at)) return false;
  if (ends.has(name) || name === definition.initial) return true;
  // A state beside them that a run passes through belongs to the run: `overdue` of a valve that was watering.
  const isInside = (state) => {
    for (let at = state; at; at = parents.get(at)) if (definition.starts.includes(at)) return true;
    return false;
  };
  return !definition.machine.transitions.some((one) => one.to.includes(name) && isInside(one.from));
}

/** The patterns that lie over the colours, for one drawing; `paint(n)` names them. */
export function patterns() {
  const id = `paint${++drawings}`;
  const shapes = [null, "M-1 1 1-1M0 6 6 0M5 7 7 5", "M3 0V6", "M0 3H6", "M1.5 1.5h1.4v1.4h-1.4z", "M0 0 6 6M-1 5 1 7M5-1 7 1"];
  const defs = svg("defs", {}, shapes.map((d, index) => d && svg("pattern",
    { id: `${id}-${index}`, width: 6, height: 6, patternUnits: "userSpaceOnUse" }, svg("path", { d, class: "pattern" }))));
  return { defs, paint: (n) => (shapes[n] ? `url(#${id}-${n})` : null) };
}

/** One phase as a bar: its colour, and its pattern over it. */
export function bar(pattern, n, { x, y, width, height, radius = 4 }) {
  const size = { x, y, width: Math.max(1.5, width), height, rx: Math.min(radius, width / 2) };
  if (n === null) return svg("g", { class: "phase is-rest" }, svg("rect", size));
  const over = pattern.paint(n);
  return svg("g", { class: `phase phase-${n}` }, svg("rect", size), over && svg("rect", { ...size, fill: over }));
}

/** A small square with a phase's colour and pattern, beside its name. */
export function swatch(n) {
  const pattern = patterns();
  return svg("svg", { class: "swatch", viewBox: "0 0 14 14", "aria-hidden": "true" }, pattern.defs, bar(pattern, n, { x: 0, y: 0, width: 14, height: 14 }));
}

const STEPS = [60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800];

/** The moments that a scale names, in the reader's time zone, and their words: in more than a week or so, dates without their weekdays. */
export function scale(from, to, width, room = 70) {
  const step = STEPS.find((one) => ((to - from) / one) * room <= width) ?? 2592000;
  const zone = (at) => new Date(at * 1000).getTimezoneOffset() * 60;
  const marks = [];
  for (let local = Math.ceil((from - zone(from)) / step) * step; ; local += step) {
    // The zone of the mark: clocks may be changed on the way.
    const at = local + zone(local + zone(from));
    if (at > to) return marks;
    // An hour that clocks leave out has no mark of its own.
    if (!(marks.at(-1)?.at >= at)) marks.push({ at, text: step < 86400 ? hour(at) : to - from > 8 * 86400 ? dateName(at) : dayName(at) });
  }
}

/** The words of a scale with their middles: inside of the width, and none that touches the one before; `x` is the place of a moment. */
export function wordPlaces(marks, x, width) {
  let end = -Infinity;
  return marks.flatMap(({ at, text }) => {
    // Chinese is as wide as high.
    const half = text.replace(/[^\0-\xff]/g, "  ").length * 3.4, place = Math.max(half, Math.min(x(at), width - half));
    if (place - half < end + 4) return [];
    end = place + half;
    return { place, text };
  });
}

export const axisWords = (marks, x, width, y) => wordPlaces(marks, x, width).map(({ place, text }) => svg("text", { x: place, y, "text-anchor": "middle", class: "axis" }, text));

const formats = new Map();
function write(options, at) {
  const key = language() + JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(locale(), options));
  return formats.get(key).format(new Date(at * 1000));
}
export const hour = (at) => write({ hour: hourStyle(), minute: "2-digit" }, at);
export const second = (at) => write({ hour: hourStyle(), minute: "2-digit", second: "2-digit" }, at);
export const dateName = (at) => write({ day: "numeric", month: "short" }, at);
export const dayName = (at) => write({ weekday: "short", day: "numeric", month: "short" }, at);

/** The phases that moves make between two moments: `[{ state, from, to }]`; before the first move, that of the state `before`, if it is known. */
export function phasesOf(moves, from, to, before = null) {
  const phases = [];
  let state = before;
  let since = from;
  for (const move of moves) {
    if (move.at >= from && move.at <= to) {
      if (state !== null && move.at > since) phases.push({ state, from: since, to: move.at });
      since = move.at;
    }
    if (move.at <= to) state = move.to;
  }
  if (state !== null) phases.push({ state, from: since, to });
  return phases;
}

/** The last item of a list in the order of time that is not after a moment; null before the first one. */
export function lastAt(list, at) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].at <= at) low = middle + 1;
    else high = middle;
  }
  return low ? list[low - 1] : null;
}

const LANE = { label: 15, phases: 22, marks: 12, gap: 12, axis: 20 };

/**
 * Lanes one under the other over one scale of time, with a hand.
 *
 * A lane is `{ name, phases: [{ state, title, from, to }], definition, paint, updates: [t…], messages: [t…], difference: t | null }`.
 */
export class Timeline {
  constructor({ label, onSeek }) {
    this.onSeek = onSeek;
    this.from = 0;
    this.to = 1;
    this.at = 0;
    this.lanes = [];
    this.picture = svg("svg", { class: "timeline-picture", "aria-hidden": "true" });
    this.slider = el("div", {
      class: "timeline", role: "slider", tabindex: "0", "aria-label": label,
      onkeydown: (event) => this.key(event), onpointerdown: (event) => this.grab(event),
    }, this.picture);
    this.node = this.slider;
    this.watcher = new ResizeObserver(() => this.draw());
    this.watcher.observe(this.slider);
  }

  show({ from, to, lanes }) {
    Object.assign(this, { from, to: Math.max(to, from + 1), lanes });
    this.draw();
  }

  x(at) { return 1 + ((at - this.from) / (this.to - this.from)) * (this.width - 2); }

  draw() {
    const size = letters();
    this.width = Math.max(120, this.slider.clientWidth / size);
    const pattern = patterns();
    const parts = [pattern.defs];
    // Above the first name is the knob of the hand.
    let y = this.lanes[0]?.name ? 8 : 0;
    for (const lane of this.lanes) {
      if (lane.name) parts.push(svg("text", { x: 9, y: y + 10, class: "lane-name" }, lane.name));
      if (lane.name) y += LANE.label;
      parts.push(tint(svg("g", {}, lane.phases.map((phase) => this.phase(pattern, lane, phase, y))), lane.definition));
      y += LANE.phases + 2;
      parts.push(this.marks(lane.messages ?? [], y + 2, 4, "is-message"), this.marks(lane.updates ?? [], y, LANE.marks - 2, "is-update"));
      if (lane.difference) {
        const x = this.x(lane.difference);
        parts.push(svg("path", { d: `M${x} ${y - LANE.phases - 4}v${LANE.phases + LANE.marks + 4}`, class: "difference" }));
      }
      y += LANE.marks + LANE.gap;
    }
    const marks = scale(this.from, this.to, this.width), x = (at) => this.x(at);
    parts.push(marks.map((mark) => svg("path", { d: `M${x(mark.at)} ${y - LANE.gap + 3}v4`, class: "axis-mark" })), axisWords(marks, x, this.width, y + 8));
    const height = y + LANE.axis - 6;
    this.hand = svg("g", { class: "hand" }, svg("path", { d: `M0 0V${y - 4}` }), svg("circle", { cx: 0, cy: 3, r: 5 }));
    put(this.picture, ...parts, this.hand);
    this.picture.setAttribute("viewBox", `0 0 ${this.width} ${height}`);
    this.picture.setAttribute("height", height * size);
    this.move(this.at);
  }

  phase(pattern, lane, phase, y) {
    const x = this.x(phase.from);
    const width = this.x(phase.to) - x;
    const words = phase.title ?? phase.state;
    const node = bar(pattern, lane.paint.of(phase.state), { x, y, width, height: LANE.phases });
    node.append(svg("title", {}, `${words}, ${length(phase.to - phase.from)}`));
    if (width > words.length * 7 + 16) node.append(svg("text", { x: x + 8, y: y + 15, class: "phase-name" }, words));
    return node;
  }

  /** Many moments as one path, at most one for each point of the drawing. */
  marks(moments, y, height, name) {
    let path = "";
    let last = -9;
    for (const at of moments) {
      const x = Math.round(this.x(at) * 2) / 2;
      if (x - last < 1.5) continue;
      path += `M${x} ${y}v${height}`;
      last = x;
    }
    return svg("path", { d: path || "M0 0", class: `beat ${name}` });
  }

  /** Moves the hand without telling anybody. */
  move(at) {
    this.at = Math.min(this.to, Math.max(this.from, at));
    this.hand?.setAttribute("transform", `translate(${this.x(this.at)} 0)`);
    this.slider.setAttribute("aria-valuemin", Math.round(this.from));
    this.slider.setAttribute("aria-valuemax", Math.round(this.to));
    this.slider.setAttribute("aria-valuenow", Math.round(this.at));
    const names = this.lanes.map((lane) => lane.phases.findLast((phase) => phase.from <= this.at)).filter(Boolean);
    this.slider.setAttribute("aria-valuetext", [timeOfDay(this.at, true), ...names.map((phase) => phase.title ?? phase.state)].join(", "));
  }

  seek(at) {
    this.move(at);
    this.onSeek?.(this.at);
  }

  key(event) {
    const whole = this.to - this.from;
    const steps = { ArrowLeft: -whole / 200, ArrowRight: whole / 200, ArrowDown: -whole / 200, ArrowUp: whole / 200, PageDown: -whole / 20, PageUp: whole / 20 };
    const aim = event.key === "Home" ? this.from : event.key === "End" ? this.to : event.key in steps ? this.at + steps[event.key] : null;
    if (aim === null) return;
    event.preventDefault();
    this.seek(aim);
  }

  grab(event) {
    if (event.button !== 0) return;
    const follow = (move) => {
      const frame = this.slider.getBoundingClientRect();
      this.seek(this.from + ((move.clientX - frame.left) / frame.width) * (this.to - this.from));
    };
    this.slider.setPointerCapture(event.pointerId);
    this.slider.addEventListener("pointermove", follow);
    this.slider.addEventListener("pointerup", () => this.slider.removeEventListener("pointermove", follow), { once: true });
    this.slider.addEventListener("pointercancel", () => this.slider.removeEventListener("pointermove", follow), { once: true });
    follow(event);
  }

  close() { this.watcher.disconnect(); }
}

/** What the colours mean: the names of the phases that are seen. */
export function legend(phases, paint, definition) {
  const seen = new Map();
  for (const { state, title = state } of phases) if (paint.of(state) !== null && !seen.has(title)) seen.set(title, paint.of(state));
  return tint(el("ul", { class: "legend", "aria-label": t("views.legend") }, [...seen].map(([title, number]) => el("li", {}, swatch(number), title))), definition);
}
