// A text field for definitions: coloured YAML behind it, problems in place, completion, and keys that let people out.
import { el, put, say } from "./dom.js";
import { completions } from "./yaml-words.js";
import { language, t } from "./texts.js";

const TOKEN = /(#.*$)|("(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?)|([\w.$-]+|"[^"]*")(\s*:(?=\s|$))|(\b\d+(?:\.\d+)?(?:ms|[dhms])?\b)|\b(true|false|null|now|since|in)\b|([{}[\],]|&&|\|\||[=!<>]=|[<>?!]|^\s*- )/g;
const KINDS = ["comment", "string", "key", null, "number", "word", "sign"];
/** How long nothing is typed before the text is checked, in milliseconds. */
const PAUSE = 350;

/** One line of YAML as spans. */
function paint(line) {
  const parts = [];
  let done = 0;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(line); found; found = TOKEN.exec(line)) {
    if (found[0] === "") { TOKEN.lastIndex++; continue; }
    const isComment = found[1] && found.index > 0 && !/\s/.test(line[found.index - 1]);
    if (isComment) { TOKEN.lastIndex = found.index + 1; continue; }
    if (found.index > done) parts.push(line.slice(done, found.index));
    const kind = KINDS[found.slice(1).findIndex((group) => group !== undefined)];
    parts.push(el("span", { class: `y-${kind}` }, found[3] ?? found[0]));
    if (found[3] !== undefined) parts.push(found[4]);
    done = found.index + found[0].length;
  }
  parts.push(line.slice(done));
  return el("div", {}, parts, line === "" ? "\u200b" : null);
}

let editors = 0;

export class Editor {
  /** `check(source, signal)` → { ok, problems }, given up when the text is another one; `onChange(source, answer)` after each check; `schema` for completion, or null. */
  constructor({ source, label, check, onChange, schema = null }) {
    this.check = check;
    this.onChange = onChange;
    this.schema = schema;
    this.id = `editor${++editors}`;
    this.checking = null;
    this.lines = [];
    this.numbers = el("div", { class: "editor-numbers", "aria-hidden": "true" });
    this.paper = el("div", { class: "editor-paper", "aria-hidden": "true" });
    this.marks = el("div", { class: "editor-marks", "aria-hidden": "true" });
    this.field = el("textarea", {
      class: "editor-field", spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off", "aria-label": label,
      "aria-describedby": `${this.id}-hint ${this.id}-state`, "aria-controls": `${this.id}-list`, "aria-autocomplete": "list",
      oninput: () => this.typed(), onkeydown: (event) => this.key(event), onblur: () => setTimeout(() => this.hide(), 120),
      onclick: () => this.hide(),
    });
    this.field.value = source;
    this.list = el("ul", { class: "editor-list", id: `${this.id}-list`, role: "listbox", "aria-label": t("editor.words"), hidden: true });
    this.area = el("div", { class: "editor-area" }, this.paper, this.marks, this.field, this.list);
    this.frame = el("div", { class: "editor-frame" }, this.numbers, this.area);
    this.state = el("p", { class: "editor-state", id: `${this.id}-state`, role: "status" });
    this.problems = el("ul", { class: "editor-problems" });
    this.english = el("p", { class: "small", hidden: true }, t("editor.english"));
    this.node = el("div", { class: "editor" }, this.frame, el("div", { class: "editor-foot" }, this.state, el("p", { class: "soft", id: `${this.id}-hint` }, t("editor.hint"))), this.english, this.problems);
    this.draw();
    this.checkNow();
  }

  get source() { return this.field.value; }

  set source(text) {
    this.field.value = text;
    this.draw();
    this.checkNow();
  }

  close() {
    this.checking?.abort();
    clearTimeout(this.timer);
  }

  // MARK: Drawing

  /** Draws the lines that have changed. */
  draw() {
    const lines = this.source.split("\n");
    lines.forEach((line, index) => {
      if (this.lines[index] === line) return;
      const node = paint(line);
      const old = this.paper.children[index];
      if (old) old.replaceWith(node);
      else this.paper.append(node);
    });
    while (this.paper.children.length > lines.length) this.paper.lastChild.remove();
    while (this.numbers.children.length > lines.length) this.numbers.lastChild.remove();
    while (this.numbers.children.length < lines.length) this.numbers.append(el("div", {}, this.numbers.children.length + 1));
    this.lines = lines;
  }

  typed() {
    this.draw();
    put(this.marks);
    this.close();
    this.timer = setTimeout(() => this.checkNow(), PAUSE);
    this.suggest(false);
  }

  async checkNow() {
    this.checking?.abort();
    this.checking = new AbortController();
    const { source, checking: { signal } } = this;
    let answer;
    try {
      answer = await this.check(source, signal);
    } catch (error) {
      if (!signal.aborted) say(this.state, error.message);
      return;
    }
    if (signal.aborted) return;
    this.show(answer.problems ?? []);
    this.onChange?.(source, answer);
  }

