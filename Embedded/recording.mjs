// Recordings, and what `skerry replay` makes of them.

import { readFileSync } from "node:fs";

const text = new TextEncoder();

const lines = (path) => readFileSync(path, "utf8").split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));

/** Microseconds since the Unix epoch of a time such as 2026-03-01T00:00:00.000000Z+0000 or 2026-03-01T01:00:00+0100. */
function microseconds(tst) {
    const [, seconds, fraction = "", hours, minutes] = /^(.{19})(?:\.(\d{1,6}))?Z?([+-]\d\d):?(\d\d)?$/.exec(tst.replace(/Z$/, "+0000"));
    return BigInt(Date.parse(`${seconds}${hours}:${minutes ?? "00"}`)) * 1000n + BigInt(fraction.padEnd(6, "0"));
}

/** The messages of a file of lines as those of `mosquitto_sub -F '%j'`. */
export function messages(path) {
    return lines(path).map((line) => ({
        at: microseconds(line.tst), topic: text.encode(line.topic), payload: text.encode(line.payload ?? ""),
        quality: line.qos, isRetained: line.retain === 1,
    }));
}

/** How long time passes after the last message while an activity is pending, as `skerry replay` has it. */
export const longestRunOn = 48n * 3_600_000_000n;

/** Compares publications with those of the gateway, one after the other, and ends the process at the first difference. */
export class Comparison {
    count = 0;

    constructor(name, expected) {
        this.name = name;
        this.wanted = messages(expected);
    }

    take(got) {
        const want = this.wanted[this.count++];
        const isSame =
            want !== undefined && Buffer.compare(got.topic, want.topic) === 0 && Buffer.compare(got.payload, want.payload) === 0 &&
            got.at === want.at && got.quality === want.quality && got.isRetained === want.isRetained;
        if (!isSame) this.#fail(`publication ${this.count} differs:\n gateway: ${shown(want)}\n here: ${shown(got)}`);
    }

    finish() {
        if (this.count !== this.wanted.length) this.#fail(`${this.count} publications, the gateway has ${this.wanted.length}`);
    }

    #fail(what) {
        console.error(`${this.name}: ${what}`);
        process.exit(1);
    }
}

const shown = (one) => (one ? `${one.at} ${Buffer.from(one.topic)} ${Buffer.from(one.payload)}` : "nothing");
