// Plays a recording in WebAssembly and compares what comes out with the output of `skerry replay`.
// node play.mjs skerry.wasm RECORDING EXPECTED DEFINITION.skd…

import { readFileSync } from "node:fs";
import { Engine, never } from "./skerry.mjs";

const [wasm, recording, expected, ...definitions] = process.argv.slice(2);
const text = new TextEncoder();
const longestRunOn = 48n * 3_600_000_000n;

const lines = (path) => readFileSync(path, "utf8").split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));

/** Microseconds since the Unix epoch of a time such as 2026-03-01T00:00:00.000000Z+0000. */
function microseconds(tst) {
    const [, seconds, fraction] = /^(.{19})\.(\d{6})Z/.exec(tst);
    return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction);
}

const sameBytes = (left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)) === 0;

const engine = await Engine.load(readFileSync(wasm));
for (const definition of definitions) engine.add(readFileSync(definition));

const wanted = lines(expected);
let count = 0;
function compare() {
    for (const got of engine.publications()) {
        const want = wanted[count++];
        const isSame =
            want !== undefined && sameBytes(got.topic, text.encode(want.topic)) && sameBytes(got.payload, text.encode(want.payload ?? "")) &&
            got.at === microseconds(want.tst) && got.quality === want.qos && got.isRetained === (want.retain === 1);
        if (isSame) continue;
        console.error(`${recording}: publication ${count} differs:`);
        console.error(` gateway: ${JSON.stringify(want)}`);
        console.error(` here: ${got.at} ${Buffer.from(got.topic)} ${Buffer.from(got.payload)}`);
        process.exit(1);
    }
}

const messages = lines(recording).map((line) => [
    text.encode(line.topic), text.encode(line.payload ?? ""), line.retain === 1, microseconds(line.tst),
]);
engine.begin(messages[0][3] / 1_000_000n);
const begun = performance.now();
for (const message of messages) {
    engine.message(...message);
    compare();
}
const took = performance.now() - begun;
const end = messages.at(-1)[3] + longestRunOn;
while (engine.isPending && engine.nextDeadline !== never && engine.nextDeadline <= end) {
    engine.advance(engine.nextDeadline);
    compare();
}
if (count !== wanted.length) {
    console.error(`${recording}: ${count} publications, the gateway has ${wanted.length}`);
    process.exit(1);
}
const rate = Math.round((messages.length / took) * 1000);
console.log(`${recording}: ${messages.length} messages, ${count} publications as the gateway's, ${rate} messages a second`);