  show(problems) {
    const errors = problems.filter((problem) => problem.severity === "error").length;
    const warnings = problems.length - errors;
    this.state.className = `editor-state ${errors ? "is-error" : warnings ? "is-warning" : "is-good"}`;
    say(this.state, problems.length ? [errors && t("editor.errors", { count: errors }), warnings && t("editor.warnings", { count: warnings })].filter(Boolean).join(", ") : t("editor.good"));
    [...this.numbers.children].forEach((node) => { node.className = ""; });
    const taken = new Set();
    put(this.marks, problems.filter((problem) => problem.line).map((problem) => {
      const isError = problem.severity === "error";
      this.numbers.children[problem.line - 1]?.classList.add(isError ? "is-error" : "is-warning");
      const line = this.lines[problem.line - 1] ?? "";
      const from = Math.max(0, (problem.column ?? 1) - 1);
      const to = Math.max(from + 1, (problem.endColumn ?? line.length + 1) - 1);
      const wave = el("i", { class: isError ? "is-error" : "is-warning", style: { "--line": problem.line - 1, "--from": from, "--length": to - from } });
      const note = !taken.has(problem.line) && el("span", { class: isError ? "is-error" : "is-warning", style: { "--line": problem.line - 1, "--from": line.length + 2 } }, el("b", {}, problem.message));
      taken.add(problem.line);
      return [wave, note];
    }));
    this.english.hidden = language() === "en" || !problems.length;
    put(this.problems, problems.map((problem) => el("li", { class: problem.severity === "error" ? "is-error" : "is-warning" },
      el("button", { type: "button", class: "plain", onclick: () => this.goTo(problem.line ?? 1, problem.column ?? 1) }, t("editor.line", { line: problem.line ?? 1 })),
      el("span", { lang: "en" }, el("strong", {}, problem.message), problem.help && ` ${problem.help}`, " ", el("code", {}, problem.code)))));
  }

  goTo(line, column) {
    const start = this.lines.slice(0, line - 1).reduce((all, one) => all + one.length + 1, 0) + column - 1;
    this.field.focus();
    this.field.setSelectionRange(start, start);
    const top = (line - 1) * this.lineHeight;
    this.frame.scrollTop = Math.max(0, top - this.frame.clientHeight / 2);
  }

  get lineHeight() { return this.paper.firstChild?.getBoundingClientRect().height || 20; }

  // MARK: Keys

  key(event) {
    if (!this.list.hidden && this.listKey(event)) return;
    if (event.key === "Escape") {
      // The first one is for the field, the next one for a dialog around it.
      if (!this.mayLeave) event.preventDefault();
      this.mayLeave = true;
      return;
    }
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      this.suggest(true);
      return;
    }
    if (event.key === "Tab" && !event.ctrlKey && !event.altKey && !event.metaKey) {
      if (this.mayLeave) return;
      event.preventDefault();
      this.indent(event.shiftKey);
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.newLine();
    }
    if (!["Shift", "Control", "Alt", "Meta"].includes(event.key)) this.mayLeave = false;
  }

  /** Puts a text at the selection, so that the browser can undo it. */
  insert(text) {
    if (!document.execCommand("insertText", false, text)) {
      this.field.setRangeText(text, this.field.selectionStart, this.field.selectionEnd, "end");
      this.typed();
    }
  }

  newLine() {
    const { selectionStart } = this.field;
    const line = this.source.slice(0, selectionStart).split("\n").pop();
    const blank = /^\s*/.exec(line)[0];
    this.insert(`\n${blank}${/:\s*$/.test(line) ? "  " : ""}`);
  }

  indent(isBack) {
    const { selectionStart, selectionEnd, value } = this.field;
    const first = value.lastIndexOf("\n", selectionStart - 1) + 1;
    if (!isBack && selectionStart === selectionEnd) {
      this.insert("  ".slice((selectionStart - first) % 2));
      return;
    }
    const last = Math.max(selectionEnd, first);
    const text = value.slice(first, last);
    const changed = isBack ? text.replace(/^ {1,2}/gm, "") : text.replace(/^/gm, "  ");
    if (changed === text) return;
    this.field.setSelectionRange(first, last);
    this.insert(changed);
    const isRange = selectionStart !== selectionEnd;
    const end = first + changed.length;
    this.field.setSelectionRange(isRange ? first : Math.max(first, selectionStart + changed.length - text.length), isRange ? end : Math.max(first, selectionStart + changed.length - text.length));
  }

  // MARK: Completion

  suggest(isAsked) {
    const { selectionStart, selectionEnd } = this.field;
    if (selectionStart !== selectionEnd) return this.hide();
    const { from, words } = completions(this.schema, this.source, selectionStart);
    if (!words.length || (!isAsked && selectionStart - from < 1)) return this.hide();
    this.from = from;
    this.words = words;
    this.chosen = 0;
    put(this.list, words.map((word, index) => el("li", {
      id: `${this.id}-${index}`, role: "option", onmousedown: (event) => { event.preventDefault(); this.accept(index); },
    }, el("code", {}, word.text), el("span", {}, word.detail))));
    const before = this.source.slice(0, from).split("\n");
    this.list.style.setProperty("--line", String(before.length));
    this.list.style.setProperty("--from", String(before[before.length - 1].length));
    this.list.hidden = false;
    this.choose(0);
  }

  choose(index) {
    this.chosen = (index + this.words.length) % this.words.length;
    [...this.list.children].forEach((node, place) => node.setAttribute("aria-selected", String(place === this.chosen)));
    this.list.children[this.chosen].scrollIntoView({ block: "nearest" });
    this.field.setAttribute("aria-activedescendant", `${this.id}-${this.chosen}`);
  }

  accept(index) {
    const word = this.words[index];
    this.hide();
    this.field.setSelectionRange(this.from, this.field.selectionStart);
    this.insert(word.insert);
    this.hide();
  }

  hide() {
    this.list.hidden = true;
    this.field.removeAttribute("aria-activedescendant");
  }

  listKey(event) {
    switch (event.key) {
      case "ArrowDown": this.choose(this.chosen + 1); break;
      case "ArrowUp": this.choose(this.chosen - 1); break;
      case "Enter": case "Tab": this.accept(this.chosen); break;
      case "Escape": this.hide(); break;
      default: return false;
    }
    event.preventDefault();
    return true;
  }
}
