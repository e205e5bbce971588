// The card of an activity. It is redrawn when something happened; between that, only its clocks tick, on this side.
import { el, hold, put, say } from "./dom.js";
import { calledName, clockField, humanName, runStart, stateTitle, statusOf } from "./house.js";
import { icon } from "./icons.js";
import { cardTexts, eventButtons, levelIsAt, linkButtons, measureText, statesOf } from "./phone-layout.js";
import { symbol } from "./symbols.js";
import { t } from "./texts.js";
import { clock, clockText, everySecond, isTime, length, locale, number, overText, reading, relative, timeOfDay } from "./time.js";

/** How many lines of the layout, and how many other values, a card has room for. */
const LINES = 3, FACTS = 6;

/** A value of the content or the attributes in words; null for what has no words. */
function inWords(value, { type, unit } = {}) {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "boolean") return t(value ? "card.yes" : "card.no");
  if (typeof value === "number") {
    if (type === "timestamp") return timeOfDay(value);
    if (type === "duration") return length(value);
    return unit ? measureText(value, { unit }, locale()) : number(value, { maximumFractionDigits: 2 });
  }
  return typeof value === "string" ? value : null;
}

/** What a value is called: fields that many definitions have, in the reader's language. */
function label(name, { content }) {
  const key = `fact.${isTime(content[name]) ? "time." : ""}${name}`, words = t(key);
  return words === key ? humanName(name) : words;
}

/**
 * What the layout does not say of an activity: its other times, and values that are no part of a text, with their names.
 * `field` is the time that is shown already, `named` are the names that the layout has, and `shows` the texts; `tick` draws a node each second. Null for nothing.
 */
export function factList(snapshot, definition, { field, named, shows }, tick = everySecond) {
  const types = new Map([...(definition?.fields ?? []), ...(definition?.attributes ?? [])].map((one) => [one.name, one]));
  const rows = [];
  for (const [name, value] of [...Object.entries(snapshot.attributes ?? {}), ...Object.entries(snapshot.content)]) {
    // A run keeps the name with which its device began it; that of now stands above.
    if (name === field || name === "status" || name === "name" && snapshot.attributes?.name === value || named.has(name) || shows.includes(value)) continue;
    if (isTime(value)) {
      const node = el("dd");
      tick(node, (now) => say(node, clockText(value, now)));
      if (snapshot.phase !== "ended") rows.push([name, node]);
      continue;
    }
    const words = inWords(value, types.get(name));
    if (words !== null) rows.push([name, el("dd", { title: words.length > 40 ? words : null }, words)]);
  }
  return rows.length ? el("dl", { class: "facts" }, rows.slice(0, FACTS).map(([name, node]) => el("div", {}, el("dt", {}, label(name, snapshot)), node))) : null;
}

/** The symbol of a device in its colour. */
export function badge(definition) {
  return el("span", { class: "badge" }, symbol(definition?.layout?.symbol ?? "gearshape"));
}

export class Card {
  constructor(key, context) {
    const [kind, device] = key.split("/");
    this.key = key;
    this.kind = kind;
    this.device = device;
    this.context = context;
    this.node = el("article", { class: "card activity", "data-key": key });
    this.definition = null;
    this.stops = [];
    this.buttons = new Map();
  }

