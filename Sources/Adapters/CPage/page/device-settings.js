// The name and the settings of a device as a form, for those who may choose them. An empty field stands for the default.
import { lengthText } from "./device-parts.js";
import { el, put, say, typed } from "./dom.js";
import { humanName } from "./house.js";
import { clock, timeOfDay } from "./time.js";
import { t } from "./texts.js";
import "./texts-views.js";

const UNITS = [["d", 86400000], ["h", 3600000], ["m", 60000], ["s", 1000], ["ms", 1]];

/** What expressions call the name: no setting has a dot in its name. */
const NAME = "device.name";

/** A length of time as definitions write it: `1h30m` for 5400. */
function writtenLength(seconds) {
  let rest = Math.round(seconds * 1000), text = "";
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    if (count) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text || "0s";
}

/** A value as it stands in a field; the bridge gives a length of time in seconds. */
function written(type, value) {
  return type === "duration" ? writtenLength(value) : String(value);
}

/** A value as people read it. */
function inWords(type, value) {
  if (type === "bool") return t(value ? "card.yes" : "card.no");
  return type === "duration" ? lengthText(value) : String(value);
}

export class SettingsForm {
  /** The form of the device with a key; `save` gets the name, if it can be changed, and the settings by their names; it returns when they are in force. */
  constructor(key, settings, save) {
    /** What was written and is not saved, by setting. */
    this.drafts = typed.get(`settings ${key}`) ?? new Map();
    typed.set(`settings ${key}`, this.drafts);
    this.settings = [{ name: NAME, type: "text", text: t("device.nameWhy"), default: null }, ...settings];
    this.save = save;
    this.rows = el("div", { class: "settings-rows" });
    this.said = el("p", { class: "note", role: "status" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.button = el("button", { type: "submit", class: "main" }, t("replay.save"));
    this.node = el("form", { class: "settings-form", onsubmit: (event) => this.submit(event), oninput: () => say(this.said, "") },
      this.rows, this.problem, el("div", { class: "settings-foot" }, this.button, this.said));
  }

  /** Shows the values in force, unless somebody is changing them. */
  show({ settings, name, chosen, named, device }) {
    // Without a chosen name, the field shows the present one as what it stands for.
    if (named !== "page") this.settings[0].standsFor = name ?? humanName(device);
    const [values, origins] = [{ ...settings, [NAME]: name }, { ...chosen, [NAME]: named }];
    const key = JSON.stringify([values, origins]);
    if (key === this.key || this.isChanged()) return;
    this.key = key;
    this.fields = new Map();
    put(this.rows, this.settings.map((setting) => this.row(setting, values[setting.name], origins[setting.name])));
  }

  isChanged() {
    return [...(this.fields?.values() ?? [])].some(({ input, shown }) => input.value !== shown || input.validity.badInput);
  }

  row({ name, type, text, standsFor, ...bounds }, value, origin) {
    const words = t(`setting.${name}`), id = `setting-${name}`;
    const called = name === NAME ? t("rooms.called") : words.startsWith("setting.") ? humanName(name) : words;
    const bound = (write) => ["default", "min", "max"].map((key) => (bounds[key] === null || bounds[key] === undefined ? null : write(type, bounds[key])));
    const [standard, min, max] = bound(written), [usual, least, most] = bound(inWords);
    const hint = [text, usual !== null && t("device.default", { value: usual }), least !== null && t("device.atLeast", { value: least }), most !== null && t("device.atMost", { value: most })];
    const note = el("p", { class: "note", id: `${id}-note` }, hint.filter(Boolean).join(" · "));
    if (origin === "file") {
      return el("div", { class: "setting" }, el("p", { class: "setting-name" }, called),
        el("p", { class: "value" }, inWords(type, value)), note, el("p", { class: "note" }, t("device.inFile")));
    }
    const shown = origin === "page" ? written(type, value) : "", present = this.drafts.get(name) ?? shown;
    const common = { id, name, "aria-describedby": `${id}-note ${id}-problem` };
    const input = type === "bool"
      ? el("select", common, ["", "true", "false"].map((one) => el("option", { value: one, selected: one === present }, one ? inWords(type, one === "true") : t("device.default", { value: usual }))))
      : el("input", { ...common, ...(type === "number" ? { type: "number", step: "any", min, max } : { type: "text", spellcheck: "false", maxlength: 1024 }), autocomplete: "off", placeholder: standard ?? standsFor, value: present });
    const problem = el("p", { class: "problem", id: `${id}-problem`, role: "alert" });
    const back = el("button", { type: "button", class: "quiet", "aria-label": t("device.toDefaultOf", { name: called }), onclick: () => { input.value = ""; input.dispatchEvent(new Event("input", { bubbles: true })); input.focus(); } }, t("device.toDefault"));
    const look = () => { back.hidden = input.value === "" && !input.validity.badInput; };
    input.addEventListener("input", () => { input.value === shown ? this.drafts.delete(name) : this.drafts.set(name, input.value); look(); say(problem, ""); input.removeAttribute("aria-invalid"); });
    look();
    this.fields.set(name, { input, shown, type, problem });
    return el("div", { class: "setting" }, el("label", { for: id }, called), el("div", { class: "setting-field" }, input, back), note, problem);
  }

  async submit(event) {
    event.preventDefault();
    say(this.said, "");
    say(this.problem, "");
    const chosen = [...this.fields].filter(([, { input }]) => input.value !== "");
    const values = Object.fromEntries(chosen.map(([name, { input, type }]) => [name, type === "number" ? input.valueAsNumber : type === "bool" ? input.value === "true" : input.value]));
    try {
      const { [NAME]: name = "", ...settings } = values;
      const explanation = await this.save({ settings, name: this.fields.has(NAME) ? name.trim() : undefined });
      this.drafts.clear();
      this.fields = this.key = null;
      this.show(explanation);
      // The field with the focus is another one now.
      if (!this.node.contains(document.activeElement)) this.button.focus();
      say(this.said, t("device.saved", { time: timeOfDay(clock(), true) }));
    } catch (error) {
      const field = this.fields.get(error.problem?.path?.replace("/settings/", ""));
      say(field?.problem ?? this.problem, error.message);
      field?.input.setAttribute("aria-invalid", "true");
      field?.input.focus();
    }
  }
}
