// The first view: what is my home doing?
import { Card, badge } from "./card.js";
import { el, keep, put, say, still } from "./dom.js";
import { welcome } from "./welcome.js";
import { FoundDevices } from "./found.js";
import { RoomTools } from "./rooms.js";
import { Horizon } from "./horizon.js";
import { arrange, clockField, humanName, stateTitle, statusOf } from "./house.js";
import { icon } from "./icons.js";
import { clock, everySecond, length, number, overText, reading, relative, timeOfDay } from "./time.js";

/** So many quiet devices are folded, and where the browser remembers that somebody opened them. */
const MANY = 12, FOLD = "skerry.quiet";
const OF_INTEREST = new Set(["snapshot", "activity", "diff", "dismissed", "timeline", "moved", "availability", "forgotten", "refreshed", "definitions", "link", "cards"]);

/** Opens the view. */
export function open(root, route, context) {
  const view = new NowView(root, context);
  return { close: () => view.close(), takeSession: () => view.takeSession() };
}

/** What a row shows of a definition. */
const look = (definition) => [definition?.layout?.tint, definition?.layout?.symbol];

/** What is due next in words: titles of states where it names states, else the name of an event or a timer. */
function nextWords(definition, what) {
  const states = new Set(definition?.machine?.states.map((state) => state.name)), names = what.split(", ");
  return names.map((name) => (states.has(name) ? stateTitle(definition, name) : humanName(name))).join(", ");
}

const begun = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

class NowView {
  #cards = new Map();
  #asked = new Set();
  #horizon = new Horizon();
  #earlier = [];
  #due = null;
  #ready = false;
  #stopHead = () => {};

