// What the drawn phone shows, tested by `node --test Tests/Page`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import * as layout from "../../Sources/Adapters/CPage/page/phone-layout.js";
import { symbolName } from "../../Sources/Adapters/CPage/page/symbols.js";

const snapshot = (id, more = {}) => ({ id, rev: 1, phase: "active", state: "running", attributes: {}, content: {}, ...more });
const activity = (id, relevance, more) => ({ snapshot: snapshot(id, more), relevance });
const ids = (places) => places.map((place) => (place.activity ?? place).snapshot.id);

test("the island shows the two most relevant activities, and the earlier one among equals", () => {
  const seen = layout.places([
    activity("a/x/300", 50), activity("b/x/200", 50), activity("c/x/100", 20), activity("d/x/50", 90, { phase: "ended" }), activity("e/x/400", 80),
  ]);
  assert.deepEqual(ids(seen.island), ["e/x/400", "b/x/200"]);
  assert.deepEqual(seen.island.map((place) => place.why), ["relevance", "start"]);
  assert.deepEqual(ids(seen.lock), ["d/x/50", "e/x/400", "b/x/200", "a/x/300", "c/x/100"]);
  assert.deepEqual(seen.outside.map((place) => place.why), ["ended", "full", "full"]);
});

test("a lone activity has the island to itself, and an ended one leaves it", () => {
  assert.deepEqual(layout.places([activity("a/x/1", 50)]).island.map((place) => place.why), ["only"]);
  assert.deepEqual(layout.places([activity("a/x/1", 50, { phase: "ended" })]).island, []);
});

test("clocks are written as SwiftUI writes them", () => {
  assert.equal(layout.clockText(3600, true), "1:00:00");
  assert.equal(layout.clockText(3599.2, true), "1:00:00", "a countdown shows a second until it is over");
  assert.equal(layout.clockText(59.9, false), "0:59", "a count shows a second once it is over");
  assert.equal(layout.clockText(303, true), "5:03");
  assert.equal(layout.clockText(-3, true), "0:00");
});

test("minutes are written in words, and one that has begun counts in full", () => {
  assert.equal(layout.minutesText(720, true, "en"), "12 min");
  assert.equal(layout.minutesText(660.5, true, "en"), "12 min");
  assert.equal(layout.minutesText(719, false, "en"), "11 min", "a count shows a minute once it is over");
  assert.equal(layout.minutesText(3900, true, "en"), "1h 5m");
  assert.equal(layout.minutesText(7200, true, "de"), "2h");
  const clock = layout.drawn({ draw: "clock", field: "eta", in: "minutes" }, { content: { eta: { start: 0, end: 3599 } } }, 100, "de");
  assert.deepEqual([clock.text, clock.widest], ["59 Min.", "59 Min."]);
  assert.equal(layout.clockOf({ start: 0, end: 5000 }, 4990, "en").widest, "1h 59m", "it keeps its width until the end");
});

test("a symbol stands on a circle of its own colour, of that of the island, or a grey one", () => {
  const circle = (layoutTint, of) =>
    layout.drawn({ draw: "symbol", name: "drop", circle: of }, snapshot("w/laundry/1"), 0, "en", { tint: layoutTint }).circle;
  assert.equal(circle("#2a9d8f", "island"), "#2a9d8f");
  assert.equal(circle("#2a9d8f", "#ff0000"), "#ff0000");
  assert.equal(circle(null, "island"), "#8e8e93");
  assert.equal(circle("#2a9d8f", undefined), undefined);
});

test("a missing value takes along what belongs to it, as on phones", () => {
  for (const [written, expected] of JSON.parse(readFileSync(new URL("missing-values.json", import.meta.url), "utf8"))) {
    const pieces = written.split(/(\{[^}]*\})/).filter(Boolean)
      .map((piece) => (piece.startsWith("{") ? { value: piece.slice(1, -1) } : { words: piece }));
    assert.equal(layout.joinedPieces(pieces), expected, written);
  }
});

