// Plays a recording in WebAssembly and compares what comes out with the output of `skerry replay`.
// node play.mjs skerry.wasm RECORDING EXPECTED DEFINITION.skd…

import { readFileSync } from "node:fs";
import { Comparison, longestRunOn, messages } from "../recording.mjs";
import { Engine, never } from "./skerry.mjs";

const [wasm, recording, expected, ...definitions] = process.argv.slice(2);

const engine = await Engine.load(readFileSync(wasm));
for (const definition of definitions) engine.add(readFileSync(definition));

const comparison = new Comparison(recording, expected);
function compare() {
    for (const publication of engine.publications()) comparison.take(publication);
}

const recorded = messages(recording);
engine.begin(recorded[0].at / 1_000_000n);
const begun = performance.now();
for (const { topic, payload, isRetained, at } of recorded) {
    engine.message(topic, payload, isRetained, at);
    compare();
}
const took = performance.now() - begun;
const end = recorded.at(-1).at + longestRunOn;
while (engine.isPending && engine.nextDeadline !== never && engine.nextDeadline <= end) {
    engine.advance(engine.nextDeadline);
    compare();
}
comparison.finish();
const rate = Math.round((recorded.length / took) * 1000);
console.log(`${recording}: ${recorded.length} messages, ${comparison.count} publications as the gateway's, ${rate} messages a second`);
