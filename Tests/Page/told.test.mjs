// Sentences of the bridge in the languages of the page. Run by: node --test Tests/Page
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

globalThis.navigator ??= { languages: ["en"] };
globalThis.document = { documentElement: {} };
const folder = new URL("../../Sources/Adapters/CPage/page/", import.meta.url), sources = new URL("../../Sources/", import.meta.url);
const { chooseLanguage, t } = await import(new URL("texts.js", folder));
const { FORMS, told } = await import(new URL("told.js", folder));
for (const name of ["texts-settings.js", "texts-views.js"]) await import(new URL(name, folder));

/** All texts of the bridge, those in several lines joined; what is filled in becomes a sign that stands nowhere else. */
const swift = readdirSync(sources, { recursive: true }).filter((name) => name.endsWith(".swift")).map((name) => readFileSync(new URL(name, sources), "utf8")).join("\n")
  .replace(/"\s*\+ "/g, "").replace(/\\\([^()]*(?:\([^()]*\)[^()]*)*\)/g, "\0").toLowerCase();

test("each form is one of a sentence that the bridge has", () => {
  for (const { form } of FORMS) {
    const isCode = /^[a-z-]+$/.test(form), parts = isCode ? [`code: "${form}"`] : form.split(/\s?…\s?|\{\w+\}/).map((part) => part.replace(/^'|'$/g, "").trim()).filter((part) => part.length > 2);
    for (const part of parts) assert.ok(swift.includes(part.toLowerCase()), `${form}: ${part}`);
  }
});

test("each has words in three languages, or those of the page", () => {
  for (const { form, words } of FORMS) {
    assert.ok([0, 1, 3].includes(words.length), form);
    const places = [...form.matchAll(/\{(\w+)\}/g)].map(([place]) => place);
    for (const text of words.length === 3 ? words : []) assert.deepEqual([...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort(), places.sort(), form);
  }
  assert.ok(FORMS.at(-1).words.length);
});

test("a sentence is said in the language of the page, and one in another", () => {
  const refused = "The broker can't be listened to: connection refused: is a broker listening on 10.0.0.2:1883?";
  assert.equal(told(refused), refused);
  chooseLanguage("de");
  assert.equal(told(refused), "Dem Broker lässt sich nicht zuhören: Dort antwortet niemand.");
  assert.equal(told("Unknown host nowhere: is the name right, and does DNS work?"), "Diesen Namen gibt es im Netz nicht.");
  assert.equal(told("the broker at b:1883 refused the connection: Not authorized; check name and password"), "Der Broker weist Benutzer und Passwort ab.");
  assert.equal(told("'rest' must be a length of time, not a text; write a length of time such as 2m"), "Das muss eine Dauer sein, zum Beispiel 2m.");
  assert.equal(told("'rest' must be at least 1m, and this is 10s; from 1m to 1h"), "mindestens 1m");
  assert.equal(told("no guard holds, and the content is unchanged within its tolerance"), "der Inhalt ändert sich zu wenig");
  assert.equal(told("Live Activities are switched off for the app: switch them on in the phone's Settings, under the app's name.", "activities-disabled"), "Live-Aktivitäten der App sind ausgeschaltet: Schalte sie in den Einstellungen des iPhones ein.");
  assert.equal(told("start: the token has expired (410)"), "Ein Token ist abgelaufen: Öffne die App.");
  assert.equal(told("revision 12 looks the same"), "sieht aus wie zuvor");
  assert.equal(told("the update token is overdue: Allow was not tapped, or the app was ended; the state is sent when it comes"), "wartet, bis jemand am Telefon „Erlauben“ antippt");
  assert.equal(told("this bridge does not go by that name; add it to http.hosts, or set http.url", "unknown-host"), "Diesen Namen kennt die Bridge nicht als ihren: Er fehlt in http.hosts.");
  assert.equal(told("anything", "no-answer"), "Die Bridge ist gerade beschäftigt. Versuche es gleich noch einmal.");
  assert.equal(told("what nobody has translated", "no-such-code"), "what nobody has translated");
  assert.equal(told(null), null);
  chooseLanguage("en");
});

test("each decision about a phone has a word", () => {
  const source = readFileSync(new URL("People/SkerryPhones/PhoneDecision.swift", sources), "utf8"), names = [...source.matchAll(/case \.\w+: "([a-z-]+)"/g)].map(([, name]) => name);
  assert.ok(names.length > 15);
  for (const name of names) assert.notEqual(t(`push.${name}`), `push.${name}`);
});