test("a button has its link while no part of it is missing", () => {
  const buttons = [{ event: "stop", title: "Stop", states: ["on"] }, { title: "Call", link: [{ literal: "tel:" }, { field: "phone", type: "any" }] }];
  const seen = (content) => layout.linkButtons({ buttons }, snapshot("ride/mia/1", { content }));
  assert.deepEqual(seen({ phone: "+49301" }), [{ title: "Call", link: "tel:+49301" }]);
  assert.deepEqual(seen({ phone: null }), []);
  assert.deepEqual(layout.linkButtons(undefined, snapshot("ride/mia/1")), []);
});

test("a button that sends an event is there in its states, and an event without a button always", () => {
  const definition = { events: ["pause", "openDoor"], layout: { buttons: [{ event: "pause", title: "Anhalten", states: ["printing"] }] } };
  const seen = (...states) => layout.eventButtons(definition, states).map(({ title }) => title);
  assert.deepEqual(seen("working", "printing"), ["Anhalten", "Open door"]);
  assert.deepEqual(seen("paused"), ["Open door"]);
  assert.deepEqual(layout.eventButtons(undefined, ["printing"]), []);
});

test("a text has the way in which it changes, and its numbers together, by which digits roll up or down", () => {
  const title = { draw: "title", parts: [{ field: "hosts", type: "int" }, { literal: " : " }, { field: "guests", type: "int" }], transition: "numeric" };
  const seen = (content) => layout.drawn(title, snapshot("match/20/1", { content }), 0, "en");
  assert.deepEqual(seen({ hosts: 2, guests: 1 }), { draw: "title", text: "2 : 1", level: 3, transition: "numeric" });
  assert.equal(seen({ hosts: null, guests: 1 }).level, 1);
});

test("a clock is as wide as its longest text", () => {
  const widest = (timer) => layout.clockOf(timer, 0).widest;
  assert.equal(widest({ start: 0, end: 3599 }), "00:00");
  assert.equal(widest({ start: 0, end: 3600 }), "0:00:00");
  assert.equal(widest({ start: 0, end: 36000 }), "00:00:00");
  assert.equal(widest({ start: -5 }), "00:00:00");
});

test("a countdown ends in an hourglass and a full bar", () => {
  const timer = { start: 0, end: 100 };
  assert.deepEqual(layout.clockOf(timer, 100), { draw: "symbol", name: "hourglass", waits: true });
  assert.equal(layout.barOf(timer, 25).progress, 0.25);
  assert.equal(layout.barOf(timer, 1000).progress, 1);
});

test("a number with a whole is a bar, which is never more than full", () => {
  const share = (percent, of) => layout.drawn({ draw: "bar", field: "x", of }, { content: { x: percent } }, 0, "en")?.progress;
  assert.equal(share(30, 40), 0.75);
  assert.equal(share(50, 40), 1);
  assert.equal(share(undefined, 40), undefined);
});

test("a number is written with its unit as the reader's language has it", () => {
  const text = (part, locale) =>
    layout.joined([{ field: "x", type: "double", ...part }], { id: "a/b/1", content: { x: 1234.5678 } }, locale);
  assert.equal(text({ unit: "kWh", round: 1 }, "en"), "1,234.6\u00a0kWh");
  assert.equal(text({ unit: "kWh", round: 3 }, "de"), "1.234,568\u00a0kWh");
  assert.equal(text({ unit: "%", round: 0 }, "en"), "1,235%");
  assert.equal(text({ unit: "%", round: 0 }, "de"), "1.235\u00a0%");
  assert.equal(text({ round: 0 }, "en"), "1,235");
});

test("a timer that is paused stands still", () => {
  for (const at of [0, 1e9]) {
    assert.equal(layout.clockOf({ remaining: 754, duration: 3600 }, at).text, "12:34");
    assert.equal(layout.barOf({ remaining: 900, duration: 3600 }, at).progress, 0.75);
    assert.equal(layout.clockOf({ elapsed: 61 }, at).text, "1:01");
  }
});

test("nothing is drawn of a timer that is missing, or of a bar without an end", () => {
  assert.equal(layout.clockOf(undefined, 0), null);
  assert.equal(layout.barOf({ start: 0 }, 10), null);
  const card = layout.lockCard({ lock: { texts: [], clocks: [{ draw: "clock", field: "gone" }] } }, snapshot("w/laundry/1"), 0, "en");
  assert.deepEqual(card.clocks, []);
});

