// Draws what a phone shows of activities: the Dynamic Island, cards of the Lock Screen, cards of a watch.
import { el, say, still, styles } from "./dom.js";
import { clockText, island, lockCard, nameOf } from "./phone-layout.js";
import { symbol } from "./symbols.js";
import { t } from "./texts.js";
import { clock, everySecond, locale, relative, timeOfDay } from "./time.js";
import "./texts-phone.js";

/** The camera of the phone in points; the island grows around it. */
const CAMERA = { width: 125, height: 36.7 };
const EXPANDED = { width: 371, shortest: 84, longest: 160 };
const GAP = 8;

await styles("phone");

// MARK: Texts that roll

/** Writes a text; characters that change roll, as SwiftUI's numeric transition has it. Digits keep their places from the right. */
function roll(node, text, down = false) {
  const before = node.dataset.text;
  if (before === text) return;
  node.dataset.text = text;
  const glyph = (character, ...inside) => el("span", { class: "roll-glyph", dataset: { glyph: character } }, ...inside);
  if (before === undefined || still() || !node.isConnected) {
    node.replaceChildren(...[...text].map((character) => glyph(character, character)));
    return;
  }
  const glyphs = [...node.children], news = [...text];
  const offset = /^[\d:.,\s]+$/.test(text) ? news.length - glyphs.length : 0;
  node.replaceChildren(...news.map((character, index) => {
    const old = glyphs[index - offset];
    if (old?.dataset.glyph === character) return old;
    const fresh = glyph(character, el("span", { class: down ? "from-above" : "from-below" }, character));
    if (old) {
      const ghost = el("i", { class: down ? "to-below" : "to-above" }, old.dataset.glyph);
      ghost.addEventListener("animationend", () => ghost.remove());
      fresh.append(ghost);
    }
    return fresh;
  }));
}

// MARK: Elements

function build(thing) {
  switch (thing.draw) {
    case "symbol": return el("span", { class: "p-symbol" }, symbol(thing.name));
    case "clock": return el("span", { class: "p-clock" }, el("span", { class: "widest" }), el("span", { class: "running" }));
    case "bar": return el("span", { class: "p-bar" }, el("span", { class: "filled" }));
    case "steps": return el("span", { class: "p-steps" });
    case "row": return el("span", { class: "p-row" });
    default: return el("span", { class: thing.draw === "text" ? "p-text" : `p-text p-${thing.draw}` });
  }
}

function paint(node, thing) {
  switch (thing.draw) {
    case "symbol":
      if (node.dataset.name !== thing.name) node.replaceChildren(symbol(thing.name));
      node.dataset.name = thing.name;
      node.classList.toggle("circled", Boolean(thing.circle));
      node.style.setProperty("--circle", thing.circle ?? "");
      break;
    case "clock":
      say(node.children[0], thing.widest);
      roll(node.children[1], thing.text, thing.down);
      node.classList.toggle("paused", thing.paused);
      break;
    case "bar":
      node.firstChild.style.setProperty("--share", thing.progress.toFixed(5));
      break;
    case "steps":
      while (node.children.length > thing.of) node.lastChild.remove();
      while (node.children.length < thing.of) node.append(el("i", {}));
      [...node.children].forEach((step, index) => step.classList.toggle("filled", index < thing.filled));
      break;
    case "row":
      while (node.children.length > thing.cells.length) node.lastChild.remove();
      while (node.children.length < thing.cells.length) node.append(el("span", { class: "p-cell" }));
      thing.cells.forEach((cell, index) => draw(node.children[index], cell).classList.toggle("fit", thing.fit?.includes(index) ?? false));
      break;
    default: change(node, thing);
  }
}

// Writes a text in the way in which it changes. In the usual way a text rolls and fades word by word, a title or caption is there at once.
function change(node, thing) {
  const way = thing.transition ?? (thing.draw === "text" ? "words" : "identity"), before = node.dataset.said;
  if (way === "numeric" || way === "words") rollWords(node, thing.text, thing.level < Number(node.dataset.level || "NaN"));
  else say(node, thing.text);
  if (before !== undefined && before !== thing.text && !still() && (way === "push" || way === "opacity")) {
    node.animate([{ opacity: 0, transform: way === "push" ? "translateY(100%)" : "none" }, {}], { duration: 420, easing: "ease-out" });
  }
  [node.dataset.said, node.dataset.level] = [thing.text, thing.level ?? ""];
}

