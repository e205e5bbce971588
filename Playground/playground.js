// The playground: the page's replay, with the engine of Skerry in this browser in the place of a bridge.
import "./texts.js";
import { el, put, say } from "./page/dom.js";
import { humanName } from "./page/house.js";
import { mark } from "./page/icons.js";
import { ReplayView } from "./page/replay.js";
import { symbol } from "./page/symbols.js";
import { language, t } from "./page/texts.js";
import { number } from "./page/time.js";
import { second } from "./page/timeline.js";
import { largestContent, pack, unpack } from "./share.js";

/** The recordings that come with the playground: the symbol and the words of each. */
const SAMPLES = {
  "lg.jsonl": ["washer", "playground.washer"], "octoprint.jsonl": ["printer", "playground.printer"],
  "simulated-valve.jsonl": ["drop", "playground.lawn"], "valetudo.jsonl": ["fan.floor", "playground.robot"],
};

/** The bytes of a file of this folder, read once. */
const files = new Map();
function bytes(name) {
  if (!files.has(name)) {
    files.set(name, fetch(new URL(name, import.meta.url)).then((answer) => {
      if (!answer.ok) throw new Error(t("playground.missing", { name }));
      return answer.arrayBuffer();
    }));
  }
  return files.get(name);
}
const words = async (name) => new TextDecoder().decode(await bytes(name));

/** What a machine without a description looks like: its chart is empty. */
const undrawn = (kind) => ({ kind, name: kind, machine: { states: [], transitions: [] }, starts: [], ends: [], layout: null });

/** True for the output of `skerry describe --json` for one definition. */
function isDescription(text) {
  try {
    return Array.isArray(JSON.parse(text)?.machine?.states);
  } catch {
    return false;
  }
}

/** The definitions that are shipped, `[{ kind, name, … }]` as `skerry describe --json` has them. */
const shipped = words("definitions.jsonl").then((lines) => lines.trim().split("\n").map((line) => JSON.parse(line)));

/** The definitions as the view asks for them. */
class Definitions {
  /** A definition that somebody brought: `{ name, compiled, drawing }`. */
  own = null;
  /** The choice of the present run. */
  #choice = "";
  /** The definitions that were asked for, by their kinds. */
  #known = new Map();

  async definition(kind) {
    const found = await this.#find(kind);
    this.#known.set(kind, found);
    return found;
  }

  known(kind) { return this.#known.get(kind) ?? null; }

  /** What a device is called, by `kind/device`: nobody has given it a name here. */
  called(key) { return humanName(key.slice(key.indexOf("/") + 1)); }

  async #find(kind) {
    if (this.#choice !== "own") return (await shipped).find((one) => one.kind === kind) ?? undrawn(kind);
    const drawing = this.own.drawing && JSON.parse(this.own.drawing);
    return drawing?.kind === kind ? drawing : undrawn(kind);
  }

  /** The bytes of the definitions that a choice names: a kind, "" for all that are shipped, "own". */
  async compiled(choice) {
    this.#choice = choice;
    if (choice === "own") return [this.own.compiled];
    const kinds = choice ? [choice] : (await shipped).map(({ kind }) => kind);
    return Promise.all(kinds.map((kind) => bytes(`definitions/${kind}.skd`)));
  }
}

/** The error of a run that a later one replaced; the page does not show it. */
const replaced = () => new Error("a later run replaced this one");

/** The longest that a run may take, in milliseconds. The worker ends sooner by itself, unless a single step of the engine takes this long. */
const LONGEST = 20_000;

/** Runs the engine in a worker of its own, which ends with the answer, after the longest time, or with the next run. */
class Engine {
  #fail = () => {};

  run(wasm, definitions, recording) {
    this.#fail(replaced());
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    let patience;
    return new Promise((done, fail) => {
      this.#fail = fail;
      patience = setTimeout(() => fail(new Error(t("playground.tooSlow", { count: LONGEST / 1000 }))), LONGEST);
      worker.onmessage = ({ data }) => (data.error === undefined ? done(data) : fail(new Error(data.error)));
      worker.onerror = (event) => fail(new Error(event.message || t("playground.missing", { name: "worker.js" })));
      worker.postMessage({ wasm, definitions, recording });
    }).finally(() => {
      clearTimeout(patience);
      worker.terminate();
    });
  }
}

class Playground extends ReplayView {
  limit = 8;

  constructor(root, definitions) {
    super(root, {}, { model: definitions });
    this.definitions = definitions;
    this.engine = new Engine();
  }

  build() {
    super.build();
    this.page.querySelector(".view-title").after(el("p", { class: "lead" }, t("playground.lead")));
    this.file.accept += ",.skd";
    this.shareMessage = el("p", { class: "soft", role: "status" });
  }

  otherSource() {
    this.examples = el("ul", { class: "samples" });
    this.choice = el("select", { id: "definition", onchange: () => { if (this.input) this.run(this.input, this.name); } });
    return el("div", { class: "drop-half" }, el("strong", {}, t("playground.example")), el("p", { class: "soft" }, t("playground.exampleHelp")),
      this.examples,
      el("label", { class: "playground-label", for: "definition" }, t("playground.definition")), el("div", { class: "replay-choice" }, this.choice),
      el("p", { class: "small" }, t("playground.ownHelp")));
  }

