// Gives damaged definitions to a board that QEMU simulates: each is refused, or runs.
// node refuse.mjs play.elf FOLDER COUNT DEFINITION.skd…

import { damagedDefinitions, message } from "../damage.mjs";
import { run } from "./board.mjs";

const [image, folder, count, ...paths] = process.argv.slice(2);
let refused = 0n;
let batch = [];
let left = Number(count);
for (const definition of damagedDefinitions(paths, left)) {
    batch.push(definition);
    left--;
    // One of each kind: an engine has no two definitions of a kind.
    if (batch.length < paths.length && left > 0) continue;
    refused += run(image, folder, batch, [message], { until: message.at }).figures.get("refused definitions");
    batch = [];
}
console.log(`Cortex-M, ${count} damaged definitions: ${refused} refused, ${BigInt(count) - refused} run`);