test("texts show fields as the generated Swift writes them", () => {
  const shown = snapshot("w/laundry/1", { attributes: { name: "Cellar" }, content: { number: 1234.567, truth: true, length: 5400 } });
  const parts = [
    { device: true }, { literal: " in " }, { attribute: "name", type: "string" }, { literal: ": " }, { field: "number", type: "double" },
    { literal: ", " }, { field: "truth", type: "bool" }, { literal: ", " }, { field: "length", type: "duration" }, { field: "missing", type: "string" },
  ];
  assert.equal(layout.joined(parts, shown, "en"), "laundry in Cellar: 1,234.57, true, 1:30");
});

test("a region without elements has the symbol of the layout", () => {
  const seen = layout.island({ symbol: "washer", tint: "#2a9d8f" }, snapshot("w/laundry/1"), 0, "en");
  assert.deepEqual([seen.leading, seen.trailing, seen.minimal], [[{ draw: "symbol", name: "washer" }], [], [{ draw: "symbol", name: "washer" }]]);
  assert.equal(layout.tintOf({ tint: "red; background: url(x)" }), null);
});

test("the example of an alert is the first one, with what is known in its places", () => {
  const definition = {
    machine: { states: [{ name: "done", title: "Laundry is done" }, { name: "odd", title: "{x} of {y}" }] },
    alerts: [{ state: "done", title: "{device.name}: {state.title}", body: "{program}, {x + 1}" }, { when: "x > 3", title: "Later" }],
  };
  const seen = snapshot("w/laundry/1", { attributes: { program: "Cotton" }, content: { status: "Running" } });
  assert.deepEqual(layout.exampleAlert(seen, definition), { title: "Laundry: Laundry is done", body: "Cotton, …" });
  definition.alerts[0].state = "odd";
  assert.equal(layout.exampleAlert(seen, definition).title, "Laundry: …");
  assert.deepEqual(layout.exampleAlert(seen, { alerts: [] }), { title: "Laundry", body: "Running" }, "a run starts with an alert");
  assert.equal(layout.exampleAlert(snapshot("w/laundry/1", { attributes: { name: "Cellar" }, content: {} }), null).title, "Cellar");
});

test("a sample fills all fields of a definition", () => {
  const made = layout.sample({
    kind: "washer", name: "Washing machine", starts: ["working"], attributes: [{ name: "name", type: "string" }],
    fields: [{ name: "status", type: "string" }, { name: "cycle", type: "time" }],
    machine: { states: [{ name: "idle", title: "Idle", parent: null }, { name: "working", parent: null }, { name: "washing", title: "Washing", parent: "working" }] },
  }, 10000);
  assert.deepEqual([made.state, made.attributes.name, made.content.status], ["washing", "Washing machine", "Washing"]);
  assert.ok(made.content.cycle.start < 10000 && made.content.cycle.end > 10000);
});

test("a number of steps fills as many segments, and never more than there are", () => {
  const steps = (x) => layout.drawn({ draw: "steps", field: "x", of: 5 }, { content: { x } }, 0, "en");
  assert.deepEqual(steps(2.9), { draw: "steps", filled: 2, of: 5 });
  assert.equal(steps(7).filled, 5);
  assert.equal(steps(-1).filled, 0);
  assert.equal(steps("2"), null);
});

test("a link shows values as they were published, and is not there while one of them is missing", () => {
  const seen = snapshot("w/laundry/1", { attributes: { name: "Cellar" }, content: { number: 1234.5, truth: true, none: null, empty: "" } });
  const link = (...parts) => layout.linkOf([{ literal: "skerry://" }, ...parts], seen);
  assert.equal(link({ device: true }, { literal: "/" }, { attribute: "name" }), "skerry://laundry/Cellar");
  assert.equal(link({ field: "number" }, { literal: "/" }, { field: "truth" }), "skerry://1234.5/true");
  for (const field of ["none", "empty", "gone"]) assert.equal(link({ field }), null);
  assert.equal(layout.linkOf([], seen), null);
});

