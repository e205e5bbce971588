// How the page reads updates and puts its cards in order. Run by: node --test Tests/Page
import assert from "node:assert/strict";
import test from "node:test";
import { arrange, browserName, calledName, clockField, deviceStatus, humanName, isCommand, kindFor, plainTitle, runStart, stateTitle, statusOf } from "../../Sources/Adapters/CPage/page/house.js";
import { applyDiff, applySnapshot, deviceOf, merge } from "../../Sources/Adapters/CPage/page/merge.js";

const running = {
  id: "washer/laundry/100", rev: 1, epoch: 7, at: 100, phase: "active", state: "running",
  attributes: { name: "laundry" }, content: { status: "Running", cycle: { start: 100, end: 3700 } },
};
const diff = (changes) => ({ id: running.id, rev: 2, prev: 1, epoch: 7, at: 160, patch: {}, ...changes });

test("merge patches do what the examples of RFC 7396 show", () => {
  const cases = [
    [{ a: "b" }, { a: "c" }, { a: "c" }], [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }], [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }], [{ a: ["b"] }, { a: "c" }, { a: "c" }], [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }], [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [["a", "b"], ["c", "d"], ["c", "d"]], [{ a: "b" }, ["c"], ["c"]], [{ a: "foo" }, null, null], [{ a: "foo" }, "bar", "bar"],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }], [[1, 2], { a: "b", c: null }, { a: "b" }], [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [target, patch, result] of cases) assert.deepEqual(merge(target, patch), result);
});

test("a patch changes neither what it is applied to, nor all objects", () => {
  merge(running, { content: { status: "Paused", cycle: null } });
  assert.equal(running.content.status, "Running");
  merge({}, JSON.parse('{"__proto__":{"polluted":true}}'));
  assert.equal({}.polluted, undefined);
});

test("a diff that follows the held revision is applied", () => {
  const { snapshot, gap } = applyDiff(running, diff({ patch: { state: "finishing", content: { status: "Finishing up", cycle: null } } }));
  assert.equal(gap, undefined);
  assert.deepEqual(snapshot, { ...running, rev: 2, at: 160, state: "finishing", content: { status: "Finishing up" } });
});

test("a diff that is already known is ignored", () => {
  assert.equal(applyDiff(running, diff({ rev: 1, prev: 0 })).snapshot, running);
});

test("a lost diff, another run, another epoch and an unknown activity are gaps", () => {
  for (const held of [running, undefined]) {
    const news = held ? [diff({ rev: 3, prev: 2 }), diff({ id: "washer/laundry/200" }), diff({ epoch: 6 })] : [diff()];
    for (const one of news) assert.equal(applyDiff(held, one).gap, true);
  }
});

test("an older snapshot of the same epoch does not replace a newer one", () => {
  const newer = { ...running, rev: 5 };
  assert.equal(applySnapshot(newer, running), newer);
  assert.equal(applySnapshot(running, newer), newer);
  const otherEpoch = { ...running, epoch: 3 };
  assert.equal(applySnapshot(newer, otherEpoch), otherEpoch);
});

test("an id names its device and the start of its run", () => {
  assert.equal(deviceOf("washer/laundry/1795235279"), "washer/laundry");
  assert.equal(runStart({ id: "washer/laundry/1795235279" }), 1795235279);
});