  /** Draws what is known now. */
  draw(snapshot, known, definition) {
    this.end();
    this.snapshot = snapshot;
    const focused = this.node.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    const { phase, content } = snapshot, layout = definition?.layout;
    const field = clockField(snapshot, layout), away = known?.available === false;
    const title = statusOf(snapshot, definition, known);
    const name = calledName(known, this.device, snapshot), kindName = definition?.name ?? humanName(this.kind);
    const { lines, named } = cardTexts(layout, snapshot, [title, name, kindName, this.device], locale());
    const paused = field && phase !== "ended" && reading(content[field], 0).paused;
    this.node.dataset.phase = phase;
    this.node.classList.toggle("away", away);
    this.node.classList.toggle("paused", Boolean(paused));
    if (layout?.tint) this.node.style.setProperty("--tint", layout.tint);
    put(this.node,
      el("header", {},
        badge(definition),
        el("div", { class: "who" },
          el("h3", {}, this.context.session.role === "guest" ? name
            : el("a", { href: `#/device/${encodeURIComponent(this.kind)}/${encodeURIComponent(this.device)}`, "data-focus": "link" }, name)),
          el("p", { class: "kind" }, [kindName, this.context.model.cards.get(this.key)?.room].filter(Boolean).join(" · "))),
        this.#mood(phase, paused)),
      el("div", { class: "now" }, el("p", { class: "state" }, title), phase === "ended" ? null : this.#clock(field, content[field])),
      lines.length ? el("ul", { class: "says" }, lines.slice(0, LINES).map((line) => el("li", {}, line))) : null,
      phase === "ended" ? this.#ending(snapshot) : this.#bar(field, content[field]) ?? this.#level(snapshot, layout),
      this.#warnings(phase, known, away),
      factList(snapshot, definition, { field, named, shows: [title, name, this.device] }, (node, draw) => this.#tick(node, draw)),
      this.#foot(phase, definition));
    if (focused) (this.node.querySelector(`[data-focus="${CSS.escape(focused)}"]`) ?? this.node.querySelector("[data-focus]"))?.focus({ preventScroll: true });
  }

  /** Ends the clocks of the card. */
  end() {
    for (const stop of this.stops) stop();
    this.stops = [];
  }

  #tick(node, draw) {
    this.stops.push(everySecond(node, draw));
  }

  #mood(phase, paused) {
    const mood = phase === "ended" ? ["check", "card.ended"] : phase === "stale" ? ["stale", "card.stale"] : paused ? ["paused", "card.paused"] : null;
    return mood && el("span", { class: `mood ${mood[0]}` }, icon(mood[0], 16), el("span", {}, t(mood[1])));
  }

  #clock(field, value) {
    if (!field) return null;
    const shown = el("span", { "aria-hidden": "true" }), spoken = el("span", { class: "unseen" });
    const node = el("p", { class: "clock", role: "timer", "aria-live": "off" }, shown, spoken);
    this.#tick(node, (now) => {
      const { seconds, down, over } = reading(value, now);
      say(shown, clockText(value, now));
      node.classList.toggle("over", down && seconds <= 0);
      node.classList.toggle("late", over >= 60);
      say(spoken, over >= 60 ? overText(over, "long") : t(down ? "card.left" : "card.since", { length: length(seconds < 60 ? seconds : Math.round(seconds / 60) * 60, "long") }));
    });
    return node;
  }

  #bar(field, value) {
    if (!field || reading(value, clock()).progress === null) return null;
    const bar = el("div", { class: "bar", role: "progressbar", "aria-label": t("card.progress"), "aria-valuemin": 0, "aria-valuemax": 100 }, el("span"));
    this.#tick(bar, (now) => {
      const { progress } = reading(value, now);
      bar.style.setProperty("--progress", progress.toFixed(4));
      bar.setAttribute("aria-valuenow", Math.round(progress * 100));
    });
    return el("div", { class: "course" }, bar,
      "end" in value ? el("p", { class: "ends" }, [value.start, value.end].map((at) => {
        const node = el("time");
        this.#tick(node, () => say(node, timeOfDay(at)));
        return node;
      })) : null);
  }

  /** The number that the layout draws as a bar. */
  #level(snapshot, layout) {
    const level = levelIsAt(layout, snapshot);
    return level === null ? null : el("div", { class: "course" },
      el("div", { class: "bar", role: "progressbar", "aria-label": t("card.progress"), "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": Math.round(level * 100), style: { "--progress": level.toFixed(4) } }, el("span")));
  }

  #ending(snapshot) {
    const node = el("p", { class: "ending" });
    const took = snapshot.at - runStart(snapshot);
    this.#tick(node, (now) => say(node, t(took > 0 ? "card.endedTook" : "card.endedAt", { ago: relative(snapshot.at, now), length: length(took) })));
    return node;
  }

  #warnings(phase, known, away) {
    const lines = [];
    if (away) lines.push(el("p", { class: "warning" }, icon("away", 18), el("span", {}, t("card.away"))));
    if (phase === "stale") {
      const words = el("span");
      this.#tick(words, (now) => say(words, known?.heard ? t("card.silent", { length: length(now - known.heard) }) : t("card.maybeOld")));
      lines.push(el("p", { class: "warning" }, icon("stale", 18), words));
    }
    return lines;
  }

  #foot(phase, definition) {
    const events = phase === "ended" || !this.context.may("act") ? [] : eventButtons(definition, statesOf(this.snapshot)), links = linkButtons(definition?.layout, this.snapshot);
    const soon = phase === "ended" ? null : this.#soon(definition);
    if (!soon && !events.length && !links.length) return null;
    return el("footer", {},
      soon ? this.#next(soon) : null,
      events.length || links.length ? el("div", { class: "events" }, events.map((button) => {
        if (!this.buttons.has(button.event)) this.buttons.set(button.event, this.#event(button));
        return this.buttons.get(button.event);
      }), links.map(({ title, link }) => el("a", { class: "button", href: link, "data-focus": `link-${title}` }, title))) : null);
  }

  // A moment that has passed without news is not to come.
  #next(soon) {
    const node = el("p", { class: "next" });
    this.#tick(node, (now) => {
      say(node, t("card.next", { time: timeOfDay(soon.at), what: soon.what }));
      node.hidden = now >= soon.at + 60;
    });
    return node;
  }

  /** What people will see next if the device sends nothing new; null when nothing is foreseen. */
  #soon(definition) {
    const timeline = this.timeline;
    if (timeline?.rev !== this.snapshot.rev || timeline.epoch !== this.snapshot.epoch) return null;
    const entry = timeline.entries.find((one) => one.date > clock() && one.state && one.state !== this.snapshot.state);
    if (!entry) return null;
    const { status } = entry.content ?? {};
    return { at: entry.date, what: typeof status === "string" ? status : stateTitle(definition, entry.state) };
  }

  #event({ event, title }) {
    const button = el("button", { type: "button", class: "quiet", "data-focus": `event-${event}` }, title);
    button.addEventListener("click", async () => {
      hold(button);
      try {
        await this.context.api("POST", `/v1/devices/${encodeURIComponent(this.kind)}/${encodeURIComponent(this.device)}/events`, { event });
        button.classList.add("done");
        say(button, this.context.model.sent(title));
      } catch (error) {
        button.classList.add("failed");
        say(button, error.message);
      }
      setTimeout(() => {
        hold(button, false);
        button.classList.remove("done", "failed");
        say(button, title);
      }, 3000);
    });
    return button;
  }
}
