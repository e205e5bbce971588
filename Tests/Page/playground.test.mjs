// What the playground reads from files and links, tested by `node --test Tests/Page`.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { microseconds, readMessages } from "../../Embedded/WebAssembly/messages.mjs";
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
    '{"ts":1795251600,"topic":"a/b"}',
    '2026-11-21T09:00:00+0000 a/b {"x": 1} ',
    '{"tst":1795251600,"topic":"a/b","payloadlen":2,"payload":"ü"}', '{"tst":1795251600,"topic":"a/b","payloadlen":4,"payload":"on"}',
    '{"tst":1795251600,"topic":"a/b","payloadlen":4,"payload":null}', '{"tst":1795251600,"topic":"a/b","payloadlen":0,"payload":null}',
    '{"tst":1795251600,"topic":"a/b","payloadlen":9,"payload":"on"}', '{"tst":1795251600,"topic":"a/b","qos":"x"}',
    "", "no message", "{", '{"tst":"2026-11-21T09:00:00Z","topic":""}',
  ].join("\n");
  const plain = { topic: "a/b", at, quality: 0, isRetained: false };
  assert.deepEqual(read(lines), [
    { ...plain, payload: '{"x":1}', quality: 1, isRetained: true }, { ...plain, payload: '{"x":[1,null]}' },
    { ...plain, payload: "" }, { ...plain, payload: '{"x": 1} ' },
    { ...plain, payload: "ü" }, { ...plain, payload: '"on"' }, { ...plain, payload: "null" }, { ...plain, payload: "" },
  ]);
  assert.equal(readMessages(lines).refused, 5);
});

const shared = { name: "Tag eins.jsonl", recording: '{"topic":"ä/🛶"}\n'.repeat(500), kind: null, own: { name: "a.skd", compiled: Uint8Array.of(0, 255, 62, 63), drawing: '{"kind":"a"}' } };

// Debian 12's Node 18 has only the formats with a header.
const links = { skip: knowsRawDeflate() ? false : "this Node has no deflate-raw: 20.12 and later have it" };
function knowsRawDeflate() {
  try {
    return new CompressionStream("deflate-raw") !== null;
  } catch {
    return false;
  }
}

test("a link carries everything, in letters that need no escape", links, async () => {
  const fragment = await pack(shared);
  assert.match(fragment, /^#1[\w-]+$/);
  assert.ok(fragment.length < 400);
  assert.deepEqual(await unpack(fragment), shared);
  const kind = { name: "x", recording: "y", kind: "washer", own: null };
  assert.deepEqual(await unpack(await pack(kind)), kind);
});

test("a link that would be too long is none", links, async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(longestLink));
  assert.equal(await pack({ name: "", recording: Buffer.from(bytes).toString("base64"), kind: null }), null);
});

async function packed(value) {
  const stream = new Blob([value]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return `#1${Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url")}`;
}

test("other fragments and damaged links", links, async () => {
  assert.equal(await unpack(""), null);
  assert.equal(await unpack("#main"), null);
  const fragment = await pack(shared);
  for (const damaged of ["#1", "#1AAAA", "#1%%", fragment.slice(0, -20), await packed("null"), await packed("{}"), await packed('{"name":"a","recording":1,"kind":null,"own":null}'),
    await packed('{"name":"a","recording":"b","kind":null,"own":{"name":"c"}}')]) await assert.rejects(unpack(damaged), damaged);
});

test("a small link does not fill the memory", links, async () => {
  await assert.rejects(unpack(await packed(new Uint8Array(40 << 20))), RangeError);
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
