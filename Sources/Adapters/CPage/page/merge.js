// How a reader follows the updates: docs/publishing.md, "The diff". Pure functions, tested by node.

/** A merge patch (RFC 7396) applied to a value; the value itself stays as it was. */
export function merge(target, patch) {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  const object = target !== null && typeof target === "object" && !Array.isArray(target);
  const merged = object ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else Object.defineProperty(merged, name, { value: merge(merged[name], value), writable: true, enumerable: true, configurable: true });
  }
  return merged;
}

/** The device of an activity's id: `washer/laundry` of `washer/laundry/1795235279`. */
export function deviceOf(id) {
  return id.slice(0, id.lastIndexOf("/"));
}

const sameRun = (held, news) => held !== undefined && held.id === news.id && held.epoch === news.epoch;

/** The snapshot that holds after another one came: the newer of both. */
export function applySnapshot(held, news) {
  return sameRun(held, news) && news.rev <= held.rev ? held : news;
}

/** What a diff does to the snapshot that is held: `{ snapshot }`, or `{ gap: true }` when the snapshot has to be read. */
export function applyDiff(held, diff) {
  if (!sameRun(held, diff)) return { gap: true };
  if (diff.rev <= held.rev) return { snapshot: held };
  if (diff.prev !== held.rev) return { gap: true };
  return { snapshot: { ...merge(held, diff.patch), rev: diff.rev, at: diff.at ?? held.at } };
}
