// Where the states and transitions of a statechart stand when it is drawn. Pure: no document, no clock.
//
// Each compound state is a level of its own: its states in rows, and its border as a frame for the level above. A
// transition that crosses borders is drawn in parts that meet at a port on each border. The label of a transition is
// an item of a row between two rows of states, so labels never overlap anything.
import { plainTitle } from "./house.js";
import { closingLinks, order, placeInRows, ranks, spread } from "./chart-ranks.js";

const SPACE = {
  states: 30, labels: 12, lines: 16, frame: 22, head: 30, row: 20, line: 14.5, title: 17, small: 14,
  state: 78, label: 158, loop: 26, start: 26, corner: 14,
};

/** A rough width of a text in points, where nothing better is at hand. */
function roughWidth(text, size) {
  let width = 0;
  for (const letter of text) width += letter.codePointAt(0) > 0x2e80 ? 1 : /[mwMW@]/.test(letter) ? 0.86 : 0.58;
  return width * size;
}

/** Cuts a text to a number of letters. */
export const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** The key by which a transition of a definition is found again in an explanation. */
export function transitionKey(from, to, trigger, guard) {
  return [from ?? "", Array.isArray(to) ? to.join(", ") : to ?? "", trigger ?? "", guard ?? ""].join("\u0000");
}

/**
 * Lays a machine out.
 *
 * `machine`: states and transitions as `GET /v1/definitions/{kind}` has them; `options`: `initial`, `measure(text,
 * size, isMono)`, `words(transition)` → the lines of its label, `stats`: whether states leave a line for numbers, `isPlain`: whether
 * it has titles and lines only, without names, labels and what stays within a state.
 * Returns `{ width, height, states, edges }`; everything has absolute places.
 */
export function layoutChart(machine, options = {}) {
  const chart = new Chart(machine, options);
  return chart.laidOut();
}

class Chart {
  constructor(machine, { initial, measure = roughWidth, words = plainWords, stats = false, isPlain = false }) {
    this.measure = measure;
    this.words = words;
    this.stats = stats;
    this.isPlain = isPlain;
    this.root = { name: "", title: null, kind: "root", children: [], parent: null, depth: 0, initial: initial ?? null };
    this.byName = new Map();
    for (const state of machine.states) this.byName.set(state.name, { ...state, title: plainTitle(state.title), kind: state.type, children: [], within: [] });
    for (const node of this.byName.values()) {
      node.above = this.byName.get(node.parent) ?? this.root;
      node.above.children.push(node);
    }
    if (machine.type === "parallel") this.root.kind = "parallel";
    this.root.initial = initial ?? this.root.children[0]?.name ?? null;
    for (const node of this.byName.values()) {
      node.depth = this.path(node).length - 1;
      if (node.kind === "compound") node.initial = node.initial ?? node.children[0]?.name ?? null;
    }
    this.edges = [];
    this.gather(machine.transitions);
  }

  /** The transitions between the same two states are one line with several labels; those without a target stay within. */
  gather(transitions) {
    const found = new Map();
    for (const transition of transitions) {
      const from = this.byName.get(transition.from) ?? this.root;
      if (!transition.to?.length) {
        if (from !== this.root) from.within.push(transition);
        continue;
      }
      for (const name of transition.to) {
        const to = this.byName.get(name);
        if (!to) continue;
        const key = `${from.name}\u0000${to.name}`;
        if (!found.has(key)) {
          found.set(key, { from, to, transitions: [], parts: [] });
          this.edges.push(found.get(key));
        }
        found.get(key).transitions.push(transition);
      }
    }
    for (const edge of this.edges) edge.label = this.isPlain ? null : this.label(edge.transitions);
  }

  label(transitions) {
    const lines = transitions.flatMap((transition, index) =>
      this.words(transition).map((line) => ({ ...line, index })));
    if (!lines.length) return null;
    const width = Math.max(...lines.map((line) => this.measure(line.text, 11, true)));
    return { lines, width: Math.min(width, SPACE.label) + 20, height: lines.length * SPACE.line + 7 };
  }

  path(node) {
    const path = [];
    for (let at = node; at; at = at.above) path.unshift(at);
    return path;
  }

