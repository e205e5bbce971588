// Elements by hand: no markup is ever made from strings. And the style sheets of views.

const SVG = "http://www.w3.org/2000/svg";
/** How long after a failure a sheet is asked for again, in milliseconds. */
const PAUSE = 2000;

function fill(node, properties) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") {
      node.addEventListener(name.slice(2).toLowerCase(), value);
    } else if (name === "style") {
      for (const [key, style] of Object.entries(value)) node.style.setProperty(key, style);
    } else if (name === "dataset") {
      for (const [key, data] of Object.entries(value)) node.dataset[key] = data;
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

function append(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(node, child);
    else if (child instanceof Node) node.append(child);
    else if (child !== null && child !== undefined && child !== false) node.append(String(child));
  }
}

/** An HTML element: `el("button", { class: "quiet", onclick: f, style: { "--tint": "red" } }, "Text", otherNode)`. */
export function el(tag, properties, ...children) {
  const node = document.createElement(tag);
  fill(node, properties);
  append(node, children);
  return node;
}

/** An SVG element, with the same words as `el`. */
export function svg(tag, properties, ...children) {
  const node = document.createElementNS(SVG, tag);
  fill(node, properties);
  append(node, children);
  return node;
}

/** Replaces all children of a node. */
export function put(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

/** Sets the text of a node, if it is another one: screen readers and the layout rest otherwise. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Has a dialog ask before Escape closes it, if something in it was changed. */
export function askBefore(dialog, question) {
  let isChanged = false;
  dialog.addEventListener("input", () => { isChanged = true; });
  dialog.addEventListener("cancel", (event) => { if (event.target === dialog && isChanged && !confirm(question)) event.preventDefault(); });
}

/** The readers who asked for less motion get none. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Loads style sheets that are not always needed by their names, each once: they are there before the view is drawn. */
export async function styles(...names) {
  await Promise.all(names.map((name) => {
    const { href } = new URL(`${name}.css`, import.meta.url);
    if (document.querySelector(`link[rel="stylesheet"][href="${href}"]`)) return null;
    return new Promise((done) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = href;
      link.onload = done;
      link.onerror = () => {
        link.remove();
        setTimeout(() => styles(name).then(done), PAUSE);
      };
      document.head.append(link);
    });
  }));
}