test("cards come by relevance, then by what ends first; silent ones last, ended ones after", () => {
  const activity = (key, changes) => [key, { ...running, id: `${key}/1`, content: {}, ...changes }];
  const activities = new Map([
    activity("charger/garage", { phase: "stale" }),
    activity("dishwasher/kitchen", { content: { run: { start: 1 } } }),
    activity("sprinkler/lawn", { phase: "ended", at: 50 }),
    activity("sprinkler/roses", { phase: "ended", at: 90 }),
    activity("washer/attic", { content: { cycle: { start: 1, end: 900 } } }),
    activity("washer/laundry", { content: { cycle: { start: 1, end: 400 } } }),
    activity("delivery/parcel", { content: {} }),
    activity("delivery/letter", { content: {}, relevance: 60 }),
  ]);
  const devices = new Map([["washer/attic", {}], ["kettle/tea", {}], ["heater/bath", {}]]);
  const { running: first, ended, quiet } = arrange(activities, devices, (kind) => (kind === "delivery" ? 70 : 50));
  const keys = (list) => list.map(([key]) => key);
  assert.deepEqual(keys(first), ["delivery/parcel", "delivery/letter", "washer/laundry", "washer/attic", "dishwasher/kitchen", "charger/garage"]);
  assert.deepEqual(keys(ended), ["sprinkler/roses", "sprinkler/lawn"]);
  assert.deepEqual(keys(quiet), ["heater/bath", "kettle/tea"]);
  const beds = new Map(["sprinkler/bed-10", "sprinkler/bed-5", "washer/x", "sprinkler/bed-0"].map((key) => [key, key === "washer/x" ? { name: "Bed 7" } : {}]));
  const hidden = new Map([["sprinkler/bed-0", { hidden: true, place: 0 }]]);
  assert.deepEqual(keys(arrange(new Map(), beds, undefined, hidden).quiet), ["sprinkler/bed-5", "washer/x", "sprinkler/bed-10"], "without what is hidden");
  assert.deepEqual(keys(arrange(new Map(), beds).quiet), ["sprinkler/bed-0", "sprinkler/bed-5", "washer/x", "sprinkler/bed-10"], "by name, as people count");
});

test("the island's clock is shown, else the first time of the content", () => {
  const snapshot = { content: { status: "On", soak: { elapsed: 3 }, cycle: { start: 1, end: 2 } } };
  assert.equal(clockField(snapshot, { compactTrailing: [{ draw: "clock", field: "cycle" }] }), "cycle");
  assert.equal(clockField(snapshot, null), "soak");
  assert.equal(clockField({ content: { status: "Off" } }, null), null);
});

test("names are written as people write them", () => {
  assert.equal(humanName("laundry"), "Laundry");
  assert.equal(humanName("flowTemp"), "Flow temp");
  assert.equal(humanName("left_over"), "Left over");
  assert.equal(humanName("flat-0"), "Flat 0");
  assert.equal(humanName("the-washing-machine"), "The washing machine");
  assert.equal(humanName("A1-23"), "A1-23");
  assert.equal(humanName("40-60"), "40-60");
  assert.equal(calledName({ name: "die große Wäsche" }, "laundry"), "die große Wäsche", "as people wrote it");
  assert.equal(calledName({}, "laundry"), "Laundry");
  assert.equal(calledName({ name: "dishwasher_plug" }, "dishwasher_plug"), "Dishwasher plug", "what its topic says, people did not write");
  assert.equal(calledName(undefined, "laundry"), "Laundry");
  const begun = (name) => ({ attributes: { name } });
  assert.equal(calledName(undefined, "plug12", begun("Fan 4")), "Fan 4", "for a guest, as its run says");
  assert.equal(calledName(undefined, "plug12", begun("plug12")), "Plug12");
  assert.equal(calledName({}, "plug12", begun("Fan 4")), "Plug12", "the name was taken back during the run");
});

test("a state without a title has that of the state in which it begins", () => {
  const states = [{ name: "standby", title: null, initial: "idle" }, { name: "idle", title: "Switched off" }, { name: "washing", title: null, initial: "running" }, { name: "running", title: null }];
  const titles = ["standby", "idle", "washing", "none"].map((name) => stateTitle({ machine: { states } }, name));
  assert.deepEqual(titles, ["Switched off", "Switched off", "Washing", "None"]);
});