  laidOut() {
    const inside = new Map();
    const add = (level, part) => {
      if (!inside.has(level)) inside.set(level, []);
      inside.get(level).push(part);
    };
    for (const edge of this.edges) {
      if (edge.from === edge.to) {
        (edge.from.loops ??= []).push(edge);
        continue;
      }
      const from = this.path(edge.from);
      const to = this.path(edge.to);
      let depth = 0;
      while (from[depth + 1] && from[depth + 1] === to[depth + 1]) depth++;
      add(from[depth], { edge, from: from[depth + 1] ?? null, to: to[depth + 1] ?? null, fromPath: from, toPath: to });
    }
    this.inside = inside;
    const level = this.arrange(this.root, []);
    const states = [];
    this.settle(this.root, level, SPACE.frame, SPACE.frame, states);
    const edges = this.edges.map((edge) => this.drawn(edge));
    return { width: level.width + 2 * SPACE.frame, height: level.height + 2 * SPACE.frame, states, edges };
  }

  // MARK: One level

  /**
   * Lays the states within one state out. `ports`: the parts of transitions that cross its border, as
   * { part, side: "top" | "bottom", isOut, place }, `place` telling their order on the border.
   */
  arrange(owner, ports) {
    const items = owner.children.map((node) => ({ node, width: 0, height: 0, top: [], bottom: [] }));
    const itemOf = new Map(items.map((item) => [item.node, item]));
    const own = (this.inside.get(owner) ?? []).map((part) => ({ ...part }));
    const between = own.filter((part) => part.from && part.to);
    const links = between.map((part) => ({
      from: owner.children.indexOf(part.from), to: owner.children.indexOf(part.to),
    }));
    const start = owner.children.findIndex((child) => child.name === owner.initial);
    const closing = closingLinks(items.length, links, start >= 0 ? [start] : []);
    const rank = items.length ? ranks(items.length, links, closing) : [];
    const last = Math.max(0, ...rank);
    const rows = Array.from({ length: 2 * last + 5 }, () => []); // ports, labels, states, labels, … states, labels, ports
    items.forEach((item, index) => { item.row = 2 * rank[index] + 2; rows[item.row].push(item); });
    const chains = between.map((part) => this.chain(part, itemOf.get(part.from), itemOf.get(part.to), rows));
    for (const part of own.filter((part) => !part.from || !part.to)) {
      // From a state to one within it, or out of one to its own border.
      const port = { port: true, width: 8, height: 0, row: part.from ? rows.length - 1 : 0, edge: part.edge };
      rows[port.row].push(port);
      chains.push(this.chain(part, itemOf.get(part.from) ?? port, itemOf.get(part.to) ?? port, rows));
    }
    for (const port of [...ports].sort((one, other) => one.place - other.place)) {
      const item = { port: true, width: 8, height: 0, row: port.side === "top" ? 0 : rows.length - 1, edge: port.part.edge, fixed: true };
      port.item = item;
      rows[item.row].push(item);
      const path = port.isOut ? port.part.fromPath : port.part.toPath;
      const child = itemOf.get(path[owner.depth + 1]);
      const part = { edge: port.part.edge, fromPath: port.part.fromPath, toPath: port.part.toPath, isInner: true,
        from: port.isOut ? child.node : null, to: port.isOut ? null : child.node };
      chains.push(this.chain(part, port.isOut ? child : item, port.isOut ? item : child, rows));
    }
    order(rows, chains.flatMap((chain) => chain.links.map(([upper, lower]) => [upper, lower])));
    this.size(items, chains, rows);
    return this.place(owner, rows, items, chains, ports);
  }

  /** The items through which a part of a transition passes from row to row, with its label in the first one. */
  chain(part, from, to, rows) {
    const [upper, lower] = from.row < to.row ? [from, to] : [to, from];
    const between = [];
    const label = part.isInner ? null : part.edge.label;
    const besideSource = from === upper ? upper.row + 1 : lower.row - 1;
    for (let row = upper.row + 1; row < lower.row; row++) {
      const item = row === besideSource && label
        ? { label, edge: part.edge, width: label.width, height: label.height, row }
        : { bend: true, width: 2, height: 0, row };
      rows[row].push(item);
      between.push(item);
    }
    const all = [upper, ...between, lower];
    const links = all.slice(1).map((item, index) => [all[index], item]);
    const chain = { part, from, to, upper, lower, all, links, isUpwards: from === lower };
    upper.bottom?.push(chain);
    lower.top?.push(chain);
    return chain;
  }

