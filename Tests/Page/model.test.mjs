// How the model of the page follows the bridge's stream, with stand-ins for the browser. Run by: node --test Tests/Page
import assert from "node:assert/strict";
import test from "node:test";

globalThis.navigator ??= { languages: ["en"] };
globalThis.document = { hidden: false, addEventListener() {}, documentElement: {} };
globalThis.IntersectionObserver = class { observe() {} unobserve() {} };

let stream;
globalThis.EventSource = class {
  static CLOSED = 2;
  readyState = 0;
  #readers = {};
  constructor(url) { this.url = url; stream = this; }
  addEventListener(name, reader) { this.#readers[name] = reader; }
  close() { this.readyState = 2; }
  send(name, data) { this.#readers[name]({ data: JSON.stringify(data) }); }
};

const asked = [], answers = {}, refused = new Set();
let held = null;
globalThis.fetch = async (address) => {
  const path = `/${address}`;
  asked.push(path);
  if (path === held?.path) await held.until;
  if (refused.has(path)) return { ok: false, status: 404, headers: new Map([["content-type", "application/json"]]), json: async () => ({ detail: "none" }) };
  return { ok: true, status: 200, headers: new Map([["content-type", "application/json"]]), json: async () => answers[path] ?? {} };
};

const { model } = await import("../../Sources/Adapters/CPage/page/model.js");
const { partitionOf } = await import("../../Sources/Adapters/CPage/page/house.js");
const settled = () => new Promise((done) => setImmediate(done));
const first = { id: "washer/laundry/1", rev: 1, epoch: 1, at: 1, phase: "active", state: "running", attributes: {}, content: { left: 3 } };
const begin = () => {
  model.open();
  stream.send("snapshot", { at: Date.now() / 1000, activities: [first], timelines: [], devices: [{ kind: "washer", device: "laundry", states: ["running"] }], broker: { connected: true, since: 1 } });
};
test.after(() => {
  model.close();
  setImmediate(() => process.exit());
});

test("a snapshot and the diffs after it are the state of the house", () => {
  begin();
  stream.send("diff", { id: first.id, rev: 2, prev: 1, epoch: 1, at: 2, patch: { content: { left: 2 } } });
  assert.deepEqual(model.activities.get("washer/laundry"), { ...first, rev: 2, at: 2, content: { left: 2 } });
  assert.equal(model.link.state, "open");
});

test("after a gap the snapshot is read", async () => {
  begin();
  const latest = { ...first, rev: 9, content: { left: 0 } };
  answers["/v1/activities/washer/laundry"] = latest;
  stream.send("diff", { id: first.id, rev: 8, prev: 7, epoch: 1, at: 8, patch: { content: { left: 1 } } });
  await settled();
  await settled();
  assert.ok(asked.includes("/v1/activities/washer/laundry"));
  assert.deepEqual(model.activities.get("washer/laundry"), latest);
});

test("the dismissal of an earlier run leaves the present one", () => {
  begin();
  stream.send("dismissed", { kind: "washer", device: "laundry", id: "washer/laundry/0" });
  assert.ok(model.activities.has("washer/laundry"));
  stream.send("dismissed", { kind: "washer", device: "laundry", id: first.id });
  assert.ok(!model.activities.has("washer/laundry"));
});

test("a device that moves for the first time is known from then on, a forgotten one is gone", () => {
  begin();
  stream.send("moved", { kind: "kettle", device: "tea", at: 5, from: "cold", to: "boiling", title: "Boiling", states: ["boiling"] });
  assert.equal(model.devices.get("kettle/tea").title, "Boiling");
  stream.send("forgotten", { kind: "kettle", device: "tea" });
  assert.ok(!model.devices.has("kettle/tea"));
});

test("what was known stays while the bridge is away", () => {
  begin();
  stream.onerror();
  assert.equal(model.link.state, "lost");
  assert.ok(model.activities.has("washer/laundry"));
  stream.onopen();
  assert.equal(model.link.state, "open");
});

test("what the stream says while the devices are read is newer than the answer, and they are read once more", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  begin();
  answers["/v1/devices"] = { devices: [{ kind: "washer", device: "laundry", states: ["running"] }, { kind: "kettle", device: "tea", states: ["cold"] }] };
  answers["/v1/status"] = { messages: 1 };
  let release;
  held = { path: "/v1/devices", until: new Promise((done) => { release = done; }) };
  const reading = model.refresh();
  await settled();
  stream.send("moved", { kind: "washer", device: "laundry", at: 9, from: "running", to: "done", states: ["done"] });
  stream.send("forgotten", { kind: "kettle", device: "tea" });
  release();
  held = null;
  await reading;
  assert.deepEqual(model.devices.get("washer/laundry").states, ["done"]);
  assert.ok(!model.devices.has("kettle/tea"), "what is forgotten stays so");
  const before = asked.length;
  context.mock.timers.tick(6000);
  await settled();
  assert.ok(asked.slice(before).includes("/v1/devices"));
});

test("a definition that the bridge refuses is not asked for again and again", async () => {
  const path = "/v1/definitions/gone";
  refused.add(path);
  for (let times = 0; times < 3; times += 1) await assert.rejects(model.definition("gone"));
  assert.equal(asked.filter((one) => one === path).length, 1);
  model.forgetDefinitions();
  await assert.rejects(model.definition("gone"));
  assert.equal(asked.filter((one) => one === path).length, 2);
});

test("new definitions are read, and the former ones stay until they are there", async () => {
  begin();
  answers["/v1/definitions/washer"] = { kind: "washer", name: "Washer" };
  await model.definition("washer");
  answers["/v1/definitions/washer"] = { kind: "washer", name: "Washing machine" };
  stream.send("definitions", {});
  assert.equal(model.known("washer").name, "Washer");
  await settled();
  await settled();
  assert.equal(model.known("washer").name, "Washing machine");
});

test("for a guest nothing is read that guests may not read, and the end of the run is the end of the visit", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  model.isGuest = true;
  begin();
  const before = asked.length, told = [];
  const end = model.subscribe(({ type }) => told.push(type));
  stream.send("dismissed", { kind: "washer", device: "laundry", id: first.id });
  context.mock.timers.tick(60_000);
  end();
  model.isGuest = false;
  assert.deepEqual(asked.slice(before), []);
  assert.ok(told.includes("session"));
});

test("a snapshot of one partition leaves the devices of the others", async () => {
  // FNV-1a modulo 2, as in Partition.number(of:among:).
  const [even, odd] = [0, 1].map((number) => ["a", "b", "c"].find((name) => partitionOf(name, 2) === number));
  const snapshot = (partition, devices) => stream.send("snapshot", { partition, partitions: 2, at: 1, activities: devices.map((device) => ({ ...first, id: `washer/${device}/1` })), timelines: [], devices: devices.map((device) => ({ kind: "washer", device })) });
  model.open();
  snapshot(0, [even]);
  snapshot(1, [odd]);
  assert.deepEqual([...model.devices.keys()].sort(), [`washer/${even}`, `washer/${odd}`].sort());
  snapshot(1, []);
  assert.deepEqual([...model.activities.keys()], [`washer/${even}`]);
  stream.send("partition", { partition: 0, answers: false });
  assert.deepEqual([...model.away], [0]);
  answers["/v1/devices"] = { devices: [{ kind: "washer", device: odd }], missing: [0] };
  await model.refresh();
  assert.deepEqual([...model.devices.keys()].sort(), [`washer/${even}`, `washer/${odd}`].sort());
  stream.send("partition", { partition: 0, answers: true });
  assert.equal(model.away.size, 0);
});
