// What is kept in this browser for when the bridge does not answer: the files of the page, and what it showed last. Only where the connection
// is secure, as browsers have it; over plain http there is neither.
const base = new URL("./", location.href).href, name = `skerry.state ${base}`, address = new URL("state", base).href;
/** How long after a change the state is kept, in milliseconds. */
const PAUSE = 10000;
/** Those who see more than one device, and of whose right nothing is known to have ended. */
const KEEPERS = ["viewer", "member", "local", "admin"];

// In a frame of Home Assistant, the address is another one each time.
const isPossible = "caches" in globalThis && top === self;

/** Keeps what the page shows, from now on. */
export function keepUp(model, context) {
  if (!isPossible) return;
  let waiting = null;
  const keep = async () => {
    clearTimeout(waiting);
    waiting = null;
    const { session } = context, { image } = model;
    if (!image || !KEEPERS.includes(session?.role)) return;
    try {
      await (await caches.open(name)).put(address, new Response(JSON.stringify({ session, image })));
    } catch { /* the browser has no room: there is nothing to show then */ }
  };
  model.subscribe(({ type }) => {
    if (type !== "link") waiting ??= setTimeout(keep, PAUSE);
    else if (model.link.state === "lost") keep();
    else if (model.link.state === "open") navigator.serviceWorker?.controller?.postMessage("look");
  });
  document.addEventListener("visibilitychange", () => document.hidden && keep());
  navigator.serviceWorker?.register("page/worker.js", { scope: "./" }).catch(() => { /* without it, the page needs the bridge */ });
}

/** What the page showed last, with the session of that time, which may only look; null for nothing. */
export async function kept() {
  if (!isPossible) return null;
  try {
    const { session, image } = await (await (await caches.open(name)).match(address)).json();
    const may = session.may.filter((right) => ["enter", "follow", "look"].includes(right));
    return { image, session: { ...session, may, mayEdit: false, mayRename: false } };
  } catch {
    return null;
  }
}

/** Forgets what the page showed, for whoever may no longer see all of it. */
export function forgetUnless({ role }) {
  if (isPossible && !KEEPERS.includes(role)) caches.delete(name).catch(() => { /* there is none */ });
}