  /** Gives each state its size; compound ones are laid out for it, because now it is known where lines reach them. */
  size(items, chains, rows) {
    const place = new Map();
    for (const row of rows) row.forEach((item, index) => place.set(item, index + 0.5 * (1 - row.length)));
    for (const item of items) {
      const { node } = item;
      if (node.children.length) {
        const ports = [];
        for (const side of ["top", "bottom"]) {
          for (const chain of item[side]) {
            const isOut = chain.from === item;
            const path = isOut ? chain.part.fromPath : chain.part.toPath;
            if (path[path.length - 1] === node) continue;
            const next = side === "top" ? chain.all[chain.all.length - 2] : chain.all[1];
            const port = { part: chain.part, side, isOut, place: place.get(next), chain };
            ports.push(port);
            chain[side === "top" ? "lowerPort" : "upperPort"] = port;
          }
        }
        const level = this.arrange(node, ports);
        node.level = level;
        node.ports = ports;
        node.w = Math.max(level.width + 2 * SPACE.frame, this.measure(node.title ?? node.name, 13) + 70);
        node.h = level.height + SPACE.head + SPACE.frame * 0.8;
        node.shift = (node.w - level.width) / 2;
      } else {
        this.sizeOfLeaf(node);
      }
      const loops = (node.loops ?? []).flatMap((edge) => edge.label ?? { width: 0, height: 0 });
      item.left = node.above.initial === node.name && node.above.kind !== "parallel" ? SPACE.start : 0;
      item.right = loops.length ? SPACE.loop + Math.max(...loops.map((label) => label.width)) + 2 : 0;
      item.width = node.w + item.left + item.right;
      item.height = Math.max(node.h, ...loops.map((label) => label.height));
      item.middle = (item.left - item.right) / 2;
    }
  }

  sizeOfLeaf(node) {
    if (node.kind === "history") { node.w = 30; node.h = 30; return; }
    const title = cut(node.title ?? node.name, 30);
    node.main = title;
    node.sub = !this.isPlain && node.title && node.title.toLowerCase() !== node.name.toLowerCase() ? cut(node.name, 28) : null;
    const within = this.isPlain ? [] : node.within;
    node.lines = within.slice(0, 4).map((transition) => cut(this.words(transition).map((line) => line.text).join(" "), 30));
    if (within.length > 4) node.lines.push(`+ ${within.length - 4}`);
    node.w = Math.max(SPACE.state, this.measure(title, 13) + 30, node.sub ? this.measure(node.sub, 11, true) + 28 : 0,
      ...node.lines.map((line) => this.measure(line, 11, true) + 24), this.stats ? 100 : 0);
    node.h = 16 + SPACE.title + (node.sub ? SPACE.small : 0) + (this.stats ? SPACE.small : 0)
      + (node.lines.length ? node.lines.length * SPACE.small + 7 : 0);
  }

  // MARK: Places

  place(owner, rows, items, chains, ports) {
    const links = [];
    for (const chain of chains) {
      chain.all.slice(1).forEach((lower, index) => {
        const upper = chain.all[index];
        const bends = (upper.node ? 0 : 1) + (lower.node ? 0 : 1);
        links.push({ upper, lower, weight: [1, 2, 10][bends],
          upperAt: () => this.attach(upper, chain, "bottom", lower), lowerAt: () => this.attach(lower, chain, "top", upper) });
      });
    }
    for (const item of items) for (const side of ["top", "bottom"]) this.fixAttachments(item, side, rows);
    placeInRows(rows, links, distance);
    straighten(rows, chains);
    const all = rows.flat();
    const left = all.length ? Math.min(...all.map((item) => item.x - item.width / 2)) : 0;
    const right = all.length ? Math.max(...all.map((item) => item.x + item.width / 2)) : 0;
    for (const row of rows) for (const item of row) item.x -= left;
    for (const item of items) for (const side of ["top", "bottom"]) this.freeAttachments(item, side);
    let y = 0;
    let before = null;
    for (const row of rows) {
      const height = Math.max(0, ...row.map((item) => item.height));
      const isFilled = row.some((item) => item.node || item.label || item.port);
      if (before && isFilled) y += this.gap(rows, before, row, links);
      for (const item of row) { item.rowTop = y; item.rowBottom = y + height; item.y = y + (height - item.height) / 2; }
      y += height;
      if (isFilled) before = row;
    }
    return { width: right - left, height: y, rows, items, chains, ports };
  }