test("a title that depends on the device says what it can say without it", () => {
  const cases = [
    ["Running", "Running"], [null, null], ["{problem}", null], ["Departs at {start}", "Departs at …"], ["{line}{headsign} is late", "… is late"],
    ["{solar ? 'Waiting for the sun' : 'Paused'}", "Waiting for the sun / Paused"], ["Watered{litres > 0 ? ', ' + string(litres) : ''}", "Watered"],
    ["{does == \"a\" ? \"Steams and irons\" : does == \"b\" ? \"Looks how much there is in it\" : \"Dries\"}", "Dries"], ["{error == 'None' ? 'Fault' : problem}", "Fault"],
    ["{error == 'hot' ? 'Too hot' : 'Fault: ' + error}", "Fault: …"], ["{default({\"empty\": \"No filament\", \"open\": \"Door is open\"}[trouble], \"Paused\")}", "Paused"],
    ["Halted: { {'Drilling': 'Bohren', 'Firing': 'Brennen'}[?station].orValue(station) }", "Halted: …"],
  ];
  for (const [title, words] of cases) assert.equal(plainTitle(title), words, title);
});

test("topics on which devices only receive are nobody's to describe", () => {
  for (const topic of ["cmnd/{device}/POWER", "zigbee2mqtt/{device}/set", "zigbee2mqtt/lamp/get/state", "shellies/{device}/relay/0/command"]) assert.ok(isCommand(topic), topic);
  for (const topic of ["zigbee2mqtt/{device}", "tele/{device}/STATE", "home/setpoint", "gettysburg/door"]) assert.ok(!isCommand(topic), topic);
});

test("a topic that nobody reads suggests a kind", () => {
  assert.equal(kindFor("plug/dryer/cellar/power"), "dryer");
  assert.equal(kindFor("zigbee2mqtt/Coffee Machine"), "coffee-machine");
  assert.equal(kindFor("ebusd/430/FlowTemp"), "ebusd");
  assert.equal(kindFor("1/2/3"), "thing");
});

test("an activity and its device say the same, in the words of the status that phones show", () => {
  const definition = { machine: { states: [{ name: "running", title: "Washing" }, { name: "idle", title: "Off" }] } };
  const known = { states: ["running"], title: "Washing {what}" };
  const said = (changes, states = ["running"]) => {
    const snapshot = { ...running, ...changes };
    return [statusOf(snapshot, definition, { ...known, states }), deviceStatus(snapshot, definition, { ...known, states }, "Off")];
  };
  assert.deepEqual(said({ content: { status: "Rinsing" } }), ["Rinsing", "Rinsing"]);
  assert.deepEqual(said({ content: { status: "" } }), ["Washing {what}", "Washing {what}"]);
  assert.deepEqual(said({ content: { status: 7 } }, ["idle"]), ["Washing", "Washing"]);
  assert.deepEqual(said({ content: { status: "Done" }, phase: "ended" }), ["Done", "Done"]);
  // The device has gone on: its activity is still shown, and it is not what the device does.
  assert.deepEqual(said({ content: { status: "Done" }, phase: "ended" }, ["idle"]), ["Done", "Off"]);
  assert.equal(statusOf({ ...running, content: {} }, null, undefined), "Running");
  assert.equal(deviceStatus(undefined, definition, known, "Off"), "Off");
});

test("a browser is called as people call it", () => {
  const engine = "AppleWebKit/537.36 (KHTML, like Gecko)";
  const agents = {
    "Chrome, Windows": `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${engine} Chrome/143.0.0.0 Safari/537.36`,
    "Edge, Windows": `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${engine} Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0`,
    "Chrome, Android": `Mozilla/5.0 (Linux; Android 10; K) ${engine} Chrome/143.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet, Android": `Mozilla/5.0 (Linux; Android 10; K) ${engine} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
    "Safari, iPhone": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
    "Safari, Mac": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
    "Firefox, Linux": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    Browser: "curl/8.5.0",
  };
  for (const [name, agent] of Object.entries(agents)) assert.equal(browserName(agent), name);
});
