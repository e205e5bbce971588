// What the playground reads from files and links, tested by `node --test Tests/Page`.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { microseconds, readMessages } from "../../Embedded/WebAssembly/messages.mjs";
import { play } from "../../Embedded/WebAssembly/player.mjs";
import { never } from "../../Embedded/WebAssembly/skerry.mjs";
import { eventsOf } from "../../Playground/events.js";
import { longestLink, pack, unpack } from "../../Playground/share.js";

const text = new TextDecoder();
const read = (recording) => readMessages(recording).messages.map(({ topic, payload, ...rest }) => ({ topic: text.decode(topic), payload: text.decode(payload), ...rest }));

test("times as skerry replay reads them", () => {
  const nine = 1_795_251_600_000_000n;
  const times = {
    "2026-11-21T09:00:00.000000Z+0000": nine, "2026-11-21T10:00:00+0100": nine, "2026-11-21T03:30:00-05:30": nine, "2026-11-21T09:00:00Z": nine,
    "2026-11-21 09:00:00": nine, "2026-11-21T09:00:00.1234567Z": nine + 123_456n, 1795251600: nine, "1795251600.5": nine + 500_000n,
    1795251600250: nine + 250_000n, 1795251600250001: nine + 250_001n, "1795251600250001999": nine + 250_001n,
  };
  for (const [time, wanted] of Object.entries(times)) assert.equal(microseconds(time), wanted, time);
  for (const time of ["", "yesterday", "2026-13-01T00:00:00Z", "2026-11-21", "undefined"]) assert.throws(() => microseconds(time), time);
});

test("lines of skerry record, of mosquitto_sub, and others", () => {
  const at = 1_795_251_600_000_000n;
  const lines = [
    '{"tst":"2026-11-21T09:00:00Z","topic":"a/b","qos":1,"retain":1,"payload":"{\\"x\\":1}"}',
    '{"tst":"2026-11-21T09:00:00Z","topic":"a/b","payload":{"x":[1,null]}}\r',
    '{"ts":1795251600,"topic":"a/b","payload":null}',
    '2026-11-21T09:00:00+0000 a/b {"x": 1} ',
    '{"tst":1795251600,"topic":"a/b","payloadlen":2,"payload":"ü"}', '{"tst":1795251600,"topic":"a/b","payloadlen":4,"payload":"on"}',
    '{"tst":1795251600,"topic":"a/b","payloadlen":4,"payload":null}', '{"tst":1795251600,"topic":"a/b","payloadlen":0,"payload":null}',
    '{"tst":1795251600,"topic":"a/b","payloadlen":9,"payload":"on"}',
    "", "no message", "{", '{"tst":"2026-11-21T09:00:00Z","topic":""}',
  ].join("\n");
  const plain = { topic: "a/b", at, quality: 0, isRetained: false };
  assert.deepEqual(read(lines), [
    { ...plain, payload: '{"x":1}', quality: 1, isRetained: true }, { ...plain, payload: '{"x":[1,null]}' },
    { ...plain, payload: "" }, { ...plain, payload: '{"x": 1} ' },
    { ...plain, payload: "ü" }, { ...plain, payload: '"on"' }, { ...plain, payload: "null" }, { ...plain, payload: "" },
  ]);
  assert.equal(readMessages(lines).refused, 4);
});

// Node knows the compression of links since 20.12; that of Debian 12 is older.
function reasonToSkip() {
  try {
    new CompressionStream("deflate-raw");
    return false;
  } catch {
    return `Node ${process.version} has no CompressionStream("deflate-raw"): links are tested with Node 20.12 or later`;
  }
}
const skip = reasonToSkip();

const shared = { name: "Tag eins.jsonl", recording: '{"topic":"ä/🛶"}\n'.repeat(500), kind: null, own: { name: "a.skd", compiled: Uint8Array.of(0, 255, 62, 63), drawing: '{"kind":"a"}' } };

test("lines that skerry replay refuses", () => {
  const line = (rest) => `{"tst":"2026-11-21T09:00:00Z","topic":"a/b"${rest}}`;
  const refused = ["", ',"payload":"x","qos":"x"', ',"payload":"x","qos":3', ',"payload":"x","qos":1.5', ',"payload":"x","qos":-1', ',"payload":"x","qos":null',
    ',"payload":"x","retain":2', ',"payload":"x","retain":"x"', ',"payload":"x","mid":65536', ',"payload":"x","mid":"x"', ',"payload":{},"payloadlen":"x"', ',"payload":"x","payloadlen":true,"qos":[]'];
  for (const rest of refused) assert.equal(readMessages(line(rest)).refused, 1, rest);
  const taken = ['', ',"qos":2', ',"qos":true', ',"retain":false', ',"mid":65535', ',"payloadlen":1'];
  for (const rest of taken) assert.equal(readMessages(line(`,"payload":"x"${rest}`)).refused, 0, rest);
});

test("a link carries everything, in letters that need no escape", { skip }, async () => {
  const fragment = await pack(shared);
  assert.match(fragment, /^#1[\w-]+$/);
  assert.ok(fragment.length < 400);
  assert.deepEqual(await unpack(fragment), shared);
  const kind = { name: "x", recording: "y", kind: "washer", own: null };
  assert.deepEqual(await unpack(await pack(kind)), kind);
});

test("a link that would be too long is none", { skip }, async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(longestLink));
  assert.equal(await pack({ name: "", recording: Buffer.from(bytes).toString("base64"), kind: null }), null);
});

