import { el, put } from "./dom.js";
export function open(root, route, { model }) {
  const draw = () => put(root, el("pre", {}, JSON.stringify([...model.activities.values()], null, 1)));
  draw();
  return { close: model.subscribe(draw) };
}