// A text may break between its words, so each word changes by itself: one with digits rolls, any other fades in.
function rollWords(node, text, down) {
  if (node.dataset.words === text) return;
  const first = node.dataset.words === undefined || still();
  node.dataset.words = text;
  const old = [...node.children];
  node.replaceChildren();
  text.split(" ").forEach((word, index) => {
    const digits = /\d/.test(word), kept = old[index];
    if (index > 0) node.append(" ");
    if (kept && kept.dataset.text === word) node.append(kept);
    else if (digits && kept && /\d/.test(kept.dataset.text)) {
      node.append(kept);
      roll(kept, word, down);
    } else {
      const fresh = el("span", { class: `roll-word${first ? "" : " fresh"}` });
      if (digits) roll(fresh, word);
      else fresh.textContent = fresh.dataset.text = word;
      node.append(fresh);
    }
  });
}

// The own colour and the most lines of an element; a bar keeps its grey part.
function colour(node, thing) {
  const isBar = thing.draw === "bar" || thing.draw === "steps";
  node.style.setProperty(isBar ? "--tint" : "color", thing.tint ?? "");
  node.style.setProperty("-webkit-line-clamp", thing.lines ?? "");
}

// Names the link that a touch on the phone opens.
function opens(node, link) {
  if (node.title === (link ?? "")) return;
  link ? node.setAttribute("title", link) : node.removeAttribute("title");
}

/** Draws elements into a node; what stays the same stays in place, so that changes can be animated. */
function draw(node, things) {
  things.forEach((thing, index) => {
    let child = node.children[index];
    if (!child || child.dataset.draw !== thing.draw) {
      const fresh = build(thing);
      fresh.dataset.draw = thing.draw;
      if (child) child.replaceWith(fresh);
      else node.append(fresh);
      child = fresh;
    }
    paint(child, thing);
    colour(child, thing);
    opens(child, thing.link);
  });
  while (node.children.length > things.length) node.lastChild.remove();
  return node;
}

// MARK: Texts for those who listen

/** What is drawn, in words that stay the same while clocks run. */
export function spoken(layout, snapshot, at = clock()) {
  const card = lockCard(layout, snapshot, at, locale());
  const said = card.texts.map((thing) => thing.text).filter(Boolean);
  const content = Object.values(snapshot.content ?? {}).filter((value) => value && typeof value === "object");
  for (const timer of content.slice(0, 2)) {
    if (typeof timer.end === "number") {
      said.push(timer.end > at ? t("phone.until", { time: timeOfDay(timer.end) }) : t("phone.waits"));
    } else if (typeof timer.remaining === "number") {
      said.push(t("phone.pausedLeft", { time: clockText(timer.remaining, true) }));
    } else if (typeof timer.start === "number") {
      said.push(t("phone.since", { time: timeOfDay(timer.start) }));
    }
  }
  if (card.outdated) said.push(t("phone.outdated"));
  if (card.heard) said.push(t("phone.heard", { ago: relative(card.heard, at) }));
  if (card.ended) said.push(t("phone.ended"));
  const name = nameOf(snapshot);
  const seen = new Set();
  return [name, ...said].filter((text) => {
    const known = seen.has(text.toLowerCase());
    seen.add(text.toLowerCase());
    return !known;
  }).join(", ");
}

// MARK: Views of one activity

const held = new WeakMap();

/** Draws a view again, that `drawIsland`, `drawLockCard` or `drawWatchCard` made: another snapshot, or another moment. */
export function redraw(node, snapshot, at = null) {
  held.get(node)?.(snapshot, at);
}

// Keeps a view drawn: at one moment when it is given, else with the clock.
function keep(node, layout, snapshot, at, show) {
  let [present, moment, end] = [snapshot, at, null];
  const look = (now) => {
    show(present, moment ?? now);
    const label = spoken(layout, present, moment ?? now);
    if (node.getAttribute("aria-label") !== label) node.setAttribute("aria-label", label);
  };
  const follow = () => {
    end?.();
    end = null;
    if (moment === null) end = everySecond(node, look);
    else look(moment);
  };
  held.set(node, (news, when) => {
    [present, moment] = [news, when];
    follow();
  });
  follow();
  return node;
}

function tint(node, colour) {
  colour ? node.style.setProperty("--tint", colour) : node.style.removeProperty("--tint");
  node.classList.toggle("tinted", Boolean(colour));
}

/** A card of the Lock Screen. `options.at` draws one moment instead of the running clock. */
export function drawLockCard(layout, snapshot, options = {}) {
  const row = el("div", { class: "lock-row" }), bars = el("div", { class: "lock-bars" });
  const parts = {
    symbols: el("div", { class: "lock-symbols" }), texts: el("div", { class: "lock-texts" }), clocks: el("div", { class: "lock-clocks" }),
  };
  row.append(parts.symbols, parts.texts, parts.clocks);
  const inside = el("div", { class: "lock-inside" }, row, bars), silence = el("small", { class: "lock-silence" });
  const node = el("div", { class: "lock-card", role: "img" }, inside, silence);
  return keep(node, layout, snapshot, options.at ?? null, (present, at) => {
    const card = lockCard(layout, present, at, locale());
    tint(node, card.tint);
    node.classList.toggle("outdated", card.outdated);
    node.classList.toggle("over", card.ended);
    say(silence, card.heard ? t("phone.heard", { ago: relative(card.heard, at) }) : "");
    for (const name of ["symbols", "texts", "clocks"]) draw(parts[name], card[name]).hidden = card[name].length === 0;
    draw(bars, card.bars).hidden = card.bars.length === 0;
    opens(node, card.link);
  });
}

