// What a phone draws of an activity: pure functions from the layout of a definition, a snapshot and a moment.
//
// Everything here follows the Swift that `skerry generate swift` writes, and what iOS does with it.

import { humanName, statusOf } from "./house.js";

/** The most activities that the Dynamic Island shows at once. */
const ISLAND_PLACES = 2;

/** The height in points at which iOS cuts a card on the Lock Screen, and the open island. */
export const LONGEST_CARD = 160;

/** The relevance of activities whose definition says none. */
export const PLAIN_RELEVANCE = 50;

// MARK: Timers

const ends = (timer) => typeof timer.end === "number";
const countsDown = (timer) => ends(timer) || typeof timer.remaining === "number";

/** The range of a timer as `[begin, end]`, as the generated model has it; null when there is none to draw. */
function interval(timer) {
  const begin = typeof timer.start === "number" ? timer.start : 0;
  if (ends(timer)) return begin < timer.end ? [begin, timer.end] : null;
  if (typeof timer.remaining === "number") return [begin, begin + Math.max(timer.duration ?? 0, timer.remaining, 1)];
  return typeof timer.start === "number" || typeof timer.elapsed === "number" ? [begin, Infinity] : null;
}

/** Seconds as SwiftUI's `Text(timerInterval:)` writes them with hours: `1:02:45` and `9:05`. */
export function clockText(seconds, down) {
  const whole = Math.max(0, down ? Math.ceil(seconds - 0.001) : Math.floor(seconds + 0.001));
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** Seconds as whole minutes: `12 min`, `1h 5m`. While it counts down, a minute that has begun counts in full. */
export function minutesText(seconds, down, locale) {
  const whole = Math.max(0, down ? Math.ceil((seconds - 0.001) / 60) : Math.floor((seconds + 0.001) / 60));
  const hours = Math.floor(whole / 60), minutes = whole % 60;
  const text = (value, unit) => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: hours > 0 ? "narrow" : "short" }).format(value);
  if (hours === 0) return text(minutes, "minute");
  return text(hours, "hour") + (minutes > 0 ? ` ${text(minutes, "minute")}` : "");
}

/**
 * A timer as a clock: its text, the text as wide as it will ever be, and how it runs; an hourglass at its end. With
 * a locale it is written in whole minutes.
 */
export function clockOf(timer, at, locale = null) {
  const range = timer && interval(timer);
  if (!range) return null;
  if (ends(timer) && timer.end <= at) return { draw: "symbol", name: "hourglass", waits: true };
  const down = countsDown(timer), paused = typeof timer.start !== "number" && !ends(timer);
  const length = range[1] - range[0];
  const widest = locale ? minutesText((down ? Math.floor(Math.min(length, 36000) / 3600) : 9) * 3600 + 3540, false, locale)
    : !down ? "00:00:00" : length < 3600 ? "00:00" : length < 36000 ? "0:00:00" : "00:00:00";
  const seconds = paused ? (timer.remaining ?? timer.elapsed) : down ? timer.end - at : at - timer.start;
  const text = locale ? minutesText(seconds, down, locale) : clockText(seconds, down);
  return { draw: "clock", text, widest, down, paused, until: down && !paused ? timer.end : null };
}

/** A timer as a bar: how full it is, from 0 to 1; null for one that does not count down. */
export function barOf(timer, at) {
  const range = timer && interval(timer);
  if (!range || !countsDown(timer)) return null;
  if (!ends(timer)) {
    const whole = timer.duration ?? 0;
    return { draw: "bar", progress: whole > 0 ? limited(1 - timer.remaining / whole) : 0, paused: true };
  }
  return { draw: "bar", progress: limited((at - range[0]) / (range[1] - range[0])), paused: false };
}

/** A number as a bar that a whole fills; null for anything else. */
export const levelOf = (value, whole) =>
  (typeof value === "number" ? { draw: "bar", progress: limited(value / whole), paused: true } : null);

/** A number as segments, of which the first ones are filled; null for anything else. */
export const stepsOf = (value, steps) =>
  (typeof value === "number" ? { draw: "steps", filled: Math.floor(Math.min(steps, Math.max(0, value))), of: steps } : null);

const limited = (share) => Math.min(1, Math.max(0, share));

// MARK: Texts

