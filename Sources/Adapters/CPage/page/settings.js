// Phones, browsers, guests, what did not arrive, and how the bridge is doing.
import { el, hold, put, say } from "./dom.js";
import { byName, distinctNames, humanName } from "./house.js";
import { deviceOf } from "./merge.js";
import { icon } from "./icons.js";
import { t } from "./texts.js";
import "./texts-settings.js";
import { told } from "./told.js";
import { clock, everySecond, dateAndTime, length, locale, number, relative, timeOfDay } from "./time.js";
import { drawBroker } from "./broker.js";
import { command } from "./welcome.js";

const OLD = 7 * 86400;
/** The roles that a browser can be given. */
const ROLES = ["viewer", "member", "admin"];

const unreachable = () => el("p", { class: "warning" }, icon("alert", 18), el("span", {}, t("settings.unreachable")));

/** Opens the view. */
export function open(root, route, context) {
  const view = new Settings(root, context);
  return { close: () => view.close() };
}

class Settings {
  #ends = [];

  constructor(root, context) {
    this.context = context;
    this.phones = el("div", { class: "phones" });
    this.browsers = el("div", { class: "browsers" });
    this.forPhones = { words: "settings.pair", node: el("div", { class: "card pairing" }), done: () => this.#readPhones() };
    this.forBrowsers = { words: "settings.letIn", isBrowser: true, node: el("div", { class: "card pairing" }), done: () => this.#readBrowsers() };
    this.health = el("div", { class: "card health" });
    this.errors = el("div", {});
    this.broker = el("div", { class: "card broker" });
    const { session } = context, oversees = context.may("oversee");
    put(root,
      el("h1", {}, t("shell.tab.settings")),
      oversees ? el("section", {}, el("h2", {}, t("settings.phones")), this.phones, this.forPhones.node) : null,
      oversees ? el("section", {}, el("h2", {}, t("settings.browsers")), this.browsers, this.forBrowsers.node) : null,
      context.may("act") ? el("section", {}, el("h2", {}, t("settings.guest")), this.#guest()) : null,
      oversees ? el("section", {}, el("h2", {}, t("settings.errors")), this.#failures()) : null,
      oversees ? el("section", {}, el("h2", {}, t("welcome.broker")), this.broker) : null,
      el("section", {}, el("h2", {}, t("settings.health")), this.health),
      el("p", { class: "small" }, `Skerry ${session.version} · `, t(`settings.role.${session.role}`)));
    if (oversees) for (const part of [this.forPhones, this.forBrowsers]) this.#offer(part);
    this.#read(oversees);
    let isAway = context.model.link.state === "lost";
    this.#ends.push(context.model.subscribe((change) => {
      // What could not be read while the bridge was away.
      if (isAway && context.model.link.state === "open") {
        isAway = false;
        this.#read(oversees);
      }
      if (change.type !== "refreshed") return;
      this.#drawHealth(context.model.status);
      if (oversees) this.#readErrors();
    }));
  }

  #read(oversees) {
    if (oversees) {
      this.#readPhones();
      this.#readBrowsers();
      this.#readErrors();
      drawBroker(this.broker, this.context);
    }
    this.#readHealth();
  }

