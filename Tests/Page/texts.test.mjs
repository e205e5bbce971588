// Every word of the page is there in every language. Run by: node --test Tests/Page
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

globalThis.navigator ??= { languages: ["en"] };
const folder = new URL("../../Sources/Adapters/CPage/page/", import.meta.url);
const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
const { tables, t } = await import(new URL("texts.js", folder));
for (const name of scripts.filter((name) => name.startsWith("texts-"))) await import(new URL(name, folder));

const english = Object.keys(tables.en);
const places = (text) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

for (const tag of ["de", "es", "zh"]) {
  test(`${tag} has the words that English has`, () => {
    assert.deepEqual(english.filter((key) => !(key in tables[tag]) && !key.endsWith(".one")), []);
    assert.deepEqual(Object.keys(tables[tag]).filter((key) => !(key in tables.en) && !key.endsWith(".one")), []);
  });

  test(`${tag} fills in the same values as English`, () => {
    for (const key of english.filter((key) => key in tables[tag])) assert.deepEqual(places(tables[tag][key]), places(tables.en[key]), key);
  });
}

test("a word that the page asks for exists", () => {
  const asked = scripts.flatMap((name) => [...readFileSync(new URL(name, folder), "utf8").matchAll(/\bt\(\s*"([\w.]+)"/g)].map(([, key]) => key));
  assert.ok(asked.length > 100);
  assert.deepEqual(asked.filter((key) => !(key in tables.en)), []);
});

test("one thing is told in the singular, and values are filled in", () => {
  assert.equal(t("now.out", { count: 1, n: "1" }), "one update out");
  assert.equal(t("device.wireSum", { count: "1", bytes: "274" }), "One update, 274 bytes.");
  assert.equal(t("now.out", { count: 17, n: "17" }), "17 updates out");
});

test("each of two numbers in a line has its own singular", () => {
  assert.equal(t("replay.summary", { messages: t("replay.messages", { count: "1" }), updates: t("replay.updates", { count: "4" }) }),
    "{name} · {from} · {length} · one message, 4 updates");
  for (const tag of ["de", "es"]) assert.ok(tables[tag]["replay.messages.one"] && tables[tag]["replay.updates.one"], tag);
});

test("Spanish has no verb before a length that may be of one minute", () => {
  for (const [key, words] of Object.entries(tables.es)) assert.doesNotMatch(words, /\b([Qq]uedan|[Ff]altan|[Rr]estan) \{(length|time)\}/, key);
});

test("no German sentence ends with a length: that may end with the full stop of an abbreviation", () => {
  for (const [key, words] of Object.entries(tables.de)) assert.doesNotMatch(words, /\{length\}\./, key);
});

test("a run tells its updates in the singular, too", () => {
  assert.deepEqual(places(tables.en["history.sentence"]), ["{device}", "{from}", "{length}", "{phases}", "{to}", "{updates}"]);
  assert.equal(t("history.tipUpdates", { count: 1 }), "One update was sent");
});
