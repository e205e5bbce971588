// What people want to know of a device: why it is as it is and what comes next, and how long its last runs took.
import { el, put } from "./dom.js";
import { length, timeOfDay } from "./time.js";
import { nextSentences, sinceSentences } from "./why.js";
import { t } from "./texts.js";
import "./texts-views.js";

/** How many runs are read, and how many of them are shown. */
const LIMIT = { read: 30, shown: 5 };

/** The length in the middle of all lengths; null of none. */
export function median(lengths) {
  if (!lengths.length) return null;
  const sorted = [...lengths].sort((one, other) => one - other), middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

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
  const { runs } = await api("GET", `/v1/runs?kind=${encodeURIComponent(kind)}&device=${encodeURIComponent(device)}&limit=${LIMIT.read}`);
  const ended = runs.filter((run) => run.ended), usual = median(ended.map((run) => run.end - run.start));
  const shown = ended.slice(0, LIMIT.shown), longest = Math.max(...shown.map((run) => run.end - run.start), usual ?? 0, 1);
  const isMore = ended.length > shown.length;
  put(body, runs.length === 0 ? el("p", { class: "soft" }, t("people.noRuns")) : el("ol", { class: "last-runs" },
    runs.filter((run) => !run.ended).map((run) => el("li", {}, el("time", {}, timeOfDay(run.start)), el("span", { class: "soft" }, t("history.running")))),
    shown.map((run) => el("li", {}, el("time", {}, timeOfDay(run.start)),
      el("span", { class: "run-bar", "aria-hidden": "true", style: { "--part": ((run.end - run.start) / longest).toFixed(3), "--usual": ((usual ?? 0) / longest).toFixed(3) } }, el("i", {})),
      el("span", { class: "run-took" }, length(run.end - run.start))))),
  runs.length > 0 && el("p", { class: "runs-foot" }, usual !== null && ended.length > 1 ? el("span", { class: "soft" }, t("people.usual", { length: length(usual) })) : null,
    isMore || ended.length > 0 ? el("a", { href: `#/history/${encodeURIComponent(kind)}/${encodeURIComponent(device)}` }, t("people.allRuns")) : null));
}
