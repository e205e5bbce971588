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

/** Replaces the children of a node; those that stay keep the focus. */
export function keep(node, children) {
  const focused = document.activeElement;
  for (const old of [...node.children]) if (!children.includes(old)) old.remove();
  children.forEach((child, index) => { if (node.children[index] !== child) node.insertBefore(child, node.children[index] ?? null); });
  if (node.contains(focused)) focused.focus({ preventScroll: true });
}

/** Sets the text of a node, if it is another one: screen readers and the layout rest otherwise. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Holds a button, which then does nothing (see app.js) and keeps the focus, or lets it go. */
export const hold = (button, isHeld = true) => { button.ariaDisabled = isHeld ? "true" : null; };

/** Has a dialog ask before Escape closes it, if something in it was changed. */
export function askBefore(dialog, question) {
  let isChanged = false;
  dialog.addEventListener("input", () => { isChanged = true; });
  dialog.addEventListener("cancel", (event) => { if (event.target === dialog && isChanged && !confirm(question)) event.preventDefault(); });
}

/** What somebody has typed or loaded and not saved, by what it is for: it outlives its view, and not its session. */
export const typed = new Map();

/** Notes what is typed in the fields of a node, and returns what types it again into those that come in their places. */
export function typedIn(node) {
  const fields = () => [...node.querySelectorAll(":is(input, select, textarea):not([type=file])")].map((field) => [field.id || `${field.name} ${field.value}`, field]);
  const isChosen = (field) => ["radio", "checkbox"].includes(field.type);
  const before = new Map(fields().map(([key, field]) => [key, isChosen(field) ? field.checked : field.value]));
  return () => {
    const again = () => fields().forEach(([key, field]) => {
      if (!before.has(key)) return;
      const value = before.get(key), name = isChosen(field) ? "checked" : "value";
      before.delete(key);
      if (field[name] === value) return;
      field[name] = value;
      field.dispatchEvent(new Event(field.matches("select") ? "change" : "input", { bubbles: true }));
    });
    const watcher = new MutationObserver(again);
    watcher.observe(node, { childList: true, subtree: true });
    setTimeout(() => watcher.disconnect(), 4000);
    again();
  };
}

/** How large the reader's letters are beside those that drawings are made for. */
export const letters = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

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
