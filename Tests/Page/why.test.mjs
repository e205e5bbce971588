// Why a device is in its state and what leads out of it, as sentences. Run by: node --test Tests/Page
import assert from "node:assert/strict";
import test from "node:test";

globalThis.navigator ??= { languages: ["en"] };
globalThis.document = { hidden: false, addEventListener() {}, documentElement: {} };
globalThis.IntersectionObserver = class { observe() {} unobserve() {} };

const page = "../../Sources/Adapters/CPage/page/";
const { comesNext, guardWords, nextSentences, sinceSentences } = await import(`${page}why.js`);
const { chooseLanguage, t } = await import(`${page}texts.js`);
await import(`${page}texts-shell.js`);

const explanation = {
  at: 1000, settings: { threshold: 10 }, variables: { base: 2.5, last: "Eco" }, states: [{ name: "washing" }, { name: "running" }],
  timers: [{ name: "cycle", state: "running", start: 0, end: 4600, raises: "cycle.elapsed" }],
  waits: [{ in: "washing", quiet: 7200, to: "lost", since: 1000, due: 8200 }],
  transitions: [
    { in: "running", guard: "operation == \"Pause\"", to: "paused", holds: false },
    { in: "running", on: "cycle.elapsed", to: "finishing" },
    { in: "running", on: "stop", to: "idle" },
    { in: "washing", quiet: 7200, to: "lost" },
    { in: "washing", guard: "pace(power) > 3", to: "done", holds: false },
    { in: "washing", guard: "power > 2", to: "" },
  ],
};
const state = (name, parent = null, type = "atomic") => ({ name, title: null, parent, type, initial: null });
const definition = {
  events: ["stop"],
  machine: {
    states: [state("idle"), state("washing", null, "compound"), state("running", "washing"), state("paused", "washing"), state("finishing", "washing"), state("lost"), state("done")],
    transitions: [{ from: "idle", to: ["running"], trigger: "for", label: "1s", guard: "operation == \"Run\"" }],
  },
};
const titleOf = (name) => name.toUpperCase();
const read = (sentences) => sentences.map(({ key, values }) => t(key, values).replace(/(\b([A-Z][a-z]{2}|\d{1,4}),? )*\d\d?:\d\d( [AP]M)?/g, "TIME"));

for (const [guard, words] of [
  ["operation == \"Pause\"", "operation is “Pause”"],
  ["operation in [\"Inactive\", \"Ready\"]", "operation is “Inactive” or “Ready”"],
  ["power > settings.threshold && default(device.available, true)", "power is above 10"],
  ["power < context.base", "power is below 2.5"],
  ["3 < level", "level is above 3"],
  ["!doorOpen && remainingTime <= minutes(2)", "door open is not true and remaining time is at most 2 min"],
  ["(level >= 95.0 || washDone)", "level is at least 95 or wash done is true"],
  ["!inState(\"delayed\")", ""],
  ["status != \"\" && status == \"kitchen\"", "status is “kitchen”"],
  ["has(job) && job == \"a or b\"", "job is known and job is “a or b”"],
  ["relay == \"OFF\"", "relay is off"],
  ["power > 2 && default(relay, \"ON\") != \"OFF\"", "power is above 2"],
]) {
  test(`${guard} has plain words`, () => assert.equal(guardWords(guard, explanation), words));
}

test("what has no plain words is for authors", () => {
  for (const guard of ["old", "!own && power > 2", "pace(power) > 3", "(items.size() > 0)", "power * 2 < context.base", "a == b.c", "x == [1, 2]", "phase != \"first\" && level > 2", "code == 3", "status in [7, 8]", "mode == \"IN_PROGRESS\"", "journey == \"\""]) assert.equal(guardWords(guard, explanation), null, guard);
});

test("what comes next: first what has a moment, then conditions, then what only authors read", () => {
  assert.deepEqual(read(nextSentences(explanation, definition, titleOf)), [
    "FINISHING at TIME, when its time is over.", "LOST if nothing is heard until TIME.", "PAUSED when operation is “Pause”.", "IDLE when “Stop” is sent.", "Also possible: DONE.",
  ]);
});

test("a guard that does not hold is told as a condition, and an event with one is for authors", () => {
  const guarded = { ...explanation, waits: [{ in: "running", after: "15m", to: "idle", guard: "power < 5", since: 1000, due: 1900 }], transitions: [
    { in: "running", after: "15m", to: "idle", guard: "power < 5", holds: false },
    { in: "running", on: "stop", to: "done", guard: "power < 5", holds: false },
  ] };
  assert.deepEqual(read(nextSentences(guarded, definition, titleOf)), ["IDLE at TIME, if by then power is below 5.", "Also possible: DONE."]);
  guarded.transitions[0].holds = true;
  assert.equal(read(nextSentences(guarded, definition, titleOf))[0], "IDLE at TIME, if this stays so: power is below 5.");
});

