// Requests to the bridge. An error has the `status`, `code` and `detail` of its problem details (RFC 9457).

class Refusal extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? problem?.title ?? `HTTP ${status}`);
    this.status = status;
    this.code = problem?.code ?? null;
    this.problem = problem;
  }
}

const tags = new WeakMap();

/** The tag of an answer, by which a later request can say what it wants to replace; null if it has none. */
export const tagOf = (content) => tags.get(content) ?? null;

/** Asks the bridge: `await api("POST", "/v1/check", { source })`. The answer is JSON, text, or null when there is none; `match` is the tag of what may be replaced, `isNew` says that nothing may be. */
export async function api(method, path, body, { signal, match, isNew } = {}) {
  const options = { method, signal, credentials: "same-origin", headers: { accept: "application/json, */*;q=0.5" } };
  if (isNew) options.headers["if-none-match"] = "*";
  if (match) options.headers["if-match"] = match;
  if (body !== undefined) {
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  // Relative, because the page may be below a prefix.
  const answer = await fetch(path.slice(1), options);
  const type = answer.headers.get("content-type") ?? "";
  const content = answer.status === 204 ? null : /json\b/.test(type) && !/ndjson/.test(type) ? await answer.json() : await answer.text();
  if (!answer.ok) throw new Refusal(answer.status, typeof content === "object" ? content : { detail: content || undefined });
  if (content !== null && typeof content === "object") tags.set(content, answer.headers.get("etag"));
  return content;
}
