// What the engine makes of a recording, in the form in which the bridge answers POST /v1/replay.

/** The most that is shown: events and publications together, the bytes of their payloads, and the time that it takes to find them. No recording of a day comes near. */
const LIMITS = { count: 40_000, bytes: 24 << 20, milliseconds: 10_000 };

const text = new TextDecoder();
const seconds = (at) => Number(at) / 1_000_000;

class Devices {
  all = new Map();

  of(kind, device) {
    const key = `${kind}/${device}`;
    if (!this.all.has(key)) this.all.set(key, { kind, device, events: [] });
    return this.all.get(key);
  }

  /** The device of a topic of the bridge, and the rest of the topic; null for another topic. Names of kinds and devices have no slash. */
  at(topic) {
    const [prefix, kind, device, ...rest] = topic.split("/");
    const found = prefix === "skerry" && this.all.get(`${kind}/${device}`);
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
 * The events of each device, and all that a gateway would have published.
 *
 * `played` yields after each step of the engine, as `play` does: the message, or null. Nothing is played beyond a limit, because a
 * few bytes of a link can hold a definition that never comes to rest.
 */
export function eventsOf(engine, messages, played, limits = LIMITS, clock = () => performance.now()) {
  const begin = clock();
  const devices = new Devices();
  const publications = [];
  let now = messages[0].at;
  let count = 0;
  let bytes = 0;
  let truncated = false;
  for (const message of played) {
    const did = new Map();
    for (const { at, kind, device, from, to } of engine.moves()) {
      const found = devices.of(kind, device);
      found.events.push({ what: "moved", at: seconds(at), from: from || null, to });
      did.set(found, "moved");
      count += 1;
      now = at;
    }
    for (const { at, topic, payload, quality, isRetained } of engine.publications()) {
      const publication = { at: seconds(at), topic: text.decode(topic), payload: text.decode(payload), bytes: payload.length, quality, isRetained };
      publications.push(publication);
      const found = note(publication, devices);
      if (found && !did.has(found)) did.set(found, "update");
      count += 2;
      bytes += publication.bytes;
      now = at;
    }
    if (message) {
      now = message.at;
      const event = { what: "message", at: seconds(message.at), topic: text.decode(message.topic), payload: text.decode(message.payload) };
      for (const [device, what] of did) device.events.push({ ...event, did: what });
      count += did.size;
      bytes += did.size * message.payload.length;
    }
    if (count > limits.count || bytes > limits.bytes || clock() - begin > limits.milliseconds) {
      truncated = true;
      break;
    }
  }
  for (const device of devices.all.values()) device.events.sort((one, other) => one.at - other.at);
  return { from: seconds(messages[0].at), to: seconds(now), messages: messages.length, devices: [...devices.all.values()], publications, truncated };
}
