// Time as the reader sees it. Nothing here asks the server: countdowns are drawn from absolute times.
import { language, t } from "./texts.js";

let base = 0, offset = 0, speed = 1;

/** Corrects this clock by the server's: `at` is the server's time now, which in a demonstration passes `rate` times faster. */
export function correct(at, rate = 1) {
  base = Date.now() / 1000;
  speed = rate;
  offset = rate === 1 && Math.abs(at - base) < 0.75 ? 0 : at - base;
}

/** The time by the server's clock, in Unix seconds. */
export const clock = () => base + offset + (Date.now() / 1000 - base) * speed;

// One ticker for all: it beats on the second while something that it draws is in sight.
// What left the document is forgotten after a few beats.
const PATIENCE = 3;
const drawn = new Map();
let timer = null;
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const item = drawn.get(entry.target);
    if (!item) continue;
    item.visible = entry.isIntersecting;
    if (item.visible) item.draw(clock());
  }
  schedule();
});

function schedule() {
  const wanted = !document.hidden && [...drawn.values()].some((item) => item.visible);
  if (wanted && timer === null) timer = setTimeout(beat, speed > 1 ? 200 : 1000 - ((clock() * 1000) % 1000) + 4);
  if (!wanted && timer !== null) timer = (clearTimeout(timer), null);
}

function beat() {
  timer = null;
  const at = clock();
  for (const [node, item] of drawn) {
    item.absent = node.isConnected ? 0 : item.absent + 1;
    if (item.absent > PATIENCE) stop(node);
    else if (item.visible) item.draw(at);
  }
  schedule();
}

function stop(node) {
  seen.unobserve(node);
  drawn.delete(node);
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) for (const item of drawn.values()) if (item.visible) item.draw(clock());
  schedule();
});

/** Calls `draw(now)` at once and each second while the node is in sight. It ends with the node, or by the returned function. */
export function everySecond(node, draw) {
  drawn.set(node, { draw, visible: true, absent: 0 });
  draw(clock());
  seen.observe(node);
  schedule();
  return () => stop(node);
}

/** A value of the content that is a time: a countdown, a count up, or one of both that is paused. */
export function isTime(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value) &&
    ("start" in value || "remaining" in value || "elapsed" in value);
}

/**
 * A time of the content at a moment: `seconds` to draw, `progress` from 0 to 1 or null, whether it runs `down`, whether it is `paused`, the seconds
 * since its end in `over`, and `estimated` for an end learned from past runs.
 */
export function reading(value, at) {
  const clamp = (x) => Math.min(1, Math.max(0, x));
  if ("remaining" in value) {
    const whole = value.duration ?? 0;
    return { seconds: value.remaining, progress: whole > 0 ? clamp(1 - value.remaining / whole) : null, down: true, paused: true, over: 0 };
  }
  if ("elapsed" in value) return { seconds: value.elapsed, progress: null, down: false, paused: true, over: 0 };
  if (value.end === undefined || value.end === null) {
    return { seconds: Math.max(0, at - value.start), progress: null, down: false, paused: false, over: 0 };
  }
  const length = value.end - value.start;
  const time = { seconds: Math.max(0, value.end - at), progress: length > 0 ? clamp((at - value.start) / length) : 1, down: true, paused: false, over: Math.max(0, at - value.end) };
  return value.tolerance === undefined || value.tolerance === null ? time : { ...time, estimated: true };
}

/** A time of the content as a clock shows it at a moment: `24:13`, and `~24:13` for an estimate. From a minute after its end on, how long ago that was: `26 min over`. */
export function clockText(value, at) {
  const { seconds, down, estimated, over } = reading(value, at);
  if (over >= 60) return overText(over);
  return (estimated ? "~" : "") + digits(seconds, down);
}

/** How long a countdown has been over, in words. */
export const overText = (over, style = "short") => t("time.over", { length: length(Math.floor(over / 60) * 60, style) });

