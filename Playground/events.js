// What the engine makes of a recording, in the form in which the bridge answers POST /v1/replay.
import { play } from "./player.js";

/** More publications and events than this are not looked at: no recording of a day comes near. */
const MOST = 60_000;
/** The longest time for a replay in milliseconds, as long as a bridge gives one. */
const LONGEST = 5000;

const text = new TextDecoder();
const seconds = (at) => Number(at) / 1_000_000;

class Devices {
  all = new Map();

  of(kind, device) {
    const key = `${kind}/${device}`;
    if (!this.all.has(key)) this.all.set(key, { kind, device, events: [] });
    return this.all.get(key);
  }

  /** The device that a topic of the bridge is about, and the rest of the topic; null for another topic. */
  at(topic) {
    const [start, kind, device, ...rest] = topic.split("/");
    const found = start === "skerry" && this.all.get(`${kind}/${device}`);
    return found ? [found, rest.join("/")] : null;
  }
}

function note({ at, topic, payload, bytes }, devices) {
  const [device, rest] = devices.at(topic) ?? [];
  if (rest === "activity" && bytes === 0) device.events.push({ what: "dismissed", at });
  else if (rest === "activity") {
    const snapshot = JSON.parse(payload);
    device.events.push({ what: "update", at, id: snapshot.id, rev: snapshot.rev, snapshot, patch: null, bytes });
  } else if (rest === "activity/diff") {
    // A diff comes after the snapshot of its revision.
    Object.assign(device.events.findLast((event) => event.what === "update"), { patch: JSON.parse(payload).patch, bytes });
  }
  return device;
}

/**
 * Plays messages: the events of each device, and all that a gateway would have published. A definition that never comes to rest
 * is cut off by a count, or by the time, of which `clock` tells milliseconds.
 */
export function eventsOf(engine, messages, clock = () => performance.now()) {
  const devices = new Devices();
  const publications = [];
  const end = clock() + LONGEST;
  let count = 0;
  let now = messages[0].at;
  let truncated = false;
  for (const message of play(engine, messages)) {
    const did = new Map();
    for (const { at, kind, device, from, to } of engine.moves()) {
      const found = devices.of(kind, device);
      found.events.push({ what: "moved", at: seconds(at), from: from || null, to });
      did.set(found, "moved");
      count++;
      now = at;
    }
    for (const { at, topic, payload, quality, isRetained } of engine.publications()) {
      const publication = { at: seconds(at), topic: text.decode(topic), payload: text.decode(payload), bytes: payload.length, quality, isRetained };
      publications.push(publication);
      count++;
      const found = note(publication, devices);
      if (found && !did.has(found)) did.set(found, "update");
      now = at;
    }
    if (message) {
      now = message.at;
      const event = { what: "message", at: seconds(message.at), topic: text.decode(message.topic), payload: text.decode(message.payload) };
      for (const [device, what] of did) device.events.push({ ...event, did: what });
      count += did.size;
    }
    if (count > MOST || clock() > end) {
      truncated = true;
      break;
    }
  }
  for (const device of devices.all.values()) device.events.sort((one, other) => one.at - other.at);
  return { from: seconds(messages[0].at), to: seconds(now), messages: messages.length, devices: [...devices.all.values()], publications, truncated };
}
