// Runs as files, their curves and their weeks. Run by: node --test Tests/Page
import assert from "node:assert/strict";
import test from "node:test";

globalThis.navigator = { languages: ["en-GB"] };
globalThis.document ??= { hidden: false, addEventListener() {}, documentElement: {} };
globalThis.IntersectionObserver ??= class { observe() {} unobserve() {} };

const page = "../../Sources/Adapters/CPage/page/";
const { asCSV, asJSON, byWeek, curves, weekStarts } = await import(`${page}history-export.js`);
const { paints, scale } = await import(`${page}timeline.js`);
const { correct, relative, timeOfDay } = await import(`${page}time.js`);

const run = (device, start, end, phases = []) => ({ id: `washer/${device}/${start}`, kind: "washer", device, start, end, ended: end !== null, updates: 3, phases });
const called = (key) => ({ "washer/a": "=2+3, \"big\"" })[key] ?? key;

test("a table has a line for each run, the oldest first, and no formula", () => {
  const runs = [run("b", 7200, null), run("a", 0, 90.4, [{ state: "running", from: 0, to: 60 }, { state: "done", from: 60, to: 90 }])];
  assert.equal(asCSV(runs, called), [
    "\ufeffkind,device,name,start,end,seconds,updates,phases",
    "washer,a,\"'=2+3, \"\"big\"\"\",1970-01-01T00:00:00.000Z,1970-01-01T00:01:30.400Z,90,3,running 1970-01-01T00:00:00.000Z; done 1970-01-01T00:01:00.000Z",
    "washer,b,washer/b,1970-01-01T02:00:00.000Z,,,3,", "",
  ].join("\r\n"));
});

test("JSON has all that is known, with names", () => {
  const { runs } = JSON.parse(asJSON([run("a", 5, 6)], called));
  assert.deepEqual(runs, [{ ...run("a", 5, 6), name: called("washer/a") }]);
});

test("the curve of a run is of the numbers in its messages that change", () => {
  const message = (at, payload, topic = "plug/a/power") => ({ what: "message", at, topic, payload });
  const events = [message(1, "3"), message(2, "5"), message(3, "5"), message(4, "{\"power\":{\"total\":7},\"fixed\":1}"), message(5, "{\"power\":{\"total\":9},\"fixed\":1}"), message(6, "on"), message(99, "8"), { what: "update", at: 3 }];
  assert.deepEqual(curves(events, 0, 10).map(({ name, samples }) => [name, samples.map((one) => one.value)]), [["power", [3, 5, 5]], ["power.total", [7, 9]]]);
});

test("runs are counted in the week in which they began", () => {
  const weeks = byWeek([run("a", 5, 10), run("a", 99, 120), run("a", 130, null), run("b", 250, 260), run("b", -5, 1)], [0, 100], 200);
  assert.deepEqual(weeks, new Map([["washer/a", [{ count: 2, seconds: 26 }, { count: 1, seconds: 70 }]]]));
});

test("weeks begin with the day with which they do where the reader lives", () => {
  const day = (month, date) => new Date(2026, month - 1, date).getTime() / 1000;
  const from = day(10, 29), to = day(11, 28), days = (first) => weekStarts(from, to, first).map((start) => new Date(start * 1000).getDate());
  assert.deepEqual(days(1), [2, 9, 16, 23]);
  assert.deepEqual(days(7), [1, 8, 15, 22]);
  assert.deepEqual(days(5), [30, 6, 13, 20, 27]);
});

test("the axis of a month has several dates also on a phone", () => {
  const to = new Date(2026, 10, 28).getTime() / 1000, marks = scale(to - 30 * 86400, to, 318, 60);
  assert.ok(marks.length >= 3 && marks.length <= 5, String(marks.length));
  for (const { text } of marks) assert.match(text, /^\d+ \w+$/);
});