test("the reason is told where one way alone led to the state", () => {
  const moves = [{ at: 10, from: null, to: "idle" }, { at: 60, from: "idle", to: "running" }];
  assert.deepEqual(sinceSentences(explanation, definition, moves, titleOf).map(({ key }) => key), ["why.since", "why.reason"]);
  assert.deepEqual(sinceSentences(explanation, definition, moves.slice(0, 1), titleOf).map(({ key }) => key), ["why.sinceFirst"]);
  assert.deepEqual(sinceSentences(explanation, definition, [], titleOf), []);
});

test("in another language, only what the page has words for is said", () => {
  chooseLanguage("de");
  assert.equal(guardWords("power > settings.threshold && relay == \"ON\"", explanation), "Leistung über 10 liegt und Relais an ist");
  assert.equal(guardWords("valve == \"OFF\"", explanation), "Ventil aus ist");
  for (const guard of ["relay != \"\"", "power <= 0 && relay != \"\""]) assert.equal(guardWords(guard, explanation), null, guard);
  for (const guard of ["knob == \"Run\"", "knob in [\"Run\", \"Start\"]", "has(knob)", "doorOpen", "remainingTime < 3"]) assert.equal(guardWords(guard, explanation), null, guard);
  chooseLanguage("en");
});

test("usual names of signals have words in every language, and say no more than their names", () => {
  for (const [language, guard, words] of [
    ["en", "left > minutes(2)", "time left is above 2 min"],
    ["de", "left > minutes(2)", "Restzeit über 2 Min. liegt"],
    ["de", "operation in [\"Run\", \"Start\"]", "Betrieb „Run“ oder „Start“ ist"],
    ["de", "mode == \"MOWING\" && battery >= 99", "Modus „MOWING“ ist und Akku mindestens 99 ist"],
    ["es", "has(job)", "se conoce trabajo"],
    ["de", "phase != \"first\"", null],
    ["de", "status in [7, 8]", null],
  ]) {
    chooseLanguage(language);
    assert.equal(guardWords(guard, explanation), words, `${language}: ${guard}`);
  }
  chooseLanguage("en");
});

test("of alternatives the reason has the one that holds", () => {
  for (const [guard, signals, words] of [
    ["operation in [\"Run\", \"Start\"]", { operation: "Start" }, "operation is “Start”"],
    ["operation in [\"Run\", \"Start\"]", { operation: "End" }, "operation is “Run” or “Start”"],
    ["level == 3 || level == 4 && power > 2", { level: 3, power: 1 }, "level is 3"],
    ["status != \"\" && (status == \"a\" || status == \"b\")", { status: "b" }, "status is “b”"],
    ["power > 3 || level > 2", { power: 5 }, "power is above 3 or level is above 2"],
  ]) assert.equal(guardWords(guard, explanation, signals), words, guard);
  const way = { from: "idle", to: ["running"], trigger: "always", guard: "operation in [\"Run\", \"Start\"]" }, moves = [{ at: 60, from: "idle", to: "running" }];
  const since = sinceSentences({ ...explanation, signals: { operation: "Run" } }, { ...definition, machine: { ...definition.machine, transitions: [way] } }, moves, titleOf);
  assert.deepEqual(read(since.slice(1)), ["The reason: operation is “Run”."]);
});

test("an event is called as its button is", () => {
  const layout = { buttons: [{ event: "stop", title: "Leave it", states: ["running"] }] }, transitions = [{ in: "running", on: "stop", to: "idle" }];
  assert.deepEqual(read(nextSentences({ ...explanation, transitions }, { ...definition, layout }, titleOf)), ["IDLE when “Leave it” is sent."]);
  // In a state without the button nobody can send it.
  layout.buttons[0].states = ["paused"];
  assert.deepEqual(read(nextSentences({ ...explanation, transitions }, { ...definition, layout }, titleOf)), ["Also possible: IDLE."]);
});

test("what comes next by itself is the earliest wait, timer or forecast that says something to people", () => {
  assert.deepEqual(comesNext(explanation, 1000, titleOf), { at: 4600, what: "FINISHING" });
  // Not that it may fall silent, nor what is over, nor what a guard forbids now.
  const timeline = { entries: [{ date: 8200.4, state: "lost" }] };
  assert.equal(comesNext({ ...explanation, timers: [], timeline }, 1000, titleOf), null);
  assert.equal(comesNext(explanation, 5000, titleOf), null);
  const wait = { in: "running", after: 60, to: "idle", guard: "power < 5", since: 1000, due: 1060 }, way = { in: "running", after: 60, to: "idle", guard: "power < 5" };
  const guarded = (holds) => ({ ...explanation, waits: [...explanation.waits, wait], transitions: [...explanation.transitions, { ...way, holds }] });
  assert.deepEqual(comesNext(guarded(true), 1000, titleOf), { at: 1060, what: "IDLE" });
  assert.deepEqual(comesNext(guarded(false), 1000, titleOf), { at: 4600, what: "FINISHING" });
  // Phones have better words for the same moment.
  const shown = { entries: [{ date: 4600, state: "finishing", content: { status: "Almost done" } }] };
  assert.deepEqual(comesNext({ ...explanation, timeline: shown }, 1000, titleOf), { at: 4600, what: "Almost done" });
});