async function packed(value) {
  const stream = new Blob([value]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return `#1${Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url")}`;
}

test("other fragments and damaged links", { skip }, async () => {
  assert.equal(await unpack(""), null);
  assert.equal(await unpack("#main"), null);
  const fragment = await pack(shared);
  for (const damaged of ["#1", "#1AAAA", "#1%%", fragment.slice(0, -20), await packed("null"), await packed("{}"), await packed('{"name":"a","recording":1,"kind":null,"own":null}'),
    await packed('{"name":"a","recording":"b","kind":null,"own":{"name":"c"}}')]) await assert.rejects(unpack(damaged), damaged);
});

test("a small link does not fill the memory", { skip }, async () => {
  await assert.rejects(unpack(await packed(new Uint8Array(40 << 20))), RangeError);
});

// One device in the place of an engine: after its first message it does something each `period`, and publishes `size` bytes each time.
class Restless {
  #did = [];
  nextDeadline = never;
  isPending = true;

  constructor({ period, size = 0, isQuiet = false }) {
    Object.assign(this, { period, size, isQuiet });
  }

  begin() {}
  message(topic, payload, isRetained, at) {
    if (this.nextDeadline === never) this.#turn(at);
  }
  advance(at) {
    this.#turn(at);
  }
  *moves() {
    for (const at of this.#did) yield { at, kind: "a", device: "b", from: "", to: "c" };
  }
  *publications() {
    for (const at of this.#did.splice(0)) if (this.size > 0) yield { at, topic: new TextEncoder().encode("skerry/a/b/x"), payload: new Uint8Array(this.size), quality: 1, isRetained: false };
  }
  #turn(at) {
    if (!this.isQuiet) this.#did.push(at);
    this.nextDeadline = at + this.period;
  }
}

const second = 1_000_000n;
const messagesAt = (...times) => times.map((at) => ({ at: BigInt(at) * second, topic: new Uint8Array(1), payload: new Uint8Array(1000), isRetained: false }));
const eventsBy = (engine, messages, clock = () => 0) => eventsOf(engine, messages, play(engine, messages), { count: 100, bytes: 5000, milliseconds: 10 }, clock);

test("a definition that never comes to rest is played to a limit", () => {
  const year = 365 * 86_400;
  const cases = [
    ["moves after the last message", { period: 1n }, messagesAt(0), 100],
    ["moves between messages", { period: 1n }, messagesAt(0, year), 100],
    ["publications", { period: 1n, size: 1 }, messagesAt(0), 34],
    ["bytes", { period: 1n, size: 600 }, messagesAt(0), 7],
  ];
  for (const [name, engine, messages, steps] of cases) {
    const { devices, truncated, publications } = eventsBy(new Restless(engine), messages);
    assert.equal(truncated, true, name);
    assert.equal(devices[0].events.filter(({ what }) => what === "moved").length, steps, name);
    assert.equal(publications.length, engine.size ? steps : 0, name);
  }
});

test("a definition that is busy and does nothing is played for a time", () => {
  let calls = 0;
  const { devices, truncated } = eventsBy(new Restless({ period: 1n, isQuiet: true }), messagesAt(0), () => calls++);
  assert.deepEqual([devices, truncated, calls], [[], true, 12]);
});

test("what time did before a message is not what the message did", () => {
  const { devices, truncated } = eventsBy(new Restless({ period: 86_400n * second }), messagesAt(0, 86_400));
  assert.equal(truncated, false);
  assert.deepEqual(devices[0].events.map(({ at, what }) => [at / 86_400, what]), [[0, "moved"], [0, "message"], [1, "moved"], [2, "moved"], [3, "moved"]]);
});

test("a message that goes back in time happens at the latest time so far", () => {
  const steps = [...play(new Restless({ period: 3_600n * second }), messagesAt(100_000, 40))];
  assert.deepEqual(steps.filter(Boolean).map(({ at }) => at / second), [100_000n, 100_000n]);
  // Time runs on for 48 hours after the latest message, not after the last line.
  assert.equal(steps.length, 2 + 48);
});

test("every word is there in four languages, with the same values, and every word that is asked for exists", () => {
  const folder = new URL("../../Playground/", import.meta.url);
  const source = (name) => readFileSync(new URL(name, folder), "utf8");
  const rows = source("texts.js").match(/const words = `\n(.*?)\n`;/s)[1].split("\n").map((line) => line.split(" | "));
  const places = (words) => [...words.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();
  for (const [key, english, ...others] of rows) {
    // Chinese needs no singular.
    assert.equal(others.length, key.endsWith(".one") ? 2 : 3, key);
    for (const words of others) assert.deepEqual(places(words), places(english), key);
  }
  const keys = new Set(rows.map(([key]) => key));
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const asked = scripts.flatMap((name) => [...source(name).matchAll(/\bt\((?:\w+ \? "[\w.]+" : )?"(playground[\w.]+)"/g)].map(([, key]) => key));
  assert.ok(asked.length > 15);
  assert.deepEqual(asked.filter((key) => !keys.has(key)), []);
});
