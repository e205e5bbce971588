// What differs between two replays of the same messages. Pure: plain values in, plain values out.
import { stateTitle, statusOf } from "./house.js";
import { island, lockCard } from "./phone-layout.js";

// All that people see of an update at a moment. Definitions may say the same content in other words.
function shown({ snapshot, alert }, definition, at) {
  const layout = definition?.layout, drawn = layout ? [lockCard(layout, snapshot, at, "en"), island(layout, snapshot, at, "en")] : null;
  return JSON.stringify([definition?.name, snapshot.phase, statusOf(snapshot, definition), stateTitle(definition, snapshot.state), snapshot.content, drawn, alert?.title, alert?.body]);
}

/** The runs of a replay: `[{ id, from, to }]`, each until its end, its dismissal or the last thing that is known. */
export function runsOf(events, until) {
  const runs = new Map();
  for (const event of events) {
    if (event.what === "update") {
      const run = runs.get(event.id) ?? runs.set(event.id, { id: event.id, from: event.at, to: null, updates: 0 }).get(event.id);
      run.updates += 1;
      if (event.snapshot.phase === "ended") run.to ??= event.at;
    } else if (event.what === "dismissed" && runs.has(event.id)) {
      runs.get(event.id).to ??= event.at;
    }
  }
  return [...runs.values()].map((run) => ({ ...run, to: run.to ?? until }));
}

/**
 * Compares the events of one device before and after an edit, each with its definition, if that is known.
 *
 * `more` and `fewer` are updates that only one of the two sends; `cut` are runs that became several, `joined` several
 * that became one; `gone` and `new` runs have no counterpart; `first` is the moment of the first difference that people
 * see, with what each shows then, or null when there is none.
 */
export function compare(before, after, until, definitions = []) {
  const one = before.filter((event) => event.what === "update");
  const other = after.filter((event) => event.what === "update");
  const [runs, newRuns] = [runsOf(before, until), runsOf(after, until)];
  const overlaps = (run, others) => others.filter((each) => each.from === run.from || (each.from < run.to && run.from < each.to));
  return {
    updates: [one.length, other.length],
    bytes: [sum(one), sum(other)],
    runs: [runs.length, newRuns.length],
    more: without(other, one), fewer: without(one, other),
    cut: runs.filter((run) => overlaps(run, newRuns).length > 1),
    joined: newRuns.filter((run) => overlaps(run, runs).length > 1),
    gone: runs.filter((run) => overlaps(run, newRuns).length === 0),
    new: newRuns.filter((run) => overlaps(run, runs).length === 0),
    first: firstDifference(one, other, definitions),
  };
}

const sum = (updates) => updates.reduce((all, update) => all + (update.bytes ?? 0), 0);

/** The updates of one list that the other one does not have at the same second. */
function without(list, others) {
  const known = new Map();
  for (const update of others) known.set(Math.round(update.at), (known.get(Math.round(update.at)) ?? 0) + 1);
  return list.filter((update) => {
    const left = known.get(Math.round(update.at)) ?? 0;
    if (left) known.set(Math.round(update.at), left - 1);
    return !left;
  });
}

function firstDifference(one, other, [definition, edited]) {
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    const [left, right] = [one[index], other[index]];
    if (left && right && Math.abs(left.at - right.at) < 1 && shown(left, definition, left.at) === shown(right, edited, left.at)) continue;
    const at = Math.min(left?.at ?? Infinity, right?.at ?? Infinity);
    const asOf = (list) => list.findLast((update) => update.at <= at + 0.5)?.snapshot ?? null;
    return { at, before: asOf(one), after: asOf(other), isOneMoment: Boolean(left && right && Math.abs(left.at - right.at) < 1) };
  }
  return null;
}
