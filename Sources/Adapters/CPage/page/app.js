// The shell: routes, navigation, theme, languages, the wall, and the word about the connection.
import { api } from "./api.js";
import { el, put, say, styles, typed, typedIn } from "./dom.js";
import { arrange, clockField, statusOf } from "./house.js";
import { icon, mark } from "./icons.js";
import { forgetUnless, keepUp, kept } from "./keep.js";
import { model } from "./model.js";
import { LANGUAGES, chooseLanguage, chosenLanguage, language, t } from "./texts.js";
import "./texts-shell.js";
import { clock, length, reading, timeOfDay } from "./time.js";
import { hangOnWall } from "./wall.js";

const TABS = ["now", "phone", "history", "replay", "settings"];
const STYLED = new Set(["phone", "device", "replay", "settings"]);
const MODULES = {
  now: () => import("./now.js"), phone: () => import("./phone.js"), device: () => import("./device.js"),
  history: () => import("./history.js"), replay: () => import("./replay.js"), settings: () => import("./settings.js"),
  login: () => import("./login.js"),
};
const part = (id) => document.getElementById(id);
const main = part("main");
/** Tells the other pages of this browser that somebody signed in or out. */
const others = "BroadcastChannel" in globalThis ? new BroadcastChannel("skerry.session") : null;
const wall = document.documentElement.classList.contains("wall");
const context = { model, t, now: clock, api, go: (hash) => { location.hash = hash; }, session: null, code: null, wall, redraw, renew, may, signIn, missing, wasGuest: false };
let view = null, shown = 0, resumed = null, isAsking = false, isMissing = false, hasLeft = false;

// MARK: Routes

