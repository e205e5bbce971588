// One run of the engine, beside the page: bytes and a recording in, events out. It asks nobody for anything.
import { eventsOf } from "./events.js";
import { readMessages } from "./messages.js";
import { play } from "./player.js";
import { Engine } from "./skerry.js";

async function run({ wasm, definitions, recording }) {
  const { messages, refused } = readMessages(recording);
  if (messages.length === 0) return { messages: 0, refused, devices: [], publications: [] };
  const engine = await Engine.load(wasm);
  for (const definition of definitions) engine.add(new Uint8Array(definition));
  return { ...eventsOf(engine, messages, play(engine, messages)), refused };
}

addEventListener("message", async ({ data }) => {
  try {
    postMessage(await run(data));
  } catch (error) {
    postMessage({ error: error.message });
  }
});