/** A card of the Smart Stack of a watch: the two sides of the compact island. */
export function drawWatchCard(layout, snapshot, options = {}) {
  const leading = el("div", { class: "island-side" }), trailing = el("div", { class: "island-side" });
  const node = el("div", { class: "watch-card", role: "img" }, leading, trailing);
  return keep(node, layout, snapshot, options.at ?? null, (present, at) => {
    const seen = island(layout, present, at, locale());
    tint(node, seen.tint);
    draw(leading, seen.leading);
    draw(trailing, seen.trailing);
  });
}

/** An island that stands still in one form: `compact`, `minimal` or `expanded`. `options.at` draws one moment. */
export function drawIsland(layout, snapshot, options = {}) {
  const form = ["minimal", "expanded"].includes(options.form) ? options.form : "compact";
  const inside = layer(form);
  const node = el("div", { class: `island-alone ${form}`, role: "img" }, inside);
  return keep(node, layout, snapshot, options.at ?? null, (present, at) => {
    const seen = island(layout, present, at, locale());
    tint(node, seen.tint);
    paintLayer(inside, form, seen);
  });
}

// MARK: Forms of the island

function layer(form) {
  const part = (name) => el("span", { class: name });
  switch (form) {
    case "compact":
      return el("span", { class: "island-layer compact" }, part("island-side leading"), part("island-gap"), part("island-side trailing"));
    case "attached": return el("span", { class: "island-layer attached" }, part("island-side minimal"), part("island-gap"));
    case "minimal": return el("span", { class: "island-layer minimal" }, part("island-side minimal"));
    case "expanded":
      return el("span", { class: "island-layer expanded" },
        ["leading", "center", "trailing", "bottom"].map((position) => part(`island-region ${position}`)));
    default: return el("span", { class: "island-layer idle" });
  }
}

function paintLayer(node, form, seen) {
  const at = (name) => node.querySelector(`:scope > .${name}`);
  if (form === "compact") {
    draw(at("leading"), seen.leading);
    draw(at("trailing"), seen.trailing);
  } else if (form === "attached" || form === "minimal") {
    draw(at("minimal"), seen.minimal);
  } else if (form === "expanded") {
    for (const [name, region] of Object.entries(seen.expanded)) {
      draw(at(name), region.elements).hidden = region.elements.length === 0;
      at(name).style.setProperty("--priority", region.priority);
      at(name).dataset.align = region.align ?? "";
      opens(at(name), region.link);
    }
  }
}

/** The island of a phone, which changes its form: `show(slots)`, `expand(slot)`, `collapse()`. */
export class LivingIsland {
  node = el("div", { class: "island" });
  /** The slot that is open, or null. */
  open = null;

  #shape = el("button", { class: "island-shape", type: "button" });
  #bubble = el("button", { class: "island-bubble", type: "button", hidden: true });
  #slots = [];
  #now;
  #events;
  #layer = null;
  #shown = "";
  #passing = false;
  #timer = null;
  #end = null;

