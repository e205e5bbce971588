// Many devices: a search, rooms and small cards, and a dialog in which an administrator arranges them.
import { badge } from "./card.js";
import { askBefore, el, hold, put, say, typed } from "./dom.js";
import { byName, humanName } from "./house.js";
import { t } from "./texts.js";

/** So many devices are found at a glance. */
const FEW = 8;
/** So many cards are small. */
const MANY = 12;
/** How near to an edge of the list a dragged device moves the list, and how far in a picture, in pixels. */
const EDGE = 40, STEP = 8;
const KEYS = { room: "skerry.room", dense: "skerry.dense" };

function stored(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}
function keep(key, value) {
  try { value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value); } catch { /* for this visit only */ }
}

/** A text as it is searched: without case and accents. */
const plain = (text) => String(text).normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();

/** Whether all words of a search are in some texts. */
export function matches(search, texts) {
  const all = plain(texts.filter(Boolean).join(" "));
  return plain(search).split(/\s+/).every((word) => all.includes(word));
}

/** The names of all rooms, in the order of the language. */
export const roomsOf = (cards) => [...new Set([...cards.values()].map((card) => card.room).filter(Boolean))].sort(byName);

export class RoomTools {
  /** The tools above the cards; `changed` is called when something else is to be shown. */
  constructor(context, changed) {
    this.context = context;
    this.changed = changed;
    this.chosenRoom = stored(KEYS.room);
    /** The chosen room, as long as there is one of its name; null for all. */
    this.room = null;
    this.chosenDense = stored(KEYS.dense);
    this.isDense = this.chosenDense === "yes";
    this.search = el("input", { type: "search", placeholder: t("rooms.search"), "aria-label": t("rooms.search"), autocomplete: "off", spellcheck: "false", value: typed.get("search"), oninput: () => { typed.set("search", this.search.value); changed(); } });
    this.rooms = el("div", { class: "room-chips", role: "group", "aria-label": t("rooms.room") });
    this.dense = el("button", { type: "button", class: "quiet", "aria-pressed": String(this.isDense), onclick: () => this.toggleDense() }, t("rooms.dense"));
    this.arrange = el("button", { type: "button", class: "quiet", hidden: true, onclick: () => this.openDialog() }, t("rooms.arrange"));
    this.nothing = el("p", { class: "notice", role: "status", hidden: true }, t("rooms.nothing"));
    this.node = el("section", { class: "room-tools", "aria-label": t("rooms.tools"), hidden: true }, this.search, this.rooms, el("div", { class: "room-does" }, this.dense, this.arrange));
  }

  toggleDense() {
    this.isDense = !this.isDense;
    this.chosenDense = this.isDense ? "yes" : "no";
    keep(KEYS.dense, this.chosenDense);
    this.dense.setAttribute("aria-pressed", String(this.isDense));
    this.changed();
  }

  choose(room) {
    this.chosenRoom = room;
    keep(KEYS.room, room);
    this.changed();
  }

  /** Draws the tools for so many devices, of which some run: many cards are small, unless somebody chose. */
  draw(count, running) {
    const { model, may } = this.context, rooms = roomsOf(model.cards);
    this.room = rooms.includes(this.chosenRoom) ? this.chosenRoom : null;
    this.arrange.hidden = !may("administer") || count === 0;
    this.search.hidden = this.dense.hidden = count <= FEW;
    if (!this.chosenDense && this.isDense !== running > MANY) {
      this.isDense = running > MANY;
      this.dense.setAttribute("aria-pressed", String(this.isDense));
    }
    const says = JSON.stringify([rooms, this.room]);
    if (this.says !== says) {
      this.says = says;
      const focused = this.rooms.contains(document.activeElement) ? document.activeElement.dataset.room : null;
      const chip = (room, text) => el("button", { type: "button", class: "chip", "data-room": room ?? "", "aria-pressed": String(this.room === room), onclick: () => this.choose(room) }, text);
      put(this.rooms, rooms.length ? [chip(null, t("rooms.all")), rooms.map((room) => chip(room, room))] : null);
      if (focused !== null) [...this.rooms.children].find((one) => one.dataset.room === focused)?.focus();
    }
    this.rooms.hidden = rooms.length === 0;
    this.node.hidden = this.search.hidden && this.arrange.hidden && this.rooms.hidden;
  }

