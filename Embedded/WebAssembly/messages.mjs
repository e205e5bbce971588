// The messages of a recording: the lines of `skerry record`, `mosquitto_sub -F '%j'`, or a time, a topic and a payload.

const text = new TextEncoder();

/** How long time passes after the last message while an activity is pending, as `skerry replay` has it. */
export const longestRunOn = 48n * 3_600_000_000n;

/** Microseconds of a number since the Unix epoch, whose size says whether it counts seconds or smaller units. */
function sinceEpoch(whole, fraction) {
    const count = BigInt(whole);
    const part = BigInt(fraction.slice(0, 6).padEnd(6, "0"));
    if (count < 100_000_000_000n) return count * 1_000_000n + part;
    if (count < 100_000_000_000_000n) return count * 1000n + part / 1000n;
    return count < 100_000_000_000_000_000n ? count : count / 1000n;
}

/** Microseconds since the Unix epoch of a time such as 2026-03-01T00:00:00.000000Z+0000, 2026-03-01T01:00:00+0100 or 1772323200.5. */
export function microseconds(time) {
    const number = /^(\d{1,19})(?:\.(\d+))?$/.exec(time);
    if (number) return sinceEpoch(number[1], number[2] ?? "");
    const found = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:[.,](\d+))?[Zz]?(?:([+-]\d\d):?(\d\d)?)?$/.exec(time);
    if (!found) throw new Error(`this is no time: ${time}`);
    const [, day, clock, fraction = "", hours = "+00", minutes = "00"] = found;
    const milliseconds = Date.parse(`${day}T${clock}${hours}:${minutes}`);
    if (Number.isNaN(milliseconds)) throw new Error(`this is no time: ${time}`);
    return BigInt(milliseconds) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}

/** The bytes of a payload, which `%J` writes as JSON: only its length tells a text in quotes from one without, and null from nothing. */
function bytesOf(payload, length) {
    const plain = text.encode(typeof payload === "string" ? payload : "");
    const json = text.encode(JSON.stringify(payload));
    if (typeof payload !== "string" && payload !== null) return json;
    if (length === undefined || length === plain.length) return plain;
    if (length === json.length) return json;
    throw new Error("the payload has another length");
}

/** A whole number up to a limit; a truth value is 0 or 1. */
function whole(value, most) {
    const number = typeof value === "boolean" ? Number(value) : value;
    if (!Number.isInteger(number) || number < 0 || number > most) throw new Error("this is no such number");
    return number;
}

function ofObject(line) {
    const { tst, ts, timestamp, topic, payload, payloadlen, qos = 0, retain = 0, mid = 0 } = JSON.parse(line);
    if (typeof topic !== "string" || topic === "") throw new Error("there is no topic");
    if (payload === undefined) throw new Error("there is no payload");
    whole(mid, 0xffff);
    return {
        at: microseconds(String(tst ?? ts ?? timestamp)), topic: text.encode(topic),
        payload: bytesOf(payload, payloadlen === undefined ? undefined : whole(payloadlen, Number.MAX_SAFE_INTEGER)),
        quality: whole(qos, 2), isRetained: whole(retain, 1) === 1,
    };
}

function ofWords(line) {
    const found = /^(\S+)[ \t]+(\S+)(?:[ \t](.*))?$/.exec(line);
    if (!found) throw new Error("there is no topic");
    const [, time, topic, payload = ""] = found;
    return { at: microseconds(time), topic: text.encode(topic), payload: text.encode(payload), quality: 0, isRetained: false };
}

/** Reads a recording: its messages, and the number of lines that are none. */
export function readMessages(recording) {
    const messages = [];
    let refused = 0;
    for (const raw of recording.split("\n")) {
        // Space at the end may belong to a payload.
        const line = raw.replace(/\r$/, "").trimStart();
        if (line === "") continue;
        try {
            messages.push(line.startsWith("{") ? ofObject(line) : ofWords(line));
        } catch {
            refused++;
        }
    }
    return { messages, refused };
}