  gap(rows, before, row, links) {
    const first = rows.indexOf(before);
    const last = rows.indexOf(row);
    let farthest = 0;
    for (const { upper, lower } of links) {
      if (upper.row >= first && lower.row <= last) farthest = Math.max(farthest, Math.abs(upper.x - lower.x));
    }
    return SPACE.row + Math.min(26, farthest * 0.07);
  }

  /** Lines leave a state side by side, in the order of where they go. */
  fixAttachments(item, side, rows) {
    const index = (chain) => {
      const next = side === "top" ? chain.all[chain.all.length - 2] : chain.all[1];
      return rows[next.row].indexOf(next);
    };
    const chains = item[side];
    chains.sort((one, other) => index(one) - index(other));
    if (item.node.children.length) return;
    const step = Math.min(26, (item.node.w - 2 * SPACE.corner) / chains.length);
    chains.forEach((chain, at) => { chain[`${side}At`] = item.middle + (at - (chains.length - 1) / 2) * step; });
  }

  attach(item, chain, side, other) {
    if (!item.node) return 0;
    if (chain[`${side}At`] !== undefined) return chain[`${side}At`];
    const port = side === "top" ? chain.lowerPort : chain.upperPort;
    if (port) return item.middle - item.node.w / 2 + item.node.shift + port.item.x;
    const half = item.node.w / 2 - SPACE.corner;
    return item.middle + Math.max(-half, Math.min(half, other.x - item.x - item.middle));
  }

  /** Lines of a compound state itself begin where they are straight, beside those that cross its border. */
  freeAttachments(item, side) {
    if (!item.node.children.length) return;
    const wishes = item[side].map((chain) => {
      const other = side === "top" ? chain.all[chain.all.length - 2] : chain.all[1];
      const port = side === "top" ? chain.lowerPort : chain.upperPort;
      return { chain, at: this.attach(item, chain, side, other), weight: port ? 1e6 : 1 };
    }).sort((one, other) => one.at - other.at);
    const places = spread(wishes, wishes.slice(1).map(() => SPACE.lines));
    wishes.forEach(({ chain }, index) => { chain[`${side}At`] = places[index]; });
  }

  // MARK: Absolute places and lines

  settle(owner, level, x, y, states) {
    for (const item of level.items) {
      const { node } = item;
      node.x = x + item.x + item.middle - node.w / 2;
      node.y = y + item.y + (item.height - node.h) / 2;
      item.absolute = x + item.x;
      states.push(this.drawnState(node, item));
      if (node.children.length) this.settle(node, node.level, node.x + node.shift, node.y + SPACE.head, states);
    }
    for (const chain of level.chains) this.trace(chain, owner, x, y);
  }

  drawnState(node, item) {
    return {
      name: node.name, title: node.title ?? null, kind: node.kind, x: node.x, y: node.y, width: node.w, height: node.h, main: node.main ?? node.title ?? node.name, sub: node.sub ?? null,
      lines: node.lines ?? [], isInitial: item.left > 0, isRegion: node.above.kind === "parallel",
      isCompound: node.children.length > 0,
    };
  }

  /** The line of one part of a transition, from its source on: places with upright stretches between the curves. */
  trace(chain, owner, x, y) {
    const stretches = chain.all.map((item) => {
      if (item.node) {
        const isUpper = item === chain.upper;
        const at = x + item.x + chain[isUpper ? "bottomAt" : "topAt"];
        return isUpper
          ? { x: at, from: item.node.y + item.node.h, to: y + item.rowBottom }
          : { x: at, from: y + item.rowTop, to: item.node.y };
      }
      const isTop = item.port && item === chain.upper;
      const isBottom = item.port && item === chain.lower;
      const edge = owner === this.root ? 0 : isTop ? -SPACE.head : isBottom ? SPACE.frame * 0.8 : 0;
      if (item.label) chain.part.edge.labelBox = { x: x + item.x - item.width / 2, y: y + item.y, width: item.width, height: item.height };
      return { x: x + item.x, from: y + item.rowTop + (isTop ? edge : 0), to: y + item.rowBottom + (isBottom ? edge : 0) };
    });
    const places = !chain.isUpwards ? stretches : stretches.reverse().map((one) => ({ x: one.x, from: one.to, to: one.from }));
    const enters = chain.part.isInner && !chain.part.from;
    chain.part.edge.parts.push({ order: chain.part.isInner ? (enters ? owner.depth : -owner.depth) : 0, places });
  }

