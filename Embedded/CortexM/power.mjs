// Cuts the power of a board that QEMU simulates at random moments while it writes its flash, and lets it go on: what it then publishes
// is what it would have published.
// node power.mjs play.elf FOLDER CUTS RECORDING DEFINITION.skd…

import { readFileSync } from "node:fs";
import { longestRunOn, messages } from "../recording.mjs";
import { erasedFlash, run } from "./board.mjs";
import { random } from "../damage.mjs";

const [image, folder, cuts, recording, ...paths] = process.argv.slice(2);
const definitions = paths.map((path) => readFileSync(path));
const recorded = messages(recording);
const until = recorded.at(-1).at + longestRunOn;
const whole = run(image, folder, definitions, recorded, { until, flash: erasedFlash });
const words = Number(whole.figures.get("words"));
const isPublication = (entry) => entry.topic !== undefined;
const text = (entry) => `${entry.at} ${entry.topic} ${entry.payload}`;

/** What follows the record of a number in the run without a cut, and the snapshots that readers had by then. */
function after(number) {
    let place = 0;
    for (let found = 0; found < number; place++) if (whole.output[place].kept !== undefined) found++;
    const handled = number === 0 ? 0 : whole.output[place - 1].kept;
    // The publications of the step that was kept are told after it; the snapshots among them are published again.
    const next = whole.output.findIndex((entry, index) => index >= place && entry.kept !== undefined);
    const end = number === 0 ? 0 : next < 0 ? whole.output.length : next;
    const snapshots = new Map();
    for (const entry of whole.output.slice(0, end)) {
        if (!isPublication(entry) || !entry.isRetained) continue;
        if (entry.payload.length > 0) snapshots.set(`${entry.topic}`, `${entry.payload}`);
        else snapshots.delete(`${entry.topic}`);
    }
    return { handled, snapshots, publications: whole.output.slice(end).filter(isPublication).map(text) };
}

function check(what, cutAt) {
    if (what) return;
    console.error(`${recording}: after a cut at word ${cutAt} of ${words} the board does not go on where it was`);
    process.exit(1);
}

const hasSame = (found, expected) =>
    found.length === expected.size && found.every((entry) => expected.get(`${entry.topic}`) === `${entry.payload}`);

for (let cut = 0; cut < Number(cuts); cut++) {
    const cutAt = 1 + random(words);
    const broken = run(image, folder, definitions, recorded, { until, flash: erasedFlash, cutAt });
    const complete = broken.output.filter((entry) => entry.kept !== undefined).length;
    // The state is that before or after the message: the record that was being written counts, or it does not.
    const found = run(image, folder, definitions, [], { until: 0n, flash: broken.flash }).output[0]?.resumed ?? 0;
    check(found === complete || found === complete + 1, cutAt);
    const expected = after(found);
    const resumed = run(image, folder, definitions, recorded.slice(expected.handled), { until, flash: broken.flash });
    const begins = resumed.output.findIndex((entry) => entry.kept !== undefined);
    const again = resumed.output.slice(0, begins < 0 ? undefined : begins).filter(isPublication);
    const rest = begins < 0 ? [] : resumed.output.slice(begins).filter(isPublication).map(text);
    check(hasSame(again, expected.snapshots), cutAt);
    check(rest.length === expected.publications.length && rest.every((line, index) => line === expected.publications[index]), cutAt);
    // A second cut soon after: what was kept by then has the devices that did not change since the restart, too.
    const left = Number(resumed.figures.get("words"));
    if (left === 0) continue;
    const twice = { until, flash: broken.flash, cutAt: 1 + random(Math.min(left, 1000)) };
    const { flash } = run(image, folder, definitions, recorded.slice(expected.handled), twice);
    const [mark, ...shown] = run(image, folder, definitions, [], { until: 0n, flash }).output;
    check(hasSame(shown.filter(isPublication), after(mark?.resumed ?? 0).snapshots), cutAt);
}
console.log(`Cortex-M, ${recording}: the power cut at ${cuts} of ${words} words, each time it went on before or after the message`);
