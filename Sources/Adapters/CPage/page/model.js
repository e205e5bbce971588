// The state of the house, as the stream of the bridge tells it.
import { api } from "./api.js";
import { calledName, partitionOf } from "./house.js";
import { applyDiff, applySnapshot, deviceOf } from "./merge.js";
import { t } from "./texts.js";
import { clock, correct } from "./time.js";

const LONGEST_PAUSE = 60;

class Model {
  /** Snapshots by `kind/device`. */
  activities = new Map();
  /** Forecasts by `kind/device`. */
  timelines = new Map();
  /** What /v1/devices says of each device, by `kind/device`. */
  devices = new Map();
  /** The bridge's connection to its broker: `{ connected, since }`, or null before the first word. */
  broker = null;
  /** The page's connection to the bridge: `connecting`, `open` or `lost`; and since when. */
  link = { state: "connecting", since: clock() };
  /** Who looks, as the bridge said last; null before that. */
  role = null;
  /** The last answer of /v1/status, or null. */
  status = null;
  /** Set for a guest, who may read neither all devices nor the counts. */
  isGuest = false;
  /** How the page shows devices that somebody arranged, by `kind/device`: `{ room, hidden, place }`. */
  cards = new Map();
  /** The partitions that do not answer, of a front of several. */
  away = new Set();

  #partitions = 0;
  #readers = new Set();
  #definitions = new Map();
  #known = new Map();
  #names = new Map();
  #list = null;
  #source = null;
  #failures = 0;
  #wasLost = false;
  #again = null;
  #refresh = null;
  #refreshed = 0;
  /** When the arrangement was asked for. */
  #arranged = 0;
  /** The devices of which the stream said something since they were asked for. */
  #newer = new Set();
  #asking = 0;
  #watched = null;
  #reading = new Set();

  /** Calls `reader(change)` after each change: `{ type, key, … }` with the event's type. Returns the end of it. */
  subscribe(reader) {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  #tell(type, key = null, data = null) {
    for (const reader of [...this.#readers]) reader({ type, key, data });
  }

  /** The definition of a kind, as /v1/definitions/{kind} gives it: a promise, kept, also when the bridge refuses it. */
  definition(kind) {
    if (!this.#definitions.has(kind)) {
      const asked = api("GET", `/v1/definitions/${encodeURIComponent(kind)}`);
      asked.then((definition) => this.#known.set(kind, definition), ({ status }) => {
        if (this.#definitions.get(kind) === asked && ![401, 403, 404].includes(status)) this.#definitions.delete(kind);
      });
      this.#definitions.set(kind, asked);
    }
    return this.#definitions.get(kind);
  }

  /** The definition of a kind if it has been read, else null. */
  known(kind) {
    return this.#known.get(kind) ?? null;
  }

  /** How much an activity matters beside others, as its definition says for all runs. */
  relevance = (kind) => this.known(kind)?.relevance ?? 50;

  /** The list of all definitions: a promise, kept until a definition changes. */
  definitions() {
    this.#list ??= api("GET", "/v1/definitions").then((answer) => answer.definitions, (error) => {
      this.#list = null;
      throw error;
    });
    return this.#list;
  }