  async fill() {
    const names = JSON.parse(await words("recordings.json"));
    put(this.examples, names.map((name) => {
      const [kind, key] = SAMPLES[name] ?? [null, null];
      return el("li", {}, el("button", { type: "button", class: "sample", dataset: { recording: name }, onclick: () => this.takeExample(name) },
        symbol(kind ?? "circle"), key ? t(key) : name));
    }));
    this.fillChoice(this.definitions.own ? "own" : "");
  }

  async fillChoice(chosen) {
    const { own } = this.definitions;
    const known = await shipped;
    put(this.choice, el("option", { value: "" }, t("playground.all")), own && el("option", { value: "own" }, t("playground.own", { name: own.name })),
      known.map(({ kind, name }) => el("option", { value: kind }, name && name !== kind ? `${name} (${kind})` : kind)));
    this.choice.value = chosen;
  }

  async takeExample(name) {
    await this.run({ recording: await words(`recordings/${name}`) }, SAMPLES[name] ? t(SAMPLES[name][1]) : name);
  }

  async take(file) {
    if (file?.name.endsWith(".skd")) return this.takeDefinition(file);
    // A recording may be named so, too.
    const drawing = file?.name.endsWith(".json") && file.size <= largestContent ? await file.text() : "";
    return isDescription(drawing) ? this.takeDrawing(file.name, drawing) : super.take(file);
  }

  async takeDefinition(file) {
    this.definitions.own = { name: file.name, compiled: new Uint8Array(await file.arrayBuffer()), drawing: null };
    await this.fillChoice("own");
    if (this.input) this.run(this.input, this.name);
    else say(this.message, t("playground.ownRead", { name: file.name }));
  }

  takeDrawing(name, drawing) {
    const { own } = this.definitions;
    if (!own) return say(this.message, t("playground.firstDefinition"));
    own.drawing = drawing;
    if (this.input) this.run(this.input, this.name);
    else say(this.message, t("playground.ownRead", { name }));
  }

  async replay(input) {
    const { turn } = this;
    const wasm = await bytes("skerry.wasm");
    const definitions = await this.definitions.compiled(this.choice.value);
    // A newer run may have its worker already, which this one would end.
    if (turn !== this.turn) throw replaced();
    const answer = await this.engine.run(wasm, definitions, input.recording);
    const problems = answer.refused > 0 && answer.messages === 0 ? [{ message: t("playground.refused", { count: answer.refused }) }] : [];
    return { ...answer, problems };
  }

  async run(input, name) {
    put(this.result);
    say(this.shareMessage, "");
    await super.run(input, name);
    if (this.answer?.refused > 0 && !this.message.textContent) say(this.message, t("playground.refused", { count: this.answer.refused }));
  }

  // MARK: What is published

  editPart() {
    const { kind, device } = this.device;
    const base = `skerry/${kind}/${device}/`;
    const all = this.answer.publications.filter(({ topic }) => topic.startsWith(base) || !topic.startsWith("skerry/"));
    const diffs = all.filter(({ topic }) => topic === `${base}activity/diff`);
    const sum = (list) => number(list.reduce((total, { bytes }) => total + bytes, 0));
    this.rows = all.map((one) => [one.at, el("tr", { dataset: { topic: one.topic, at: one.at } },
      el("td", {}, second(one.at)), el("td", {}, el("code", {}, one.topic)), el("td", { class: "count" }, number(one.bytes)), el("td", {}, el("code", { class: "payload" }, one.payload)))]);
    const heads = ["time", "topic", "bytes", "payload"].map((name) => el("th", { scope: "col" }, t(`playground.${name}`)));
    return el("section", { class: "part part-published", "aria-label": t("playground.published") },
      el("header", { class: "part-head" }, el("h2", {}, t("playground.published")),
        el("button", { type: "button", id: "share", onclick: () => this.share() }, t("playground.share"))),
      el("p", { class: "soft" }, t("playground.sum", { count: number(all.length), bytes: sum(all), diffs: number(diffs.length), diffBytes: sum(diffs) })),
      el("p", { class: "small" }, t("playground.shareHelp")), this.shareMessage,
      el("div", { class: "published", tabindex: "0", role: "group", "aria-label": t("playground.published") },
        el("table", {}, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, this.rows.map(([, row]) => row)))));
  }

  seek(at) {
    super.seek(at);
    for (const [when, row] of this.rows) row.classList.toggle("is-to-come", when > this.at);
  }

  // MARK: Links

  async share() {
    const isOwn = this.choice.value === "own";
    const fragment = await pack({
      name: this.name, recording: this.input.recording, kind: isOwn ? null : this.device.kind, own: isOwn ? this.definitions.own : null,
    });
    if (fragment === null) return say(this.shareMessage, t("playground.tooLong"));
    history.replaceState(null, "", fragment);
    const isCopied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    say(this.shareMessage, t(isCopied ? "playground.copied" : "playground.shared", { count: number(location.href.length) }));
  }

  async openLink() {
    let shared;
    try {
      shared = await unpack(location.hash);
    } catch {
      return say(this.message, t("playground.badLink"));
    }
    if (!shared) return;
    this.definitions.own = shared.own;
    await this.fillChoice(shared.own ? "own" : shared.kind ?? "");
    await this.run({ recording: shared.recording }, shared.name);
  }
}

document.documentElement.lang = language();
document.getElementById("home").prepend(mark());
const root = el("div", { class: "view view-replay" });
put(document.getElementById("main"), root);
const playground = new Playground(root, new Definitions());
playground.start();
playground.fill().then(() => playground.openLink()).catch((error) => say(playground.message, error.message));
addEventListener("hashchange", () => playground.openLink());