test("the state chooses symbols and colours, the first one with a case among several", () => {
  const made = {
    tint: "#000001", tints: { cases: { hot: "#ff0000", "left": "#0000ff" } }, symbol: "washer",
    minimal: [{ draw: "symbol", name: "washer", cases: { hot: "flame" }, tint: "island" }],
  };
  const seen = (state) => layout.island(made, snapshot("w/laundry/1", { state }), 0, "en");
  assert.deepEqual(seen("hot").minimal, [{ draw: "symbol", name: "flame", tint: "#ff0000" }]);
  assert.deepEqual(seen("cold").minimal, [{ draw: "symbol", name: "washer", tint: "#000001" }]);
  assert.equal(seen("low,left,hot").tint, "#0000ff");
  assert.equal(seen("constructor").tint, "#000001");
});

test("a field chooses symbols and colours, and only colours are colours", () => {
  const made = { tints: { field: "colour", cases: { red: "#ff0000", bad: "url(x)" } }, minimal: [{ draw: "symbol", name: "washer", field: "icon", cases: { wet: "drop" } }] };
  const seen = (content) => layout.island(made, snapshot("w/laundry/1", { content }), 0, "en");
  assert.deepEqual([seen({ icon: "wet" }).minimal[0].name, seen({}).minimal[0].name], ["drop", "washer"]);
  assert.deepEqual([seen({ colour: "red" }).tint, seen({ colour: "bad" }).tint, seen({}).tint], ["#ff0000", null, null]);
});

test("a row tells which of its cells are as wide as their views", () => {
  const row = (fit) => layout.drawn({ draw: "row", cells: [[], []], ...(fit && { fit }) }, snapshot("w/laundry/1"), 0, "en");
  assert.deepEqual([row([1]).fit, row(null).fit], [[1], undefined]);
});

test("a row has cells with views, and what is missing leaves its cell empty", () => {
  const row = { draw: "row", cells: [[{ draw: "caption", parts: [{ literal: "a" }], lines: 1 }], [{ draw: "clock", field: "gone" }]] };
  assert.deepEqual(layout.drawn(row, snapshot("w/laundry/1"), 0, "en"), { draw: "row", cells: [[{ draw: "caption", text: "a", lines: 1 }], []] });
});

test("a region and the Lock Screen have their links and edges", () => {
  const seen = snapshot("w/laundry/1"), link = [{ literal: "skerry://" }, { device: true }];
  const made = { expanded: [{ position: "leading", priority: 1, align: "center", elements: [], link }], lock: { link } };
  assert.deepEqual(layout.island(made, seen, 0, "en").expanded.leading, { priority: 1, elements: [], align: "center", link: "skerry://laundry" });
  assert.equal(layout.lockCard(made, seen, 0, "en").link, "skerry://laundry");
});

test("the page draws the symbols that the linter knows, and no others", () => {
  const read = (path) => readFileSync(new URL(`../../Sources/${path}`, import.meta.url), "utf8");
  const swift = read("Core/SkerryDevice/Definition/IslandSymbol.swift"), page = read("Adapters/CPage/page/symbols.js");
  const listed = [...swift.matchAll(/"[a-z]+": "([a-z0-9.]+)"/g)].map((match) => match[1]);
  const others = [...swift.slice(swift.indexOf("static let drawn")).matchAll(/"([a-z0-9.]+)"/g)].map((match) => match[1]);
  const drawn = [...page.slice(page.indexOf("const sameAs")).matchAll(/^  "?([a-z0-9.]+)"?: "/gm)].map((match) => match[1]);
  assert.ok(listed.length > 100);
  for (const name of listed) assert.equal(symbolName(name), name);
  assert.deepEqual(drawn.filter((name) => !listed.includes(name) && !others.includes(name)), []);
  assert.deepEqual(others.filter((name) => !drawn.includes(name)), []);
  assert.equal(symbolName("lock.fill"), "lock");
  assert.equal(symbolName("nobody.knows.this"), "gearshape");
});

test("a silent card has the moment of the last message, and no other has", () => {
  const card = (more) => layout.lockCard({ lock: {} }, { ...snapshot("w/laundry/1", more), heard: 60 }, 0, "en");
  assert.equal(card({ phase: "stale" }).heard, 60);
  assert.equal(card({ phase: "active" }).heard, null);
});
