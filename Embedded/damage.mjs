// Damaged compiled definitions whose checksums are right, the same ones each time.

import { readFileSync } from "node:fs";

/** A number below a limit, by xorshift32: the same ones each time. */
let state = 0x5eed;
export function random(limit) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
}

/** The bytes with the checksum of all but the last eight, FNV-1a, in their place. */
function sealed(bytes) {
    let hash = 0xcbf29ce484222325n;
    for (const byte of bytes.subarray(0, -8)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
    new DataView(bytes.buffer).setBigUint64(bytes.length - 8, hash, true);
    return bytes;
}

/** One damaged definition after the other, each made of the next file of the list; of each tenth, the end is missing, too. */
export function* damagedDefinitions(paths, count) {
    const originals = paths.map((path) => readFileSync(path));
    for (let number = 0; number < count; number++) {
        let bytes = Uint8Array.from(originals[number % originals.length]);
        if (number % 10 === 9) bytes = bytes.slice(0, 16 + random(bytes.length - 16));
        for (let changes = 1 + random(3); changes > 0; changes--) bytes[4 + random(bytes.length - 12)] = random(256);
        yield sealed(bytes);
    }
}

/** A message that all of them get which are not refused. */
export const message = { at: 1_700_000_000_000_000n, topic: "plug/washer/x/power", payload: "100" };