  /** Reads the definitions again, because one may have changed. Until they are there, the former ones are shown. */
  forgetDefinitions() {
    this.#definitions.clear();
    this.#list = null;
    for (const kind of this.#known.keys()) this.definition(kind).then(() => this.#tell("refreshed"), () => {});
    this.#tell("definitions");
  }

  /** Has the stream tell about one device: `read(explanation)` each time it changed. Returns the end of it. */
  watch(key, read) {
    const mine = { key };
    this.#watched = mine;
    const end = this.subscribe((change) => {
      if (change.type === "device" && change.key === key) read(change.data);
    });
    this.open();
    return () => {
      end();
      if (this.#watched !== mine) return;
      this.#watched = null;
      if (this.#source) this.open();
    };
  }

  /** Opens the stream, or opens it again. */
  open() {
    this.close();
    const query = this.#watched ? `?device=${encodeURIComponent(this.#watched.key)}` : "";
    const source = new EventSource(`v1/stream${query}`);
    this.#source = source;
    source.onopen = () => {
      this.#failures = 0;
      this.#setLink("open");
    };
    source.onerror = () => this.#failed(source);
    for (const name of ["snapshot", "activity", "diff", "alert", "dismissed", "timeline", "moved", "availability", "forgotten", "broker", "device", "definitions", "partition"]) {
      source.addEventListener(name, (event) => {
        if (source === this.#source) this.#take(name, JSON.parse(event.data));
      });
    }
  }

  /** Ends the stream. */
  close() {
    clearTimeout(this.#again);
    this.#again = null;
    this.#source?.close();
    this.#source = null;
  }

  /** Tries at once to reach the bridge, if it was lost. */
  hurry() {
    if (this.link.state !== "open") this.open();
  }

  /** What the page shows, as values that can be kept; null before the bridge has said anything. */
  get image() {
    if (!this.broker) return null;
    const at = this.link.state === "open" ? clock() : this.link.since, lists = [this.activities, this.timelines, this.devices, this.cards, this.#known].map((map) => [...map]);
    return { at, broker: this.broker, lists };
  }

  /** Shows what was kept, until the bridge answers. */
  restore({ at, broker, lists }) {
    [this.activities, this.timelines, this.devices, this.cards, this.#known] = lists.map((list) => new Map(list));
    for (const [kind, definition] of this.#known) this.#definitions.set(kind, Promise.resolve(definition));
    this.broker = broker;
    this.link = { state: "lost", since: at };
    this.#wasLost = true;
  }

  #setLink(state) {
    if (this.link.state === state) return;
    this.link = { state, since: clock() };
    this.#tell("link");
  }

  // The browser connects again by itself, with the last event's id. When that failed a few times, or the bridge refused,
  // the pauses between attempts grow.
  #failed(source) {
    if (source !== this.#source) return;
    this.#failures += 1;
    this.#wasLost = true;
    this.#setLink("lost");
    const refused = source.readyState === EventSource.CLOSED;
    // A session that somebody ended ends the stream, too.
    if (refused || this.#failures === 1) api("GET", "/v1/session").then((session) => session.role !== this.role && this.#tell("session"), () => {});
    if (!refused && this.#failures < 3) return;
    this.close();
    const pause = Math.min(LONGEST_PAUSE, 2 ** Math.min(this.#failures - 1, 6)) * (0.75 + Math.random() / 2);
    this.#again = setTimeout(() => this.open(), pause * 1000);
  }

  #take(type, data) {
    const key = data.id ? deviceOf(data.id) : data.kind ? `${data.kind}/${data.device}` : null;
    switch (type) {
      case "snapshot": this.#takeSnapshot(data); break;
      case "activity": this.activities.set(key, applySnapshot(this.activities.get(key), data)); break;
      case "diff": {
        const { snapshot, gap } = applyDiff(this.activities.get(key), data);
        if (gap) return this.#readAgain(key);
        this.activities.set(key, snapshot);
        break;
      }
      case "dismissed":
        if (this.activities.get(key)?.id === data.id) this.activities.delete(key);
        this.timelines.delete(key);
        // A guest's link was for this run.
        if (this.isGuest) this.#tell("session");
        break;
      case "timeline":
        data.entries?.length ? this.timelines.set(key, data) : this.timelines.delete(key);
        break;
      case "moved": {
        this.#newer.add(key);
        const was = this.devices.get(key) ?? { kind: data.kind, device: data.device, available: null, next: null, heard: null };
        this.devices.set(key, { ...was, states: data.states ?? [data.to], title: data.title ?? null, since: data.at });
        break;
      }
      case "availability":
        this.#newer.add(key);
        if (this.devices.has(key)) this.devices.set(key, { ...this.devices.get(key), available: data.available });
        break;
      case "forgotten":
        this.#newer.add(key);
        for (const map of [this.devices, this.activities, this.timelines]) map.delete(key);
        break;
      case "broker": this.broker = data; break;
      case "definitions":
        this.#refreshSoon();
        return this.forgetDefinitions();
      case "partition": data.answers ? this.away.delete(data.partition) : this.away.add(data.partition); break;
    }
    this.#tell(type, key, data);
    if (type !== "device" && type !== "alert") this.#refreshSoon();
  }

  #takeSnapshot(data) {
    correct(data.at, data.rate);
    const news = new Map((data.activities ?? []).map((snapshot) => [deviceOf(snapshot.id), snapshot]));
    // A front of several partitions has a snapshot of each.
    this.#partitions = data.partitions ?? 0;
    const others = (map) => this.#of((partition) => partition !== data.partition, map);
    this.activities = new Map([...others(this.activities), ...[...news].map(([key, snapshot]) => [key, applySnapshot(this.activities.get(key), snapshot)])]);
    this.timelines = new Map([...others(this.timelines), ...(data.timelines ?? []).map((timeline) => [deviceOf(timeline.id), timeline])]);
    this.devices = new Map([...others(this.devices), ...(data.devices ?? []).map((device) => [`${device.kind}/${device.device}`, device])]);
    this.#asking += 1;
    this.broker = data.broker ?? this.broker;
    if (this.#wasLost) this.forgetDefinitions();
    this.#wasLost = false;
    this.#setLink("open");
    this.readCards();
  }

  /** The entries of the devices of some partitions; none where there are no partitions. */
  #of(isMeant, map) {
    return this.#partitions ? [...map].filter(([key]) => isMeant(partitionOf(key.slice(key.indexOf("/") + 1), this.#partitions))) : [];
  }

  async #readAgain(key) {
    if (this.#reading.has(key)) return;
    this.#reading.add(key);
    try {
      const [kind, device] = key.split("/");
      const snapshot = await api("GET", `/v1/activities/${encodeURIComponent(kind)}/${encodeURIComponent(device)}`);
      this.activities.set(key, applySnapshot(this.activities.get(key), snapshot));
      this.#tell("activity", key, snapshot);
    } catch (error) {
      if (error.status === 404) this.activities.delete(key);
      this.#tell("dismissed", key);
    } finally {
      this.#reading.delete(key);
    }
  }

  // The forecast of each device and the counts of messages are not in the stream: they are asked for after something
  // happened, and not more often than every five seconds. While nothing happens, nothing is asked.
  #refreshSoon() {
    if (this.isGuest || this.#refresh !== null) return;
    const pause = Math.max(400, 5000 - (Date.now() - this.#refreshed));
    this.#refresh = setTimeout(() => this.refresh(), pause);
  }

  /** What a device is called, by `kind/device`; one that was forgotten since then as before. */
  called(key) {
    const known = this.devices.get(key);
    if (known) this.#names.set(key, known.name);
    const name = this.#names.get(key);
    return calledName(known ?? (name ? { name } : undefined), key.slice(key.indexOf("/") + 1), this.activities.get(key));
  }

  /** Past runs, as /v1/runs answers a query; a device that was forgotten since then has the name that they tell. */
  async runs(query) {
    const answer = await api("GET", `/v1/runs?${query}`);
    for (const { kind, device, name } of answer.runs) if (name && !this.#names.has(`${kind}/${device}`)) this.#names.set(`${kind}/${device}`, name);
    return answer;
  }

  /** What became of an event that the bridge has taken: without its broker it keeps the message for the device. */
  sent(event) { return t(this.broker?.connected === false ? "card.kept" : "card.sent", { event }); }

  /** The moment since which the bridge keeps messages; null if it keeps none. */
  async keptSince() {
    const { recordHours, started } = this.status ?? await api("GET", "/v1/status").catch(() => ({}));
    return recordHours ? started : null;
  }

  /** Reads how devices are arranged. */
  async readCards() {
    if (this.isGuest) return;
    this.#arranged = Date.now();
    const answer = await api("GET", "/v1/cards").catch(() => null);
    if (answer) this.#takeCards(answer);
  }

  /** Arranges all devices: a list of `{ key, room, hidden }` in the order of the page. */
  async arrange(list) {
    const cards = list.map(({ key, room, hidden }) => ({ kind: key.slice(0, key.indexOf("/")), device: key.slice(key.indexOf("/") + 1), room, hidden }));
    this.#takeCards(await api("PUT", "/v1/cards", { cards }));
  }

  /** Says which room a device is in; the others stay as they are. */
  async moveTo(key, room) {
    await this.readCards();
    const list = [...this.cards].map(([key, card]) => ({ key, ...card })), known = list.find((one) => one.key === key);
    if (known) known.room = room;
    else list.push({ key, room, hidden: false });
    await this.arrange(list);
  }

  #takeCards({ cards = [] }) {
    this.cards = new Map(cards.map(({ kind, device, room, hidden }, place) => [`${kind}/${device}`, { room: room ?? "", hidden: hidden === true, place }]));
    this.#tell("cards");
  }

  /** Reads the devices and the counts again. What the stream says meanwhile is newer than the answer. */
  async refresh() {
    clearTimeout(this.#refresh);
    this.#refresh = null;
    this.#refreshed = Date.now();
    this.#newer.clear();
    // Somebody may have arranged them in another browser.
    if (this.#refreshed - this.#arranged > 30_000) this.readCards();
    const turn = ++this.#asking;
    try {
      const [{ devices, missing = [] }, status] = await Promise.all([api("GET", "/v1/devices"), api("GET", "/v1/status").catch(() => this.status)]);
      this.status = status;
      if (turn === this.#asking) {
        const read = new Map([...this.#of((partition) => missing.includes(partition), this.devices), ...devices.map((device) => [`${device.kind}/${device.device}`, device])]);
        for (const key of this.#newer) this.devices.has(key) ? read.set(key, this.devices.get(key)) : read.delete(key);
        this.devices = read;
      }
      this.#tell("refreshed");
    } catch { /* the stream tells when the bridge is gone */ }
  }
}

export const model = new Model();
