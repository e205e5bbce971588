// What an edit of a definition changes, in figures, tested by `node --test Tests/Page`.
import assert from "node:assert/strict";
import test from "node:test";
import { compare, runsOf } from "../../Sources/Adapters/CPage/page/compare.js";

const update = (at, run, status, phase = "active") => ({ at, what: "update", id: `plug/attic/${run}`, bytes: 100, snapshot: { phase, state: status, content: { status } } });
const dismissed = (at, run) => ({ at, what: "dismissed", id: `plug/attic/${run}` });

test("the same events differ in nothing", () => {
  const events = [update(10, 1, "Running"), update(50, 1, "Done", "ended"), dismissed(90, 1)];
  const result = compare(events, structuredClone(events), 100);
  assert.deepEqual([result.first, result.more, result.fewer, result.cut, result.gone, result.new], [null, [], [], [], [], []]);
  assert.deepEqual(result.updates, [2, 2]);
});

test("a run that is cut in two is one that was cut, not one gone and two new", () => {
  const before = [update(10, 1, "Running"), update(90, 1, "Done", "ended")];
  const after = [update(10, 1, "Running"), update(40, 1, "Done", "ended"), update(60, 60, "Running"), update(90, 60, "Done", "ended")];
  const result = compare(before, after, 100);
  assert.equal(result.cut.length, 1);
  assert.deepEqual([result.gone.length, result.new.length, result.more.length, result.fewer.length], [0, 0, 2, 0]);
  assert.equal(result.first.at, 40);
  assert.deepEqual([result.first.before.state, result.first.after.state], ["Running", "Done"]);
  assert.equal(compare(after, before, 100).joined.length, 1);
});

test("a run that began with the last message is the same one after the edit", () => {
  const result = compare([update(100, 1, "Running")], [update(100, 1, "Running")], 100);
  assert.deepEqual([result.gone, result.new, result.cut, result.first], [[], [], [], null]);
});

test("an update that moved is one more and one fewer", () => {
  const result = compare([update(10, 1, "Running"), update(50, 1, "Pause")], [update(10, 1, "Running"), update(70, 1, "Pause")], 100);
  assert.deepEqual([result.more.map((one) => one.at), result.fewer.map((one) => one.at), result.first.at], [[70], [50], 50]);
});

test("a run without an end goes on until the recording ends", () => {
  assert.deepEqual(runsOf([update(10, 1, "Running")], 100), [{ id: "plug/attic/1", from: 10, to: 100, updates: 1 }]);
});
