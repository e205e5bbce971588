// Plays messages in virtual time, as `skerry replay` does.

import { longestRunOn } from "./messages.mjs";
import { never } from "./skerry.mjs";

/** Lets time pass up to a moment, one deadline after the other, so that no call takes long; yields after each. */
function* pass(engine, end, goesOn = () => true) {
    for (let due = engine.nextDeadline; goesOn() && due !== never && due <= end; due = engine.nextDeadline) {
        engine.advance(due);
        yield null;
    }
}

/**
 * Gives an engine one message after the other, and then time while an activity is pending; yields the message, or null, after each
 * step. A message whose time is before that of an earlier one happens at the latest time so far, as in a gateway.
 */
export function* play(engine, messages) {
    let now = messages[0].at;
    engine.begin(now / 1_000_000n);
    for (const message of messages) {
        if (message.at > now) now = message.at;
        yield* pass(engine, now);
        engine.message(message.topic, message.payload, message.isRetained, now);
        yield { ...message, at: now };
    }
    yield* pass(engine, now + longestRunOn, () => engine.isPending);
}
