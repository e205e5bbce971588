// A board that QEMU simulates: what it is given in flash and in files, and what it leaves.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

/** The place of the definitions in flash: GIVEN of board.ld. */
const given = "0x00200000";
/** The simulated clock: an instruction takes a nanosecond, and a tick of 25 MHz 40 of them. */
export const instructionsPerTick = 40n;
const headSize = 24;

function word(number) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(number);
    return bytes;
}

function flash(definitions) {
    const parts = [word(definitions.length)];
    for (const bytes of definitions) parts.push(word(bytes.length), bytes, Buffer.alloc(-bytes.length & 3));
    return Buffer.concat(parts);
}

function written({ at, topic, payload, isRetained }) {
    const head = Buffer.alloc(headSize);
    head.writeBigInt64LE(at, 0);
    head.writeUInt32LE(topic.length, 8);
    head.writeUInt32LE(payload.length, 12);
    head.writeUInt32LE(isRetained ? 4 : 0, 16);
    return Buffer.concat([head, Buffer.from(topic), Buffer.from(payload)]);
}

/** What a board leaves: publications, moments at which its state was kept, and the one from which it went on. */
function* output(bytes) {
    for (let place = 0; place < bytes.length; ) {
        const [at, topicCount, payloadCount, flags, handled] = [
            bytes.readBigInt64LE(place), bytes.readUInt32LE(place + 8), bytes.readUInt32LE(place + 12), bytes.readUInt32LE(place + 16),
            bytes.readUInt32LE(place + 20),
        ];
        place += headSize;
        const topic = bytes.subarray(place, (place += topicCount));
        const payload = bytes.subarray(place, (place += payloadCount));
        if (flags & 8) yield { kept: handled };
        else if (flags & 16) yield { resumed: Number(at) };
        else yield { at, topic, payload, quality: flags & 3, isRetained: (flags & 4) !== 0 };
    }
}

/** The bytes of the flash for state, all of them erased. */
export const erasedFlash = Buffer.alloc(4 * 16384, 0xff);

/** Runs an image in a folder, with definitions in flash. Gives its figures by their names, and what it sent over its serial line. */
export function start(image, folder, definitions, { serial = "none", input, clock = "shift=0" } = {}) {
    writeFileSync(`${folder}/given`, flash(definitions));
    const machine = [
        "-machine", "mps2-an386", "-display", "none", "-monitor", "none", "-serial", serial, "-icount", clock,
        "-semihosting-config", "enable=on,target=native", "-device", `loader,file=given,addr=${given},force-raw=on`, "-kernel", image,
    ];
    const ended = spawnSync("qemu-system-arm", machine, { cwd: folder, encoding: "utf8", input, timeout: 900_000 });
    if (ended.error || ended.status !== 0) throw new Error(`the board ended with ${ended.error ?? ended.status}: ${ended.stderr}`);
    const lines = ended.stderr.split("\n").filter((line) => line !== "");
    const figures = new Map(lines.map((line) => [line.replace(/ \d+$/, ""), BigInt(/\d+$/.exec(line)[0])]));
    return { figures, sent: ended.stdout };
}

/**
 * Gives messages to the player in a folder.
 *
 * Time passes until `until` while an activity is pending. With `flash`, state is kept there; with `cutAt`, the power is cut with that
 * word of the flash. Gives what it leaves, its flash, and its figures by their names.
 */
export function run(image, folder, definitions, messages, { until, flash: before, cutAt = 0 }) {
    const plan = Buffer.concat([Buffer.alloc(8), word(before ? 1 : 0), word(cutAt)]);
    plan.writeBigInt64LE(until);
    writeFileSync(`${folder}/plan`, plan);
    if (before) writeFileSync(`${folder}/flash`, before);
    writeFileSync(`${folder}/messages`, Buffer.concat(messages.map(written)));
    return {
        figures: start(image, folder, definitions).figures,
        output: [...output(readFileSync(`${folder}/publications`))],
        flash: before && readFileSync(`${folder}/flash`),
    };
}
