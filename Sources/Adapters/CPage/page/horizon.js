// The picture above the cards: a sea with a skerry for each activity. The tide goes out while it runs, so the skerry comes up.
// The lighthouse is the bridge: its lamp burns while it hears its broker.
import { el, put, svg } from "./dom.js";
import { clockField } from "./house.js";
import { symbol } from "./symbols.js";
import { everySecond, reading } from "./time.js";

const SEA = 232;
const PLACES = [[1036, 1], [868, 0.84], [1106, 0.6], [944, 0.58], [752, 0.72], [804, 0.5], [676, 0.56], [612, 0.46]];
const ROCKS = [
  "M-92 40c6-22 22-26 36-34 10-6 12-18 27-22 17-5 30 4 41 9 13 6 27 5 38 16 8 8 24 10 34 31z",
  "M-78 40c4-14 14-18 25-22 12-5 13-19 30-24 13-4 20 6 32 8 16 3 20 12 34 14 14 3 26 10 32 24z",
  "M-98 40c10-18 26-16 38-24 15-10 20-24 40-25 18 0 26 13 40 17 18 5 26 4 38 13 9 6 22 8 30 19z",
];

const layer = (name, ...children) => svg("svg", { class: name, viewBox: "0 0 1440 300", "aria-hidden": "true", focusable: "false" }, children);

/** Draws the picture into a node of its own: what moves is in layers of its own, which cost the processor nothing. */
export class Horizon {
  constructor() {
    this.rocks = svg("g", { class: "rocks" });
    this.node = el("div", { class: "horizon" },
      layer("scene",
        svg("defs", {},
          svg("linearGradient", { id: "sky", x1: 0, y1: 0, x2: 0, y2: 1 }, svg("stop", { class: "sky-top" }), svg("stop", { class: "sky-low", offset: 0.78 })),
          svg("linearGradient", { id: "sea", x1: 0, y1: 0, x2: 0, y2: 1 }, svg("stop", { class: "sea-far" }), svg("stop", { class: "sea-near", offset: 0.94 })),
          svg("linearGradient", { id: "ray", x1: 0, y1: 0, x2: 1, y2: 0 }, svg("stop", { class: "ray-near" }), svg("stop", { class: "ray-far", offset: 1 })),
          svg("linearGradient", { id: "yar", x1: 1, y1: 0, x2: 0, y2: 0 }, svg("stop", { class: "ray-near" }), svg("stop", { class: "ray-far", offset: 1 })),
          svg("radialGradient", { id: "halo" }, svg("stop", { class: "ray-near" }), svg("stop", { class: "ray-far", offset: 1 }))),
        svg("rect", { class: "sky", x: -3000, width: 9000, height: 300, fill: "url(#sky)" }),
        svg("g", { class: "stars" }, stars()),
        svg("circle", { class: "orb", cx: 1108, cy: 98, r: 22 }),
        svg("path", { class: "far", d: "M380 232c40-12 66-10 104-20 44-12 70-2 108-6 50-6 82 6 120 10 44 5 96 4 150 16z" }),
        svg("path", { class: "far", d: "M880 232c30-8 52-16 96-14 42 2 60-10 104-8 52 2 76 14 122 12 60-2 90-14 238-8 60 4 110 14 200 18z" }),
        lighthouse(),
        this.rocks,
        svg("rect", { class: "sea", x: -3000, y: SEA, width: 9000, height: 300 - SEA, fill: "url(#sea)" })),
      layer("rays", svg("path", { d: "M1262 66 1642 18v96z", fill: "url(#ray)" })),
      layer("rays back", svg("path", { d: "M1262 66 882 18v96z", fill: "url(#yar)" })),
      layer("waves", wave(248, 0), wave(280, 30)),
      layer("waves back", wave(263, 90)));
    this.stop = () => {};
  }

  /** Shows the activities: `[{ key, snapshot, definition }]`. */
  show(shown) {
    this.stop();
    const some = shown.slice(0, PLACES.length), before = new Map([...this.rocks.children].map((rock) => [rock.dataset.key, rock]));
    const kept = some.map(({ key, definition }, index) => {
      const old = before.get(key);
      return old && old.definition === definition ? old : Object.assign(rock(key, definition, index), { definition });
    });
    some.forEach(({ definition }, index) => {
      const [x, size] = PLACES[index];
      kept[index].style.setProperty("--x", `${x}px`);
      kept[index].style.setProperty("--size", size);
      if (definition?.layout?.tint) kept[index].style.setProperty("--tint", definition.layout.tint);
    });
    // What is farther away is drawn first.
    put(this.rocks, [...kept].sort((a, b) => a.style.getPropertyValue("--size") - b.style.getPropertyValue("--size")));
    this.stop = everySecond(this.node, (now) => some.forEach(({ snapshot, definition }, index) => {
      const field = clockField(snapshot, definition?.layout);
      const progress = snapshot.phase === "ended" ? 1 : (field && reading(snapshot.content[field], now).progress) ?? 0.5;
      kept[index].style.setProperty("--up", (0.25 + 0.75 * progress).toFixed(3));
    }));
  }
}

function rock(key, definition, index) {
  const drawing = symbol(definition?.layout?.symbol ?? "gearshape");
  for (const [name, value] of Object.entries({ x: -11, y: -11, width: 22, height: 22 })) drawing.setAttribute(name, value);
  return svg("g", { class: "rock", "data-key": key }, svg("g", { class: "lift" },
    svg("path", { class: "stone", d: ROCKS[index % ROCKS.length] }),
    svg("g", { class: "flag" }, svg("path", { class: "pole", d: "M0 6v-36" }), svg("circle", { cy: -48, r: 20 }), svg("g", { transform: "translate(0 -48)" }, drawing))));
}

function lighthouse() {
  return svg("g", { class: "lighthouse", transform: "translate(1262 232)" },
    svg("path", { class: "stone", d: "M-128 8c14-26 40-22 62-34 16-9 24-22 52-24 30-2 46 8 66 14 30 9 52 8 78 22 18 8 40 8 58 22z" }),
    svg("path", { class: "tower", d: "M-14-150h28l9 106h-46z" }),
    svg("path", { class: "stripe", d: "M-16-128h32l2.500 28h-37zM-20.500-74h41l2.500 30h-46z" }),
    svg("path", { class: "cap", d: "M-20-156h40v7h-40zM0-198l20 19h-40z" }),
    svg("rect", { class: "lamp", x: -12, y: -179, width: 24, height: 23, rx: 2 }),
    svg("circle", { class: "glow", cx: 0, cy: -167, r: 64, fill: "url(#halo)" }));
}

function wave(y, from) {
  let d = `M${from - 2520} ${y}`;
  for (let x = from - 2400; x < 3000; x += 240) d += "q30-7 60 0t60 0m120 0";
  return svg("path", { d });
}

function stars() {
  const places = [[420, 40], [520, 92], [610, 30], [700, 120], [790, 58], [880, 24], [950, 150], [1090, 40], [1150, 110], [1230, 20], [1330, 70], [1400, 130], [340, 110], [260, 50], [150, 90], [60, 36]];
  return places.map(([cx, cy], index) => svg("circle", { cx, cy, r: index % 3 === 0 ? 1.8 : 1.1 }));
}