test("the axis has the beginnings of days also where clocks are changed", async () => {
  const before = process.env.TZ;
  process.env.TZ = "Europe/Berlin";
  try {
    const { scale } = await import(`${page}timeline.js?Berlin`);
    for (const [from, days] of [[new Date(2026, 9, 21), 8], [new Date(2026, 2, 25), 8], [new Date(2026, 9, 11), 30]]) {
      const marks = scale(from / 1000, new Date(from.getFullYear(), from.getMonth(), from.getDate() + days) / 1000, days * 64, 60);
      assert.ok(marks.length >= days && marks.every(({ at }) => new Date(at * 1000).getHours() === 0), marks.map(({ text }) => text).join());
      assert.equal(new Set(marks.map(({ text }) => text)).size, marks.length);
    }
    const hours = scale(new Date(2026, 9, 25) / 1000, new Date(2026, 9, 26) / 1000, 500, 46).map(({ text }) => text);
    assert.deepEqual(hours, ["00:00", "03:00", "06:00", "09:00", "12:00", "15:00", "18:00", "21:00", "00:00"]);
    // An hour that there is not, and one that there is twice.
    for (const day of [29, 25]) {
      const marks = scale(new Date(2026, day === 29 ? 2 : 9, day) / 1000, new Date(2026, day === 29 ? 2 : 9, day + 1) / 1000, 2000, 60);
      assert.ok(marks.length > 23 && marks.every(({ at }, place) => place === 0 || at > marks[place - 1].at), marks.map(({ text }) => text).join());
    }
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
});

test("states of one title have one colour", () => {
  const state = (name, title) => ({ name, title, parent: "washing", type: "atomic", initial: null });
  const paint = paints({ starts: ["washing"], ends: [], initial: "off", machine: { transitions: [], states: [state("run", "Running"), state("rinse", "Rinsing"), state("rerun", "Running")] } });
  assert.deepEqual(["run", "rinse", "rerun"].map((name) => paint.of(name)), [0, 1, 0]);
});

test("the time of day has two digits for the hour where a day has 24", () => {
  const at = new Date(2026, 10, 28, 0, 41).getTime() / 1000;
  correct(at + 60);
  assert.equal(timeOfDay(at), "00:41");
});

test("a moment more than half a year away has its year", () => {
  const at = (...date) => new Date(...date, 12).getTime() / 1000;
  correct(at(2027, 0, 4));
  for (const [moment, words] of [[at(2026, 11, 28), "28 Dec, 12:00"], [at(2026, 2, 10), "10 Mar 2026, 12:00"], [at(2027, 6, 23), "23 Jul 2027, 12:00"]]) assert.equal(timeOfDay(moment), words);
});

test("yesterday is the day before, and not a day and a half ago", () => {
  const at = (day, hour) => new Date(2026, 10, day, hour).getTime() / 1000;
  assert.equal(relative(at(27, 14), at(29, 1)), "2 days ago");
  assert.equal(relative(at(27, 23), at(29, 0)), "2 days ago");
  assert.equal(relative(at(28, 0), at(29, 23)), "yesterday");
  assert.equal(relative(at(29, 0), at(29, 23) + 3000), "24 hours ago");
  assert.equal(relative(at(30, 14), at(29, 1)), "tomorrow");
});

test("words below a scale stay inside, and none touches the one before", async () => {
  const { wordPlaces } = await import(`${page}timeline.js`);
  const x = (at) => at, words = (marks, width) => wordPlaces(marks.map(([at, text]) => ({ at, text })), x, width);
  // The one at the end would lie on its neighbour.
  assert.deepEqual(words([[18, "12:00"], [62, "14:00"], [100, "16:00"]], 100).map(({ text }) => text), ["12:00", "14:00"]);
  assert.deepEqual(words([[18, "12:00"], [62, "14:00"], [106, "16:00"]], 140).map(({ text }) => text), ["12:00", "14:00", "16:00"]);
  const [{ place }] = words([[2, "12:00"]], 100);
  assert.ok(place > 12 && place < 20);
  // Chinese is wider.
  assert.equal(words([[50, "11月29日"], [92, "11月30日"]], 200).length, 1);
});
