// Why a device is in its state, and what leads out of it, as sentences. Pure: what it gets is an explanation and a definition.
import { humanName } from "./house.js";
import { eventButtons } from "./phone-layout.js";
import { length, number, timeOfDay } from "./time.js";
import { language, t } from "./texts.js";
import "./texts-views.js";

/** The most sentences about what comes next. */
const LIMIT = 6;
const COMPARED = { "==": "is", "!=": "isNot", "<": "below", ">": "above", "<=": "atMost", ">=": "atLeast" };
/** What has the same meaning with its sides exchanged. */
const EXCHANGED = { "==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<=" };

/** Cuts an expression at an operator that stands outside brackets and texts. */
function cutAt(text, operator) {
  const parts = [];
  let depth = 0, quoted = false, from = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === "\"" && text[at - 1] !== "\\") quoted = !quoted;
    if (quoted) continue;
    if ("([{".includes(letter)) depth += 1;
    if (")]}".includes(letter)) depth -= 1;
    if (depth === 0 && text.startsWith(operator, at)) {
      parts.push(text.slice(from, at));
      from = at + operator.length;
      at = from - 1;
    }
  }
  return [...parts, text.slice(from)].map((part) => part.trim());
}

/** An expression without the brackets around it, and without `default(…)` around a name. */
function bare(text) {
  const inner = text.match(/^default\(([\w.]+), [^()]*\)$/);
  if (inner) return inner[1];
  // The bracket that is open first is closed last.
  return text.startsWith("(") && cutAt(text, ")").indexOf("") === 1 ? bare(text.slice(1, -1).trim()) : text;
}

/** What the page calls a name: a fact that cards tell, or a usual name of a signal; null for others. */
const wordsOf = (name) => [`fact.${name}`, `signal.${name}`].map((key) => (t(key) === key ? null : t(key))).find(Boolean) ?? null;

/** Names as people read them: `remainingTime` is "remaining time". */
function called(name) {
  const words = wordsOf(name), human = words ?? humanName(name.replace(/^(device|context|settings)\./, ""));
  // German nouns keep their capitals.
  return words && language() === "de" ? human : human.charAt(0).toLocaleLowerCase() + human.slice(1);
}

const isFact = (name) => t(`fact.${name}`) !== `fact.${name}`;
/** Whether people can know what a name means: the page has words for it, or the name, which is English, is in their language. */
const isPlain = (name) => wordsOf(name) !== null || language() === "en";

/** A value of an expression as people read it; null for what is no value, or no word. */
function valueOf(text, { settings = {}, variables = {} }) {
  if (/^"O(N|FF)"$/.test(text)) return t(`why.${text.slice(1, -1)}`);
  if (/^".*"$/.test(text)) return /^"\p{L}[\p{L} -]*"$/u.test(text) ? t("why.quoted", { value: text.slice(1, -1) }) : null;
  if (/^-?\d+(\.\d+)?$/.test(text)) return number(Number(text), { maximumFractionDigits: 2 });
  const span = text.match(/^(seconds|minutes|hours|days)\((\d+(?:\.\d+)?)\)$/);
  if (span) return length(span[2] * { seconds: 1, minutes: 60, hours: 3600, days: 86400 }[span[1]]);
  const [, place, name] = text.match(/^(settings|context)\.(\w+)$/) ?? [];
  const value = place && (place === "settings" ? settings : variables)[name];
  if (typeof value === "number") return number(value, { maximumFractionDigits: 2 });
  return typeof value === "string" && value !== "" ? t("why.quoted", { value }) : null;
}

const joined = (words, key) => words.reduce((one, other) => t(key, { one, other }));

/**
 * A guard in words; null if it says something that has no plain words, and an empty text if all of it goes without saying. With `signals`,
 * it is about what they are now: of alternatives, only the one that holds.
 */
export function guardWords(guard, explanation, signals = null) {
  const alternatives = cutAt(bare(guard), "||").map(bare);
  const holding = signals && alternatives.find((one) => cutAt(one, "&&").every((clause) => holdsNow(bare(clause), signals)));
  const any = holding ? [holding] : alternatives;
  if (any.length > 1) {
    const words = any.map((one) => guardWords(one, explanation, signals));
    return any.length > 3 || words.some((one) => !one) ? null : joined(words, "why.or");
  }
  const clauses = cutAt(any[0], "&&").map(bare), all = clauses.filter((one) => !isSaidBy(one, clauses));
  if (alternatives.length > 1 || clauses.length > 1) {
    const words = all.map((one) => guardWords(one, explanation, signals));
    const said = words.filter((one) => one !== "");
    return said.length > 3 || said.includes(null) ? null : said.length ? joined(said, "why.and") : "";
  }
  return clauseWords(all[0], explanation, signals);
}

