// Which words can stand at a place of a definition: by the schema of the language, and by the names in the text itself.

const KEY = /^(\s*(?:- +)*)("[^"]*"|'[^']*'|[^\s#:{}[\],&*!|>'"%@`-][^:#{}[\],]*?)\s*:(?=\s|$)/;
const OWNER = /("[^"]*"|'[^']*'|[^\s:#{}[\],"'-][^:#{}[\],]*?)\s*:\s*$/;
const BARE = (key) => key.replace(/^["']|["']$/g, "");

/** The keys that lead to a place: `{ path, word, isKey, from }`, `word` being what was written of it so far. */
export function placeAt(source, offset) {
  const lines = source.slice(0, offset).split("\n");
  const here = lines.pop();
  const brace = openBrace(here);
  const within = brace && here.slice(brace.index + 1);
  const written = within === null ? here.replace(/^\s*(?:- +)*/, "") : lastMember(within);
  const value = /^\s*("[^"]*"|'[^']*'|[\w. ]+?)\s*:\s+(.*)$/.exec(written);
  const column = here.length - here.replace(/^\s*(?:- +)*/, "").length;
  const path = [...parents(lines, column), ...brace?.keys ?? []];
  if (value) {
    const word = /[\w."'-]*$/.exec(value[2])[0];
    return { path: [...path, BARE(value[1].trim())], word, isKey: false, from: offset - word.length };
  }
  const word = /[\w.]*$/.exec(written)[0];
  return { path, word, isKey: written.trim() === word, from: offset - word.length };
}

/** Where the innermost brace on a line opens that is not closed, and the keys that lead into it; null when there is none. */
function openBrace(line) {
  const open = [];
  let quote = null;
  for (let index = 0; index < line.length; index++) {
    const letter = line[index];
    if (quote) quote = letter === quote ? null : quote;
    else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === "{" || letter === "[") open.push({ index, isBrace: letter === "{", key: OWNER.exec(line.slice(0, index))?.[1] });
    else if (letter === "}" || letter === "]") open.pop();
  }
  const last = open.findLastIndex((one) => one.isBrace);
  if (last < 0) return null;
  return { index: open[last].index, keys: open.slice(0, last + 1).flatMap(({ key }) => key ? [BARE(key)] : []) };
}

const lastMember = (text) => text.split(/,(?=(?:[^"']*["'][^"']*["'])*[^"']*$)/).pop().trimStart();

function parents(lines, column) {
  const path = [];
  let least = column;
  for (let index = lines.length - 1; index >= 0 && least > 0; index--) {
    const found = KEY.exec(lines[index]);
    if (!found || found[1].length >= least) continue;
    least = found[1].length;
    path.unshift(BARE(found[2]));
  }
  return path;
}

/** The names that a definition gives: its states, signals, timers, variables and fields. */
export function names(source) {
  const found = { states: [], signals: [], timers: [], context: [], content: [], attributes: [] };
  const lines = source.split(/^tests:/m)[0].split("\n");
  const above = [];
  for (const line of lines) {
    const key = KEY.exec(line);
    if (!key) continue;
    while (above.length && above[above.length - 1].column >= key[1].length) above.pop();
    const parent = above[above.length - 1]?.key;
    const name = BARE(key[2]);
    if (parent in found) found[parent].push(name);
    above.push({ key: name, column: key[1].length });
    const inline = /^\s*\{(.*)\}\s*(?:#.*)?$/.exec(line.slice(key[0].length));
    if (inline && name in found) for (const member of inline[1].matchAll(/(?:^|,)\s*([A-Za-z_]\w*)\s*:/g)) found[name].push(member[1]);
  }
  // Several sources may set one signal.
  return Object.fromEntries(Object.entries(found).map(([kind, all]) => [kind, [...new Set(all)]]));
}

/** All mappings that a part of the schema may stand for. */
function mappings(schema, part, depth = 0) {
  if (!part || depth > 8) return [];
  if (part.$ref) return mappings(schema, schema.definitions?.[part.$ref.split("/").pop()], depth + 1);
  // What extends another definition has the same keys as one that does not.
  const inner = [...(part.anyOf ?? []), ...(part.oneOf ?? []), ...(part.allOf ?? []), ...[part.items, part.else].filter(Boolean)];
  const found = inner.flatMap((each) => mappings(schema, each, depth + 1));
  if (part.properties || (part.additionalProperties && typeof part.additionalProperties === "object")) found.push(part);
  return found;
}

function partAt(schema, path) {
  let parts = [schema];
  for (const key of path) {
    parts = parts.flatMap((part) => mappings(schema, part)).map((mapping) => mapping.properties?.[key]
      ?? (typeof mapping.additionalProperties === "object" ? mapping.additionalProperties : null)).filter(Boolean);
  }
  return parts;
}

const values = (part) => [...(part.enum ?? []), ...("const" in part ? [part.const] : []), ...(part.type === "boolean" ? [true, false] : []),
  ...[...(part.anyOf ?? []), ...(part.allOf ?? []), ...(part.oneOf ?? [])].flatMap(values)];

/** The key under which a name stands decides what it can be. */
const REFERS = {
  target: ["states"], initial: ["states"], starts: ["states"], ends: ["states"], timer: ["timers"], stop: ["timers"], pause: ["timers"], resume: ["timers"], start: ["timers"],
  guard: ["signals", "context"], value: ["signals", "context"], countdown: ["content"], minutes: ["content"], progress: ["content"],
};

/**
 * The words that can stand at a place of a definition: `[{ text, detail, insert }]`, at most 24, best first.
 *
 * `schema` is the language's JSON Schema, or null: then only names of the text are known.
 */
export function completions(schema, source, offset) {
  const place = placeAt(source, offset);
  const found = new Map();
  const add = (text, detail, insert = text) => { if (!found.has(text)) found.set(text, { text, detail, insert }); };
  if (place.isKey && schema) {
    for (const part of partAt(schema, place.path)) {
      for (const mapping of mappings(schema, part)) {
        for (const [key, property] of Object.entries(mapping.properties ?? {})) add(key, property.title ?? "", `${key}: `);
      }
    }
  }
  const key = place.path[place.path.length - 1];
  if (!place.isKey) {
    if (schema) for (const part of partAt(schema, place.path)) for (const value of values(part)) add(String(value), part.title ?? "");
    const known = names(source);
    for (const list of REFERS[key] ?? (key === "always" || key === "after" || place.path.includes("on") ? ["states"] : [])) {
      for (const name of known[list]) add(list === "context" ? `context.${name}` : name, list);
    }
  }
  const word = place.word.toLowerCase();
  const fits = [...found.values()].filter((one) => one.text.toLowerCase().startsWith(word) && one.text !== place.word);
  return { from: place.from, words: fits.slice(0, 24) };
}
