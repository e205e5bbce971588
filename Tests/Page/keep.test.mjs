// Who finds what the page showed last, tested by `node --test Tests/Page`.
import assert from "node:assert/strict";
import test from "node:test";

const caches = new Map();
Object.assign(globalThis, { location: { href: "http://quay/skerry/#/now" }, self: globalThis, top: globalThis });
globalThis.caches = {
  open: async (name) => ({ match: async () => caches.get(name) }),
  delete: async (name) => caches.delete(name),
};
const name = "skerry.state http://quay/skerry/", file = "../../Sources/Adapters/CPage/page/keep.js";
const state = { session: { role: "member", may: ["enter", "follow", "look", "send"], mayEdit: true }, image: { devices: [] } };
const keep = () => caches.set(name, new Response(JSON.stringify(state)));

test("whoever may no longer see all of it has it forgotten", async () => {
  const { forgetUnless } = await import(file);
  for (const [role, stays] of [["viewer", true], ["member", true], ["local", true], ["admin", true], ["guest", false], ["none", false]]) {
    keep();
    forgetUnless({ role });
    assert.equal(caches.has(name), stays, role);
  }
});

test("what was kept may be looked at, and no more", async () => {
  keep();
  const { session } = await (await import(file)).kept();
  assert.deepEqual([session.may, session.mayEdit], [["enter", "follow", "look"], false]);
});

test("in a frame, whose address is another one each time, nothing is kept and nothing is found", async () => {
  keep();
  globalThis.top = {};
  const framed = await import(`${file}?framed`);
  assert.equal(await framed.kept(), null);
  framed.forgetUnless({ role: "none" });
  assert.equal(caches.has(name), true);
});