/** Whether a clause says that a name is not something, and another one what it is. */
function isSaidBy(clause, others) {
  const name = clause.match(/^([\w.]+) != /)?.[1];
  return name !== undefined && others.some((one) => one.startsWith(`${name} == `));
}

/** Whether a clause that compares a signal with a value holds for the signals now; null for any other clause. */
function holdsNow(clause, signals) {
  const [, name, operator, value] = clause.match(/^(\w+) (==|in) (.+)$/) ?? [];
  if (!name || !(name in signals)) return null;
  const values = operator === "in" ? value.match(/^\[(.*)\]$/)?.[1] : value;
  return values === undefined ? null : cutAt(values, ",").includes(JSON.stringify(signals[name]));
}

function clauseWords(clause, explanation, signals) {
  // What state the device is in, and whether it can be reached, stands above these sentences.
  if (/^!?inState\("\w+"\)$/.test(clause) || /^!?device\.available$/.test(bare(clause.replace(/^!/, "")))) return "";
  const known = clause.match(/^has\(([\w.]+)\)$/);
  if (known) return isPlain(known[1]) ? t("why.known", { name: called(known[1]) }) : null;
  const list = clause.match(/^([\w.]+) in \[(.*)\]$/);
  if (list) {
    const now = signals && holdsNow(clause, signals) ? [JSON.stringify(signals[list[1]])] : cutAt(list[2], ",");
    const values = now.map((one) => valueOf(one, explanation));
    return values.includes(null) || !isPlain(list[1]) || isCode(list[1], now[0]) ? null : t("why.is", { name: called(list[1]), value: joined(values, "why.or") });
  }
  for (const operator of ["==", "!=", "<=", ">=", "<", ">"]) {
    const sides = cutAt(clause, operator).map(bare);
    if (sides.length === 2) return comparedWords(sides, operator, explanation);
  }
  // A flag of one word, such as `own` or `old`, says something to its author only.
  const flag = clause.match(/^(!?)([a-z]+[A-Z]\w*)$/);
  return flag && isPlain(flag[2]) ? t(flag[1] ? "why.no" : "why.yes", { name: called(flag[2]) }) : null;
}

/** Whether a value is a number that stands for something else. */
const isCode = (name, value) => /^-?\d/.test(value) && !isFact(name);

function comparedWords([left, right], operator, explanation) {
  const isName = (text) => /^[a-z]\w*$/i.test(text) || /^device\.\w+$/.test(text);
  if (!isName(left)) return isName(right) && valueOf(left, explanation) !== null ? comparedWords([right, left], EXCHANGED[operator], explanation) : null;
  const value = valueOf(right, explanation);
  // That it is not something says little: of what people know, it goes without saying; not so that it is there at all.
  if (operator === "!=" && right.startsWith("\"")) return isFact(left) && right !== "\"\"" ? "" : null;
  return value === null || !isPlain(left) || (/[=!]=/.test(operator) && isCode(left, right)) ? null : t(`why.${COMPARED[operator]}`, { name: called(left), value });
}

const keyOf = (one) => [one.in, one.to, one.on ?? one.after ?? one.for ?? one.quiet ?? one.at ?? one.past, one.guard].join("\0");

/** What a transition says of itself: `{ key, values, due }`, without its title; null for what is for authors. */
function sentence(one, waits, explanation) {
  const due = waits.get(keyOf(one))?.due ?? null, at = due === null ? null : timeOfDay(due);
  const reason = one.guard ? guardWords(one.guard, explanation) : "";
  if (one.on) {
    const timer = explanation.timers?.find((timer) => timer.raises === one.on && timer.state === "running" && timer.end > explanation.at);
    if (timer && !one.guard) return { key: "why.over", values: { at: timeOfDay(timer.end) }, due: timer.end };
    // With a guard, sending it alone may do nothing.
    const button = explanation.buttons.find(({ event }) => event === one.on);
    return button && !one.guard ? { key: "why.sent", values: { event: button.title }, due: null } : null;
  }
  if (reason === null) return null;
  if (one.quiet !== undefined) return at && one.holds !== false ? { key: "why.quiet", values: { at }, due } : null;
  if (one.after !== undefined || one.at !== undefined || one.past !== undefined) {
    const key = reason ? (one.holds === false ? "why.then" : "why.holds") : "why.after";
    return at ? { key, values: { at, reason }, due } : null;
  }
  if (one.for !== undefined) {
    if (at && one.holds) return reason ? { key: "why.holds", values: { at, reason }, due } : { key: "why.after", values: { at }, due };
    return reason ? { key: "why.whenFor", values: { reason, time: typeof one.for === "number" ? length(one.for) : one.for }, due: null } : null;
  }
  return reason ? { key: "why.when", values: { reason }, due: null } : null;
}

