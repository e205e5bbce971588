// The phone: what an iPhone, its Lock Screen, StandBy and a watch show of the activities that run now.
import { el, put } from "./dom.js";
import { humanName } from "./house.js";
import { LivingIsland, drawIsland, drawLockCard, drawWatchCard, redraw, spoken } from "./phone-draw.js";
import { LONGEST_CARD, PLAIN_RELEVANCE, exampleAlert, nameOf, places, sample, startAlert, tintOf } from "./phone-layout.js";
import { deviceOf } from "./merge.js";
import { homeScreen, landscape, lockScreen, portrait, watch } from "./phone-devices.js";
import { symbol } from "./symbols.js";
import { t } from "./texts.js";

export { drawIsland, drawLockCard, drawWatchCard, redraw } from "./phone-draw.js";

const ALERT_LENGTH = 5000;
const PANELS = ["lock", "standby", "watch"];
const SEEN_PANEL = "skerry.phone.panel";
const NEWS = new Set(["snapshot", "activity", "diff", "dismissed", "forgotten", "definitions", "link"]);

/** What is drawn of an activity whose definition can't be read. */
const NO_LAYOUT = {
  tint: null, symbol: "gearshape", compactLeading: [], compactTrailing: [], minimal: [],
  expanded: [{ position: "center", priority: 2, elements: [{ draw: "title", parts: [{ device: true }] }] }], lock: {},
};

/** Opens the view of the phone. */
export function open(root, route, context) {
  const view = new PhoneView(root, context);
  return { close: () => view.close() };
}

class PhoneView {
  #context;
  #root;
  #island;
  #panel = null;
  #before = new Map();
  /** What the bridge alerted, each before the update that it belongs to. */
  #alerts = [];
  #isQuiet = true;
  #definitions = new Map();
  #samples = null;
  #chosen = null;
  #shown = [];
  #seen = null;
  #where = el("ul", { class: "phone-where" });
  #beside = el("div", { class: "phone-panel", role: "tabpanel", id: "phone-panel", tabindex: "0" });
  #said = el("p", { class: "phone-said unseen", role: "status" });
  #gallery = el("div", { class: "phone-gallery", hidden: true });
  #empty = el("p", { class: "phone-empty", hidden: true });
  #expand = el("button", { type: "button", class: "phone-button" });
  #alert = el("button", { type: "button", class: "phone-button" }, symbol("bell"), t("phone.alert"));
  #stops = [];
  #closed = false;
  #turn = 0;