  /** Whether somebody looks for something. */
  get isSearching() { return this.search.value.trim() !== "" && !this.search.hidden; }

  /** Whether a device is among those that are asked for, by its key and what is known of it in words. */
  wants(key, ...texts) {
    const { model } = this.context, card = model.cards.get(key);
    if (this.room !== null && card?.room !== this.room) return false;
    return !this.isSearching || matches(this.search.value.trim(), [model.called(key), key, card?.room, ...texts]);
  }

  openDialog() { new ArrangeDialog(this.context).open(); }
}

/** Names, rooms and order of all devices. */
class ArrangeDialog {
  constructor(context) {
    this.context = context;
    const { model } = context;
    const keys = [...new Set([...model.devices.keys(), ...model.activities.keys()])];
    const place = (key) => model.cards.get(key)?.place ?? Infinity;
    keys.sort((one, other) => (place(one) === place(other) ? byName(model.called(one), model.called(other)) : place(one) - place(other)));
    this.rows = keys.map((key) => this.row(key));
    this.list = el("ol", {}, this.rows.map((row) => row.node));
    const head = el("div", { class: "arranged-head", "aria-hidden": "true" }, ["", "", t("rooms.called"), t("rooms.room"), "", t("rooms.isShown")].map((words) => el("span", {}, words)));
    this.scroller = el("div", { class: "arranged" }, head, this.list);
    this.said = el("p", { class: "unseen", role: "status" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.button = el("button", { type: "submit", class: "main" }, t("rooms.save"));
    const search = el("input", { type: "search", placeholder: t("rooms.search"), "aria-label": t("rooms.search"), onkeydown: (event) => event.key === "Enter" && event.preventDefault(), oninput: (event) => { event.stopPropagation(); this.filter(event.target.value.trim()); } });
    this.node = el("dialog", { class: "sheet wide", "aria-labelledby": "arrange-title", onclose: () => this.node.remove() },
      el("form", { onsubmit: (event) => { event.preventDefault(); this.save(); } },
        el("h2", { id: "arrange-title" }, t("rooms.title")), el("p", { class: "small" }, t("rooms.why"), this.context.session.mayRename ?? this.context.session.mayEdit ? "" : " " + t("rooms.mayNotRename")), keys.length > FEW ? search : null,
        el("datalist", { id: "known-rooms" }, roomsOf(model.cards).map((room) => el("option", { value: room }))),
        this.scroller, this.problem, this.said,
        el("div", { class: "sheet-foot" }, this.button, el("button", { type: "button", onclick: () => this.node.close() }, t("rooms.cancel")))));
    askBefore(this.node, t("shell.discard"));
  }

  row(key) {
    const { model, session: { mayEdit, mayRename = mayEdit } } = this.context, card = model.cards.get(key), name = model.called(key), input = { type: "text", maxlength: 200, autocomplete: "off" };
    const row = {
      key, called: name, was: { room: card?.room ?? "", hidden: card?.hidden ?? false },
      name: el("input", { ...input, value: name, readonly: !mayRename, "aria-label": t("rooms.name", { name }) }),
      room: el("input", { ...input, value: card?.room ?? "", list: "known-rooms", placeholder: t("rooms.room"), "aria-label": t("rooms.roomOf", { name }) }),
      shown: el("input", { type: "checkbox", checked: !card?.hidden, "aria-label": t("rooms.shown", { name }) }),
    };
    const move = (sign, label, by) => el("button", { type: "button", class: "plain", title: t(label, { name }), "aria-label": t(label, { name }), onclick: () => this.move(row, by) }, sign);
    const kind = key.slice(0, key.indexOf("/")), definition = model.known(kind), tint = definition?.layout?.tint;
    row.node = el("li", { style: tint ? { "--tint": tint } : {} },
      el("span", { class: "arranged-grip", "aria-hidden": "true", title: t("rooms.drag"), onpointerdown: (event) => this.drag(row, event) }), badge(definition),
      el("div", { class: "arranged-name" }, row.name, el("span", { class: "kind" }, definition?.name ?? humanName(kind))),
      el("div", { class: "arranged-place" }, row.room, el("span", { class: "arranged-moves" }, move("⤒", "rooms.top", -Infinity), move("↑", "rooms.up", -1), move("↓", "rooms.down", 1))),
      el("label", { class: "arranged-shown" }, row.shown));
    return row;
  }

  filter(search) {
    for (const row of this.rows) row.node.hidden = search !== "" && !matches(search, [row.name.value, row.room.value, row.key]);
  }

  move(row, by) {
    // Past the next one that the search shows.
    const seen = this.rows.filter(({ node }) => !node.hidden);
    this.put(row, this.rows.indexOf(seen[seen.indexOf(row) + by] ?? (by < -1 ? this.rows[0] : row)));
    row.node.scrollIntoView({ block: "nearest" });
    this.tell(row);
  }

  /** Puts a row at a place. The others move around it, so that it keeps the focus and the pointer. */
  put(row, next) {
    const place = this.rows.indexOf(row), others = this.rows.slice(Math.min(place, next), Math.max(place, next) + 1).filter((one) => one !== row);
    if (next > place) row.node.before(...others.map((one) => one.node));
    else row.node.after(...others.map((one) => one.node));
    this.rows.splice(place, 1);
    this.rows.splice(next, 0, row);
    this.isMoved ||= place !== next;
  }

  /** Tells where a row is now, which is a change as one in a field is. */
  tell(row) {
    this.node.dispatchEvent(new Event("input"));
    say(this.said, t("rooms.moved", { name: row.called, place: this.rows.indexOf(row) + 1, count: this.rows.length }));
  }

  /** Lets a row follow the pointer until that lets go; at an edge of the list it takes the list along. */
  drag(row, event) {
    if (event.button !== 0) return;
    event.preventDefault();
    const grip = event.currentTarget;
    let y = event.clientY, beat = 0;
    const follow = () => {
      const { top, bottom } = this.scroller.getBoundingClientRect();
      this.scroller.scrollTop += y < top + EDGE ? -STEP : y > bottom - EDGE ? STEP : 0;
      const others = this.rows.filter((one) => one !== row && !one.node.hidden);
      const below = others.find(({ node }) => { const frame = node.getBoundingClientRect(); return y < frame.top + frame.height / 2; });
      const place = this.rows.indexOf(row), next = below ? this.rows.indexOf(below) : this.rows.length;
      this.put(row, next > place ? next - 1 : next);
      beat = requestAnimationFrame(follow);
    };
    const end = () => {
      cancelAnimationFrame(beat);
      row.node.classList.remove("is-dragged");
      this.tell(row);
    };
    grip.setPointerCapture(event.pointerId);
    grip.onpointermove = (move) => { y = move.clientY; };
    grip.onlostpointercapture = end;
    row.node.classList.add("is-dragged");
    follow();
  }

  open() {
    document.body.append(this.node);
    this.node.showModal();
  }

  async save() {
    const { api, model } = this.context, { rows } = this;
    say(this.problem, "");
    hold(this.button);
    try {
      for (const row of rows) {
        const name = row.name.value.trim();
        if (name === row.called) continue;
        await api("PUT", `/v1/devices/${row.key.split("/").map(encodeURIComponent).join("/")}/settings`, { name });
        row.called = name;
      }
      // What somebody else has arranged meanwhile stays, except for what was changed here.
      await model.readCards();
      const list = rows.map(({ key, was, room: { value }, shown }) => {
        const now = model.cards.get(key) ?? was, room = value.trim(), hidden = !shown.checked;
        return { key, place: now.place ?? Infinity, room: room === was.room ? now.room : room, hidden: hidden === was.hidden ? now.hidden : hidden };
      });
      for (const [key, card] of model.cards) if (!rows.some((row) => row.key === key)) list.push({ key, ...card });
      if (!this.isMoved) list.sort((one, other) => (one.place === other.place ? 0 : one.place - other.place));
      await model.arrange(list);
      model.refresh();
      this.node.close();
    } catch (error) {
      say(this.problem, error.message);
      hold(this.button, false);
    }
  }
}