/**
 * What leads out of the state of a device: sentences as `{ key, values }`, of which `title` is the state that comes, those with a moment
 * first. States to which only a condition without plain words leads come last, in one sentence.
 */
export function nextSentences(explanation, definition, titleOf) {
  const waits = new Map((explanation.waits ?? []).map((wait) => [keyOf(wait), wait])), asked = { ...explanation, buttons: eventButtons(definition, (explanation.states ?? []).map(({ name }) => name)) };
  const said = new Map(), others = new Set(), here = explanation.states?.at(-1)?.name;
  // Back to where it was: the state in which it begins stands for it.
  const history = new Map(definition.machine.states.filter((state) => state.type === "history" && state.initial).map((state) => [state.name, state.initial]));
  for (const one of explanation.transitions ?? []) {
    if (!one.to || one.to === here) continue;
    const title = titleOf(history.get(one.to) ?? one.to), words = sentence(one, waits, asked);
    if (!words) others.add(title);
    else if (!said.has(title) || (words.due ?? Infinity) < (said.get(title).due ?? Infinity)) said.set(title, words);
  }
  const sentences = [...said].map(([title, { key, values, due }]) => ({ key, values: { ...values, title }, due }));
  sentences.sort((one, other) => (one.due === other.due ? 0 : (one.due ?? Infinity) - (other.due ?? Infinity)));
  const rest = [...others].filter((title) => !said.has(title));
  return [...sentences.slice(0, LIMIT), ...(rest.length ? [{ key: "why.other", values: { title: rest.join(", ") } }] : [])];
}

/**
 * What happens by itself after a moment and means something to people, as `{ at, what }`: what phones will show, or a change of state. That
 * nothing was heard for long is no part of it. Null for nothing.
 */
export function comesNext(explanation, at, titleOf) {
  const { timeline, timers = [], waits = [], events = [], transitions = [], states } = explanation, here = states?.at(-1)?.name;
  const silences = waits.filter((wait) => wait.quiet !== undefined).map((wait) => wait.due);
  const ways = new Map(transitions.filter((one) => one.on && one.to && !one.guard).map((one) => [one.on, one.to]));
  const holds = new Map(transitions.map((one) => [keyOf(one), one.holds]));
  const moves = [
    ...waits.filter((wait) => wait.quiet === undefined && !wait.lapsed && holds.get(keyOf(wait)) !== false).map(({ due, to }) => ({ at: due, to })),
    ...timers.filter((timer) => timer.state === "running" && ways.has(timer.raises)).map(({ end, raises }) => ({ at: end, to: ways.get(raises) })),
    ...events.filter((event) => ways.has(event.name)).map(({ due, name }) => ({ at: due, to: ways.get(name) })),
  ].filter((move) => move.to && move.to !== here).map((move) => ({ at: move.at, what: titleOf(move.to) }));
  const shown = (timeline?.entries ?? []).filter((entry) => entry.state && entry.state !== here && !silences.some((due) => Math.abs(due - entry.date) < 1))
    .map(({ date, content, state }) => ({ at: date, what: typeof content?.status === "string" ? content.status : titleOf(state) }));
  // The words that phones will show come before those of the change itself.
  return [...shown, ...moves].filter((one) => one.at > at).sort((one, other) => (Math.abs(one.at - other.at) < 1 ? 0 : one.at - other.at))[0] ?? null;
}

/** Why the device is in its state: sentences as above, the last of which tells the reason if it has plain words. */
export function sinceSentences(explanation, definition, moves, titleOf) {
  const last = moves.at(-1);
  if (!last) return [];
  const title = titleOf(last.to), time = timeOfDay(last.at);
  if (!last.from) return [{ key: "why.sinceFirst", values: { title, time } }];
  const before = titleOf(last.through?.at(-1) ?? last.from);
  const parents = new Map(definition.machine.states.map((state) => [state.name, state.parent]));
  const inner = (state) => {
    const names = [];
    for (const leaf of String(state).split(",")) for (let name = leaf.trim(); name; name = parents.get(name)) names.push(name);
    return names;
  };
  const [from, to] = [inner(last.through?.at(-1) ?? last.from), inner(last.to)];
  const ways = definition.machine.transitions.filter((one) => from.includes(one.from) && one.to.some((name) => to.includes(name) && !from.includes(name)));
  const [way] = ways, reason = ways.length === 1 && way.guard && ["always", "for"].includes(way.trigger) ? guardWords(way.guard, explanation, explanation.signals ?? {}) : null;
  return [{ key: "why.since", values: { title, time, before } }, ...(reason ? [{ key: "why.reason", values: { reason } }] : [])];
}
