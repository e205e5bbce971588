// Damages compiled definitions, makes their checksums right again, and reads them in WebAssembly: each is refused, or runs.
// node refuse.mjs skerry.wasm COUNT DEFINITION.skd…

import { readFileSync } from "node:fs";
import { Engine } from "./skerry.mjs";

const [wasm, count, ...paths] = process.argv.slice(2);
const definitions = paths.map((path) => readFileSync(path));
const module = readFileSync(wasm);

// xorshift32: the same numbers each time.
let state = 0x5eed;
function below(limit) {
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

const topic = new TextEncoder().encode("plug/washer/x/power");
let engine = await Engine.load(module);
let accepted = 0;
for (let number = 0; number < Number(count); number++) {
    const bytes = Uint8Array.from(definitions[below(definitions.length)]);
    for (let changes = 1 + below(3); changes > 0; changes--) bytes[4 + below(bytes.length - 12)] = below(256);
    try {
        engine.add(sealed(bytes));
    } catch (error) {
        // A trap is a RuntimeError, and ends this.
        if (error instanceof WebAssembly.RuntimeError) throw error;
        continue;
    }
    accepted++;
    engine.begin(1n);
    engine.message(topic, new TextEncoder().encode("100"), false, 1_700_000_000_000_000n);
    engine = await Engine.load(module);
}
console.log(`${count} damaged definitions: ${count - accepted} refused, ${accepted} run`);