  /** `events`: `open(slot)` after a tap, `changed()` after the island grew or shrank. */
  constructor(now, events) {
    this.#now = now;
    this.#events = events;
    this.node.append(this.#shape, this.#bubble);
    this.#press(this.#shape, () => this.open ?? this.#slots[0]);
    this.#press(this.#bubble, () => this.#slots[1]);
    this.#end = everySecond(this.node, () => this.#draw());
  }

  /** Ends everything that runs. */
  close() {
    clearTimeout(this.#timer);
    this.#end?.();
  }

  /** Shows at most two activities, each `{ layout, snapshot }`. */
  show(slots) {
    this.#slots = slots;
    const same = this.open && slots.find((slot) => slot.snapshot.id === this.open.snapshot.id);
    this.open = same ?? (this.#passing ? this.open : null);
    this.#draw();
  }

  /**
   * Opens an activity, the first one when none is given. With a length in milliseconds it is open for so long, even if
   * it is none of those shown: an alert of an activity that ends.
   */
  expand(slot = this.#slots[0], length = null) {
    if (!slot) return;
    clearTimeout(this.#timer);
    this.open = slot;
    this.#passing = length !== null;
    this.#draw();
    this.#events.changed();
    if (this.#passing) this.#timer = setTimeout(() => this.collapse(), length);
  }

  /** Returns to the compact or the minimal form. */
  collapse() {
    clearTimeout(this.#timer);
    if (this.open === null) return;
    this.open = null;
    this.#draw();
    this.#events.changed();
  }

  #draw() {
    const at = this.#now();
    const [first, second] = this.#slots;
    const slot = this.open ?? first;
    const form = this.open ? "expanded" : !first ? "idle" : second ? "attached" : "compact";
    const shown = `${form} ${slot?.snapshot.id ?? ""}`;
    if (shown !== this.#shown) {
      const old = this.#layer;
      this.#layer = layer(form);
      if (old) {
        old.classList.add("leaving");
        old.addEventListener("animationend", () => old.remove());
        if (still()) old.remove();
      }
      this.#shape.append(this.#layer);
      this.#layer.classList.toggle("entering", this.#shown !== "");
      this.#shown = shown;
    }
    const seen = slot ? island(slot.layout, slot.snapshot, at, locale()) : null;
    if (seen) paintLayer(this.#layer, form, seen);
    this.node.dataset.form = form;
    tint(this.#shape, seen?.tint);
    this.#label(this.#shape, slot, at);
    this.#shape.setAttribute("aria-expanded", String(form === "expanded"));
    this.#shape.disabled = !slot;
    this.#place(form);
    this.#drawBubble(form === "attached" ? second : null, at);
  }

  #label(node, slot, at) {
    const label = slot ? t("phone.islandLabel", { what: spoken(slot.layout, slot.snapshot, at) }) : t("phone.islandEmpty");
    if (node.getAttribute("aria-label") !== label) node.setAttribute("aria-label", label);
  }

  #drawBubble(slot, at) {
    const bubble = this.#bubble;
    bubble.classList.toggle("there", Boolean(slot));
    bubble.tabIndex = slot ? 0 : -1;
    bubble.hidden = false;
    bubble.setAttribute("aria-hidden", String(!slot));
    if (!slot) return;
    if (!bubble.firstChild) bubble.append(layer("minimal"));
    const seen = island(slot.layout, slot.snapshot, at, locale());
    paintLayer(bubble.firstChild, "minimal", seen);
    tint(bubble, seen.tint);
    this.#label(bubble, slot, at);
    bubble.setAttribute("aria-expanded", "false");
    bubble.style.setProperty("--x", `${CAMERA.width / 2 + GAP}px`);
  }

  // The island stays around the camera; what is left and right of it may differ in width.
  #place(form) {
    const half = CAMERA.width / 2;
    let [left, right, height] = [half, half, CAMERA.height];
    if (form === "compact") {
      left += Math.max(10, this.#layer.firstChild.offsetWidth);
      right += Math.max(10, this.#layer.lastChild.offsetWidth);
    } else if (form === "attached") {
      left += this.#layer.firstChild.offsetWidth;
    } else if (form === "expanded") {
      left = right = EXPANDED.width / 2;
      height = Math.min(EXPANDED.longest, Math.max(EXPANDED.shortest, this.#layer.offsetHeight));
    }
    const style = this.#shape.style;
    style.setProperty("--x", `${-left}px`);
    style.setProperty("--w", `${left + right}px`);
    style.setProperty("--h", `${height}px`);
    const reach = form === "attached" ? right + GAP + CAMERA.height : right;
    this.node.dataset.covers = reach > 112 ? "two" : reach > 87 ? "one" : "none";
    style.setProperty("--r", form === "expanded" ? "44px" : `${CAMERA.height / 2}px`);
  }

  // A long press opens the activity, a tap goes to its device. Of a key, the first press opens and the next one goes
  // there, because keys can't be held by everyone.
  #press(node, pressed) {
    const HELD = 380;
    let timer = null, done = false, from = null;
    const stop = () => {
      clearTimeout(timer);
      timer = null;
      node.classList.remove("pressed");
    };
    const start = () => {
      stop();
      done = false;
      if (this.open !== null) return;
      node.classList.add("pressed");
      timer = setTimeout(() => {
        stop();
        done = true;
        this.expand(pressed());
      }, HELD);
    };
    node.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      from = [event.clientX, event.clientY];
      start();
    });
    node.addEventListener("pointermove", (event) => {
      if (timer && from && Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 12) stop();
    });
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) node.addEventListener(name, stop);
    node.addEventListener("contextmenu", (event) => event.preventDefault());
    node.addEventListener("click", (event) => {
      if (done) {
        done = false;
        return;
      }
      const slot = pressed();
      if (!slot) return;
      if (event.detail === 0 && this.open === null) this.expand(slot);
      else this.#events.open(slot);
    });
    node.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.open !== null) {
        event.stopPropagation();
        this.collapse();
      }
    });
  }
}