  close() {
    for (const { timer } of [this.forPhones, this.forBrowsers]) clearTimeout(timer);
    for (const end of this.#ends) end();
  }

  // MARK: Phones

  async #readPhones() {
    try {
      const { phones } = await this.context.api("GET", "/v1/phones");
      put(this.phones, phones.length ? phones.map((phone) => this.#phone(phone)) : el("p", { class: "small" }, t("settings.noPhones")));
    } catch (error) {
      put(this.phones, el("p", { class: "problem" }, error.message));
    }
  }

  #phone(phone) {
    const confirmed = Math.max(0, ...phone.pushToStart.map((token) => token.confirmedAt)), old = confirmed && clock() - confirmed > OLD;
    const heard = el("dd");
    this.#ends.push(everySecond(heard, (now) => { heard.textContent = relative(phone.heardAt, now); }));
    const remove = el("button", { type: "button", class: "quiet danger" }, t("settings.remove"));
    const test = el("button", { type: "button", class: "quiet" }, t("settings.test"));
    const node = el("article", { class: "card phone" },
      el("header", {}, el("span", { class: "badge" }, icon("phone", 25)),
        el("div", { class: "who" }, el("h3", {}, phone.name), el("p", { class: "kind" }, [phone.person, phone.iosVersion && `iOS ${phone.iosVersion}`, phone.environment === "development" && t("settings.development")].filter(Boolean).join(" · ")))),
      el("dl", { class: "pairs" },
        el("div", {}, el("dt", {}, t("settings.heard")), heard),
        el("div", {}, el("dt", {}, t("settings.paired")), el("dd", { title: dateAndTime(phone.pairedAt) }, relative(phone.pairedAt))),
        el("div", {}, el("dt", {}, t("settings.tokens")), el("dd", {}, t("settings.tokenCount", { count: phone.pushToStart.length, n: phone.pushToStart.length, activities: phone.activities.length }))),
        el("div", {}, el("dt", {}, t("settings.confirmed")), el("dd", {}, this.#tokenAges(phone))),
        el("div", {}, el("dt", {}, t("settings.frequent")), el("dd", {}, t(phone.frequentUpdates ? "card.yes" : "card.no"))),
        el("div", {}, el("dt", {}, t("settings.pushes")), el("dd", {}, this.#pushes(phone)))),
      old ? el("p", { class: "warning" }, icon("stale", 18), el("span", {}, t("settings.oldTokens", { ago: relative(confirmed) }))) : null,
      el("ul", { class: "budgets" }, phone.budgets.map((budget) => this.#budget(budget))),
      el("footer", {}, test, remove));
    test.addEventListener("click", () => this.#test(node, phone, test));
    remove.addEventListener("click", () => this.#remove(node, phone, remove, `/v1/phones/${encodeURIComponent(phone.phone)}`, () => this.#readPhones()));
    return node;
  }

  /** The ages of a phone's tokens: the newest one, and all of them one press away. */
  #tokenAges(phone) {
    const ages = [...phone.pushToStart.map((token) => [token.type, token.confirmedAt]), ...phone.activities.map((one) => [this.context.model.called(deviceOf(one.id)), one.tokenConfirmedAt])]
      .filter(([, at]) => at !== null).sort((one, other) => other[1] - one[1]);
    if (!ages.length) return "–";
    return el("details", {}, el("summary", {}, relative(ages[0][1])),
      el("ul", { class: "small" }, ages.map(([name, at]) => el("li", { title: dateAndTime(at) }, el("code", {}, name), " ", relative(at)))));
  }

  /** What became of the pushes since the phone was paired. */
  #pushes({ pushes }) {
    const sum = (result) => Object.values(pushes).reduce((sum, counts) => sum + counts[result], 0);
    return t("settings.pushCount", { accepted: number(sum("accepted")), sent: number(sum("sent")), refused: number(sum("refused")) });
  }

  #budget({ name, used, limit }) {
    const key = `settings.budget.${name}`, words = t(key), spent = used >= limit;
    return el("li", {}, el("div", {}, el("span", {}, words === key ? humanName(name) : words), el("span", { class: "amount" }, spent ? [icon("alert", 15), " "] : null, t("settings.of", { used: number(used), limit: number(limit) }))),
      el("div", { class: "meter", role: "meter", "aria-label": words === key ? humanName(name) : words, "aria-valuenow": used, "aria-valuemin": 0, "aria-valuemax": limit, "data-spent": spent ? "" : null, style: { "--share": limit ? Math.min(1, used / limit) : 1 } }, el("span")));
  }

  async #test(node, phone, button) {
    hold(button);
    let said;
    try {
      await this.context.api("POST", `/v1/phones/${encodeURIComponent(phone.phone)}/test`, {});
      said = el("p", { class: "small", role: "status" }, t("settings.testSent"));
    } catch (error) {
      said = el("p", { class: "problem", role: "alert" }, error.message);
    }
    node.append(said);
    setTimeout(() => { said.remove(); hold(button, false); }, 8000);
  }

  // The second press removes: the first one asks.
  async #remove(node, { name }, button, address, again) {
    const words = button.textContent;
    if (!button.dataset.sure) {
      button.dataset.sure = words;
      button.textContent = t("settings.removeSure", { name });
      setTimeout(() => { button.textContent = button.dataset.sure; delete button.dataset.sure; }, 5000);
      return;
    }
    try {
      await this.context.api("DELETE", address);
      await again();
    } catch (error) {
      node.append(el("p", { class: "problem", role: "alert" }, error.message));
    }
  }

  // MARK: Browsers

  async #readBrowsers() {
    try {
      const { browsers } = await this.context.api("GET", "/v1/browsers");
      put(this.browsers, browsers.length ? el("ul", { class: "rows card" }, browsers.map((browser) => this.#browser(browser))) : el("p", { class: "small" }, t("settings.noBrowsers")));
    } catch (error) {
      put(this.browsers, el("p", { class: "problem" }, error.message));
    }
  }

  #browser(browser) {
    const { name, role, person, pairedAt, seenAt, isOwn } = browser, seen = el("span", { class: "aside", title: t("settings.letInAt", { time: dateAndTime(pairedAt) }) });
    this.#ends.push(everySecond(seen, (now) => say(seen, isOwn ? t("settings.thisBrowser") : t("settings.seen", { ago: relative(seenAt, now) }))));
    const end = el("button", { type: "button", class: "quiet danger", "aria-label": t("settings.endNamed", { name }) }, t("settings.end"));
    const node = el("li", {}, el("span", { class: "badge" }, icon("browser", 22)),
      el("div", { class: "who" }, el("h3", {}, name), el("p", { class: "kind" }, [t(`role.${role}`), person].filter(Boolean).join(" · "))), seen,
      this.context.may("administer") ? end : null);
    end.addEventListener("click", () => {
      end.removeAttribute("aria-label");
      this.#remove(node, browser, end, `/v1/browsers/${encodeURIComponent(browser.browser)}`, () => (isOwn ? this.context.renew() : this.#readBrowsers()));
    });
    return node;
  }

  // MARK: Letting in

  /** Asks for whom a code is: a phone or a browser, as the part of the view says. */
  #offer(part, word = null) {
    const { words, isBrowser } = part, one = (name) => `${isBrowser ? "browser" : "phone"}-${name}`;
    if (!this.context.may("administer")) {
      return put(part.node, el("h3", {}, t(words)), el("p", { class: "small" }, t("settings.needsAdmin")),
        el("div", { class: "line" }, el("button", { type: "button", class: "quiet", onclick: () => this.context.signIn("administer") }, icon("person", 18), t("shell.signIn"))));
    }
    const name = el("input", { id: one("name"), placeholder: t(`${words}NameExample`), maxlength: 64, autocomplete: "off" });
    const person = el("input", { id: one("person"), placeholder: t("settings.personExample"), maxlength: 64, autocomplete: "off" });
    const problem = el("p", { class: "problem", role: "alert" }, word);
    const form = el("form", { onsubmit: async (event) => {
      event.preventDefault();
      const wish = Object.fromEntries([["name", name.value.trim()], ["person", person.value.trim()], ["role", new FormData(form).get("role")]].filter(([, value]) => value));
      try {
        this.#show(part, await this.context.api("POST", "/v1/pairings", wish));
      } catch (error) {
        say(problem, error.message);
      }
    } },
    el("h3", {}, t(words)), el("p", { class: "small" }, t(`${words}Why`)), isBrowser ? this.#roles() : null,
    el("div", { class: "line" }, el("label", { class: "field", for: name.id }, el("span", {}, t(`${words}Name`)), name), el("label", { class: "field", for: person.id }, el("span", {}, t("settings.person")), person), el("button", { class: "main", type: "submit" }, t("settings.showCode"))), problem);
    put(part.node, form);
  }

  /** The choice of a role, each with what it allows. */
  #roles() {
    return el("fieldset", { class: "roles" }, el("legend", {}, t("settings.role")), ROLES.map((role, index) => el("label", {},
      el("input", { type: "radio", name: "role", value: role, checked: index === 0 }), el("span", {}, el("strong", {}, t(`role.${role}`)), " ", el("span", { class: "small" }, t(`settings.may.${role}`))))));
  }

  #show(part, offer) {
    const { words, isBrowser } = part, left = el("p", { class: "small" }), until = clock() + offer.expiresIn, code = offer.code.replace(/(.{4})(?=.)/g, "$1-");
    const picture = offer.qr ? el("img", { class: "qr", alt: t("settings.qr"), src: `data:image/svg+xml,${encodeURIComponent(offer.qr)}` }) : null;
    put(part.node, el("div", { class: "offer" }, picture, el("div", {},
      el("h3", {}, t(`${words}Scan`)), el("p", { class: "code", "aria-label": offer.code.split("").join(" ") }, code),
      el("p", { class: "small" }, t("settings.reach", { url: offer.url })),
      offer.reachable === false && unreachable(),
      left, el("div", { class: "line" }, isBrowser ? null : el("a", { class: "button", href: offer.link }, t("settings.openHere")), el("button", { type: "button", class: "quiet", onclick: () => this.#offer(part) }, t("settings.doneHere"))))));
    this.#ends.push(everySecond(left, (now) => { left.textContent = t("settings.valid", { length: length(until - now) }); }));
    const look = async () => {
      const { state, name } = await this.context.api("GET", `/v1/pairings/${encodeURIComponent(offer.pairing)}`).catch(() => ({ state: "open" }));
      if (!left.isConnected) return;
      if (state === "paired") {
        put(part.node, el("p", { class: "success", role: "status" }, icon("check", 24), t(`${words}Done`, { name: name ?? "" })), el("button", { type: "button", class: "quiet", onclick: () => this.#offer(part) }, t("settings.another")));
        part.done();
      } else if (state !== "open" || clock() > until) this.#offer(part, t("settings.expired"));
      else part.timer = setTimeout(look, 2000);
    };
    clearTimeout(part.timer);
    part.timer = setTimeout(look, 2000);
  }

  // MARK: Guests

  #guest() {
    const { model, api } = this.context, answer = el("div", { role: "status" }), choice = el("select", { id: "guest-device", onchange: () => put(answer) });
    const form = el("form", { class: "line", onsubmit: async (event) => {
      event.preventDefault();
      try {
        const { url } = await api("POST", "/v1/guests", { device: choice.value });
        put(answer, command(url), el("p", { class: "small" }, t("settings.guestUntil")), /^(localhost|127\.|\[::1)/.test(new URL(url).hostname) && unreachable());
      } catch (error) {
        put(answer, el("p", { class: "problem" }, error.message));
      }
    } }, el("label", { class: "field", for: "guest-device" }, el("span", {}, t("settings.guestDevice")), choice), el("button", { type: "submit", class: "main" }, icon("link", 18), t("settings.guestMake")));
    const nothing = el("p", { class: "small" }, t("settings.guestNobody"));
    let shown = null;
    const draw = () => {
      const running = [...model.activities].filter(([, snapshot]) => snapshot.phase !== "ended").map(([key]) => key);
      form.hidden = !running.length;
      nothing.hidden = running.length > 0;
      const names = distinctNames(running, (key) => model.called(key), (kind) => model.known(kind)?.name ?? humanName(kind)), now = JSON.stringify([...names]);
      if (shown === now) return;
      shown = now;
      const { value } = choice;
      running.sort((one, other) => byName(names.get(one), names.get(other)));
      put(choice, running.map((key) => el("option", { value: key, selected: key === value }, names.get(key))));
    };
    draw();
    this.#ends.push(model.subscribe(draw));
    return el("div", { class: "card guest" }, el("p", {}, t("settings.guestWhy")), form, nothing, answer);
  }

  // MARK: What did not arrive

  #failures() {
    const choice = el("select", { id: "errors-of", onchange: () => this.#readErrors() }, el("option", { value: "" }, t("settings.errorsOfAll")));
    this.errorsOf = choice;
    return el("div", { class: "card" }, el("label", { class: "field", for: "errors-of" }, el("span", {}, t("settings.errorsOf")), choice), this.errors);
  }

  async #readErrors() {
    const { value } = this.errorsOf;
    const [service, recipient] = value ? JSON.parse(value) : [];
    const query = new URLSearchParams({ limit: 100, ...(service && { service }), ...(recipient && { recipient }) });
    let errors;
    try {
      ({ errors } = await this.context.api("GET", `/v1/errors?${query}`));
    } catch (error) {
      this.errorText = null;
      put(this.errors, el("p", { class: "problem" }, error.message));
      return;
    }
    const text = JSON.stringify(errors);
    if (value !== this.errorsOf.value || text === this.errorText) return;
    this.errorText = text;
    const known = new Set([...this.errorsOf.options].map((option) => option.value));
    for (const error of errors) {
      for (const [of, words] of [[[error.service], error.service], [[error.service, error.recipient], `${error.service}: ${error.recipient}`]]) {
        const key = JSON.stringify(of);
        if (known.has(key) || (of.length > 1 && !error.recipient)) continue;
        known.add(key);
        this.errorsOf.append(el("option", { value: key }, words));
      }
    }
    put(this.errors, errors.length
      ? el("ol", { class: "errors", tabindex: "0", "aria-label": t("settings.errors") }, errors.map((error) => el("li", {},
        el("time", { title: dateAndTime(error.at) }, timeOfDay(error.at)), el("div", {}, el("strong", {}, [error.service, error.recipient].filter(Boolean).join(": ")), " ", error.activity.includes("/") ? el("span", { title: error.activity }, this.context.model.called(deviceOf(error.activity))) : el("code", {}, error.activity), el("p", {}, told(error.text))))))
      : el("p", { class: "small" }, t("settings.noErrors")));
  }

  // MARK: Health

  async #readHealth() {
    try {
      this.#drawHealth(await this.context.api("GET", "/v1/status"));
    } catch (error) {
      put(this.health, el("p", { class: "problem" }, error.message));
    }
  }

  #drawHealth(status) {
    if (!status) return;
    const { health = {}, broker } = status, sinks = health.sinks, lost = (health.messages?.refused ?? 0) + (health.messages?.oversized ?? 0) + (health.messages?.beyondLimit ?? 0);
    const line = (good, name, words, detail) => el("li", {}, el("span", { class: `sign ${good === true ? "good" : good === false ? "bad" : "calm"}` }, icon(good === true ? "check" : good === false ? "alert" : "paused", 20)),
      el("div", {}, el("strong", {}, name), el("p", {}, words), detail ? el("p", { class: "small" }, detail) : null));
    const since = (at) => relative(at);
    put(this.health, el("ul", { class: "signs" },
      line(true, t("settings.bridge"), t("settings.bridgeUp", { length: length(clock() - status.started) }), t("settings.bridgeDetail", { version: status.version, prefix: status.prefix })),
      line(broker.connected, t("settings.broker"), t(broker.connected ? "settings.brokerUp" : health.connects === 0 ? "settings.brokerNever" : "settings.brokerDown", { ago: since(broker.since) }), [broker.address, health.connects > 1 && t("settings.connects", { count: health.connects })].filter(Boolean).join(" · ")),
      line(health.waiting > 100 || health.dropped ? false : true, t("settings.traffic"), t("settings.trafficWords", { messages: number(status.messages), updates: number(status.updates), count: status.updates }),
        [t("settings.unrouted", { n: number(health.messages?.unrouted ?? 0) }), lost && t("settings.refused", { n: number(lost) }), health.waiting && t("settings.waiting", { n: number(health.waiting) }), health.dropped && t("settings.dropped", { n: number(health.dropped) })].filter(Boolean).join(" · ")),
      line(status.store ? (health.setAside?.length ? false : true) : null, t("settings.store"), t(status.store ? "settings.storeOn" : "settings.storeOff"),
        [status.recordHours ? t("settings.record", { length: length(status.recordHours * 3600) }) : null, health.setAside?.length && t("settings.setAside", { names: health.setAside.map((one) => (one.device ? this.context.model.called(`${one.kind}/${one.device}`) : `${one.kind}/${one.name}`)).join(", ") })].filter(Boolean).join(" · ")),
      line(sinks ? !sinks.dropped : null, t("settings.sinks"), sinks ? t("settings.sinksWords", { phones: number(status.phones), waiting: number(sinks.waiting) }) : t("settings.noSinks"), sinks?.dropped ? t("settings.dropped", { n: number(sinks.dropped) }) : null),
      health.clock === "unknown" ? line(false, t("settings.clock"), t("settings.clockUnknown")) : null,
      health.foreign ? line(false, t("settings.foreign"), t("settings.foreignWords", { n: number(health.foreign) })) : null),
    this.#days(status.days ?? []),
    health.lastError ? el("p", { class: "last small" }, t("settings.lastError", { ago: since(health.lastError.at) }), " ", el("q", {}, told(health.lastError.message))) : null);
  }

  /** The counts of each day; a day of the bridge is named by its noon. */
  #days(days) {
    const head = ["settings.day", "settings.messagesIn", "settings.updatesOut"].map((key) => el("th", { scope: "col" }, t(key)));
    const name = (day) => new Date((day.from + 43200) * 1000).toLocaleDateString(locale(), { weekday: "short", day: "numeric", month: "short" });
    return days.length > 0 && el("table", { class: "days" }, el("caption", {}, t("settings.days")), el("thead", {}, el("tr", {}, head)),
      el("tbody", {}, days.map((day) => el("tr", {}, el("th", { scope: "row" }, name(day)), el("td", {}, number(day.messages)), el("td", {}, number(day.updates))))));
  }
}