  constructor(root, context) {
    this.context = context;
    this.isGuest = context.session.role === "guest";
    const { t } = context;
    this.eyebrow = el("p", { class: "eyebrow" });
    this.head = el("h1", {}, " ");
    this.counts = el("p", { class: "counts" });
    this.cards = el("div", { class: "cards" });
    this.quiet = el("ul", { class: "rows card" });
    this.quietTitle = el("h2", {}, t("now.quiet"));
    this.quietFold = el("details", { class: "quiet-fold", open: true }, el("summary", { onclick: () => this.#rememberFold() }, this.quietTitle, icon("chevron", 16)), this.quiet);
    this.tools = new RoomTools(context, () => this.#draw());
    this.past = el("ul", { class: "rows card" });
    this.welcome = el("section", { class: "welcome", hidden: true });
    this.sections = {
      cards: el("section", { "aria-labelledby": "running" }, el("h2", { id: "running", class: "unseen" }, t("now.running")), this.cards),
      quiet: el("section", { class: "half" }, this.quietFold),
      past: el("section", { class: "half" }, el("h2", {}, t("now.earlier")), this.past, el("p", { class: "small" }, el("a", { href: "#/history" }, t("now.allRuns"), icon("chevron", 14)))),
    };
    this.found = new FoundDevices(context);
    put(root,
      el("div", { class: "panorama" }, this.#horizon.node, el("div", { class: "headline" }, this.eyebrow, this.head, this.counts)),
      this.isGuest || context.wall ? null : [this.tools.node, this.tools.nothing],
      this.sections.cards,
      el("div", { class: "halves" }, this.sections.quiet, this.sections.past),
      this.isGuest || context.wall ? null : this.found.node, this.welcome);
    for (const section of Object.values(this.sections)) section.hidden = true;
    this.found.node.hidden = true;
    this.end = context.model.subscribe((change) => this.#hear(change));
    if (context.model.broker) {
      this.#begin();
      this.#readEarlier();
    }
  }

  /** Takes a sign in or out; false if another view is to be made. */
  takeSession() {
    if (this.isGuest || this.context.session.role === "guest" || !this.#ready) return false;
    for (const card of this.#cards.values()) card.draw(card.snapshot, card.known, card.definition);
    this.#readEarlier();
    this.#draw();
    return true;
  }

  close() {
    this.end();
    this.found.close();
    this.#ready = false;
    clearTimeout(this.#due);
    for (const card of this.#cards.values()) card.end();
    this.#horizon.stop();
    this.#stopHead();
  }

  #hear(change) {
    if (!OF_INTEREST.has(change.type)) return;
    if (change.type === "snapshot" && !this.#ready) this.#begin();
    if (change.type === "definitions") this.#asked.clear();
    if (change.type === "snapshot" || change.type === "dismissed") this.#readEarlier();
    this.#soon();
  }

  #definition(kind) {
    const { model } = this.context;
    if (!model.known(kind) && !this.#asked.has(kind)) {
      this.#asked.add(kind);
      model.definition(kind).then(() => this.#soon(), () => {});
    }
    return model.known(kind);
  }

  #soon() {
    this.#due ??= setTimeout(() => { this.#due = null; this.#draw(); }, 20);
  }

  // The first picture waits a moment for the definitions, so that colours and symbols do not jump in.
  async #begin() {
    const { model } = this.context, kinds = new Set([...model.activities.keys(), ...model.devices.keys()].map((key) => key.split("/")[0]));
    const patience = new Promise((done) => setTimeout(done, 800));
    await Promise.race([Promise.allSettled([...kinds].map((kind) => model.definition(kind))), patience]);
    this.#ready = true;
    this.#draw();
  }

  async #readEarlier() {
    if (this.context.session.role === "guest") return;
    // Runs that go on come first.
    const running = [...this.context.model.activities.values()].filter((one) => one.phase !== "ended").length;
    try {
      this.#earlier = (await this.context.model.runs(`limit=${Math.min(12 + running, 500)}`)).runs.filter((run) => run.ended);
      this.#draw();
    } catch { this.#earlier = []; }
  }

  #draw() {
    if (!this.#ready) return;
    const { model } = this.context, all = arrange(model.activities, model.devices, model.relevance, model.cards);
    const isSeen = ([key, one]) => {
      const kind = key.slice(0, key.indexOf("/")), definition = this.#definition(kind);
      return this.isGuest || this.tools.wants(key, definition?.name, one.content ? statusOf(one, definition, model.devices.get(key)) : one.title);
    };
    this.tools.draw(model.devices.size, all.running.length);
    const running = all.running.filter(isSeen), ended = all.ended.filter(isSeen), quiet = all.quiet.filter(isSeen);
    const isAsked = this.tools.isSearching || this.tools.room !== null;
    this.tools.nothing.hidden = !isAsked || running.length + ended.length + quiet.length > 0;
    this.cards.classList.toggle("dense", this.tools.isDense && !this.tools.dense.hidden && !this.context.wall);
    const places = this.#places();
    for (const key of this.#cards.keys()) {
      if (model.activities.has(key) && [...running, ...ended].some(([shown]) => shown === key)) continue;
      this.#cards.get(key).end();
      this.#cards.delete(key);
    }
    this.#fill(this.cards, [...running, ...ended]);
    this.#fold(quiet.length, isAsked);
    this.#drawQuiet(quiet);
    this.#drawPast();
    this.#drawHead(all.running, all.ended);
    this.sections.cards.hidden = running.length + ended.length === 0;
    this.sections.quiet.hidden = quiet.length === 0;
    const nothing = model.devices.size === 0 && model.activities.size === 0 && this.context.session.role !== "guest";
    if (nothing && !this.welcome.hasChildNodes()) {
      welcome(this.welcome, this.context);
      // It stays open when the first card comes: there may be more.
      this.found.node.open = !this.context.wall;
    }
    this.found.node.hidden = !this.context.may("author");
    this.welcome.hidden = !nothing;
    this.#horizon.show([...running, ...ended].map(([key, snapshot]) => ({ key, snapshot, definition: this.#definition(key.split("/")[0]) })));
    this.#slide(places);
  }

  /** Many quiet devices are folded, until somebody opens them or looks for one. */
  #fold(count, isAsked) {
    const isMany = count > MANY;
    this.sections.quiet.classList.toggle("many", isMany);
    say(this.quietTitle, isMany ? `${this.context.t("now.quiet")} · ${number(count)}` : this.context.t("now.quiet"));
    let chosen = null;
    try { chosen = localStorage.getItem(FOLD); } catch { /* as if nobody had chosen */ }
    this.quietFold.open = isAsked || (chosen ? chosen === "open" : !isMany);
  }

  #rememberFold() {
    try { localStorage.setItem(FOLD, this.quietFold.open ? "closed" : "open"); } catch { /* for this visit only */ }
    // It opens after this.
    setTimeout(() => this.#draw());
  }

  #fill(grid, shown) {
    keep(grid, shown.map(([key, snapshot]) => {
      const known = this.context.model.devices.get(key), definition = this.#definition(key.split("/")[0]);
      let card = this.#cards.get(key);
      if (!card) this.#cards.set(key, card = new Card(key, this.context));
      const timeline = this.context.model.timelines.get(key);
      if (card.snapshot !== snapshot || card.known !== known || card.definition !== definition || card.timeline !== timeline) {
        Object.assign(card, { known, definition, timeline });
        card.draw(snapshot, known, definition);
      }
      return card.node;
    }));
  }

  // A row is replaced only when its text changes, so that the keyboard keeps its place.
  #rows(list, items) {
    const before = new Map([...list.children].map((row) => [row.dataset.key, row]));
    keep(list, items.map(({ key, says, make }) => {
      const old = before.get(key), words = JSON.stringify(says);
      if (old && old.says === words) return old;
      const row = Object.assign(make(), { says: words });
      row.dataset.key = key;
      if (old?.contains(document.activeElement)) queueMicrotask(() => row.querySelector("a").focus({ preventScroll: true }));
      return row;
    }));
  }

  #row(definition, kind, device, below, aside) {
    return el("li", { style: definition?.layout?.tint ? { "--tint": definition.layout.tint } : {} },
      badge(definition),
      el("div", { class: "who" }, el("a", { href: `#/device/${encodeURIComponent(kind)}/${encodeURIComponent(device)}` }, this.context.model.called(`${kind}/${device}`)), el("p", { class: "kind" }, below)),
      aside);
  }

  #drawQuiet(quiet) {
    const { t } = this.context;
    if (!this.quietFold.open) return;
    this.#rows(this.quiet, quiet.map(([key, known]) => {
      const definition = this.#definition(known.kind), inner = known.states?.at(-1), { next, heard } = known;
      const state = known.title ?? (inner ? stateTitle(definition, inner) : t("now.waiting")), away = known.available === false;
      return { key, says: [state, away, heard, next, known.name, look(definition)], make: () => {
        const aside = el("span", { class: "aside" });
        if (heard || next) everySecond(aside, (now) => say(aside, [next?.at > now && t("card.next", { time: timeOfDay(next.at), what: nextWords(definition, next.what) }),
          heard && t("now.heard", { ago: relative(heard, now) })].filter(Boolean).join(" · ")));
        return this.#row(definition, known.kind, known.device, away ? el("span", { class: "warning" }, icon("away", 15), el("span", {}, t("card.away"))) : state, aside);
      } };
    }));
  }

