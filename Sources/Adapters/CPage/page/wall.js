// The page on a wall tablet: it stays awake, moves slowly so that nothing burns in, and shows the time.
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { language, t } from "./texts.js";
import { clock, everySecond, locale } from "./time.js";

/** Hangs the page on the wall. */
export function hangOnWall() {
  const time = el("time", { class: "wall-time" }), day = el("p", { class: "wall-day" });
  const leave = el("a", { class: "wall-leave", href: "./", "aria-label": t("shell.leaveWall") }, icon("close"));
  document.body.prepend(el("aside", { class: "wall-clock", "aria-label": t("shell.clock") }, time, day));
  everySecond(time, (now) => {
    const date = new Date(now * 1000);
    time.textContent = date.toLocaleTimeString(locale(), { hour: "numeric", minute: "2-digit" });
    day.textContent = date.toLocaleDateString(locale(), { weekday: "long", day: "numeric", month: "long" });
    day.lang = language();
  });
  if (!isSecureContext) sayThatItSleeps();
  document.body.append(el("nav", { "aria-label": t("shell.leaveWall") }, leave));
  drift();
  setInterval(drift, 60000);
  stayAwake();
  document.addEventListener("visibilitychange", () => document.hidden || stayAwake());
  let still = null;
  document.addEventListener("pointermove", () => {
    document.documentElement.classList.add("touched");
    clearTimeout(still);
    still = setTimeout(() => document.documentElement.classList.remove("touched"), 4000);
  });
}

// A browser keeps a screen on for a page that came safely, and for no other.
function sayThatItSleeps() {
  const note = el("p", { class: "wall-note is-new" }, t("shell.wallSleeps"));
  document.body.append(el("aside", { "aria-label": t("shell.wallNote") }, note));
  setTimeout(() => note.classList.remove("is-new"), 60000);
}

// A slow loop of an hour and a bit; two speeds that never meet cover the whole field.
function drift() {
  const minutes = clock() / 60, root = document.documentElement.style;
  root.setProperty("--drift-x", `${(Math.sin(minutes / 11) * 14).toFixed(1)}px`);
  root.setProperty("--drift-y", `${(Math.sin(minutes / 7.3) * 10).toFixed(1)}px`);
}

async function stayAwake() {
  try {
    await navigator.wakeLock?.request("screen");
  } catch { /* the browser saves its battery */ }
}
