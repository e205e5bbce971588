// Runs as files for other programs: CSV for tables, JSON for the rest. Pure: no document, no clock.

const moment = (seconds) => (seconds === null || seconds === undefined ? "" : new Date(seconds * 1000).toISOString());

/** A cell of a table. A text that a program for tables would take for a formula gets an apostrophe. */
function cell(value) {
  const text = String(value ?? "");
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll("\"", "\"\"")}"` : safe;
}

/** Runs as a table with a line for each, the oldest first; `called` names their devices. Programs for tables know UTF-8 by the mark. */
export function asCSV(runs, called) {
  const head = ["kind", "device", "name", "start", "end", "seconds", "updates", "phases"];
  const lines = [...runs].sort((one, other) => one.start - other.start).map((run) => [
    run.kind, run.device, called(`${run.kind}/${run.device}`), moment(run.start), moment(run.end), run.end === null ? "" : Math.round(run.end - run.start), run.updates,
    (run.phases ?? []).map((phase) => `${phase.state} ${moment(phase.from)}`).join("; "),
  ]);
  return "\ufeff" + [head, ...lines].map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}

/** Runs as the bridge tells them, with the names of their devices, the oldest first. */
export function asJSON(runs, called) {
  const all = [...runs].sort((one, other) => one.start - other.start).map((run) => ({ ...run, name: called(`${run.kind}/${run.device}`) }));
  return `${JSON.stringify({ runs: all }, null, 2)}\n`;
}

/** The numbers of a run that its messages had, by name: `[{ at, value }]`; `events` are those of a replay. */
export function curves(events, from, to) {
  const found = new Map();
  const take = (name, at, value) => {
    if (typeof value !== "number" || !Number.isFinite(value)) return;
    if (!found.has(name)) found.set(name, []);
    found.get(name).push({ at, value });
  };
  for (const event of events) {
    if (event.what !== "message" || event.at < from - 1 || event.at > to + 1) continue;
    let payload = event.payload;
    try { payload = JSON.parse(payload); } catch { continue; }
    if (typeof payload === "number") take(event.topic.slice(event.topic.lastIndexOf("/") + 1), event.at, payload);
    else flatten(payload, "", 0, (name, value) => take(name, event.at, value));
  }
  // What changes says more than what stands still, and what comes often more than what comes rarely.
  const worth = (samples) => (new Set(samples.map((one) => one.value)).size > 1 ? samples.length : 0);
  return [...found].map(([name, samples]) => ({ name, samples })).filter((one) => worth(one.samples) > 1).sort((one, other) => worth(other.samples) - worth(one.samples));
}

function flatten(value, name, depth, take) {
  if (value === null || typeof value !== "object" || Array.isArray(value) || depth > 3) return;
  for (const [key, inner] of Object.entries(value)) {
    const path = name ? `${name}.${key}` : key;
    if (typeof inner === "number") take(path, inner);
    else flatten(inner, path, depth + 1, take);
  }
}

/** The first moment of the day in which a moment lies, some days later, in the reader's time zone. */
export function dayStart(at, days = 0) {
  const date = new Date(at * 1000);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime() / 1000;
}

/** The weeks that begin between two moments, by their first moments; `first` is the day with which a week begins: 1 is Monday, 7 Sunday. */
export function weekStarts(from, to, first) {
  const last = new Date((to - 1) * 1000).getDay(), starts = [];
  for (let days = -((last - first + 7) % 7); dayStart(to - 1, days) >= from; days -= 7) starts.unshift(dayStart(to - 1, days));
  return starts;
}

/** Runs by weeks that begin at some moments: for each device, the number of runs and their seconds in each week. */
export function byWeek(runs, starts, until) {
  const devices = new Map();
  for (const run of runs) {
    const week = starts.findLastIndex((start) => run.start >= start);
    if (week < 0 || run.start >= until) continue;
    const key = `${run.kind}/${run.device}`;
    if (!devices.has(key)) devices.set(key, starts.map(() => ({ count: 0, seconds: 0 })));
    const cell = devices.get(key)[week];
    cell.count += 1;
    cell.seconds += Math.max(0, (run.end ?? until) - run.start);
  }
  return devices;
}
