// Plays messages in virtual time, as `skerry replay` does.

import { longestRunOn } from "./messages.mjs";
import { never } from "./skerry.mjs";

/**
 * Gives an engine one message after the other with the time between them, and then time while an activity is pending. Yields the
 * message, or null, after each call; a message that is older than one before it has the time of that one.
 */
export function* play(engine, messages) {
    let now = messages[0].at;
    engine.begin(now / 1_000_000n);
    for (const message of messages) {
        if (message.at > now) now = message.at;
        while (engine.nextDeadline < now) {
            engine.advance(engine.nextDeadline);
            yield null;
        }
        engine.message(message.topic, message.payload, message.isRetained, message.at);
        yield { ...message, at: now };
    }
    const end = now + longestRunOn;
    while (engine.isPending && engine.nextDeadline !== never && engine.nextDeadline <= end) {
        engine.advance(engine.nextDeadline);
        yield null;
    }
}
