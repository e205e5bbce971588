// What the editor offers at a place of a definition, tested by `node --test Tests/Page`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { completions, names, placeAt } from "../../Sources/Adapters/CPage/page/yaml-words.js";

const washer = readFileSync(new URL("../../devices/washer.yaml", import.meta.url), "utf8");
const after = (text) => washer.indexOf(text) + text.length;
const schema = {
  if: { required: ["extends"] },
  then: { $ref: "#/definitions/definition-on-top" },
  else: { $ref: "#/definitions/definition" },
  definitions: {
    definition: { properties: { kind: { title: "Kind" }, machine: { $ref: "#/definitions/state" } } },
    state: { properties: { title: {}, type: { enum: ["parallel", "final"] }, always: { anyOf: [{ type: "string" }, { $ref: "#/definitions/transition" }, { type: "array", items: { $ref: "#/definitions/transition" } }] }, states: { additionalProperties: { $ref: "#/definitions/state" } } } },
    transition: { properties: { guard: { title: "Guard" }, target: { title: "Target" } } },
  },
};
const offered = (source, offset, by = schema) => completions(by, source, offset).words.map((word) => word.text);

test("a place is known by the keys above it, also within braces and lists", () => {
  assert.deepEqual(placeAt(washer, after("title: { en: Running")).path, ["machine", "states", "washing", "states", "running", "title", "en"]);
  const start = `- { guard: 'operation == "DelayedStart" && default(device.available, true)', for: 2s, `;
  assert.deepEqual(placeAt(washer, after(start + "tar")), { path: ["machine", "states", "idle", "always"], word: "tar", isKey: true, from: after(start) });
});

test("a place within braces is known by all that are open", () => {
  const path = (line) => placeAt(`sources:\n  ${line}`, 11 + line.length).path;
  assert.deepEqual(path("- { topic: a, signals: { x: { "), ["sources", "signals", "x"]);
  assert.deepEqual(path("signals: { x: { of: a }, y: { "), ["sources", "signals", "y"]);
  assert.deepEqual(path('- { topic: "a{", each: [{ a: 1 }, { "b c": { '), ["sources", "each", "b c"]);
  assert.deepEqual(path("- { a: [b, c], d"), ["sources"]);
});

test("names are those of the definition, not those of its tests", () => {
  const found = names(`kind: kettle
sources:
  - topic: kettle/{device}
    each: &each [{ "inner": 1 }]
    signals: &signals
      # What the meter says: watts.
      power: payload.power
      warm: 'default(warm, 0) + 1'                     # after a colon: none
      heat: >-
        payload.heat > 3 ? 1
        : 0
    event: '"told"'
  - topic: kettle/{device}/more
    signals: { level: payload.level }
machine:
  states:
    idle: { on: { told: boiling } }
    boiling:
      states:
        rising: { title: { en: Rising } }
content:
  status: state.title
  left: timers.left
tests:
  - name: boils
    given: { signals: { secret: 1 }, states: { hidden: {} } }
`);
  assert.deepEqual(found.states, ["idle", "boiling", "rising"]);
  assert.deepEqual(found.signals, ["power", "warm", "heat", "level"]);
  assert.deepEqual(found.content, ["status", "left"]);
});

test("keys come from the schema of the place", () => {
  assert.deepEqual(offered("k", 1), ["kind"]);
  assert.deepEqual(offered("machine:\n  states:\n    idle:\n      t", 37), ["title", "type"]);
  assert.deepEqual(offered("machine:\n  always: { g", 22), ["guard"]);
  assert.deepEqual(offered("machine:\n  always:\n    - t", 26), ["target"]);
  assert.deepEqual(offered("machine:\n  type: p", 18), ["parallel"]);
});

test("a target is offered the states, with and without a schema", () => {
  const place = after('guard: operation == "Finished", target: ');
  for (const by of [schema, null]) assert.deepEqual(offered(washer, place, by).slice(0, 3), ["idle", "washing", "delayed"]);
});
