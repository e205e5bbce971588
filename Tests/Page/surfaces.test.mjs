// One wording of an activity, wherever it is shown: for each shipped definition, as `skerry describe` has it. Run by: node --test Tests/Page
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";

globalThis.navigator ??= { languages: ["en"] };
globalThis.document ??= { hidden: false, addEventListener() {}, documentElement: {} };
globalThis.IntersectionObserver ??= class { observe() {} unobserve() {} };

const page = (name) => import(new URL(`../../Sources/Adapters/CPage/page/${name}.js`, import.meta.url));
const { clockField, deviceStatus, distinctNames, stateTitle, statusOf } = await page("house");
const layouts = await page("phone-layout");
const { clockText } = await page("time");
const { compare } = await page("compare");

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = process.env.SKERRY ?? `${root}.build/debug/skerry`;
const skip = existsSync(program) ? false : "there is no skerry to describe the definitions";
const shipped = skip ? [] : execFileSync(program, ["describe", "devices", "--json"], { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 }).trim().split("\n").map((line) => JSON.parse(line));

const AT = 1795700000;
const WORDS = "Words of nobody";
const textsOf = (elements) => elements.flatMap((element) => (element.draw === "row" ? element.cells.flatMap(textsOf) : [element.text ?? ""]));

/** What each surface says that an activity does. */
function surfaces(definition, snapshot) {
  const { layout } = definition, known = { states: [snapshot.state], title: stateTitle(definition, snapshot.state) };
  const island = layouts.island(layout, snapshot, AT, "en");
  return {
    "card, wall, guest page, title of the tab": statusOf(snapshot, definition, known),
    "head of the device": deviceStatus(snapshot, definition, known, known.title),
    "device in the past": deviceStatus(snapshot, definition, { states: [snapshot.state] }, known.title),
    "start on a phone": layouts.startAlert(snapshot, definition).body,
    "Lock Screen": textsOf(layouts.lockCard(layout, snapshot, AT, "en").texts).find((text) => text.includes(WORDS)),
    "open island": textsOf(Object.values(island.expanded).flatMap(({ elements }) => elements)).find((text) => text.includes(WORDS)),
  };
}

test("each shipped definition says on all surfaces what its status says", { skip }, () => {
  assert.ok(shipped.length > 40);
  for (const definition of shipped) {
    for (const phase of ["active", "stale", "ended"]) {
      const made = layouts.sample(definition, AT), snapshot = { ...made, phase, content: { ...made.content, status: WORDS } };
      for (const [surface, words] of Object.entries(surfaces(definition, snapshot))) {
        assert.ok(words?.includes(WORDS), `${definition.kind}, ${phase}, ${surface}: ${words}`);
        if (!/Lock|island/.test(surface)) assert.equal(words, WORDS, `${definition.kind}, ${surface}`);
      }
    }
  }
});

test("a card of each shipped definition says what the layout says, once, and no value without words", { skip }, () => {
  for (const definition of shipped) {
    const snapshot = layouts.sample(definition, AT), status = statusOf(snapshot, definition, null);
    const { lines, named } = layouts.cardTexts(definition.layout, snapshot, [status, definition.name], "en");
    assert.equal(new Set(lines).size, lines.length, definition.kind);
    for (const line of lines) assert.ok(line !== status && !/[{}]|undefined|NaN|object/.test(line), `${definition.kind}: ${line}`);
    for (const name of named) assert.ok([...definition.fields, ...definition.attributes].some((one) => one.name === name), `${definition.kind}: ${name}`);
    const said = textsOf(layouts.lockCard(definition.layout, snapshot, AT, "en").texts).join(" ").toLowerCase();
    for (const field of definition.fields.filter(({ unit }) => unit)) {
      const words = layouts.measureText(snapshot.content[field.name], { unit: field.unit, round: 0 }, "en").toLowerCase();
      if (said.includes(words)) assert.ok(named.has(field.name) && lines.some((line) => line.toLowerCase().includes(words)), `${definition.kind}: ${field.name}`);
    }
  }
});

test("a score, a temperature and a level stand on the card as phones show them", { skip }, () => {
  const lines = (kind, content, attributes = {}) => {
    const definition = shipped.find((one) => one.kind === kind);
    return layouts.cardTexts(definition.layout, { id: `${kind}/one/1`, phase: "active", state: "x", attributes, content: { status: "Busy", ...content } }, ["Busy", "One"], "en").lines;
  };
  assert.deepEqual(lines("match", { hosts: 2, guests: 1 }, { home: "Ajax", away: "PSV" }), ["Ajax 2 : 1 PSV"]);
  assert.deepEqual(lines("oven", { temperature: 50, target: 95 }, { program: "Pizza" }), ["Pizza", "50\u00a0°C of 95\u00a0°C"]);
  assert.deepEqual(lines("car-teslamate", { level: 51, limit: 80 }, { name: "one" }), ["51% of 80%"]);
  assert.deepEqual(lines("robot-valetudo", { area: 12 }, { name: "one" }), ["12\u00a0m²"]);
  assert.deepEqual(lines("washer", {}, { name: "one", program: "Cotton" }), []);
  const groceries = shipped.find((one) => one.kind === "order-groceries");
  assert.equal(layouts.levelIsAt(groceries.layout, { content: { picked: 25 } }), 0.25);
  assert.equal(layouts.levelIsAt(groceries.layout, { content: {} }), null);
});