  #drawPast() {
    const { t, model } = this.context;
    const shown = this.#earlier.filter((run) => !model.cards.get(`${run.kind}/${run.device}`)?.hidden && model.activities.get(`${run.kind}/${run.device}`)?.id !== run.id).slice(0, 5);
    this.sections.past.hidden = shown.length === 0;
    this.#rows(this.past, shown.map((run) => {
      const definition = this.#definition(run.kind);
      return { key: run.id, says: [run.end, model.called(`${run.kind}/${run.device}`), look(definition)], make: () => {
        const end = el("time", { class: "aside" });
        everySecond(end, () => say(end, timeOfDay(run.end)));
        return this.#row(definition, run.kind, run.device, t("now.took", { length: length(run.end - run.start), count: run.updates }), end);
      } };
    }));
  }

  #drawHead(running, ended) {
    const { t, model } = this.context;
    this.#stopHead();
    this.#stopHead = () => {};
    const first = running[0];
    if (first) {
      const [key, snapshot] = first, known = model.devices.get(key), definition = this.#definition(key.split("/")[0]);
      const field = clockField(snapshot, definition?.layout), title = statusOf(snapshot, definition, known);
      say(this.eyebrow, [model.called(key), field && title].filter(Boolean).join(" · "));
      this.#stopHead = everySecond(this.head, (now) => {
        const time = field ? reading(snapshot.content[field], now) : null;
        say(this.head, begun(!time ? title : time.down ? (time.seconds > 0 ? t("card.left", { length: length(time.seconds) }) : time.over >= 60 ? overText(time.over) : t("now.anyMoment"))
          : t("card.since", { length: length(time.seconds) })));
      });
    } else {
      const last = ended[0];
      say(this.eyebrow, last ? t("now.lastEnded", { name: model.called(last[0]), time: timeOfDay(last[1].at) }) : "");
      say(this.head, model.devices.size + model.activities.size === 0 ? t("welcome.title") : last ? t("now.done") : t("now.allQuiet"));
    }
    const { status } = model, today = status && new Date(status.started * 1000).toDateString() === new Date(clock() * 1000).toDateString();
    put(this.counts, status ? [el("span", { class: "count" }, t("now.in", { count: status.messages, n: number(status.messages) })), el("span", { class: "arrow", "aria-hidden": "true" }, " → "),
      el("span", { class: "count" }, t("now.out", { count: status.updates, n: number(status.updates) })), " ",
      el("span", { class: "since" }, t(today ? "now.sinceTime" : "now.sinceDay", { time: timeOfDay(status.started) }))] : " ");
  }

  // Cards move where they now belong: from where they were (First, Last, Invert, Play).
  #places() {
    return new Map([...this.#cards].map(([key, card]) => [key, card.node.isConnected ? card.node.getBoundingClientRect() : null]));
  }

  #slide(places) {
    if (still()) return;
    for (const [key, { node }] of this.#cards) {
      const was = places.get(key), is = node.getBoundingClientRect();
      if (!was) {
        if (places.size) node.animate([{ opacity: 0, transform: "scale(.96)" }, { opacity: 1, transform: "none" }], { duration: 420, easing: "cubic-bezier(.2,.7,.2,1)" });
        continue;
      }
      const x = was.left - is.left, y = was.top - is.top;
      if (Math.abs(x) + Math.abs(y) > 2) node.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: 520, easing: "cubic-bezier(.2,.7,.2,1)" });
    }
  }
}
