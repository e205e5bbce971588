// The page on a wall tablet: it stays awake, moves slowly so that nothing burns in, and shows the time.
import { el, put } from "./dom.js";
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
  turnPages();
  stayAwake();
  document.addEventListener("visibilitychange", () => document.hidden || stayAwake());
  let still = null;
  document.addEventListener("pointermove", () => {
    document.documentElement.classList.add("touched");
    clearTimeout(still);
    still = setTimeout(() => document.documentElement.classList.remove("touched"), 4000);
  });
}

/** How long a page of cards is shown, in milliseconds. */
const TURN = 12000;

// Cards that do not fit on the screen take turns with those before them.
function turnPages() {
  const dots = el("div", { class: "wall-pages", "aria-hidden": "true" });
  document.body.append(dots);
  let page = 0, due = null;
  const arrange = () => {
    due = null;
    const cards = [...document.querySelectorAll(".cards > *")];
    for (const card of cards) card.classList.remove("is-turned");
    const limit = innerHeight - 2.5 * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const fit = cards.findIndex((card) => card.getBoundingClientRect().bottom + scrollY > limit);
    const size = fit < 0 ? cards.length : Math.max(1, fit), pages = Math.max(1, Math.ceil(cards.length / Math.max(1, size)));
    page %= pages;
    cards.forEach((card, index) => card.classList.toggle("is-turned", Math.floor(index / size) !== page));
    put(dots, pages > 1 && Array.from({ length: pages }, (_, index) => el("i", { class: index === page ? "is-shown" : null })));
  };
  const soon = () => { due ??= setTimeout(arrange, 300); };
  new MutationObserver((changes) => changes.some(({ target }) => target.classList?.contains("cards") || target.id === "main") && soon()).observe(document.getElementById("main"), { childList: true, subtree: true });
  addEventListener("resize", soon);
  setInterval(() => { page += 1; arrange(); }, TURN);
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
