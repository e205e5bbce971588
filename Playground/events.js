// What the engine makes of a recording, in the form in which the bridge answers POST /v1/replay.
import { play } from "./player.js";

/** More publications than this are not looked at: no recording of a day comes near. */
const MOST = 20_000;

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
    // The name of one device may go on where that of another one ends.
    const keys = [...this.all.keys()].filter((key) => topic.startsWith(`skerry/${key}/`));
    if (keys.length === 0) return null;
    const key = keys.reduce((one, other) => (one.length > other.length ? one : other));
    return [this.all.get(key), topic.slice(key.length + 8)];
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

/** Plays messages: the events of each device, and all that a gateway would have published. */
export function eventsOf(engine, messages) {
  const devices = new Devices();
  const publications = [];
  let now = messages[0].at;
  let truncated = false;
  for (const message of play(engine, messages)) {
    const did = new Map();
    for (const { at, kind, device, from, to } of engine.moves()) {
      const found = devices.of(kind, device);
      found.events.push({ what: "moved", at: seconds(at), from: from || null, to });
      did.set(found, "moved");
      now = at;
    }
    for (const { at, topic, payload, quality, isRetained } of engine.publications()) {
      const publication = { at: seconds(at), topic: text.decode(topic), payload: text.decode(payload), bytes: payload.length, quality, isRetained };
      publications.push(publication);
      const found = note(publication, devices);
      if (found && !did.has(found)) did.set(found, "update");
      now = at;
    }
    if (message) {
      now = message.at;
      const event = { what: "message", at: seconds(message.at), topic: text.decode(message.topic), payload: text.decode(message.payload) };
      for (const [device, what] of did) device.events.push({ ...event, did: what });
    }
    if (publications.length > MOST) {
      truncated = true;
      break;
    }
  }
  for (const device of devices.all.values()) device.events.sort((one, other) => one.at - other.at);
  return { from: seconds(messages[0].at), to: seconds(now), messages: messages.length, devices: [...devices.all.values()], publications, truncated };
}