test("what a card adds to the layout of a shipped definition has a name in each language", { skip }, async () => {
  await page("texts-shell");
  const { tables } = await page("texts");
  for (const definition of shipped) {
    const snapshot = layouts.sample(definition, AT), { named } = layouts.cardTexts(definition.layout, snapshot, [], "en");
    for (const { name, type } of [...definition.attributes, ...definition.fields]) {
      if (named.has(name) || ["name", "status", clockField(snapshot, definition.layout)].includes(name)) continue;
      for (const [tag, words] of Object.entries(tables)) assert.ok(words[`fact.${type === "time" ? "time." : ""}${name}`], `${definition.kind}, ${tag}: ${name}`);
    }
  }
});

test("no template stands on the chart or the timeline of a shipped definition", { skip }, async () => {
  const { layoutChart } = await page("chart-layout");
  for (const definition of shipped) {
    for (const state of layoutChart(definition.machine, { initial: definition.initial }).states) assert.ok(!/[{}]/.test(`${state.title}${state.main}`), `${definition.kind}: ${state.main}`);
    for (const { name } of definition.machine.states) assert.ok(!/[{}]/.test(stateTitle(definition, name)), `${definition.kind}: ${name}`);
  }
});

test("the clock of a card is that of the head of its device", { skip }, () => {
  for (const definition of shipped) {
    const snapshot = layouts.sample(definition, AT), field = clockField(snapshot, definition.layout);
    assert.equal(field !== null, definition.fields.some(({ type }) => type === "time"), definition.kind);
  }
});

test("a countdown that is over says for how long", () => {
  assert.equal(clockText({ start: 0, end: 100 }, 99.5), "0:01");
  assert.equal(clockText({ start: 0, end: 100 }, 130), "0:00");
  assert.equal(clockText({ start: 0, end: 100 }, 100 + 26 * 60 + 40), "26 min over");
  assert.equal(clockText({ start: 0, end: 100, tolerance: 60 }, 100 + 3600), "1 hr over");
  assert.equal(clockText({ remaining: 0, duration: 100 }, 1e6), "0:00", "one that stands still is not late");
});

test("names in choosers are those of people, and two of one name are told apart by their kinds", () => {
  const names = { "washer/a": "Laundry", "dryer/b": "Laundry", "oven/c": "Oven" };
  const found = distinctNames(Object.keys(names), (key) => names[key], (kind) => kind.toUpperCase());
  assert.deepEqual([...found.values()], ["Laundry (WASHER)", "Laundry (DRYER)", "Oven"]);
});

test("an edit that changes a title, the look or an alert changes what people see", () => {
  const definition = { name: "Plug", machine: { states: [{ name: "on", title: "On" }] }, layout: { tint: "#112233", lock: { texts: [{ draw: "text", parts: [{ literal: "Busy" }] }] } } };
  const events = [{ at: 10, what: "update", id: "plug/attic/1", bytes: 9, alert: { title: "It runs" }, snapshot: { id: "plug/attic/1", phase: "active", state: "on", attributes: {}, content: {} } }];
  const edited = (change) => change(structuredClone(definition));
  const first = (other, after = events) => compare(events, after, 100, [definition, other]).first;
  assert.equal(first(structuredClone(definition)), null);
  for (const change of [
    (one) => ({ ...one, machine: { states: [{ name: "on", title: "Switched on" }] } }), (one) => ({ ...one, name: "Socket" }),
    (one) => ({ ...one, layout: { ...one.layout, tint: "#445566" } }), (one) => ({ ...one, layout: { ...one.layout, lock: { texts: [{ draw: "text", parts: [{ literal: "Idle" }] }] } } }),
  ]) assert.deepEqual([first(edited(change)).at, first(edited(change)).isOneMoment], [10, true]);
  const other = structuredClone(events);
  other[0].alert.title = "It goes";
  assert.equal(first(definition, other).at, 10);
});

test("each shipped definition speaks German: skerry check then warns of every text that does not", () => {
  const folder = `${root}devices/`;
  for (const file of readdirSync(folder).filter((name) => /^[^_].*\.yaml$/.test(name))) {
    const text = readFileSync(folder + file, "utf8"), [, parent] = text.match(/^extends: (\S+)$/m) ?? [];
    assert.match(text + (parent ? readFileSync(folder + parent, "utf8") : ""), /^name: \{ en: .+, de: .+ \}$/m, file);
  }
});
