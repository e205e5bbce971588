// What a link carries: in its fragment, which browsers send to nobody. Pure functions, tested by node.

/** The longest fragment that is made, in characters: the least that current browsers and most messengers let through. */
export const longestLink = 60_000;
/** The most that a fragment may hold once it is unpacked, in bytes: a recording of the size that is read from a file, with room for a definition. */
export const largestContent = 12 << 20;

const start = "#1";

function base64url(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function bytesOf(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

async function through(bytes, transform, most) {
  const parts = [];
  let count = 0;
  for await (const part of read(new Blob([bytes]).stream().pipeThrough(transform))) {
    count += part.length;
    if (count > most) throw new RangeError("the content of the link is too large");
    parts.push(part);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// Not every browser can iterate over a stream.
async function* read(stream) {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * The fragment that carries a recording, or null when it would be too long.
 *
 * `shared` is `{ name, recording, kind, own }`: `own` is a definition that is not shipped, `{ name, compiled, drawing }` with the
 * bytes of a compiled definition and its description as text, or null.
 */
export async function pack({ name, recording, kind = null, own = null }) {
  const content = { name, recording, kind, own: own && { ...own, compiled: base64url(own.compiled) } };
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const packed = base64url(await through(bytes, new CompressionStream("deflate-raw"), Infinity));
  return packed.length + start.length > longestLink || bytes.length > largestContent ? null : start + packed;
}

/** What a fragment carries, as `pack` takes it; null for any other fragment. Throws when a link is damaged. */
export async function unpack(fragment) {
  if (!fragment.startsWith(start)) return null;
  const bytes = await through(bytesOf(fragment.slice(start.length)), new DecompressionStream("deflate-raw"), largestContent);
  const { name, recording, kind, own } = JSON.parse(new TextDecoder().decode(bytes));
  const isText = (value) => typeof value === "string";
  const isOwn = own === null || (isText(own?.name) && isText(own.compiled) && (own.drawing === null || isText(own.drawing)));
  if (!isText(name) || !isText(recording) || !(kind === null || isText(kind)) || !isOwn) throw new TypeError("the link has other contents");
  return { name, recording, kind, own: own && { ...own, compiled: bytesOf(own.compiled) } };
}
