// Requests to the bridge. An error has the `status`, `code` and `detail` of its problem details (RFC 9457); the status is 0 without an answer.
import { t, told } from "./texts.js";

class Refusal extends Error {
  constructor(status, problem, pause = PAUSE) {
    super(problem?.detail ?? problem?.title ?? `HTTP ${status}`);
    this.status = status;
    this.code = problem?.code ?? null;
    this.problem = problem;
    this.pause = pause;
  }
}

/** Posts that change nothing, so that they can be repeated. */
const QUESTIONS = new Set(["/v1/check", "/v1/replay", "/v1/proposals"]);
/** The codes of a bridge that had no time. */
const BUSY = new Set(["busy", "no-answer"]);
/** The number of times that such a question is put again, and the seconds between two of them where the answer does not tell. */
const REPEATS = 12, PAUSE = 3;

/** Whether an error says nothing but that the bridge is away. */
export const isAway = ({ status }) => status === 0 || status >= 500;

const tags = new WeakMap();

/** The tag of an answer, by which a later request can say what it wants to replace; null if it has none. */
export const tagOf = (content) => tags.get(content) ?? null;

/** Asks the bridge: `await api("POST", "/v1/check", { source })`. The answer is JSON, text or null; `match` is the tag of what may be replaced, `isNew` says that nothing may be. What takes long and changes nothing is asked again while the bridge is busy. */
export async function api(method, path, body, given = {}) {
  for (let left = QUESTIONS.has(path) ? REPEATS : 0; ; left -= 1) {
    try {
      return await ask(method, path, body, given);
    } catch (error) {
      if (!left || !BUSY.has(error.code) || given.signal?.aborted) throw error;
      await new Promise((resolve) => { setTimeout(resolve, error.pause * 1000); });
    }
  }
}

async function ask(method, path, body, { signal, match, isNew }) {
  const options = { method, signal, credentials: "same-origin", headers: { accept: "application/json, */*;q=0.5" } };
  if (isNew) options.headers["if-none-match"] = "*";
  if (match) options.headers["if-match"] = match;
  if (body !== undefined) {
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  // Relative, because the page may be below a prefix.
  const answer = await fetch(path.slice(1), options).catch((error) => {
    throw error.name === "AbortError" ? error : new Refusal(0, { detail: t("shell.lost") });
  });
  const type = answer.headers.get("content-type") ?? "";
  const content = answer.status === 204 ? null : /json\b/.test(type) && !/ndjson/.test(type) ? await answer.json() : await answer.text();
  // A page is what a proxy says in the place of the bridge.
  if (!answer.ok) {
    const problem = typeof content === "object" ? content && { ...content, detail: await told(content.detail, content.code) } : { detail: /html/.test(type) ? t("shell.lost") : content || undefined };
    throw new Refusal(answer.status, problem, Number(answer.headers.get("retry-after")) || PAUSE);
  }
  if (content !== null && typeof content === "object") tags.set(content, answer.headers.get("etag"));
  return content;
}
