import { api } from "./api.js";
import { el, put } from "./dom.js";
import { model } from "./model.js";
import { t } from "./texts.js";
import { clock } from "./time.js";

const VIEWS = { now: "./now.js", phone: "./phone.js", device: "./device.js", history: "./history.js", replay: "./replay.js", settings: "./settings.js" };
const main = document.getElementById("main");
let view = null;
const session = await api("GET", "/v1/session");
const context = { model, t, now: clock, api, go: (hash) => { location.hash = hash; }, session };

async function show() {
  const [name, ...levels] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  const wanted = name in VIEWS ? name : "now";
  view?.close();
  view = null;
  try {
    const module = await import(VIEWS[wanted]);
    view = module.open(put(main), { name: wanted, kind: levels[0], device: levels[1], levels }, context);
  } catch (error) {
    put(main, el("p", {}, String(error)));
  }
}
put(document.getElementById("header"), ["now", "phone", "history", "replay", "settings"].map((name) => el("a", { href: `#/${name}` }, name, " ")));
addEventListener("hashchange", show);
model.open();
show();
