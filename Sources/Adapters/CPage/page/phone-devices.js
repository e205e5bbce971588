// The devices around what they show: drawn phones and a drawn watch. All of it is decoration for those who see it.
import { el, say, svg } from "./dom.js";
import { symbol } from "./symbols.js";
import { everySecond, locale } from "./time.js";

const format = (options, at) => new Intl.DateTimeFormat(locale(), options).format(new Date(at * 1000));

/** The time of day as a status bar has it, without the words for halves of the day. */
function time(at) {
  const parts = new Intl.DateTimeFormat(locale(), { hour: "numeric", minute: "2-digit" }).formatToParts(new Date(at * 1000));
  return parts.filter((part) => part.type !== "dayPeriod").map((part) => part.value).join("").trim();
}

function signals() {
  const bar = (x, height) => svg("rect", { x, y: 12 - height, width: 3.2, height, rx: 1 });
  return el("span", { class: "status-signals" },
    svg("svg", { viewBox: "0 0 19 12", width: 19, height: 12, fill: "currentColor" }, bar(0, 4), bar(5.1, 6.2), bar(10.2, 9), bar(15.3, 12)),
    svg("svg", { viewBox: "0 0 17 12", width: 17, height: 12, fill: "currentColor" },
      svg("path", { d: "M8.5 2.4c2.3 0 4.4.9 6 2.4l1.2-1.2A10.3 10.3 0 0 0 8.5.7 10.3 10.3 0 0 0 1.3 3.6L2.5 4.8a8.7 8.7 0 0 1 6-2.4z" }),
      svg("path", { d: "M8.5 6.3c1.3 0 2.5.5 3.4 1.3l1.2-1.2a6.7 6.7 0 0 0-9.2 0l1.2 1.2a5 5 0 0 1 3.4-1.3z" }),
      svg("path", { d: "M8.5 9.9l-2 0 2 2 2-2a2.9 2.9 0 0 0-4 0z" })),
    svg("svg", { viewBox: "0 0 27 13", width: 27, height: 13, fill: "none" },
      svg("rect", { x: 0.5, y: 0.5, width: 23, height: 12, rx: 3.8, stroke: "currentColor", "stroke-opacity": 0.4 }),
      svg("path", { d: "M25 4.5v4c.8-.3 1.4-1.1 1.4-2s-.6-1.7-1.4-2z", fill: "currentColor", "fill-opacity": 0.45 }),
      svg("rect", { x: 2, y: 2, width: 18, height: 9, rx: 2.5, fill: "currentColor" })));
}

function frame(kind, inside) {
  const keys = kind === "portrait" ? ["action", "up", "down", "power"] : [];
  return el("div", { class: `device ${kind}` },
    el("div", { class: "device-body" }, keys.map((name) => el("i", { class: `device-key ${name}` })), el("div", { class: "device-screen" }, inside)));
}

/** A phone held upright. */
export const portrait = (screen, island = el("div", { class: "island-camera" })) => {
  return frame("portrait", [screen, island]);
};

/** A phone that lies on its side, on its stand. */
export const landscape = (screen) => frame("landscape", [screen, el("div", { class: "island-camera" })]);

const APPS = [
  ["envelope", "#1d9bf6", "#0a5fd8"], ["calendar", "#ff6b5e", "#d92f3a"], ["camera", "#8e9aa6", "#4d5965"], ["map", "#4cc38a", "#1f8a63"],
  ["house", "#ffb340", "#f07c1b"], ["bolt.car", "#6d86ab", "#2c3d58"], ["lightbulb", "#ffd95a", "#f2a51f"], ["music.note", "#ff5b8a", "#d4245e"],
  ["cart", "#5dd39e", "#178f66"], ["thermometer.medium", "#58b7ff", "#3563e9"], ["book", "#ff9a56", "#e85d24"], ["gearshape", "#9aa3ad", "#59616b"],
];
const DOCK = [["phone", "#5fe07f", "#1fae4a"], ["paperplane", "#45b6ff", "#1273ea"], ["bubble.left", "#64e37c", "#20b24b"], ["leaf", "#7ad7c1", "#178a7a"]];

function app([name, top, bottom]) {
  return el("span", { class: "home-app", style: { "--top": top, "--bottom": bottom } }, symbol(name));
}

/** The Home Screen, with the time in its status bar. */
export function homeScreen(now) {
  const clock = el("span", { class: "status-time" }), weekday = el("b"), day = el("span");
  const node = el("div", { class: "home-screen", "aria-hidden": "true" },
    el("div", { class: "status-bar" }, clock, signals()),
    el("div", { class: "home-apps" },
      el("div", { class: "home-widget date" }, weekday, day),
      el("div", { class: "home-widget rings" }, symbol("sun.max"), el("i"), el("i"), el("i")),
      APPS.map(app)),
    el("div", { class: "home-pages" }, el("i", { class: "on" }), el("i"), el("i")),
    el("div", { class: "home-dock" }, DOCK.map(app)), el("i", { class: "home-bar" }));
  everySecond(node, () => {
    say(clock, time(now()));
    say(weekday, format({ weekday: "long" }, now()));
    say(day, format({ day: "numeric" }, now()).replace(/\D/g, ""));
  });
  return node;
}

/** The Lock Screen with its cards. */
export function lockScreen(now, cards) {
  const clock = el("b"), date = el("span");
  const decoration = { "aria-hidden": "true" };
  const node = el("div", { class: "lock-screen" },
    el("div", { class: "status-bar", ...decoration }, el("span", { class: "status-time" }), signals()),
    el("div", { class: "lock-time", ...decoration }, symbol("lock"), date, clock),
    cards,
    el("div", { class: "lock-keys", ...decoration }, el("i", {}, symbol("flashlight.off.fill")), el("i", {}, symbol("camera"))),
    el("i", { class: "home-bar", ...decoration }));
  everySecond(node, () => {
    say(clock, time(now()));
    say(date, format({ weekday: "long", day: "numeric", month: "long" }, now()));
  });
  return node;
}

/** A watch with its Smart Stack. */
export function watch(now, cards, alert) {
  const clock = el("b"), date = el("span");
  const node = el("div", { class: "device watch" },
    el("div", { class: "watch-body" },
      el("i", { class: "watch-band top" }), el("i", { class: "watch-band bottom" }), el("i", { class: "watch-crown" }), el("i", { class: "side-key" }),
      el("div", { class: "watch-case" }, el("div", { class: "watch-screen" },
        el("div", { class: "watch-time", "aria-hidden": "true" }, date, clock), cards, alert))));
  everySecond(node, () => {
    say(clock, time(now()));
    say(date, format({ weekday: "short", day: "numeric" }, now()));
  });
  return node;
}