/** A value as the generated Swift writes it; nothing for a value that is missing. */
export function valueText(value, type, locale) {
  if (value === null || value === undefined) return "";
  switch (type) {
    case "bool": return typeof value === "boolean" ? String(value) : "";
    case "int": return typeof value === "number" ? new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(value) : "";
    case "double": return typeof value === "number" ? decimal(value, locale) : "";
    case "timestamp":
      if (typeof value !== "number") return "";
      return new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" }).format(new Date(value * 1000));
    case "duration": {
      if (typeof value !== "number") return "";
      const minutes = Math.round(value / 60);
      return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
    }
    case "string": return typeof value === "string" ? value : "";
    default: return typeof value === "number" ? decimal(value, locale) : typeof value === "object" ? "" : String(value);
  }
}

/** A number with its unit and its own number of decimals, as the generated Swift writes it. */
export function measureText(value, part, locale) {
  if (typeof value !== "number") return "";
  const digits = { maximumFractionDigits: part.round ?? 2 };
  if (part.unit === "%") return new Intl.NumberFormat(locale, { ...digits, style: "percent" }).format(value / 100);
  const number = new Intl.NumberFormat(locale, digits).format(value);
  return part.unit ? `${number}\u00a0${part.unit}` : number;
}

const decimal = (value, locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(value);

/** The device of an activity: the second level of its id. */
export const deviceName = (snapshot) => snapshot.id.split("/")[1] ?? "";

/** The name that people know a device by. */
export function nameOf(snapshot) {
  const name = snapshot.attributes?.name;
  return typeof name === "string" && name ? name : words(deviceName(snapshot));
}

/** The parts of a text joined, without what belongs to missing values. */
export function joined(parts, snapshot, locale) {
  return joinedPieces((parts ?? []).map((part) => {
    if ("literal" in part) return { words: part.literal };
    if (part.device) return { value: deviceName(snapshot) };
    if ("attribute" in part) return { value: valueText(snapshot.attributes?.[part.attribute], part.type, locale) };
    const value = snapshot.content?.[part.field];
    return { value: "unit" in part || "round" in part ? measureText(value, part, locale) : valueText(value, part.type, locale) };
  }));
}

// Separators: a sign with a blank after it (or at the very end), a new line, brackets, a sign between blanks.
const separators = (isLast) => new RegExp(`[,;.!?](?: +${isLast ? "|$" : ""})|\\n| *[([]|[)\\]]| +[-|/·•–—] +`, "u");
const endsInLetter = (text) => /(?:[a-z]|(?![×\u2000-\u2bff])[\u00c0-\u{10ffff}])$/iu.test(text);

/** Pieces `{ words }` and `{ value }` as one text, by the rule of `TextPiece.swift`: a missing value takes along what belongs to it. */
export function joinedPieces(pieces) {
  const whole = pieces.map((piece) => piece.words ?? piece.value).join("");
  if (!pieces.some((piece) => piece.value === "")) return whole;
  const clauses = [[]], between = [];
  let words = "", beginning = "", hasValue = false;
  const cut = (isLast) => {
    for (let found; (found = separators(isLast).exec(words)); words = words.slice(found.index + found[0].length)) {
      if (found.index > 0) clauses.at(-1).push({ words: words.slice(0, found.index) });
      between.push(found[0]);
      clauses.push([]);
    }
    if (words) clauses.at(-1).push({ words });
    words = "";
  };
  for (const piece of pieces) {
    // Directly after a letter, a value is an ending, and part of the word.
    if ("value" in piece && !endsInLetter(words)) {
      cut(false);
      hasValue = true;
      clauses.at(-1).push(piece);
    } else {
      words += piece.words ?? piece.value;
      if (!hasValue) beginning = words;
    }
  }
  cut(true);
  const texts = clauses.map(restOf);
  const isPlain = (separator) => separator !== undefined && !/[([)\]]/.test(separator);
  for (let index = 0; index < texts.length;) {
    const before = between[index - 1], after = between[index];
    if (texts[index] !== null) index += 1;
    else if (/[([]/.test(before ?? "") && /[)\]]/.test(after ?? "")) {
      texts.splice(index - 1, 3, (texts[index - 1] ?? "") + (texts[index + 1] ?? "") || null);
      between.splice(index - 1, 2);
      index -= 1;
    } else if (isPlain(before) || isPlain(after)) {
      texts.splice(index, 1);
      between.splice(isPlain(before) ? index - 1 : index, 1);
    } else texts[index] = "";
  }
  const text = texts.reduce((sum, clause, index) => sum + between[index - 1] + clause);
  return trimmed(text ?? "") || trimmed(beginning.replace(/[ ,;:\-|/([]+$/, ""));
}

const trimmed = (text) => text.replace(/^ +| +$/g, "");

// A clause without its missing values and the words that belong to them; null when it has only missing ones.
function restOf(whole) {
  const text = (items) => items.map((item) => item.words ?? item.value).join("");
  const isMissing = (item) => item.value === "", isThere = (item) => Boolean(item.value);
  // Directly before another value, a missing one has no words of its own.
  const clause = whole.filter((item, index) => !(isMissing(item) && "value" in (whole[index + 1] ?? {})));
  if (!clause.some(isMissing)) return text(clause);
  const first = clause.findIndex(isThere), last = clause.findLastIndex(isThere);
  if (first < 0) return null;
  let rest = clause.slice(0, first).some(isMissing) ? "" : text(clause.slice(0, first));
  for (let place = first; place < clause.length;) {
    const next = clause.findIndex((item, index) => index > place && isThere(item));
    const gap = clause.slice(place + 1, next < 0 ? undefined : next), missing = gap.findLastIndex(isMissing);
    rest += clause[place].value;
    // As in `{power} kW of {limit}`: the unit belongs to the value before it, and the word before the missing one to that.
    rest += missing < 0 ? text(gap) : text(gap.slice(0, gap.findIndex(isMissing))).replace(/ *[^ ]* *$/, "");
    if (missing >= 0 && place < last) rest += text(gap.slice(missing + 1));
    place = next < 0 ? clause.length : next;
  }
  return rest;
}

/** The numbers of the content in a text together: its digits roll up when they grow, and down when they fall. */
function levelIn(parts, snapshot) {
  const numbers = (parts ?? []).map((part) => snapshot.content?.[part.field]).filter((value) => typeof value === "number");
  return numbers.length ? { level: numbers.reduce((sum, number) => sum + number) } : {};
}

/** A value as links contain it; null when there is none. */
const linkedText = (value) => (value === "" || !["string", "number", "boolean"].includes(typeof value) ? null : String(value));

/** The link with these parts; null without parts, or when one of them is missing. */
export function linkOf(parts, snapshot) {
  if (!parts?.length) return null;
  const found = parts.map((part) => {
    if ("literal" in part) return part.literal;
    if (part.device) return deviceName(snapshot);
    return linkedText("attribute" in part ? snapshot.attributes?.[part.attribute] : snapshot.content?.[part.field]);
  });
  return found.includes(null) ? null : found.join("");
}

/** The buttons that open a link, as far as no part of it is missing: `{ title, link }`. */
export const linkButtons = (layout, snapshot) => (layout?.buttons ?? [])
  .map(({ title, link }) => ({ title, link: linkOf(link, snapshot) })).filter((button) => button.link);

/**
 * The buttons that send an event: `{ event, title }`. One of the layout is there in its states, and an event without one always.
 */
export const eventButtons = (definition, states) => (definition?.events ?? [])
  .map((event) => definition.layout?.buttons?.find((button) => button.event === event) ?? { event, title: humanName(event) })
  .filter((button) => !button.states || button.states.some((state) => states.includes(state)));

// MARK: Choices

/** The symbol or colour that the state or a field chooses; null when it has no case. */
function chosen(choice, snapshot) {
  const values = choice.field === undefined ? statesOf(snapshot) : [snapshot.content?.[choice.field]];
  const found = values.find((value) => Object.hasOwn(choice.cases, value));
  return found === undefined ? null : choice.cases[found];
}

// MARK: Regions

/** One element of a layout as it is drawn at a moment, with its `tint` and `link` if it has some; null when there is nothing to draw. */
export function drawn(element, snapshot, at, locale, layout = {}) {
  const thing = plain(element, snapshot, at, locale, layout);
  if (thing === null) return null;
  const colourFor = (tint) => (tint === "island" ? tintOf(layout, snapshot) : colourOf(tint));
  const colour = colourFor(element.tint), circle = element.circle && (colourFor(element.circle) ?? "#8e8e93");
  const link = linkOf(element.link, snapshot);
  return { ...thing, ...(colour && { tint: colour }), ...(circle && { circle }), ...(link && { link }), ...(element.lines && { lines: element.lines }) };
}

function plain(element, snapshot, at, locale, layout) {
  const value = snapshot.content?.[element.field];
  switch (element.draw) {
    case "symbol": return { draw: "symbol", name: (element.cases && chosen(element, snapshot)) ?? element.name };
    case "clock": return clockOf(value, at, element.in === "minutes" ? locale : null);
    case "bar": return element.of ? levelOf(value, element.of) : barOf(value, at);
    case "steps": return stepsOf(value, element.of);
    case "row": return { draw: "row", cells: element.cells.map((cell) => all(layout, cell, snapshot, at, locale)), ...(element.fit && { fit: element.fit }) };
    default: return { draw: element.draw, text: joined(element.parts, snapshot, locale), ...levelIn(element.parts, snapshot), ...(element.transition && { transition: element.transition }) };
  }
}

const all = (layout, elements, snapshot, at, locale) =>
  (elements ?? []).map((element) => drawn(element, snapshot, at, locale, layout)).filter((thing) => thing !== null);

const orSymbol = (elements, layout) =>
  elements?.length ? elements : [{ draw: "symbol", name: layout.symbol ?? "gearshape" }];

/** What each place of the island shows at a moment, and the outlook of the whole. */
export function island(layout, snapshot, at, locale) {
  const see = (elements) => all(layout, elements, snapshot, at, locale);
  const region = (position) => {
    const found = (layout.expanded ?? []).find((place) => place.position === position);
    const link = linkOf(found?.link, snapshot);
    return { priority: found?.priority ?? 0, elements: see(found?.elements), align: found?.align ?? null, ...(link && { link }) };
  };
  return {
    tint: tintOf(layout, snapshot),
    leading: see(orSymbol(layout.compactLeading, layout)),
    trailing: see(layout.compactTrailing),
    minimal: see(orSymbol(layout.minimal, layout)),
    expanded: {
      leading: region("leading"), trailing: region("trailing"), center: region("center"), bottom: region("bottom"),
    },
  };
}

/** What the Lock Screen shows at a moment: a row of symbols, texts and clocks, and bars below. */
export function lockCard(layout, snapshot, at, locale) {
  const lock = layout.lock ?? {};
  const see = (elements) => all(layout, elements, snapshot, at, locale);
  const card = {
    tint: tintOf(layout, snapshot), link: linkOf(lock.link, snapshot), symbols: see(lock.symbols), texts: see(lock.texts), clocks: see(lock.clocks), bars: see(lock.bars),
    outdated: snapshot.phase === "stale", heard: snapshot.phase === "stale" ? snapshot.heard ?? null : null, ended: snapshot.phase === "ended",
  };
  const empty = !["symbols", "texts", "clocks", "bars"].some((part) => lock[part]?.length);
  if (empty) card.texts = [{ draw: "title", text: deviceName(snapshot) }];
  return card;
}

// All elements of a layout, in the order in which they matter: the Lock Screen, then the open island; those in rows by themselves.
function elementsOf(layout) {
  const { texts, clocks, bars } = layout?.lock ?? {};
  const regions = ["center", "leading", "trailing", "bottom"].flatMap((position) => (layout?.expanded ?? []).filter((region) => region.position === position));
  return [...(texts ?? []), ...(clocks ?? []), ...(bars ?? []), ...regions.flatMap((region) => region.elements ?? [])];
}

/**
 * What the texts of a layout say, for a card that has the status and the name of its device in places of their own: `lines` without those and the
 * other words that it `shows` already, and the `named` fields and attributes that are drawn, which need no label of their own.
 */
export function cardTexts(layout, snapshot, shows, locale) {
  const without = { ...snapshot, content: { ...snapshot.content, status: undefined } };
  const parts = (element) => (element.draw === "row" ? element.cells.flat().flatMap(parts) : element.parts ?? []);
  const words = (element) => (element.draw === "row" ? element.cells.flat().map(words).filter(Boolean).join(" ") : element.parts ? joined(element.parts, without, locale) : "");
  const named = new Set(), lines = [], said = shows.filter(Boolean).map((one) => one.toLowerCase());
  for (const element of elementsOf(layout)) {
    if (element.of) named.add(element.field);
    for (const { field, attribute } of parts(element)) if (field ?? attribute) named.add(field ?? attribute);
    const line = words(element), plain = line.toLowerCase();
    if (!line || !parts(element).some((part) => hasValue(part, without)) || said.some((other) => other.includes(plain))) continue;
    lines.push(line);
    said.push(plain);
  }
  return { lines, named };
}

const hasValue = (part, snapshot) => ("attribute" in part ? snapshot.attributes?.[part.attribute] : snapshot.content?.[part.field]) != null;

/** The first number that a layout draws as a bar or in steps, from 0 to 1; null for none. */
export function levelIsAt(layout, snapshot) {
  const levels = elementsOf(layout).filter((element) => element.of).map((element) => levelOf(snapshot.content?.[element.field], element.of));
  return levels.find((level) => level !== null)?.progress ?? null;
}

/** The colour of a layout, which the state or a field of an activity may choose; null for none. */
export const tintOf = (layout, snapshot) =>
  colourOf((snapshot && layout.tints && chosen(layout.tints, snapshot)) ?? layout.tint);

const colourOf = (text) => (/^#[0-9a-f]{6}$/i.test(text ?? "") ? text : null);

// MARK: Which activities are seen where

/** When a run began, in Unix seconds: the last level of its id. */
export const startOf = (snapshot) => Number(snapshot.id.slice(snapshot.id.lastIndexOf("/") + 1)) || 0;

/**
 * Where iOS shows activities, given as `{ snapshot, relevance }`: at most two in the island, and all of them on the
 * Lock Screen. The greatest relevance comes first, and among equals whichever started first. An ended activity leaves
 * the island at once and stays on the Lock Screen until it is dismissed.
 *
 * Each answer has `why`: `only`, `relevance` or `start` for those in the island, `ended` or `full` for those outside.
 */
export function places(activities) {
  const relevance = (activity) => activity.relevance ?? PLAIN_RELEVANCE;
  const lock = [...activities].sort((one, other) =>
    relevance(other) - relevance(one) || startOf(one.snapshot) - startOf(other.snapshot)
      || (one.snapshot.id < other.snapshot.id ? -1 : 1));
  const running = lock.filter((activity) => activity.snapshot.phase !== "ended");
  const inside = running.slice(0, ISLAND_PLACES).map((activity, index) => {
    const next = running[index + 1];
    const why = running.length === 1 ? "only" : !next ? "last" : relevance(activity) > relevance(next) ? "relevance" : "start";
    return { activity, why };
  });
  const outside = lock.filter((activity) => !inside.some((place) => place.activity === activity))
    .map((activity) => ({ activity, why: activity.snapshot.phase === "ended" ? "ended" : "full" }));
  return { island: inside, outside, lock };
}

// MARK: Alerts

export const statesOf = (snapshot) => (snapshot?.state ?? "").split(",").map((state) => state.trim());

/** The alert with which iOS shows that an activity starts: its name, and its status. */
export const startAlert = (snapshot, definition) => ({ title: nameOf(snapshot), body: statusOf(snapshot, definition) });

/** The first alert of a definition, as far as it is known without the bridge: a template that computes something stays open. */
export function exampleAlert(snapshot, definition) {
  const alert = definition?.alerts?.[0];
  if (!alert) return startAlert(snapshot, definition);
  const title = definition.machine?.states.find((state) => state.name === alert.state)?.title;
  const known = { ...snapshot.attributes, ...snapshot.content, device: deviceName(snapshot), "device.name": nameOf(snapshot) };
  if (title && !title.includes("{")) known["state.title"] = title;
  const filled = (template) => (template ?? "").replaceAll(/\{\s*([^{}]*?)\s*\}/g, (_, name) => (["string", "number"].includes(typeof known[name]) ? String(known[name]) : "…"));
  return { title: filled(alert.title), body: filled(alert.body) };
}

// MARK: Samples

const SAMPLE_WORDS = { file: "cube.3mf", program: "Cotton" };
const SAMPLE_LENGTHS = [3600, 5400, 900, 12600, 2400];

/** An activity made up for a definition, in the middle of its run. `index` makes samples differ. */
export function sample(definition, at, index = 0) {
  const { kind } = definition, states = definition.machine?.states ?? [];
  const running = new Set(definition.starts ?? []);
  for (const state of states) if (running.has(state.parent)) running.add(state.name);
  const titled = states.filter((state) => state.title);
  const state = titled.find((one) => running.has(one.name)) ?? titled[0];
  // What stands in braces depends on the device.
  const title = state?.title?.replaceAll(/\{[^{}]*\}/g, "…");
  const status = title ?? state?.name ?? words(kind), name = definition.name ?? words(kind);
  const length = SAMPLE_LENGTHS[index % SAMPLE_LENGTHS.length];
  const start = Math.floor(at - length * (0.35 + 0.1 * (index % 4)));
  const value = (field) => {
    switch (field.type) {
      case "int": return 42;
      case "double": return 21.5;
      case "bool": return true;
      case "timestamp": return start + length;
      case "duration": return length;
      case "time": return { start, end: start + length };
      default: return SAMPLE_WORDS[field.name] ?? (/^(name|device)$/.test(field.name) ? name : status);
    }
  };
  const fill = (fields) => Object.fromEntries((fields ?? []).map((field) => [field.name, value(field)]));
  return {
    id: `${kind}/${kind}/${start}`, rev: 1, epoch: 0, at, phase: "active", state: state?.name ?? definition.initial ?? "",
    attributes: fill(definition.attributes), content: fill(definition.fields),
  };
}

/** A kind in words: `washer-plug` as `Washer plug`. */
export function words(kind) {
  const text = kind.replaceAll(/[-_]/g, " ");
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
