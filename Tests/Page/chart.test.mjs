// What a statechart counts, and how it finds a transition of an explanation. Run by: node --test Tests/Page
import assert from "node:assert/strict";
import test from "node:test";

globalThis.navigator ??= { languages: ["en"] };
globalThis.document = { hidden: false, addEventListener() {}, documentElement: {} };
globalThis.IntersectionObserver = class { observe() {} unobserve() {} };

const { countMoves, keyOf } = await import("../../Sources/Adapters/CPage/page/chart.js");
const { transitionKey } = await import("../../Sources/Adapters/CPage/page/chart-layout.js");

test("a state in a region that stays as it was is entered once, and lasts", () => {
  const { states, lines } = countMoves([
    { at: 0, from: null, to: "idle,closed" }, { at: 10, from: "idle,closed", to: "washing,closed" }, { at: 30, from: "washing,closed", to: "washing,open" },
  ], 100);
  assert.deepEqual(Object.fromEntries(states), {
    idle: { count: 1, seconds: 10 }, closed: { count: 1, seconds: 30 }, washing: { count: 1, seconds: 90 }, open: { count: 1, seconds: 70 },
  });
  assert.equal(lines.get("idle,closed>washing,closed"), 1);
});

test("a state that is left and entered again counts twice", () => {
  const { states } = countMoves([{ at: 0, from: null, to: "on" }, { at: 5, from: "on", to: "on" }], 9);
  assert.deepEqual(states.get("on"), { count: 2, seconds: 9 });
});

test("a transition of an explanation is that of the definition, whatever triggers it", () => {
  for (const [trigger, own] of Object.entries({ event: { on: "stop" }, after: { after: 60 }, for: { for: 5 }, quiet: { quiet: 9 }, at: { at: "22:00" }, always: {} })) {
    assert.equal(keyOf({ in: "on", to: "off", guard: "x", ...own }), transitionKey("on", ["off"], trigger, "x"), trigger);
  }
});
