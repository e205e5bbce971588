// The small drawings of the shell: lines 1.75 wide in a square of 24.
import { svg } from "./dom.js";

const PATHS = {
  now: ["M3 17c1.5-1.2 3-1.2 4.5 0s3 1.2 4.500 0 3-1.200 4.500 0 3 1.200 4.500 0", "M3 21c1.500-1.200 3-1.200 4.500 0s3 1.200 4.500 0 3-1.200 4.500 0 3 1.200 4.500 0", "M6 13c1-3 3-3 4-6 1 0 2 1 3 1 1 2 4 2 5 5"],
  phone: ["M8 2.500h8a2 2 0 0 1 2 2v15a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2v-15a2 2 0 0 1 2-2z", "M10.500 5.500h3"],
  history: ["M4 6h9", "M8 12h12", "M5 18h8"],
  replay: ["M4 12a8 8 0 1 0 2.600-5.900L4 8.500", "M4 4v4.500h4.500", "m10.500 9 4.500 3-4.500 3z"],
  person: ["M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8z", "M4.500 20.500c.8-4 3.800-6 7.500-6s6.700 2 7.500 6"],
  browser: ["M4 5h16v14H4z", "M4 9.500h16", "M7 7.300h.1"],
  settings: ["M4 7h9", "M17 7h3", "M15 5v4", "M4 17h3", "M11 17h9", "M9 15v4"],
  display: ["M12 3.500a8.500 8.500 0 1 0 0 17z", "M12 3.500a8.500 8.500 0 0 1 0 17"],
  check: ["m5 12.500 4.500 4.500L19 7.500"],
  stale: ["M12 7.500V12l3 2", "M12 3.500a8.500 8.500 0 1 0 8.500 8.500", "M17 3.500h4l-4 4.500h4"],
  away: ["M9 3v4", "M15 3v4", "M7 7h10v3a5 5 0 0 1-8 4", "M12 15v6", "m4 4 16 16"],
  alert: ["M12 4 2.800 20h18.400z", "M12 10v4.500", "M12 17.300v.2"],
  paused: ["M9 6v12", "M15 6v12"],
  copy: ["M9 9h10v11H9z", "M5 15V4h10"],
  close: ["m6 6 12 12", "M18 6 6 18"],
  chevron: ["m9 6 6 6-6 6"],
  ear: ["M7 9.500a5 5 0 0 1 10 0c0 3.500-3.500 4.500-3.500 7.500a3 3 0 0 1-5.500 1.700", "M10 10a2 2 0 0 1 4 0c0 1-.700 1.500-1.500 2"],
  link: ["M10 14a4 4 0 0 0 5.700 0l3.300-3.300a4 4 0 0 0-5.700-5.700L12 6.300", "M14 10a4 4 0 0 0-5.700 0L5 13.300a4 4 0 0 0 5.700 5.700l1.300-1.300"],
};

/** A drawing of the shell, hidden from screen readers: the words beside it count. */
export function icon(name, size = 20) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", width: size, height: size, fill: "none", stroke: "currentColor", "stroke-width": 1.75,
    "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" }, PATHS[name].map((d) => svg("path", { d })));
}

/** The mark of Skerry: a lighthouse on its rock. Its lamp has the class `lamp`. */
export function mark(size = 30) {
  return svg("svg", { class: "mark", viewBox: "0 0 32 32", width: size, height: size, "aria-hidden": "true" },
    svg("path", { class: "beam", d: "M17 8 30 4v8z" }),
    svg("path", { class: "tower", d: "M13.500 10.500h5l1.300 11h-7.600zM13 9.300h6v1.200h-6zM16 3l3 3.200h-6z" }),
    svg("path", { class: "stripe", d: "m13.100 13.500 5.800 0 .3 3h-6.400z" }),
    svg("path", { class: "lamp", d: "M14 6.200h4v3.100h-4z" }),
    svg("path", { class: "rock", d: "M4.500 23.500c3-2 5-1.500 7-2.700 1.800-1 3-1 5-1 2.300.1 4 .5 5.700 1.500 1.900 1 3.500.6 5.300 2.200z" }),
    svg("path", { class: "wave", d: "M2 25.500c2.300-1.300 4.700-1.300 7 0s4.700 1.300 7 0 4.700-1.300 7 0 4.700 1.300 7 0" }));
}