  constructor(root, context) {
    this.#context = context;
    this.#root = el("section", { class: "phone-view" });
    this.#root.dataset.look = darkPage() ? "dark" : "light";
    this.#island = new LivingIsland(context.now, {
      open: (slot) => this.#goTo(slot),
      changed: () => this.#label(),
    });
    this.#build(root);
    this.#stops.push(context.model.subscribe((change) => {
      if (change.type === "alert") this.#alerts.push(change.data);
      else if (NEWS.has(change.type)) this.#update(change.type);
    }));
    this.#update("snapshot");
  }

  close() {
    this.#closed = true;
    this.#island.close();
    this.#panel?.close();
    for (const stop of this.#stops) stop();
    this.#root.remove();
  }

  // MARK: What there is

  async #update(cause) {
    const turn = ++this.#turn;
    if (cause === "definitions") {
      this.#definitions.clear();
      this.#samples = null;
    }
    if (cause === "snapshot") this.#isQuiet = true;
    const snapshots = [...this.#context.model.activities.values()];
    await Promise.all([...new Set(snapshots.map((one) => one.id.split("/")[0]))].map((kind) => this.#define(kind)));
    if (snapshots.length === 0 && this.#context.model.link.state === "connecting") return;
    if (snapshots.length === 0) await this.#readSamples();
    else this.#samples = null;
    if (this.#closed || turn !== this.#turn) return;
    const activities = this.#samples ? this.#runningSamples() : snapshots.map((snapshot) => this.#activity(snapshot));
    this.#show(activities);
    for (const activity of this.#samples ? [] : activities) this.#play(activity);
    if (this.#isQuiet) this.#alerts = [];
    this.#isQuiet = false;
  }

  // As iOS does: a start is always announced, by its alert if it has one, and a passive alert of a later update never.
  #play(activity) {
    const { id, phase } = activity.snapshot, hasStarted = this.#before.get(activity.key)?.id !== id && phase !== "ended";
    this.#before.set(activity.key, activity.snapshot);
    const alert = this.#alerts.findLast((one) => one.id === id);
    this.#alerts = this.#alerts.filter((one) => one.id !== id).slice(-8);
    if (this.#isQuiet || !(hasStarted || (alert && alert.level !== "passive"))) return;
    this.#announce(activity, alert ?? startAlert(activity.snapshot, activity.definition));
  }

  async #define(kind) {
    if (this.#definitions.has(kind)) return;
    const definition = await this.#context.model.definition(kind).catch(() => null);
    if (definition) this.#definitions.set(kind, definition);
  }

  // The moment of the last message, which phones get with a stale update, is here that of the device.
  #activity(taken) {
    const key = deviceOf(taken.id), snapshot = { ...taken, heard: this.#context.model.devices.get(key)?.heard ?? null };
    const definition = this.#definitions.get(key.split("/")[0]) ?? null;
    return {
      key, snapshot, definition, layout: definition?.layout ?? NO_LAYOUT,
      relevance: snapshot.relevance ?? definition?.relevance ?? PLAIN_RELEVANCE, made: false,
    };
  }

  async #readSamples() {
    if (this.#samples) return;
    try {
      const samples = (await this.#context.model.definitions()).filter((one) => one.island).map((head, index) => ({ ...head, index, activity: null }));
      this.#chosen ??= new Set(samples.slice(0, 1).map((one) => one.kind));
      await Promise.all(samples.filter((one) => this.#chosen.has(one.kind)).map((one) => this.#make(one)));
      this.#samples = samples;
      this.#empty.textContent = t("phone.nothing");
    } catch (error) {
      this.#samples = [];
      this.#empty.textContent = t("phone.failed", { why: error.message });
    }
  }

  // There are many definitions: one is read when its sample is chosen.
  async #make(one) {
    if (one.activity) return;
    await this.#define(one.kind);
    const definition = this.#definitions.get(one.kind);
    if (definition?.layout) one.activity = { ...this.#activity(sample(definition, this.#context.now(), one.index)), made: true, device: one.kind };
    else this.#chosen.delete(one.kind);
  }

  async #choose(one) {
    const turn = this.#turn;
    if (!this.#chosen.delete(one.kind)) {
      this.#chosen.add(one.kind);
      await this.#make(one);
    }
    if (!this.#closed && turn === this.#turn) this.#show(this.#runningSamples());
  }

  #runningSamples() {
    return this.#samples.filter((one) => one.activity && this.#chosen.has(one.kind)).map((one) => one.activity);
  }

  // MARK: What is shown

  #show(activities) {
    const seen = places(activities);
    this.#shown = seen.lock;
    this.#island.show(seen.island.map(({ activity }) => activity));
    this.#panel?.show(seen);
    this.#showWhere(seen);
    this.#showGallery();
    this.#label();
  }

  #label() {
    const isOpen = this.#island.open !== null;
    put(this.#expand, symbol(isOpen ? "minus" : "plus"), t(isOpen ? "phone.collapse" : "phone.expand"));
    const idle = !this.#shown.some((one) => one.snapshot.phase !== "ended");
    this.#expand.disabled = this.#alert.disabled = idle;
  }

  #showWhere(seen) {
    const line = ({ activity, why }, where, next) => {
      const relevance = activity.relevance, name = activity.made ? humanName(nameOf(activity.snapshot)) : this.#context.model.called(activity.key);
      const reason = t(`phone.why${why[0].toUpperCase()}${why.slice(1)}`, { relevance, next: next?.activity.relevance ?? "" });
      const title = activity.made ? el("strong", {}, name) : el("a", { href: `#/device/${activity.key}` }, name);
      const badge = activity.made ? el("span", { class: "phone-badge" }, t("phone.sample")) : null;
      const tile = el("span", { class: "phone-tile" }, symbol(activity.layout.symbol));
      if (activity.layout.tint) tile.style.setProperty("--tint", activity.layout.tint);
      return el("li", {}, tile, el("div", {}, el("p", {}, title, " ", badge), el("p", { class: "place" }, t(where)), el("p", { class: "why" }, reason)));
    };
    const all = [...seen.island, ...seen.outside];
    const now = JSON.stringify(all.map(({ activity, why }) => [activity.key, activity.relevance, activity.layout.symbol, why, activity.made ? nameOf(activity.snapshot) : this.#context.model.called(activity.key)]));
    if (this.#seen === now) return;
    this.#seen = now;
    const [first, second] = seen.island;
    const next = (index) => seen.island[index + 1] ?? seen.outside.find((one) => one.why === "full");
    put(this.#where, first && line(first, second ? "phone.whereAttached" : "phone.whereAlone", next(0)),
      second && line(second, "phone.whereDetached", next(1)), seen.outside.map((one) => line(one, "phone.whereLock")));
    this.#where.parentNode.hidden = seen.lock.length === 0;
  }

  #showGallery() {
    const made = this.#samples ?? [];
    this.#gallery.hidden = made.length === 0;
    this.#empty.hidden = this.#samples === null || made.length > 0;
    if (this.#gallery.hidden) return;
    const count = (name) => made.filter((one) => one.name === name).length;
    const had = this.#gallery.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    put(this.#gallery, el("p", {}, el("span", { class: "phone-badge" }, t("phone.sample")), " ", t("phone.sampleLead")),
      el("div", { class: "phone-chips" }, made.map((one) => el("button", {
        type: "button", class: "phone-chip", "aria-pressed": String(this.#chosen.has(one.kind)), dataset: { key: one.kind }, onclick: () => this.#choose(one),
      }, symbol(one.symbol), one.name ?? humanName(one.kind), one.name && count(one.name) > 1 ? el("small", {}, one.kind) : null))));
    if (had) this.#gallery.querySelector(`[data-key="${CSS.escape(had)}"]`)?.focus();
  }

  #announce(activity, { title, body }) {
    this.#said.textContent = t("phone.alerted", { what: [...new Set([nameOf(activity.snapshot), title, body])].filter(Boolean).join(", ") });
    this.#island.expand(activity, ALERT_LENGTH);
    this.#root.classList.remove("lit");
    void this.#root.offsetWidth;
    this.#root.classList.add("lit");
    this.#panel?.alert?.(activity, { title, body }, ALERT_LENGTH);
  }

  #goTo(slot) {
    if (slot.made) this.#island.open ? this.#island.collapse() : this.#island.expand(slot);
    else this.#context.go(`#/device/${slot.key}`);
  }

  // MARK: The page

  #build(root) {
    const look = el("button", { type: "button", class: "phone-button", "aria-pressed": "false" });
    const name = () => put(look, symbol(this.#root.dataset.look === "dark" ? "moon" : "sun.max"),
      `${t("phone.wallpaper")}: ${t(`shell.theme.${this.#root.dataset.look}`)}`);
    look.removeAttribute("aria-pressed");
    look.addEventListener("click", () => {
      this.#root.dataset.look = this.#root.dataset.look === "dark" ? "light" : "dark";
      name();
    });
    name();
    this.#expand.addEventListener("click", () => (this.#island.open ? this.#island.collapse() : this.#island.expand()));
    this.#alert.addEventListener("click", () => this.#showAlert());
    const home = portrait(homeScreen(this.#context.now), this.#island.node);
    home.addEventListener("pointerdown", (event) => {
      if (!this.#island.node.contains(event.target)) this.#island.collapse();
    });
    const inUse = el("section", { class: "phone-column", "aria-label": t("phone.inUse") }, el("h2", {}, t("phone.inUse")),
      home, el("div", { class: "phone-buttons" }, this.#expand, this.#alert, look));
    const beside = el("section", { class: "phone-column beside", "aria-label": t("phone.others") }, this.#tabs(), this.#beside);
    const where = el("section", { class: "phone-reasons", hidden: true }, el("h2", {}, t("phone.where")), this.#where);
    const stage = el("div", { class: "phone-stage" }, inUse, el("div", { class: "phone-rest" }, beside, where));
    put(this.#root, el("header", {}, el("h1", {}, t("phone.title")), el("p", {}, t("phone.lead"), " ", t("phone.hint"))),
      this.#gallery, this.#empty, stage, this.#said);
    this.#label();
    root.append(this.#root);
    const watcher = new ResizeObserver(() => this.#fit(inUse, this.#beside));
    watcher.observe(this.#root);
    watcher.observe(this.#beside);
    const leave = (event) => event.key === "Escape" && this.#island.collapse();
    document.addEventListener("keydown", leave);
    this.#stops.push(() => watcher.disconnect(), () => document.removeEventListener("keydown", leave));
    this.#fit(inUse, this.#beside);
  }

  // The devices are drawn in points and scaled to the room there is.
  #fit(inUse, beside) {
    const limit = (low, high, value) => Math.max(low, Math.min(high, value));
    const height = Math.max(560, innerHeight - 250);
    const set = (node, name, value) => node.style.setProperty(name, value.toFixed(3));
    set(this.#root, "--portrait", limit(0.4, 0.86, Math.min(inUse.clientWidth / 421, height / 876)));
    set(this.#root, "--landscape", limit(0.3, 0.86, beside.clientWidth / 880));
    set(this.#root, "--watch", limit(0.7, 1.25, beside.clientWidth / 290));
  }

  #tabs() {
    let chosen = PANELS[0];
    try { chosen = PANELS.find((name) => name === sessionStorage.getItem(SEEN_PANEL)) ?? chosen; } catch { /* private mode */ }
    const tabs = PANELS.map((name) => el("button", {
      type: "button", role: "tab", id: `phone-tab-${name}`, "aria-controls": "phone-panel", dataset: { name },
    }, symbol({ lock: "lock", standby: "clock", watch: "applewatch" }[name]), t(`phone.${name}`)));
    const choose = (name, focus) => {
      for (const tab of tabs) {
        const on = tab.dataset.name === name;
        tab.setAttribute("aria-selected", String(on));
        tab.tabIndex = on ? 0 : -1;
        if (on && focus) tab.focus();
      }
      this.#beside.setAttribute("aria-labelledby", `phone-tab-${name}`);
      this.#beside.dataset.name = name;
      try { sessionStorage.setItem(SEEN_PANEL, name); } catch { /* private mode */ }
      this.#panel?.close();
      this.#panel = { lock: lockPanel, standby: standbyPanel, watch: watchPanel }[name](this.#beside, this.#context);
      this.#panel.show(places(this.#shown));
    };
    tabs.forEach((tab, index) => {
      tab.addEventListener("click", () => choose(tab.dataset.name, false));
      tab.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        choose(tabs[(index + step + tabs.length) % tabs.length].dataset.name, true);
      });
    });
    choose(chosen, false);
    return el("div", { class: "phone-tabs", role: "tablist", "aria-label": t("phone.others") }, tabs);
  }

  // An alert of the most relevant activity, as its definition has it.
  #showAlert() {
    const activity = this.#shown.find((one) => one.snapshot.phase !== "ended");
    if (!activity) return;
    this.#announce(activity, exampleAlert(activity.snapshot, activity.definition));
  }
}

function darkPage() {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

// MARK: Panels

// Cards that stay in place while their activities go on: `make(activity)` gives the node of one.
function stack(node, make) {
  const cards = new Map();
  return (activities) => {
    const ids = new Set(activities.map((one) => one.snapshot.id));
    for (const [id, card] of cards) {
      if (ids.has(id)) continue;
      cards.delete(id);
      card.frame.classList.add("leaving");
      card.frame.addEventListener("animationend", () => card.frame.remove());
      setTimeout(() => card.frame.remove(), 600);
    }
    activities.forEach((activity, index) => {
      let card = cards.get(activity.snapshot.id);
      if (card && card.layout !== activity.layout) {
        card.frame.remove();
        card = null;
      }
      if (!card) {
        const drawn = make(activity);
        const frame = activity.made ? el("div", { class: "card-frame" }, drawn)
          : el("a", { class: "card-frame", href: `#/device/${activity.key}`, draggable: "false" }, drawn);
        card = { frame, drawn, layout: activity.layout };
        cards.set(activity.snapshot.id, card);
      } else redraw(card.drawn, activity.snapshot);
      const staying = [...node.children].filter((child) => !child.classList.contains("leaving"));
      if (staying[index] !== card.frame) node.insertBefore(card.frame, staying[index] ?? null);
    });
  };
}

function lockPanel(root, context) {
  const cards = el("div", { class: "lock-cards", role: "group", tabindex: "0", "aria-label": t("phone.lock") });
  const show = stack(cards, (activity) => drawLockCard(activity.layout, activity.snapshot));
  put(root, portrait(lockScreen(context.now, cards)), el("p", { class: "phone-note" }, t("phone.lockNote", { height: LONGEST_CARD })));
  return { show: (seen) => show(seen.lock), close: () => root.replaceChildren() };
}

function standbyPanel(root) {
  let chosen = null, seen = null;
  const circles = el("div", { class: "standby-circles" }), stage = el("div", { class: "standby-stage" });
  const showCard = stack(stage, (activity) => drawLockCard(activity.layout, activity.snapshot));
  const show = (news) => {
    seen = news;
    const activity = seen.lock.find((one) => one.key === chosen) ?? seen.lock[0];
    showCard(activity ? [activity] : []);
    stage.style.setProperty("--tint", (activity && tintOf(activity.layout, activity.snapshot)) ?? "transparent");
    const others = seen.lock.filter((one) => one !== activity && one.snapshot.phase !== "ended").slice(0, 3);
    circles.parentNode.classList.toggle("idle", !activity);
    const ids = others.map((one) => one.snapshot.id).join(" ");
    if (circles.dataset.ids === ids) {
      others.forEach((one, index) => redraw(circles.children[index].firstChild, one.snapshot));
      return;
    }
    circles.dataset.ids = ids;
    put(circles, others.map((one) => el("button", {
      type: "button", "aria-label": t("phone.choose", { what: spoken(one.layout, one.snapshot) }),
      onclick: () => {
        chosen = one.key;
        show(seen);
      },
    }, drawIsland(one.layout, one.snapshot, { form: "minimal" }))));
  };
  put(root, landscape(el("div", { class: "standby" }, stage, circles, el("p", { class: "standby-empty" }, t("phone.nothingShown")))),
    el("p", { class: "phone-note" }, t("phone.standbyNote")));
  return { show, close: () => root.replaceChildren() };
}

function watchPanel(root, context) {
  const cards = el("div", { class: "watch-cards", role: "group", tabindex: "0", "aria-label": t("phone.watch"), dataset: { empty: t("phone.nothingShown") } }), alert = el("div", { class: "watch-alert", hidden: true });
  const show = stack(cards, (activity) => drawWatchCard(activity.layout, activity.snapshot));
  let timer = null;
  put(root, watch(context.now, cards, alert), el("p", { class: "phone-note" }, t("phone.watchAlone")));
  return {
    show: (seen) => show(seen.lock.filter((one) => one.snapshot.phase !== "ended")),
    alert(activity, { title, body }, length) {
      const tile = el("span", { class: "watch-symbol" }, symbol(activity.layout.symbol));
      tile.style.setProperty("--tint", tintOf(activity.layout, activity.snapshot) ?? "#48484a");
      put(alert, tile, el("strong", {}, title), body && el("span", {}, body)).hidden = false;
      clearTimeout(timer);
      timer = setTimeout(() => (alert.hidden = true), length);
    },
    close() {
      clearTimeout(timer);
      root.replaceChildren();
    },
  };
}
