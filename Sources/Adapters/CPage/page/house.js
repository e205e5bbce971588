// What the page says about the house: names, order, and the activity that matters most. Pure functions, tested by node.
import { t } from "./texts.js";

/** The most letters of the texts that a title chooses from. */
const LONGEST = 50;

/** A name as people write it: `laundry` becomes `Laundry`, `flowTemp` and `flow_temp` become `Flow temp`, `flat-0` becomes `Flat 0`; `A1-23` stays. */
export function humanName(name) {
  const words = String(name).replace(/_+/g, " ").replace(/(\p{Ll})-+(?=[\p{L}\d])/gu, "$1 ").replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`).trim();
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}

/**
 * What a device is called: the name that people gave it, or the one of its topics as people write it. `known` is what /v1/devices says of
 * it; of a device of which it says nothing, as for a guest, the name is that with which its run `snapshot` began.
 */
export function calledName(known, device, snapshot) {
  const name = known ? known.name : snapshot?.attributes?.name;
  return typeof name === "string" && name && name !== device ? name : humanName(device);
}

/** What a browser says of itself, and what people call it: the first word that fits counts. */
const BROWSERS = [["Edg", "Edge"], ["OPR/", "Opera"], ["SamsungBrowser", "Samsung Internet"], ["Firefox|FxiOS", "Firefox"], ["Chrom|CriOS", "Chrome"], ["Safari", "Safari"]];
const SYSTEMS = [["iPhone", "iPhone"], ["iPad", "iPad"], ["Android", "Android"], ["CrOS", "ChromeOS"], ["Windows", "Windows"], ["Macintosh", "Mac"], ["Linux", "Linux"]];

/** What a browser is called until somebody names it, so that it is known again in a list: `Firefox, Android`. */
export function browserName(agent) {
  const [browser, system] = [BROWSERS, SYSTEMS].map((all) => all.find(([word]) => new RegExp(word).test(agent))?.[1]);
  return [browser ?? "Browser", system].filter(Boolean).join(", ");
}

/** The order of names as people read it: `Bed 5` comes before `Bed 10`. */
export const byName = new Intl.Collator(undefined, { numeric: true }).compare;

/**
 * What devices are called where one of them is chosen, by `kind/device`: by their names, with `kindName` beside a name that several have.
 */
export function distinctNames(keys, called, kindName) {
  const names = new Map(keys.map((key) => [key, called(key)])), all = [...names.values()];
  return new Map([...names].map(([key, name]) => [key, all.indexOf(name) === all.lastIndexOf(name) ? name : `${name} (${kindName(key.slice(0, key.indexOf("/")))})`]));
}

/** What an expression in a title says without its device: the texts that it chooses from, or its last resort if they are long; … for anything else. */
function choice(expression) {
  const texts = [], bare = expression.replace(/(["'])((?:\\.|(?!\1).)*)\1/g, (_, quote, text) => `\0${texts.push(text) - 1}\0`);
  const ways = [...bare.matchAll(/[?:] *\0(\d+)\0 *(?=:|\)*$)|, *\0(\d+)\0 *\)+$/g)].map(([, one, last]) => texts[one ?? last]);
  if (!ways.length) return "…";
  const all = [...new Set(ways)].join(" / "), last = bare.match(/\0(\d+)\0( *\+[^?:]*)?\)*$/);
  return ways.includes("") ? "" : all.length <= LONGEST && !last?.[2] ? all : last ? texts[last[1]] + (last[2] ? "…" : "") : ways[0];
}

/** The words of a title as it stands in a definition, where a template has … for what depends on the device; null for none. */
export function plainTitle(title) {
  const words = (title ?? "").replace(/\{((?:[^{}]|\{[^{}]*\})*)\}/g, (_, expression) => choice(expression.trim())).replace(/…+/g, "…").trim();
  return /\p{L}/u.test(words) ? words : null;
}

/** The title of a state as the definition says it, else that of the state in which it begins, else the page's word for its name. */
export function stateTitle(definition, name) {
  const states = new Map(definition?.machine?.states.map((state) => [state.name, state])), called = (name) => (t(`state.${name}`) === `state.${name}` ? humanName(name) : t(`state.${name}`));
  for (let state = states.get(name); state; state = states.get(state.initial)) if (state.title) return plainTitle(state.title) ?? called(state.name);
  return called(name);
}

/** Whether an activity is in the state of its device, of which `states` are active: an ended one may have been left behind. */
const isIn = (snapshot, states) => snapshot.state.split(",").every((name) => states.includes(name.trim()));

/**
 * What an activity says of itself, in the same words wherever it is shown: its `status`, which phones show, else the title of its state.
 * `known` is what /v1/devices says of its device, if anything.
 */
export function statusOf(snapshot, definition, known) {
  const { status } = snapshot.content ?? {};
  if (typeof status === "string" && status !== "") return status;
  return (isIn(snapshot, known?.states ?? []) && known.title) || stateTitle(definition, snapshot.state);
}

/** What a device says of itself: the words of its activity, unless that has ended and the device gone on, and then `title`. */
export function deviceStatus(snapshot, definition, known, title) {
  return snapshot && (snapshot.phase !== "ended" || isIn(snapshot, known.states ?? [])) ? statusOf(snapshot, definition, known) : title;
}

/** The partition of a device, by the FNV-1a hash of its name in 32 bits, as the bridges share devices out. */
export function partitionOf(device, partitions) {
  const hash = new TextEncoder().encode(device).reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5);
  return hash % partitions;
}

/** The second in which an activity's run started, as its id says. */
export const runStart = (snapshot) => Number(snapshot.id.slice(snapshot.id.lastIndexOf("/") + 1));

/** Whether a value of the content is a time. */
const isTime = (value) => value !== null && typeof value === "object" && ("start" in value || "remaining" in value || "elapsed" in value);

/** The field with the time that an activity shows first: that of the island, else the first one. */
export function clockField(snapshot, layout) {
  const wanted = [...(layout?.compactTrailing ?? []), ...(layout?.lock?.clocks ?? []), ...(layout?.lock?.bars ?? [])]
    .filter((element) => element.field).map((element) => element.field);
  const fields = Object.keys(snapshot.content).filter((name) => isTime(snapshot.content[name]));
  return wanted.find((name) => fields.includes(name)) ?? fields[0] ?? null;
}

/** When an activity's countdown reaches zero, or infinity. Only an update moves it. */
function endOf(snapshot) {
  const ends = Object.values(snapshot.content).filter(isTime).map((value) => value.end).filter((end) => typeof end === "number");
  return ends.length ? Math.min(...ends) : Infinity;
}

/**
 * The devices in the order in which people want to see them: `running` (by relevance, then what ends first, then what counts up; what was
 * silent for too long comes last), `ended` (the latest first) and `quiet` (by name). The order changes with updates only, never with time.
 * What somebody arranged on the page, of which `cards` has the places, comes first in that order; what is hidden there is nowhere.
 */
export function arrange(activities, devices, relevance = () => 50, cards = new Map()) {
  const running = [], ended = [], quiet = [];
  const isHidden = (key) => cards.get(key)?.hidden;
  for (const [key, snapshot] of activities) if (!isHidden(key)) (snapshot.phase === "ended" ? ended : running).push([key, snapshot]);
  for (const [key, device] of devices) if (!activities.has(key) && !isHidden(key)) quiet.push([key, device]);
  const nameOf = (key) => calledName(devices.get(key), key.slice(key.indexOf("/") + 1));
  const inOrder = (a, b) => byName(nameOf(a[0]), nameOf(b[0])) || (a[0] < b[0] ? -1 : 1);
  const difference = (a, b) => (a === b ? 0 : a - b);
  const silent = ([, snapshot]) => (snapshot.phase === "stale" ? 1 : 0);
  const weight = ([key, snapshot]) => snapshot.relevance ?? relevance(key.slice(0, key.indexOf("/")));
  const place = ([key]) => cards.get(key)?.place ?? Infinity;
  running.sort((a, b) => silent(a) - silent(b) || difference(place(a), place(b)) || weight(b) - weight(a) || difference(endOf(a[1]), endOf(b[1])) || inOrder(a, b));
  ended.sort((a, b) => b[1].at - a[1].at || inOrder(a, b));
  quiet.sort((a, b) => difference(place(a), place(b)) || inOrder(a, b));
  return { running, ended, quiet };
}

/** Whether a topic, or the filter of some, is one on which devices are told something, and say nothing. */
export const isCommand = (topic) => /^cmnd\/|\/(set|get|command)(\/|$)/.test(topic);

/** A first guess at the kind of a device from an unread topic: `dryer` for `plug/dryer/cellar/power`. */
export function kindFor(topic) {
  const plain = topic.split("/").map((level) => level.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, ""));
  const common = new Set(["zigbee2mqtt", "tasmota", "tele", "stat", "shellies", "homeassistant", "plug", "device", "devices", "home", "sensor",
    "state", "status", "power", "report", "events", "event", "info", "lwt", "result", "online", "availability"]);
  const kind = plain.find((level) => level && !common.has(level) && !/^[0-9-]/.test(level)) ?? plain.find((level) => /^[a-z]/.test(level));
  return kind || "thing";
}
