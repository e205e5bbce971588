// Reads damaged definitions in WebAssembly: each is refused, or runs.
// node refuse.mjs skerry.wasm COUNT DEFINITION.skd…

import { readFileSync } from "node:fs";
import { damagedDefinitions, message } from "../damage.mjs";
import { Engine } from "./skerry.mjs";

const [wasm, count, ...paths] = process.argv.slice(2);
const module = readFileSync(wasm);
const text = new TextEncoder();

let engine = await Engine.load(module);
let accepted = 0;
for (const definition of damagedDefinitions(paths, Number(count))) {
    try {
        engine.add(definition);
    } catch (error) {
        // A trap is a RuntimeError, and ends this.
        if (error instanceof WebAssembly.RuntimeError) throw error;
        continue;
    }
    accepted++;
    engine.begin(1n);
    engine.message(text.encode(message.topic), text.encode(message.payload), false, message.at);
    engine = await Engine.load(module);
}
console.log(`WebAssembly, ${count} damaged definitions: ${count - accepted} refused, ${accepted} run`);
