// Plays messages in virtual time, as `skerry replay` does.

import { longestRunOn } from "./messages.mjs";
import { never } from "./skerry.mjs";

/** Gives an engine one message after the other, and then time while an activity is pending; yields the message, or null, after each. */
export function* play(engine, messages) {
    engine.begin(messages[0].at / 1_000_000n);
    for (const message of messages) {
        engine.message(message.topic, message.payload, message.isRetained, message.at);
        yield message;
    }
    const end = messages.at(-1).at + longestRunOn;
    while (engine.isPending && engine.nextDeadline !== never && engine.nextDeadline <= end) {
        engine.advance(engine.nextDeadline);
        yield null;
    }
}
