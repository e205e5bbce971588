// Plays a recording on a board that QEMU simulates, and compares what comes out with the output of `skerry replay`.
// node play.mjs play.elf FOLDER RECORDING EXPECTED DEFINITION.skd…

import { readFileSync } from "node:fs";
import { Comparison, longestRunOn, messages } from "../recording.mjs";
import { instructionsPerTick, run } from "./board.mjs";

const [image, folder, recording, expected, ...paths] = process.argv.slice(2);
const recorded = messages(recording);
const definitions = paths.map((path) => readFileSync(path));
const { figures, output } = run(image, folder, definitions, recorded, { until: recorded.at(-1).at + longestRunOn });
const comparison = new Comparison(recording, expected);
for (const publication of output) comparison.take(publication);
comparison.finish();

const average = (ticks, count) => (count > 0n ? (ticks * instructionsPerTick) / count : 0n);
console.log(
    `Cortex-M, ${recording}: ${figures.get("messages")} messages, ${comparison.count} publications as the gateway's, ` +
        `${average(figures.get("message ticks"), figures.get("messages"))} instructions a message, ` +
        `${average(figures.get("deadline ticks"), figures.get("deadlines"))} a deadline, ${figures.get("heap")} bytes of heap, ${figures.get("stack")} of stack`,
);
