// Gives a recording to a board that QEMU simulates, over its serial line, and lets it run by its own clock: what it sends is the output
// of `skerry replay`, and leaves when it is due.
// node live.mjs live.elf FOLDER RECORDING EXPECTED DEFINITION.skd…

import { readFileSync } from "node:fs";
import { Comparison, messages } from "../recording.mjs";
import { start } from "./board.mjs";

const [image, folder, recording, expected, ...paths] = process.argv.slice(2);
// A quarter of an hour until the dismissal would take a million interrupts.
const end = messages(recording).at(-1).at + 1_000_000n;
const comparison = new Comparison(recording, expected, end);
// The clock starts with the last byte. QEMU goes to the next interrupt at once where the board sleeps.
const input = `${readFileSync(recording, "utf8")}${end}\n\x16`;
const definitions = paths.map((path) => readFileSync(path));
const { figures, sent } = start(image, folder, definitions, { serial: "stdio", input, clock: "shift=0,sleep=off" });
// The resolution of SysTick, and the time that it takes to send what came before.
const latest = 10_000n;
for (const line of sent.split("\n").slice(0, -1)) {
    const [, clock, at, flags, topic, payload] = /^(\d+) (\d+) (\d+) (\S+) (.*)$/.exec(line);
    comparison.take({
        at: BigInt(at), topic: Buffer.from(topic), payload: Buffer.from(payload), quality: flags & 3, isRetained: (flags & 4) !== 0,
    });
    if (BigInt(clock) < BigInt(at) || BigInt(clock) > BigInt(at) + latest) {
        console.error(`${recording}: what was due at ${at} left when the clock showed ${clock}`);
        process.exit(1);
    }
}
comparison.finish();
console.log(
    `Cortex-M, ${recording}: ${comparison.count} publications by SysTick over the UART as the gateway's, ` +
        `deadlines at most ${figures.get("latest")} µs late, ${figures.get("heap")} bytes of heap (${figures.get("definitions")} for the definition, ` +
        `${figures.get("devices")} for its device), ${figures.get("stack")} of stack`,
);
