// The parts of the device view: each draws one aspect of an explanation and knows nothing of the others.
import { el, svg, put, say, typed } from "./dom.js";
import { humanName } from "./house.js";
import { measureText } from "./phone-layout.js";
import { clock, clockText, digits, length, locale, median, number, reading, relative, isTime, timeOfDay } from "./time.js";
import { second } from "./timeline.js";
import { told } from "./told.js";
import { nextSentences, sinceSentences } from "./why.js";
import { t } from "./texts.js";

/** How many samples of a signal are kept for its spark line, and how many lines a list shows. */
const LIMIT = { samples: 240, lines: 40 };

/** A section with a heading; `body` is where its content goes. */
export function panel(title, name, ...heads) {
  const body = el("div", { class: "part-body" });
  const node = el("section", { class: `part part-${name}`, "aria-label": title },
    el("header", { class: "part-head" }, el("h2", {}, title), ...heads), body);
  return { node, body };
}

/** Text of a value as people read it: texts without quotes, lengths and moments in words, numbers in their language with their unit, the rest as JSON. */
export function valueText(value, { type, unit } = {}) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number" && type === "duration") return lengthText(value);
  if (typeof value === "number" && type === "timestamp") return timeOfDay(value, true);
  if (typeof value === "number" && unit) return measureText(value, { unit }, locale());
  if (typeof value === "number") return number(value, { maximumFractionDigits: 6, useGrouping: Math.abs(value) >= 10000 });
  if (typeof value === "string") return value === "" ? '""' : value;
  if (isTime(value)) return timeText(value, clock());
  return JSON.stringify(value);
}

/** A length as people read it, to the second below an hour; a negative one has a sign. */
function lengthText(seconds) {
  const size = Math.abs(seconds), whole = size >= 3600 || size % 60 === 0 ? length(size) : size < 60 ? number(size, SECONDS) : `${length(Math.floor(size / 60) * 60)} ${number(size % 60, SECONDS)}`;
  return (seconds < 0 ? "−" : "") + whole;
}

const SECONDS = { style: "unit", unit: "second", unitDisplay: "short", maximumFractionDigits: 1 };

export function timeText(value, at) {
  return clockText(value, at) + (reading(value, at).paused ? ` ${t("device.standsStill")}` : "");
}

// MARK: Signals

const seen = new Map();

/** Keeps what was seen of the signals, over visits of the view: `explanation` is the newest. */
export function remember(explanation) {
  const key = `${explanation.kind}/${explanation.device}`;
  if (!seen.has(key)) seen.set(key, new Map());
  const all = seen.get(key);
  for (const [name, value] of Object.entries(explanation.signals ?? {})) {
    if (typeof value !== "number") continue;
    if (!all.has(name)) all.set(name, []);
    const samples = all.get(name);
    const { at } = explanation;
    const last = samples[samples.length - 1];
    if (last && at <= last.at) continue;
    samples.push({ at, value });
    if (samples.length > LIMIT.samples) samples.shift();
  }
}

