// Requests to the bridge. An error has the `status`, `code` and `detail` of its problem details (RFC 9457).

class Refusal extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? problem?.title ?? `HTTP ${status}`);
    this.status = status;
    this.code = problem?.code ?? null;
    this.problem = problem;
  }
}

/** Asks the bridge: `await api("POST", "/v1/check", { source })`. The answer is JSON, text, or null when there is none. */
export async function api(method, path, body, { signal } = {}) {
  const options = { method, signal, credentials: "same-origin", headers: { accept: "application/json, */*;q=0.5" } };
  if (body !== undefined) {
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const answer = await fetch(path, options);
  const type = answer.headers.get("content-type") ?? "";
  const content = answer.status === 204 ? null : /json\b/.test(type) && !/ndjson/.test(type) ? await answer.json() : await answer.text();
  if (!answer.ok) throw new Refusal(answer.status, typeof content === "object" ? content : { detail: content || undefined });
  return content;
}