function wantedRoute() {
  let levels;
  try {
    levels = location.hash.replace(/^#\/?/, "").split("?")[0].split("/").map(decodeURIComponent);
  } catch {
    levels = ["now"];
  }
  let name = levels.shift();
  if (!(name in MODULES) || name === "login" || context.session.role === "guest" || !tabs().includes(name === "device" ? "now" : name)) name = "now";
  if (name === "device" && !levels[1]) name = "now";
  if (context.session.role === "none") name = "login";
  return { name, kind: levels[0], device: levels[1], levels, query: new URLSearchParams(location.hash.split("?")[1] ?? "") };
}

async function show(move = true) {
  const turn = ++shown, route = wantedRoute();
  document.body.dataset.view = route.name;
  drawHeader(route.name);
  let module;
  try {
    [module] = await Promise.all([MODULES[route.name](), STYLED.has(route.name) && styles(route.name)]);
  } catch {
    module = { open: (root) => (missing(root, t("shell.viewMissing")), { close() {} }) };
  }
  if (turn !== shown) return;
  view?.close();
  if (hasLeft) {
    // Whoever comes next has nothing to do with it.
    typed.clear();
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  }
  isMissing = hasLeft = false;
  const root = el("div", { class: `view view-${route.name}` }), place = placeOf();
  put(main, root);
  entry = history.state.entry;
  const isFirst = !view;
  view = module.open(root, route, context);
  if (!move) return isFirst || document.activeElement !== document.body || main.focus({ preventScroll: true });
  if (place) return goBackTo(place);
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
}

/** Says in the place of a view why it is not there; it is shown when the bridge answers again, or somebody asks for it. */
function missing(root, words) {
  isMissing = true;
  put(root, el("div", { class: "notice" }, el("h1", {}, words), el("button", { type: "button", onclick: () => tryAgain() }, t("shell.tryAgain"))));
}

/** Shows the view again. A browser that holds on to the failure of a file has to load the whole page. */
async function tryAgain() {
  model.hurry();
  await show(false);
  if (isMissing && model.link.state === "open") location.reload();
}

/** Shows a view that could not be shown, now that the bridge answers. */
function showMissing() {
  if (isMissing && model.link.state === "open") show(false);
}

// MARK: Places

/** How long a view has time to become as long as it was, in milliseconds. */
const PATIENCE = 4000;
/** Where people were in the entries of the browser's history, by their numbers: `{ top, href }`, the scroll position and the link with the focus. */
const places = new Map();
/** The number of the entry that is shown. */
let entry = null;
let endReturn = () => {};
history.scrollRestoration = "manual";

function placeNow() {
  return { top: scrollY, href: main.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null };
}

/** The place at which somebody was in the present entry; null for a new one, which gets a number. */
function placeOf() {
  if (history.state?.entry) return places.get(history.state.entry) ?? null;
  history.replaceState({ entry: Date.now() }, "");
  return null;
}

/** Goes back to a place as soon as the view is long enough, unless somebody goes elsewhere before. */
function goBackTo({ top, href }) {
  endReturn();
  main.focus({ preventScroll: true });
  const moves = ["wheel", "touchstart", "pointerdown", "keydown"];
  const tryIt = () => {
    scrollTo(0, top);
    const link = href && main.querySelector(`a[href="${CSS.escape(href)}"]`);
    link?.focus({ preventScroll: true });
    if (Math.abs(scrollY - top) < 2 && (link || !href)) endReturn();
  };
  const watcher = new ResizeObserver(tryIt), limit = setTimeout(() => endReturn(), PATIENCE);
  endReturn = () => {
    watcher.disconnect();
    clearTimeout(limit);
    for (const type of moves) removeEventListener(type, endReturn);
    endReturn = () => {};
  };
  for (const type of moves) addEventListener(type, endReturn, { passive: true });
  watcher.observe(main);
}

/** Draws everything again; a view that can take a change of the session keeps what somebody has written in it. */
function redraw(isSession = false) {
  document.documentElement.lang = language();
  say(part("skip"), t("shell.skip"));
  drawBanner();
  drawTitle();
  if (isSession && !hasLeft && context.session.role !== "none" && view?.takeSession?.()) return drawHeader(document.body.dataset.view);
  return show(false);
}

/** The tabs of those who may look; trying edits takes more. */
const tabs = () => TABS.filter((name) => name !== "replay" || may("author") || context.session.role === "unknown");

// MARK: Header

function drawHeader(current) {
  const shown = context.session.role === "none" ? [] : context.session.role === "guest" ? ["now"] : tabs();
  const focused = document.activeElement?.dataset?.tab;
  put(part("header"),
    el("a", { class: "home", href: "#/now", "aria-label": t("shell.home") }, mark(), el("span", { class: "wordmark" }, "Skerry")),
    shown.length ? el("nav", { "aria-label": t("shell.navigation") }, shown.map((name) => el("a", {
      href: `#/${name}`, "data-tab": name, "aria-current": name === current || (name === "now" && current === "device") ? "page" : null,
    }, icon(name, 22), el("span", {}, t(`shell.tab.${name}`))))) : null,
    el("div", { class: "tools" }, account(),
      el("button", { class: "plain round", type: "button", popovertarget: "display", "aria-label": t("shell.display"), title: t("shell.display") }, icon("display", 22))),
    displayPanel());
  if (focused) part("header").querySelector(`[data-tab="${focused}"]`)?.focus({ preventScroll: true });
}

/** Who is there: a button to sign in, or the session and how to end it. */
function account() {
  const { role, name } = context.session;
  if (["none", "guest", "unknown"].includes(role)) return null;
  if (role === "local") return el("button", { class: "quiet account", type: "button", onclick: () => signIn() }, icon("person", 18), el("span", {}, t("shell.signIn")));
  const called = name ?? t(`role.${role}`), problem = el("p", { class: "problem", role: "alert" });
  return [
    el("button", { class: "quiet account", type: "button", popovertarget: "account", "aria-label": t("shell.account", { name: called }) }, icon("person", 18), el("span", {}, called)),
    el("div", { id: "account", popover: "auto", class: "panel" },
      el("div", {}, el("p", { class: "account-name" }, called), name ? el("p", { class: "small" }, t(`role.${role}`)) : null),
      role === "admin" ? null : el("button", { type: "button", class: "quiet", onclick: () => { part("account").hidePopover(); signIn(); } }, t("shell.signInOther")),
      el("button", { type: "button", class: "quiet", onclick: () => signOut(problem) }, t("shell.signOut")), problem),
  ];
}

/** Whether the bridge grants a right to who is there. */
function may(right) { return context.session?.may?.includes(right) ?? false; }

/** Asks for a code, unless a right is there already; returns whether it is there in the end. */
async function signIn(right) {
  if (right && may(right)) return true;
  const { signIn } = await import("./login.js");
  return signIn(context, right);
}

/** Ends the session; what went wrong is said in a node. */
async function signOut(problem) {
  say(problem, "");
  try {
    await api("DELETE", "/v1/session");
  } catch (error) {
    say(problem, error.message);
    return;
  }
  part("account")?.hidePopover();
  await renew();
}

function displayPanel() {
  const theme = document.documentElement.dataset.theme ?? "system";
  const option = (value) => el("label", {}, el("input", { type: "radio", name: "theme", value, checked: theme === value, onchange: () => chooseTheme(value) }), el("span", {}, t(`shell.theme.${value}`)));
  const choice = (tag, name) => el("option", { value: tag, selected: (chosenLanguage() ?? "") === tag, lang: tag || null }, name);
  return el("div", { id: "display", popover: "auto", class: "panel" },
    el("fieldset", {}, el("legend", {}, t("shell.theme")), el("div", { class: "segments" }, ["system", "light", "dark"].map(option))),
    el("label", { class: "field" }, el("span", {}, t("shell.language")),
      el("select", { onchange: (event) => changeLanguage(event.target.value || null) },
        choice("", t("shell.languageAuto")), Object.entries(LANGUAGES).map(([tag, name]) => choice(tag, name)))),
    el("p", { class: "small" }, el("a", { href: "./?wall" }, t("shell.wall"))));
}

/** Draws everything in another language, with what was typed. */
async function changeLanguage(tag) {
  const again = typedIn(main);
  chooseLanguage(tag);
  await redraw();
  again();
  // The choice is drawn again, too, and closed: the keyboard goes on from its button.
  part("header").querySelector("[popovertarget=display]")?.focus();
}

function chooseTheme(value) {
  try { value === "system" ? localStorage.removeItem("skerry.theme") : localStorage.setItem("skerry.theme", value); } catch { /* for this visit only */ }
  if (value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = value;
}

// MARK: Connection

function drawBanner() {
  const banner = part("banner"), lost = model.link.state === "lost", noBroker = model.broker?.connected === false, isPartial = model.away.size > 0;
  document.documentElement.dataset.bridge = lost || noBroker ? "away" : model.broker ? "here" : "unknown";
  if (lost) {
    put(banner, icon("away"), el("p", {}, el("strong", {}, t("shell.lost")), " ", t("shell.asOf", { time: timeOfDay(model.link.since, true) })),
      el("button", { type: "button", onclick: () => model.hurry() }, t("shell.tryNow")));
  } else if (noBroker) {
    put(banner, icon("away"), el("p", {}, el("strong", {}, t("shell.noBroker")), model.devices.size ? ` ${t("shell.asOf", { time: timeOfDay(model.broker.since, true) })}` : null));
  } else if (isPartial) {
    put(banner, icon("away"), el("p", {}, el("strong", {}, t("shell.partial", { names: [...model.away].sort((a, b) => a - b).join(", ") }))));
  } else if (resumed) {
    put(banner, icon("check"), el("p", {}, resumed));
  }
  banner.hidden = !(lost || noBroker || isPartial || resumed) || context.session?.role === "none";
  banner.className = lost || noBroker || isPartial ? "away" : "resumed";
}

let trouble = null;
function watchConnection(change) {
  if (!["link", "broker", "snapshot", "partition"].includes(change.type)) return;
  const now = model.link.state === "lost" ? "lost" : model.broker?.connected === false ? "noBroker" : "none";
  if (now !== trouble) {
    if (now !== "none") tell(t(`shell.${now}`));
    else if (trouble) {
      resumed = t("shell.resumed", { time: timeOfDay(clock()) });
      tell(resumed);
      setTimeout(() => { resumed = null; drawBanner(); }, 6000);
    }
    trouble = model.link.state === "connecting" ? trouble : now;
  }
  drawBanner();
}

// What is held does nothing.
addEventListener("click", (event) => {
  if (!event.target.closest?.("[aria-disabled=true]")) return;
  event.preventDefault();
  event.stopPropagation();
}, true);

// MARK: Words for screen readers, and the title

let pending = [], speaking = null;
function tell(text) {
  pending.push(text);
  speaking ??= setTimeout(() => {
    put(part("news"), pending.slice(-3).map((line) => el("p", {}, line)));
    pending = [];
    speaking = null;
  }, 150);
}

let toldStates = new Map();
function tellMoves({ type, key }) {
  if (type === "snapshot") toldStates = new Map([...model.activities].map(([key, { state }]) => [key, state]));
  const snapshot = ["activity", "diff"].includes(type) && model.activities.get(key);
  if (snapshot && !model.cards.get(key)?.hidden && toldStates.get(key) !== snapshot.state) {
    toldStates.set(key, snapshot.state);
    tell(t("shell.moved", { name: model.called(key), title: statusOf(snapshot, model.known(key.split("/")[0]), model.devices.get(key)) }));
  }
  if (type === "session") renew();
}

async function drawTitle() {
  const first = arrange(model.activities, model.devices, model.relevance, model.cards).running[0];
  let title = "Skerry";
  if (first && context.session?.role !== "none") {
    const [key, snapshot] = first;
    const definition = await model.definition(key.split("/")[0]).catch(() => null);
    const field = clockField(snapshot, definition?.layout), time = field && reading(snapshot.content[field], clock());
    const state = statusOf(snapshot, definition, model.devices.get(key));
    title = `${time?.down && time.seconds > 0 ? t("shell.title", { state, length: length(time.seconds) }) : state} · Skerry`;
  }
  if (document.title !== title) document.title = title;
}

// MARK: Begin

// A guest whose run is over is told so, and not asked for a token, also after the page was loaded again.
function rememberGuest() {
  const { role } = context.session;
  try {
    if (role === "guest") sessionStorage.setItem("skerry.guest", "yes");
    else if (role !== "none") sessionStorage.removeItem("skerry.guest");
    context.wasGuest ||= sessionStorage.getItem("skerry.guest") !== null;
  } catch { /* private mode: until the page is loaded again */ }
  context.wasGuest = role === "guest" || (role === "none" && context.wasGuest);
}

async function renew() {
  try {
    const was = context.session, session = await api("GET", "/v1/session");
    forgetUnless(session);
    if (JSON.stringify(was) === JSON.stringify(session)) return;
    context.session = session;
    model.isGuest = session.role === "guest";
    model.role = session.role;
    hasLeft ||= ["viewer", "member", "admin"].includes(was?.role) && ["none", "local", "guest"].includes(session.role);
    if (was && session.role !== "none") model.forgetDefinitions();
    if (was) others?.postMessage("changed");
    rememberGuest();
  } catch {
    model.link = { state: "lost", since: model.link.since };
    await recall();
    setTimeout(renew, 5000);
  }
  if (context.session.role === "none") model.close();
  else model.open();
  await redraw(true);
}

/** Shows what was there last, where the bridge does not answer from the beginning. */
async function recall() {
  if (context.session) return;
  const was = await kept();
  context.session = was?.session ?? { role: "unknown", mayEdit: false, version: "" };
  if (was) model.restore(was.image);
}

/** Takes the code out of an address such as `#/sign-in/ACDE3467`, which nobody else is to read there. */
function takeCode() {
  const [, code] = location.hash.match(/^#\/sign-in\/([\w-]{1,20})$/) ?? [];
  if (!code) return false;
  context.code = code;
  history.replaceState(null, "", `${location.pathname}${location.search}#/now`);
  return true;
}

/** Offers to sign in with the code of the address; at the door it stands in the form already. */
async function useCode() {
  // The page that is still loading and its new address would both ask.
  if (!context.code || isAsking || context.session.role === "none") return;
  isAsking = true;
  await signIn().finally(() => { isAsking = false; });
}

// What lies below the word about the connection makes room for it.
new ResizeObserver(([{ target }]) => {
  const height = target.hidden || wall ? 0 : target.offsetHeight + 16;
  document.documentElement.style.setProperty("--banner", `${height}px`);
}).observe(part("banner"));

// The header gets a ground when something slides below it.
const noteScroll = () => document.body.classList.toggle("is-scrolled", scrollY > 40);
addEventListener("scroll", noteScroll, { passive: true });

part("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", () => {
  if (entry) places.set(entry, placeNow());
  const hasCode = takeCode();
  if (!context.session) return;
  for (const id of ["display", "account"]) part(id)?.hidePopover?.();
  show();
  if (hasCode) useCode();
});
const hurry = () => context.session?.role !== "none" && model.hurry();
addEventListener("online", hurry);
addEventListener("online", showMissing);
document.addEventListener("visibilitychange", () => document.hidden || hurry());
if (new URLSearchParams(location.search).has("guest")) {
  context.wasGuest = true;
  history.replaceState(null, "", location.pathname + location.hash);
}
model.subscribe(watchConnection);
model.subscribe(({ type }) => type === "link" && showMissing());
model.subscribe(tellMoves);
model.subscribe(drawTitle);
keepUp(model, context);
let beat = Date.now();
setInterval(() => {
  // After a sleep, the stream may be dead without knowing it.
  if (Date.now() - beat > 90000 && context.session?.role !== "none") model.open();
  beat = Date.now();
  drawTitle();
}, 15000);
if (wall) hangOnWall(context);
if (others) others.onmessage = renew;
takeCode();
renew().then(useCode);