function spark(samples) {
  const [width, height] = [88, 22];
  const values = samples.map((sample) => sample.value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [from, to] = [samples[0].at, samples[samples.length - 1].at];
  const x = (at) => 1 + ((at - from) / (to - from || 1)) * (width - 5);
  const y = (value) => (high === low ? height / 2 : height - 3 - ((value - low) / (high - low)) * (height - 6));
  let path = `M${x(from).toFixed(1)} ${y(values[0]).toFixed(1)}`;
  for (const sample of samples.slice(1)) path += `H${x(sample.at).toFixed(1)}V${y(sample.value).toFixed(1)}`;
  const last = samples[samples.length - 1];
  return svg("svg", { class: "spark", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": t("device.spark", { count: samples.length, low: number(low), high: number(high) }) },
    svg("path", { d: path }), svg("circle", { cx: x(last.at), cy: y(last.value), r: 2.2 }));
}

/** The signals with value, age and spark line; then the variables, and settings if there are some, as their definition types them. Returns a function that draws the ages as of a moment. */
export function drawSignals(body, explanation, definition, settings) {
  const { durations = [], moments = [] } = explanation;
  const typed = (name) => ({ type: durations.includes(name) ? "duration" : moments.includes(name) ? "timestamp" : null });
  const samples = seen.get(`${explanation.kind}/${explanation.device}`);
  const draws = [];
  const age = (at) => {
    if (at === undefined) return el("span", { class: "note", title: t("device.ageWhy") }, t("device.ageUnknown"));
    const node = el("span", { class: "note" });
    draws.push((now) => say(node, relative(Math.min(at, now), now)));
    return node;
  };
  const rows = Object.entries(explanation.signals ?? {}).map(([name, value]) => {
    const known = samples?.get(name);
    const isUnset = value === null || value === undefined;
    return el("tr", { class: isUnset ? "is-unset" : null }, el("th", { scope: "row" }, el("code", {}, name)),
      el("td", { class: "value" }, isUnset ? t("device.unset") : valueText(value, typed(name))),
      el("td", { class: "age" }, isUnset ? null : age(explanation.reported?.[name])),
      el("td", { class: "spark-cell" }, known?.length > 2 && !isUnset ? spark(known) : null));
  });
  const plain = (title, values, type) => {
    const entries = Object.entries(values ?? {});
    return entries.length > 0 && [el("h3", {}, title), el("table", { class: "signals" }, el("tbody", {}, entries.map(([name, value]) =>
      el("tr", {}, el("th", { scope: "row" }, el("code", {}, name)), el("td", { class: "value" }, valueText(value, type(name)))))))];
  };
  put(body,
    rows.length ? el("table", { class: "signals" }, el("tbody", {}, rows)) : el("p", { class: "soft" }, t("device.noSignals")),
    plain(t("device.variables"), explanation.variables, (name) => typed(`context.${name}`)),
    plain(t("shell.tab.settings"), settings, (name) => definition.settings?.find((one) => one.name === name) ?? {}));
  return (at) => draws.forEach((draw) => draw(at));
}

// MARK: Time

function meter(from, to, label, now) {
  const node = el("div", { class: "meter", role: "progressbar", "aria-label": label, "aria-valuemin": 0, "aria-valuemax": 100 }, el("i", {}));
  const draw = (at) => {
    const part = Math.min(1, Math.max(0, (at - from) / (to - from || 1)));
    node.style.setProperty("--part", String(part));
    node.setAttribute("aria-valuenow", Math.round(part * 100));
  };
  draw(now);
  return { node, draw };
}

/** Timers, waits and delayed events as they run. Returns a function that draws them as of a moment. */
export function drawTimes(body, explanation, titleOf) {
  const draws = [];
  const row = (name, note, words, range, isCode = false) => {
    const value = el("span", { class: "value digits" });
    const bar = range && meter(range[0], range[1], name, clock());
    draws.push((at) => {
      const text = words(at);
      if (value.textContent !== text) value.textContent = text;
      bar?.draw(at);
    });
    return el("li", { class: "time-row" }, el("span", { class: "time-name" }, isCode ? el("code", {}, name) : name), value, bar && bar.node, note && el("span", { class: "note" }, note));
  };
  const timers = (explanation.timers ?? []).filter((timer) => timer.state !== "stopped").map((timer) => {
    const range = timer.end !== undefined && timer.state !== "paused" ? [timer.start, timer.end] : null;
    const { like, of, by, tolerance } = timer.learned ?? {};
    const note = {
      running: () => timer.end && like ? t("device.endsLike", { time: timeOfDay(timer.end, true), tolerance: length(tolerance), like, of }) + (by ? ` · ${by}` : "") : timer.end && t("device.ends", { time: timeOfDay(timer.end, true), event: timer.raises ?? "" }), counting: () => t("device.countsSince", { time: timeOfDay(timer.start) }),
      paused: () => t("device.standsStill"), elapsed: () => timer.end && t("device.reachedZero", { time: timeOfDay(timer.end, true) }),
    }[timer.state]?.();
    return row(`timer.${timer.name}`, note, (at) => clockText({ ...timer, tolerance: null }, at), range, true);
  });
  const waits = (explanation.waits ?? []).map((wait) => {
    const kind = ["after", "for", "at", "past"].find((key) => wait[key] !== undefined) ?? "quiet";
    const name = t(`chart.${kind}`, { time: typeof wait[kind] === "number" ? length(wait[kind]) : wait[kind] ?? "" });
    const note = [wait.guard, wait.lapsed && t("device.lapsed", { time: second(wait.lapsed) })].filter(Boolean).join(" · ");
    const words = (at) => (wait.due ? digits(Math.max(0, wait.due - at)) : t("device.notTaken"));
    return row(`${name} → ${titleOf(wait.to)}`, note, words, wait.due ? [wait.since, wait.due] : null);
  });
  const events = (explanation.events ?? []).map((event) => row(event.name, t("device.delayed"), (at) => digits(Math.max(0, event.due - at)), null, true));
  const all = [...timers, ...waits, ...events];
  put(body, all.length ? el("ul", { class: "times" }, all) : el("p", { class: "soft" }, t("device.noTimes")));
  return (at) => draws.forEach((draw) => draw(at));
}

// MARK: Guards

/** The transitions that can be taken now, each with what its guard says. */
export function drawGuards(body, explanation, titleOf) {
  const rows = (explanation.transitions ?? []).map((one) => {
    const isOpen = one.holds === undefined;
    const isTrue = one.holds === true;
    const trigger = one.on ? t("chart.onEvent", { event: one.on }) : one.after !== undefined ? t("chart.after", { time: span(one.after) })
      : one.for !== undefined ? t("chart.for", { time: span(one.for) }) : one.quiet !== undefined ? t("chart.quiet", { time: span(one.quiet) })
      : one.at !== undefined ? t("chart.at", { time: one.at }) : one.past !== undefined ? t("chart.past", { time: one.past }) : null;
    return el("li", { class: `guard ${isOpen ? "is-open" : isTrue ? "is-true" : "is-false"}` },
      el("span", { class: "verdict", role: "img", "aria-label": t(isOpen ? "device.noGuard" : isTrue ? "device.holds" : "device.holdsNot") }, isOpen ? "→" : isTrue ? "✓" : "✕"),
      el("span", { class: "guard-words" }, el("strong", {}, one.to ? one.to.split(", ").map(titleOf).join(", ") : t("chart.stays")),
        one.guard && el("code", {}, one.guard), trigger && el("span", { class: "note" }, trigger),
        one.why && el("span", { class: "why" }, told(one.why))));
  });
  put(body, rows.length ? el("ul", { class: "guards" }, rows) : el("p", { class: "soft" }, t("device.noTransitions")));
}

const span = (value) => (typeof value === "number" ? length(value) : String(value));

// MARK: Lists of what happened

/** The journal: moves of the machine and decisions about phones, newest first. */
export function drawJournal(body, explanation, moves, titleOf) {
  const decisions = (explanation?.phones ?? []).map((one) => ({ at: one.at, kind: "phone", node: [
    el("span", { class: `tag is-${one.decision}` }, t(`push.${one.decision}`)), " ",
    el("strong", {}, one.phone || t("device.allPhones")), ` ${told(one.why)}`, one.until && el("span", { class: "note" }, ` ${t("device.until", { time: timeOfDay(one.until) })}`)] }));
  const steps = moves.map((one) => ({ at: one.at, kind: "move", node: [
    el("span", { class: "tag is-move" }, t("device.moved")), " ", one.from ? [one.from, ...(one.through ?? [])].map((state) => `${titleOf(state)} → `).join("") : "", el("strong", {}, titleOf(one.to))] }));
  const lines = [...decisions, ...steps].sort((one, other) => other.at - one.at).slice(0, LIMIT.lines);
  put(body, lines.length
    ? el("ol", { class: "journal", tabindex: "0", "aria-label": t("device.journal") }, lines.map((line) => el("li", {}, el("time", {}, timeOfDay(line.at, true)), el("span", {}, line.node))))
    : el("p", { class: "soft" }, t("device.noJournal")));
}

/** The messages of a recording with what each did; `until` leaves out what came later. */
export function drawMessages(body, events, until = Infinity) {
  const all = events.filter((event) => event.what === "message" && event.at <= until);
  const effective = all.filter((event) => event.did === "update" || event.did === "moved").length;
  const lines = all.slice(-LIMIT.lines).reverse().map((event) => el("tr", { class: `did-${event.did}` },
    el("td", {}, el("time", {}, timeOfDay(event.at, true))),
    el("td", { class: "said" }, el("code", { class: "said-topic" }, event.topic), el("code", {}, event.payload)),
    el("td", {}, el("span", { class: `tag is-${event.did}` }, t(`did.${event.did}`)), event.why && el("span", { class: "note" }, told(event.why)))));
  put(body, el("p", { class: "summary" }, t("device.messageSum", { count: number(all.length), some: number(effective) })),
    el("div", { class: "scroller", tabindex: "0", role: "group", "aria-label": t("device.messages") },
      el("table", { class: "messages" }, el("thead", {}, el("tr", {}, [t("device.when"), t("device.message"), t("device.effect")].map((text) => el("th", { scope: "col" }, text)))), el("tbody", {}, lines))));
}

/** What was published: each revision with its bytes and what it changed. */
export function drawWire(body, updates) {
  const sum = updates.reduce((all, one) => all + one.bytes, 0);
  put(body, updates.length
    ? [el("p", { class: "summary" }, t("device.wireSum", { count: number(updates.length), bytes: number(sum) })),
      el("ol", { class: "wire", tabindex: "0", "aria-label": t("device.wire") }, updates.slice(-LIMIT.lines).reverse().map((one) => el("li", {},
        el("time", {}, timeOfDay(one.at, true)), el("span", { class: "rev" }, `${t("device.rev")} ${one.rev}`),
        el("span", { class: "bytes" }, t("device.bytes", { count: number(one.bytes) })), el("code", {}, one.patch ? JSON.stringify(one.patch) : t("device.wholeSnapshot")))))]
    : el("p", { class: "soft" }, t("device.noWire")));
}

// MARK: For people

/** How many runs are read, and how many of them are shown. */
const RUNS = { read: 30, shown: 5 };

/** A sentence whose title stands out. */
function sentence({ key, values }) {
  const [before, after] = t(key, { ...values, title: "\u0000" }).split("\u0000");
  return after === undefined ? [before] : [before, el("strong", {}, values.title), after];
}

/** Why the device is in its state, and what leads out of it. */
export function drawWhy(body, explanation, definition, moves, titleOf) {
  const since = sinceSentences(explanation, definition, moves, titleOf), next = nextSentences(explanation, definition, titleOf);
  put(body, since.length > 0 && el("p", {}, since.map((one) => [sentence(one), " "])),
    next.length ? el("ul", { class: "why-next" }, next.map((one) => el("li", {}, sentence(one)))) : el("p", { class: "soft" }, t("device.noTransitions")));
}

/** The last runs of the device with their lengths, and how long one usually takes. */
export async function drawRuns(body, kind, device, api) {
  const { runs } = await api("GET", `/v1/runs?kind=${encodeURIComponent(kind)}&device=${encodeURIComponent(device)}&limit=${RUNS.read}`);
  const ended = runs.filter((run) => run.ended), usual = median(ended.map((run) => run.end - run.start));
  const shown = ended.slice(0, RUNS.shown), longest = Math.max(...shown.map((run) => run.end - run.start), usual ?? 0, 1);
  const isMore = ended.length > shown.length;
  put(body, runs.length === 0 ? el("p", { class: "soft" }, t("people.noRuns")) : el("ol", { class: "last-runs" },
    runs.filter((run) => !run.ended).map((run) => el("li", {}, el("time", {}, timeOfDay(run.start)), el("span", { class: "soft" }, t("history.running")))),
    shown.map((run) => el("li", {}, el("time", {}, timeOfDay(run.start)),
      el("span", { class: "run-bar", "aria-hidden": "true", style: { "--part": ((run.end - run.start) / longest).toFixed(3), "--usual": ((usual ?? 0) / longest).toFixed(3) } }, el("i", {})),
      el("span", { class: "run-took" }, length(run.end - run.start))))),
  runs.length > 0 && el("p", { class: "runs-foot" }, usual !== null && ended.length > 1 ? el("span", { class: "soft" }, t("people.usual", { length: length(usual) })) : null,
    isMore || ended.length > 0 ? el("a", { href: `#/history/${encodeURIComponent(kind)}/${encodeURIComponent(device)}` }, t("people.allRuns")) : null));
}

// MARK: Name and settings

const UNITS = [["d", 86400000], ["h", 3600000], ["m", 60000], ["s", 1000], ["ms", 1]];

/** What expressions call the name: no setting has a dot in its name. */
const NAME = "device.name";

/** A length of time as definitions write it: `1h30m` for 5400. */
function writtenLength(seconds) {
  let rest = Math.round(seconds * 1000), text = "";
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    if (count) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text || "0s";
}

/** A value as it stands in a field; the bridge gives a length of time in seconds. */
function written(type, value) {
  return type === "duration" ? writtenLength(value) : String(value);
}

/** A value as people read it. */
function inWords(type, value) {
  if (type === "bool") return t(value ? "card.yes" : "card.no");
  return type === "duration" ? lengthText(value) : String(value);
}

export class SettingsForm {
  /** The form of the device with a key; `save` gets the name, if it can be changed, and the settings by their names; it returns when they are in force. */
  constructor(key, settings, save) {
    /** What was written and is not saved, by setting. */
    this.drafts = typed.get(`settings ${key}`) ?? new Map();
    typed.set(`settings ${key}`, this.drafts);
    this.settings = [{ name: NAME, type: "text", text: t("device.nameWhy"), default: null }, ...settings];
    this.save = save;
    this.rows = el("div", { class: "settings-rows" });
    this.said = el("p", { class: "note", role: "status" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.button = el("button", { type: "submit", class: "main" }, t("replay.save"));
    this.node = el("form", { class: "settings-form", onsubmit: (event) => this.submit(event), oninput: () => say(this.said, "") },
      this.rows, this.problem, el("div", { class: "settings-foot" }, this.button, this.said));
  }

  /** Shows the values in force, unless somebody is changing them. */
  show({ settings, name, chosen, named, device }) {
    // Without a chosen name, the field shows the present one as what it stands for.
    if (named !== "page") this.settings[0].standsFor = name ?? humanName(device);
    const [values, origins] = [{ ...settings, [NAME]: name }, { ...chosen, [NAME]: named }];
    const key = JSON.stringify([values, origins]);
    if (key === this.key || this.isChanged()) return;
    this.key = key;
    this.fields = new Map();
    put(this.rows, this.settings.map((setting) => this.row(setting, values[setting.name], origins[setting.name])));
  }

  isChanged() {
    return [...(this.fields?.values() ?? [])].some(({ input, shown }) => input.value !== shown || input.validity.badInput);
  }

  row({ name, type, text, standsFor, ...bounds }, value, origin) {
    const words = t(`setting.${name}`), id = `setting-${name}`;
    const called = name === NAME ? t("rooms.called") : words.startsWith("setting.") ? humanName(name) : words;
    const bound = (write) => ["default", "min", "max"].map((key) => (bounds[key] === null || bounds[key] === undefined ? null : write(type, bounds[key])));
    const [standard, min, max] = bound(written), [usual, least, most] = bound(inWords);
    const hint = [text, usual !== null && t("device.default", { value: usual }), least !== null && t("device.atLeast", { value: least }), most !== null && t("device.atMost", { value: most })];
    const note = el("p", { class: "note", id: `${id}-note` }, hint.filter(Boolean).join(" · "));
    if (origin === "file") {
      return el("div", { class: "setting" }, el("p", { class: "setting-name" }, called),
        el("p", { class: "value" }, inWords(type, value)), note, el("p", { class: "note" }, t("device.inFile")));
    }
    const shown = origin === "page" ? written(type, value) : "", present = this.drafts.get(name) ?? shown;
    const common = { id, name, "aria-describedby": `${id}-note ${id}-problem` };
    const input = type === "bool"
      ? el("select", common, ["", "true", "false"].map((one) => el("option", { value: one, selected: one === present }, one ? inWords(type, one === "true") : t("device.default", { value: usual }))))
      : el("input", { ...common, ...(type === "number" ? { type: "number", step: "any", min, max } : { type: "text", spellcheck: "false", maxlength: 1024 }), autocomplete: "off", placeholder: standard ?? standsFor, value: present });
    const problem = el("p", { class: "problem", id: `${id}-problem`, role: "alert" });
    const back = el("button", { type: "button", class: "quiet", "aria-label": t("device.toDefaultOf", { name: called }), onclick: () => { input.value = ""; input.dispatchEvent(new Event("input", { bubbles: true })); input.focus(); } }, t("device.toDefault"));
    const look = () => { back.hidden = input.value === "" && !input.validity.badInput; };
    input.addEventListener("input", () => { input.value === shown ? this.drafts.delete(name) : this.drafts.set(name, input.value); look(); say(problem, ""); input.removeAttribute("aria-invalid"); });
    look();
    this.fields.set(name, { input, shown, type, problem });
    return el("div", { class: "setting" }, el("label", { for: id }, called), el("div", { class: "setting-field" }, input, back), note, problem);
  }

  async submit(event) {
    event.preventDefault();
    say(this.said, "");
    say(this.problem, "");
    const chosen = [...this.fields].filter(([, { input }]) => input.value !== "");
    const values = Object.fromEntries(chosen.map(([name, { input, type }]) => [name, type === "number" ? input.valueAsNumber : type === "bool" ? input.value === "true" : input.value]));
    try {
      const { [NAME]: name = "", ...settings } = values;
      const explanation = await this.save({ settings, name: this.fields.has(NAME) ? name.trim() : undefined });
      this.drafts.clear();
      this.fields = this.key = null;
      this.show(explanation);
      // The field with the focus is another one now.
      if (!this.node.contains(document.activeElement)) this.button.focus();
      say(this.said, t("device.saved", { time: timeOfDay(clock(), true) }));
    } catch (error) {
      const field = this.fields.get(error.problem?.path?.replace("/settings/", ""));
      say(field?.problem ?? this.problem, error.message);
      field?.input.setAttribute("aria-invalid", "true");
      field?.input.focus();
    }
  }
}