/** Seconds as a clock shows them: `24:13`, `1:02:45`. A countdown shows each second until it is over, a count up each second that is over. */
export function digits(seconds, down = true) {
  const whole = Math.max(0, down ? Math.ceil(seconds - 0.001) : Math.floor(seconds));
  const two = (n) => String(n).padStart(2, "0");
  const h = Math.floor(whole / 3600), m = Math.floor(whole / 60) % 60, s = whole % 60;
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

const cache = new Map();
function format(Type, options) {
  const key = Type.name + language() + JSON.stringify(options);
  if (!cache.has(key)) cache.set(key, new Type(locale(), options));
  return cache.get(key);
}

/** The locale of times and numbers: the browser's own, when it speaks the page's language. */
export function locale() {
  const own = (navigator.languages ?? [navigator.language]).find((tag) => tag?.toLowerCase().startsWith(language()));
  return own ?? language();
}

/** The day with which a week begins where the reader lives: 1 is Monday, 7 Sunday. Monday where the browser does not tell. */
export function firstDay() {
  const place = new Intl.Locale(locale());
  return (place.getWeekInfo?.() ?? place.weekInfo)?.firstDay ?? 1;
}

export const number = (value, options = {}) => format(Intl.NumberFormat, options).format(value);

/** How hours are written: with one digit where the reader's clock counts to twelve. */
export const hourStyle = () => (format(Intl.DateTimeFormat, { hour: "numeric" }).resolvedOptions().hour12 ? "numeric" : "2-digit");

/** The time of day, with the day when it is another one, and the year when it is far away: `08:05`, `Tue 18:05`, `10 Mar 2025, 08:05`. */
export function timeOfDay(at, seconds = false) {
  const date = new Date(at * 1000), today = new Date(clock() * 1000);
  const options = { hour: hourStyle(), minute: "2-digit", ...(seconds ? { second: "2-digit" } : {}) };
  if (date.toDateString() !== today.toDateString()) {
    const days = Math.abs(date - today) / 86400000;
    Object.assign(options, days > 6 ? { day: "numeric", month: "short" } : { weekday: "short" }, days > 182 ? { year: "numeric" } : {});
  }
  return format(Intl.DateTimeFormat, options).format(date);
}

/** A date with its time, in full. */
export const dateAndTime = (at) =>
  format(Intl.DateTimeFormat, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(at * 1000));

/** A length in words, of two units at most: `24 min`, `1 hr 2 min`. */
export function length(seconds, style = "short") {
  const unit = (value, name) => format(Intl.NumberFormat, { style: "unit", unit: name, unitDisplay: style }).format(value);
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return unit(s, "second");
  const minutes = Math.round(s / 60);
  if (minutes < 60) return unit(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return unit(hours, "hour") + (minutes % 60 ? ` ${unit(minutes % 60, "minute")}` : "");
  const whole = Math.round(minutes / 60);
  return unit(Math.floor(whole / 24), "day") + (whole % 24 ? ` ${unit(whole % 24, "hour")}` : "");
}

/** A moment in words: `3 minutes ago`, `in 2 hours`. */
export function relative(at, from = clock()) {
  const words = format(Intl.RelativeTimeFormat, { numeric: "auto", style: "long" });
  const difference = at - from, size = Math.abs(difference);
  if (size < 45) return words.format(Math.round(difference), "second");
  if (size < 3570) return words.format(Math.round(difference / 60), "minute");
  if (size < 86400) return words.format(Math.round(difference / 3600), "hour");
  // Yesterday is a day of the calendar.
  const day = (time) => new Date(time * 1000).setHours(0, 0, 0, 0) / 864e5;
  return words.format(Math.round(day(at) - day(from)) || Math.sign(difference), "day");
}

/** The length in the middle of all lengths; null of none. */
export function median(lengths) {
  if (!lengths.length) return null;
  const sorted = [...lengths].sort((one, other) => one - other), middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
