// Statecharts are laid out so that nothing lies over anything else, tested by `node --test Tests/Page`.
import assert from "node:assert/strict";
import test from "node:test";
import { layoutChart, pathThrough } from "../../Sources/Adapters/CPage/page/chart-layout.js";
import { closingLinks, order, ranks, spread } from "../../Sources/Adapters/CPage/page/chart-ranks.js";

const state = (name, parent = null, type = "atomic", initial = null) => ({ name, title: null, parent, type, initial });
const move = (from, to, guard = null, trigger = "always", label = "") => ({ from, to: to === null ? [] : [to], trigger, label, guard, line: 1 });

const washer = {
  states: [state("idle"), state("washing", null, "compound", "running"), state("running", "washing"), state("finishing", "washing"), state("paused", "washing"), state("done")],
  transitions: [
    move("idle", "running", 'operation == "Run"'), move("washing", "done", 'operation == "Finished"'), move("washing", "idle", 'operation == "Ready"'),
    move("running", "paused", 'operation == "Pause"'), move("running", "finishing", null, "event", "cycle.elapsed"), move("finishing", "paused", 'operation == "Pause"'),
    move("finishing", "running", "changed(remaining)"), move("paused", "running", 'operation == "Run"'), move("done", "idle", null, "after", "15m"), move("done", "running", 'operation == "Run"'),
  ],
};

const overlap = (one, other) => one.x + 0.5 < other.x + other.width && other.x + 0.5 < one.x + one.width
  && one.y + 0.5 < other.y + other.height && other.y + 0.5 < one.y + one.height;

/** What lies over something else, or outside of the drawing, in words. */
function faults(machine, initial) {
  const chart = layoutChart(machine, { initial });
  const parents = new Map(machine.states.map((one) => [one.name, one.parent]));
  const isWithin = (name, other) => { for (let at = name; at; at = parents.get(at)) if (at === other) return true; return false; };
  const leaves = chart.states.filter((one) => !one.isCompound);
  const labels = chart.edges.filter((edge) => edge.label).map((edge) => ({ ...edge.label, name: `${edge.from} to ${edge.to}` }));
  const found = [];
  const boxes = [...leaves, ...labels];
  boxes.forEach((box, index) => {
    for (const other of boxes.slice(index + 1)) if (overlap(box, other)) found.push(`${box.name} over ${other.name}`);
    if (!(box.x >= 0 && box.y >= 0 && box.x + box.width <= chart.width + 1 && box.y + box.height <= chart.height + 1)) found.push(`${box.name} outside`);
  });
  for (const frame of chart.states.filter((one) => one.isCompound)) {
    for (const other of chart.states) {
      if (!isWithin(other.name, frame.name) && !isWithin(frame.name, other.name) && overlap(frame, other)) found.push(`${frame.name} over ${other.name}`);
    }
  }
  for (const edge of chart.edges) if (!/^M[-\d. ]+([VCHha][-\d. ]+)+$/.test(edge.path)) found.push(`the line from ${edge.from} to ${edge.to} is ${edge.path}`);
  return found;
}

test("a washer: states flow downwards, inner ones lie within their frame", () => {
  assert.deepEqual(faults(washer, "idle"), []);
  const at = new Map(layoutChart(washer, { initial: "idle" }).states.map((one) => [one.name, one]));
  assert.ok(at.get("idle").y < at.get("washing").y && at.get("washing").y + at.get("washing").height < at.get("done").y);
  assert.ok(at.get("running").y > at.get("washing").y && at.get("running").x > at.get("washing").x);
  assert.ok(at.get("running").isInitial && !at.get("paused").isInitial);
});

test("a line begins at its state and ends at the other one, across frames", () => {
  const chart = layoutChart(washer, { initial: "idle" });
  const at = new Map(chart.states.map((one) => [one.name, one]));
  const edge = chart.edges.find((one) => one.from === "idle" && one.to === "running");
  const begin = edge.path.match(/^M([\d.]+) ([\d.]+)/).slice(1).map(Number);
  assert.ok(Math.abs(begin[1] - (at.get("idle").y + at.get("idle").height)) < 0.2);
  assert.ok(Math.abs(Number(edge.path.match(/([\d.]+)$/)[1]) - at.get("running").y) < 0.2);
});

test("transitions between the same states share a line, those without a target stay in their state", () => {
  const chart = layoutChart({ states: [state("a"), state("b")], transitions: [move("a", "b", "x"), move("a", "b", "y"), move("a", null, null, "event", "weigh"), move("b", "b", "again")] });
  assert.equal(chart.edges.length, 2);
  assert.deepEqual(chart.edges[0].lines.map((line) => line.text), ["x", "y"]);
  assert.deepEqual(chart.states.find((one) => one.name === "a").lines, ["weigh"]);
});

test("nothing overlaps in a hundred machines of up to 25 states", () => {
  let seed = 7;
  const random = (below) => { seed = (seed * 16807) % 2147483647; return Math.floor((seed / 2147483647) * below); };
  for (let round = 0; round < 100; round++) {
    const count = 2 + random(24);
    const states = [];
    const depth = new Map();
    for (let index = 0; index < count; index++) {
      const choice = index > 0 && random(2) ? states[random(states.length)] : null;
      const parent = choice && depth.get(choice.name) < 3 ? choice : null;
      states.push(state(`s${index}`, parent?.name));
      depth.set(`s${index}`, (parent ? depth.get(parent.name) : 0) + 1);
      if (parent?.type === "atomic") parent.type = random(5) ? "compound" : "parallel";
    }
    const transitions = Array.from({ length: Math.round(count * 1.5) }, () =>
      move(`s${random(count)}`, random(12) ? `s${random(count)}` : null, random(2) ? 'power > 10 && phase == "wash"' : null, ["always", "event", "after"][random(3)], "15m"));
    assert.deepEqual(faults({ states, transitions }, "s0"), [], `machine ${round}`);
  }
});

test("cycles are cut where they close, and each link leads down", () => {
  const links = [{ from: 0, to: 1 }, { from: 1, to: 2 }, { from: 2, to: 0 }];
  const closing = closingLinks(3, links, [0]);
  assert.deepEqual([...closing], [2]);
  assert.deepEqual(ranks(3, links, closing), [0, 1, 2]);
});

test("rows are ordered so that lines do not cross", () => {
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => ({ name }));
  const rows = [[a, b], [c, d]];
  order(rows, [[a, d], [b, c]]);
  const names = rows.map((row) => row.map((item) => item.name).join(""));
  assert.ok(names[0] + names[1] === "abdc" || names[0] + names[1] === "bacd", names.join());
});

test("numbers are placed near their wishes, with their distances kept", () => {
  assert.deepEqual(spread([{ at: 0, weight: 1 }, { at: 0, weight: 1 }, { at: 50, weight: 1 }], [10, 10]), [-5, 5, 50]);
});

test("a path is upright where it stays, and curves where it moves aside", () => {
  assert.equal(pathThrough([{ x: 0, from: 0, to: 10 }, { x: 0, from: 20, to: 30 }]), "M0 0V10V20V30");
  assert.equal(pathThrough([{ x: 0, from: 0, to: 10 }, { x: 8, from: 20, to: 20 }]), "M0 0V10C0 15 8 15 8 20");
});
