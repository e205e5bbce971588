// The engine of Skerry in WebAssembly: definitions and messages in, publications out. Times are microseconds since the Unix
// epoch, as BigInt.

const faults = [
    "",
    "this is no compiled definition: compile it with 'skerry compile'",
    "a compiled definition has at most 1 MiB",
    "an older Skerry compiled it: compile it again",
    "a newer Skerry compiled it: update this engine, or compile it with the same version",
    "the compiled definition is damaged or cut short: copy or compile it again",
];

/** What no deadline is: later than every time. */
export const never = (1n << 63n) - 1n;

export class Engine {
    #calls;
    #fields;

    /** Makes an engine of the bytes of skerry.wasm. */
    static async load(bytes) {
        const { instance } = await WebAssembly.instantiate(bytes, {});
        return new Engine(instance.exports);
    }

    constructor(calls) {
        this.#calls = calls;
        this.#fields = calls.malloc(32);
    }

    /** Adds a compiled definition; throws an error that says what to do when it can't be read. */
    add(definition) {
        const fault = this.#with([definition], (start, count) => this.#calls.skerry_add(start, count));
        if (fault !== 0) throw new Error(faults[fault]);
    }

    /** Begins without devices; `epoch` is a number that no earlier engine with the same devices had. */
    begin(epoch) {
        this.#calls.skerry_begin(epoch);
    }

    /** Handles a message of bytes, after all that was due before it. */
    message(topic, payload, isRetained, at) {
        this.#with([topic, payload], (...bytes) => this.#calls.skerry_message(...bytes, isRetained ? 1 : 0, at));
    }

    /** The next moment at which time alone changes something; `never` when there is none. */
    get nextDeadline() {
        return this.#calls.skerry_next_deadline();
    }

    /** Lets time pass; what is due is handled. */
    advance(at) {
        this.#calls.skerry_advance(at);
    }

    /** True while an activity is followed, or waits to be dismissed. */
    get isPending() {
        return this.#calls.skerry_is_pending() !== 0;
    }

    /** What a gateway would have published since the last call, in order. */
    *publications() {
        const at = this.#fields;
        const [topic, topicCount, payload, payloadCount, flags] = [8, 12, 16, 20, 24].map((offset) => at + offset);
        while (this.#calls.skerry_read(at, topic, topicCount, payload, payloadCount, flags) !== 0) {
            const view = new DataView(this.#calls.memory.buffer);
            const copy = (start, count) =>
                new Uint8Array(this.#calls.memory.buffer).slice(
                    view.getUint32(start, true),
                    view.getUint32(start, true) + view.getUint32(count, true),
                );
            const bits = view.getUint32(flags, true);
            yield {
                at: view.getBigInt64(at, true),
                topic: copy(topic, topicCount),
                payload: copy(payload, payloadCount),
                quality: bits & 3,
                isRetained: (bits & 4) !== 0,
            };
        }
    }

    /** How machines moved in the last message or advance: `from` and `to` are the innermost states, `from` is empty at the start. */
    *moves() {
        const at = this.#fields;
        const [text, count] = [at + 8, at + 12];
        while (this.#calls.skerry_read_move(at, text, count) !== 0) {
            const view = new DataView(this.#calls.memory.buffer);
            const bytes = new Uint8Array(this.#calls.memory.buffer, view.getUint32(text, true), view.getUint32(count, true));
            const [kind, device, from, to] = new TextDecoder().decode(bytes).split("\0");
            yield { at: view.getBigInt64(at, true), kind, device, from, to };
        }
    }

    /** Calls with pointers to copies of bytes, and their counts. */
    #with(parts, call) {
        const starts = parts.map((part) => this.#calls.malloc(Math.max(1, part.length)));
        const memory = new Uint8Array(this.#calls.memory.buffer);
        parts.forEach((part, place) => memory.set(part, starts[place]));
        try {
            return call(...parts.flatMap((part, place) => [starts[place], part.length]));
        } finally {
            starts.forEach((start) => this.#calls.free(start));
        }
    }
}
