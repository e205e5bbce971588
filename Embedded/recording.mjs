// Recordings, and what `skerry replay` makes of them.

import { readFileSync } from "node:fs";
import { readMessages } from "./WebAssembly/messages.mjs";

export { longestRunOn } from "./WebAssembly/messages.mjs";

/** The messages of a file; a line that is none ends the process. */
export function messages(path) {
    const { messages, refused } = readMessages(readFileSync(path, "utf8"));
    if (refused > 0) throw new Error(`${path}: ${refused} lines are no messages`);
    return messages;
}

/** Compares publications with those of the gateway up to a time, one after the other, and ends the process at the first difference. */
export class Comparison {
    count = 0;

    constructor(name, expected, end) {
        this.name = name;
        this.wanted = messages(expected).filter(({ at }) => end === undefined || at <= end);
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