  drawn(edge) {
    const base = { from: edge.from.name, to: edge.to.name, transitions: edge.transitions, lines: edge.label?.lines ?? [] };
    if (edge.from === edge.to) return { ...base, ...loop(edge) };
    const parts = edge.parts.sort((one, other) => one.order - other.order);
    return { ...base, path: pathThrough(parts.flatMap((part) => part.places)), label: edge.labelBox ?? null };
  }
}

/** Two neighbours of a row keep this distance between their middles. */
function distance(one, other) {
  const space = one.node && other.node ? SPACE.states
    : one.label && other.label ? SPACE.labels
      : one.node || other.node ? SPACE.lines + 6 : SPACE.lines;
  return (one.width + other.width) / 2 + space;
}

/** Pulls the bends of a line to one upright, where the neighbours in their rows leave room. */
function straighten(rows, chains) {
  const room = (item) => {
    const row = rows[item.row];
    const index = row.indexOf(item);
    const [left, right] = [row[index - 1], row[index + 1]];
    return [left ? left.x + distance(left, item) : -Infinity, right ? right.x - distance(item, right) : Infinity];
  };
  for (let round = 0; round < 6; round++) {
    for (const chain of chains) {
      const inner = chain.all.slice(1, -1);
      for (let first = 0; first < inner.length;) {
        let [low, high] = room(inner[first]);
        let last = first;
        while (last + 1 < inner.length) {
          const [lower, upper] = room(inner[last + 1]);
          if (Math.max(low, lower) > Math.min(high, upper)) break;
          [low, high] = [Math.max(low, lower), Math.min(high, upper)];
          last++;
        }
        const run = inner.slice(first, last + 1);
        const mean = run.reduce((sum, item) => sum + item.x, 0) / run.length;
        for (const item of run) item.x = Math.min(high, Math.max(low, mean));
        first = last + 1;
      }
    }
  }
}

/** The path of a line: straight where it is upright, and curves that begin and end upright. */
export function pathThrough(places) {
  const n = (value) => Math.round(value * 10) / 10;
  let path = "";
  let last = null;
  let y = 0;
  const down = (to) => {
    if (Math.abs(to - y) < 0.2) return;
    path += `V${n(to)}`;
    y = to;
  };
  for (const place of places) {
    if (!last) {
      path = `M${n(place.x)} ${n(place.from)}`;
      y = place.from;
    } else if (Math.abs(last.x - place.x) < 0.6) {
      down(place.from);
    } else {
      const middle = n((last.to + place.from) / 2);
      path += `C${n(last.x)} ${middle} ${n(place.x)} ${middle} ${n(place.x)} ${n(place.from)}`;
      y = place.from;
    }
    down(place.to);
    last = place;
  }
  return path;
}

function loop(edge) {
  const { x, y, w, h } = edge.from;
  const right = x + w;
  const middle = y + h / 2;
  const label = edge.label
    ? { x: right + SPACE.loop - 4, y: middle - edge.label.height / 2, width: edge.label.width, height: edge.label.height } : null;
  const path = `M${right} ${middle - 9}h8a9 9 0 0 1 0 18h-8`;
  return { path, label };
}

/** The label of a transition: lines of `{ text, kind }`, `kind` being `guard`, `time` or `event`. */
export function plainWords({ trigger, label, guard }, word = (key, length) => `${key} ${length}`) {
  const lines = (guard ? wrap(guard, 24, 2) : []).map((text) => ({ text, kind: "guard" }));
  if (trigger === "event") lines.unshift({ text: cut(label, 24), kind: "event" });
  else if (trigger !== "always") lines.push({ text: word(trigger, label), kind: "time" });
  return lines;
}

/** Wraps a text at blanks into at most `most` lines of `width` letters. */
export function wrap(text, width, most) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const line = lines[lines.length - 1];
    if (!line) lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  const kept = lines.slice(0, most).map((line) => cut(line, width));
  if (lines.length > most) kept[most - 1] = cut(`${kept[most - 1]} …`, width);
  return kept;
}
