// Plays a recording in WebAssembly and compares what comes out with the output of `skerry replay`.
// node play.mjs skerry.wasm RECORDING EXPECTED DEFINITION.skd…

import { readFileSync } from "node:fs";
import { Comparison, messages } from "../recording.mjs";
import { play } from "./player.mjs";
import { Engine } from "./skerry.mjs";

const [wasm, recording, expected, ...definitions] = process.argv.slice(2);

const engine = await Engine.load(readFileSync(wasm));
for (const definition of definitions) engine.add(readFileSync(definition));

const comparison = new Comparison(recording, expected);
const recorded = messages(recording);
const begun = performance.now();
let took = 0;
for (const message of play(engine, recorded)) {
    for (const publication of engine.publications()) comparison.take(publication);
    if (message) took = performance.now() - begun;
}
comparison.finish();
const rate = Math.round((recorded.length / took) * 1000);
console.log(`${recording}: ${recorded.length} messages, ${comparison.count} publications as the gateway's, ${rate} messages a second`);
