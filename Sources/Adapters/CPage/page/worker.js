// Keeps the files of the page in the browser, so that it opens where the bridge does not answer. Answers of the bridge are never kept here.
const { scope } = registration, prefix = `skerry.files ${scope} `;
/** How long the bridge may take for a file that is kept, in milliseconds. */
const PATIENCE = 4000;
/** True once the page itself came from here: the rest then does, too, at once and of the same version. */
let isAway = false;

/** Keeps the files of the bridge's version, unless they are kept already, in place of those of another. */
async function keepFiles() {
  const address = new URL("page/files.json", scope), { version, files } = await (await fetch(address, { cache: "no-cache" })).json();
  const name = prefix + version, cache = await caches.open(name);
  if (!(await cache.match(scope))) {
    await cache.addAll([scope, ...files.map((file) => new URL(`page/${file}`, scope).href)].map((url) => new Request(url, { cache: "no-cache" })));
  }
  for (const other of await caches.keys()) if (other.startsWith(prefix) && other !== name) await caches.delete(other);
}

async function keptFile(url) {
  for (const name of await caches.keys()) {
    const file = name.startsWith(prefix) && (await (await caches.open(name)).match(url, { ignoreSearch: true, ignoreVary: true }));
    if (file) return file;
  }
  return null;
}

/** A file as the bridge has it; as it is kept, where the bridge does not answer. */
async function answer(request, isPage) {
  const kept = await keptFile(isPage ? scope : request.url);
  if (kept && isAway && !isPage) return kept;
  const asked = fetch(request);
  if (!kept) return asked;
  try {
    const late = new Promise((_, refuse) => setTimeout(() => refuse(new Error("late")), PATIENCE)), fresh = await Promise.race([asked, late]);
    // What a proxy says in the place of the bridge.
    if (fresh.status >= 500) throw new Error("away");
    isAway &&= !isPage;
    return fresh;
  } catch {
    asked.catch(() => { /* it has been waited for long enough */ });
    isAway ||= isPage;
    return kept;
  }
}

addEventListener("install", (event) => event.waitUntil(keepFiles().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("message", (event) => event.waitUntil(keepFiles().catch(() => { /* the next message comes when the bridge answers */ })));
addEventListener("fetch", (event) => {
  const { request } = event, path = request.url.startsWith(scope) ? request.url.slice(scope.length).split(/[?#]/)[0] : null;
  if (request.method !== "GET" || !(path === "" || path?.startsWith("page/"))) return;
  event.respondWith(answer(request, path === ""));
});
