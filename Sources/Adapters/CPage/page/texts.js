// The words of the page. Each part of the page adds its own, with addLines.

export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español", zh: "中文" };
/** The words of each language by their keys. */
export const tables = {
  en: { "time.over": "{length} over" }, de: { "time.over": "{length} über der Zeit" }, es: { "time.over": "{length} de retraso" }, zh: { "time.over": "超时{length}" },
};

function stored() {
  try { return localStorage.getItem("skerry.language"); } catch { return null; }
}

function preferred() {
  const wanted = [stored(), ...(globalThis.navigator?.languages ?? [])];
  for (const tag of wanted) {
    const short = tag?.toLowerCase().slice(0, 2);
    if (short in LANGUAGES) return short;
  }
  return "en";
}

let current = preferred();

/** The language of the page: `en`, `de`, `es` or `zh`. */
export const language = () => current;

/** The language that the reader chose, or null when the browser's counts. */
export const chosenLanguage = () => stored();

/** Chooses a language, or with null the browser's. */
export function chooseLanguage(tag) {
  try { tag ? localStorage.setItem("skerry.language", tag) : localStorage.removeItem("skerry.language"); } catch { /* private mode: for this visit */ }
  current = tag ?? preferred();
  document.documentElement.lang = current;
}

/** Adds words that stand in lines: `key | English | German | Spanish | Chinese`. Chinese needs no singular. */
export function addLines(lines) {
  for (const line of lines.trim().split("\n")) {
    const [key, ...words] = line.split(" | ");
    Object.values(tables).forEach((table, index) => { if (words[index]) table[key] = words[index]; });
  }
}

/** What the bridge says, in the language of the page as far as it is known: see told.js, which other languages than its own need. */
export async function told(text, code) {
  if (current === "en" || !text) return text;
  try {
    const [{ told }] = await Promise.all([import("./told.js"), import("./texts-settings.js")]);
    return told(text, code);
  } catch {
    return text;
  }
}

/** The text of a key with its values: `t("card.next", { time: "18:05", what: "finishing" })`. A key with `.one` beside it has its own singular for the `count` 1. */
export function t(key, values = {}) {
  const table = tables[current];
  const single = String(values.count) === "1" && `${key}.one` in table ? `${key}.one` : key;
  const text = table[single] ?? tables.en[single] ?? tables.en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
