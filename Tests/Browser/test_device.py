"""The device view, the history and the replay."""

import json
import re
import time
import urllib.request

from playwright.sync_api import expect

from house import PATIENCE
from test_rules import check_accessibility


def test_the_chart_lights_the_state_and_follows_a_transition(house, open_page):
    house.wash()
    page = open_page("/#/device/washer/laundry/authors")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Laundry")
    expect(page.get_by_role("img", name=re.compile("^Running .*active now"))).to_be_visible()
    house.tell("homeconnect/laundry/state", {"OperationState": "Pause"})
    expect(page.get_by_role("img", name=re.compile("^Paused .*active now"))).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("^Running .*active now"))).to_have_count(0)


def test_the_timeline_has_the_colours_of_the_history(house, open_page):
    house.wash()
    page = open_page("/#/history")
    # What is drawn again meanwhile has no colour.
    past = page.wait_for_function("() => { const bar = document.querySelector('.gantt .phase rect'); return bar && getComputedStyle(bar).fill; }").json_value()
    page.locator("[data-run]").hover()
    expect(page.locator(".tip .phase rect").first).to_have_css("fill", past)
    page.goto(f"{house.url}/#/device/washer/laundry/authors")
    for place in (".timeline", ".legend"):
        expect(page.locator(f"{place} .phase:not(.is-rest) rect").first).to_have_css("fill", past)


def test_signals_and_guards_are_live(house, open_page):
    house.wash(remaining=3000)
    page = open_page("/#/device/washer/laundry/authors")
    expect(page.get_by_role("main")).to_contain_text("3000")
    house.tell("homeconnect/laundry/state", {"RemainingProgramTime": 2950})
    expect(page.get_by_role("main")).to_contain_text(re.compile(r"49 mins? 10 secs?"))


# Whether a signal is shown as clearly younger than another one.
IS_YOUNGER = """(names) => {
    const [one, other] = names.map((name) => {
        const row = [...document.querySelectorAll(".part-signals tr")].find((row) => row.textContent.includes(name));
        const [, number, unit] = row.querySelector(".age").textContent.match(/(\\d+) (second|minute)/) ?? [null, 0, "second"];
        return number * (unit === "minute" ? 60 : 1);
    });
    return other - one > 2;
}"""


def test_the_age_of_a_signal_counts_from_its_last_message(house, open_page):
    house.wash(remaining=3000)
    page = open_page("/#/device/washer/laundry/authors")
    row = page.locator(".part-signals tr").filter(has_text="remaining")
    expect(row.locator(".age")).to_have_text(re.compile("([4-9]|1.) seconds ago|minute"))
    assert not page.evaluate(IS_YOUNGER, ["remaining", "program"])
    # The same value again makes it young; that of another signal stays as old as it was.
    house.tell("homeconnect/laundry/state", {"RemainingProgramTime": 3000})
    page.wait_for_function(IS_YOUNGER, arg=["remaining", "program"])
    page.close()
    house.stop_bridge()
    house.start_bridge()
    page = open_page("/#/device/washer/laundry/authors")
    expect(page.locator(".part-signals .age").first).to_have_text("age unknown")


def test_past_runs_are_drawn(house, open_page):
    house.wash()
    house.washed()
    page = open_page("/#/history")
    expect(page.get_by_role("main")).to_contain_text("Laundry")


def test_an_edit_is_checked_replayed_beside_the_old_definition_and_saved(house, open_page):
    house.wash(remaining=3600)
    house.tell("homeconnect/laundry/state", {"OperationState": "Pause"})
    house.tell("homeconnect/laundry/state", {"OperationState": "Run"})
    house.washed()
    house.tell("homeconnect/cellar/state", {"OperationState": "Ready"})
    page = open_page("/#/replay/washer/laundry")
    # What is replayed is chosen, although another one comes first.
    expect(page.get_by_role("combobox", name="Device")).to_have_value("washer/laundry")
    editor = open_editor(house, page)
    source = editor.input_value()
    editor.fill(source.replace('operation == "Run"', 'operation = "Run"', 1))
    expect(page.get_by_role("main")).to_contain_text("SK0201")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    editor.fill(source.replace("en: Paused", "en: On hold"))
    expect(page.get_by_role("main")).not_to_contain_text("SK0201")
    expect(page.get_by_role("main")).to_contain_text("The edit changes what people see")
    check_accessibility(page)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text(re.compile("^Saved at"))).to_be_visible()
    # The next wash is shown as the edit says.
    house.told_by_bridge.wait_for("definitions: ")
    house.wash()
    house.tell("homeconnect/laundry/state", {"OperationState": "Pause"})
    page.goto(house.url)
    expect(page.get_by_role("article").filter(has_text="Laundry")).to_contain_text("On hold")


def test_a_german_page_says_that_problems_are_told_in_english(house, open_page):
    house.wash()
    page = open_page("/#/replay/washer/laundry", locale="de-DE")
    editor = open_editor(house, page)
    note = page.get_by_text("Die Meldungen sind auf Englisch.")
    expect(page.get_by_text("Keine Probleme")).to_be_visible()
    expect(note).to_be_hidden()
    editor.fill(editor.input_value().replace('operation == "Run"', 'operation = "Run"', 1))
    expect(page.get_by_text("Ein Fehler")).to_be_visible()
    expect(note).to_be_visible()
    expect(page.locator(".editor-problems [lang=en]")).to_contain_text("SK0201")


def test_an_edit_that_a_busy_bridge_does_not_check_is_checked_later(house, open_page):
    house.wash()
    page = open_page("/#/replay/washer/laundry")
    editor = open_editor(house, page)
    asked, held = [], []

    def refuse(route, code):
        route.fulfill(status=503, headers={"retry-after": "1"}, json={"status": 503, "code": code, "detail": "ask again"})

    def answer(route):
        asked.append(route.request.post_data_json["source"])
        if len(asked) == 1:
            held.append(route)
        elif len(asked) == 2:
            refuse(route, "busy")
        else:
            route.continue_()

    page.route("**/v1/check", answer)
    former, latest = (editor.input_value() + f"# {word}\n" for word in ("one", "two"))
    with page.expect_request("**/v1/check"):
        editor.fill(former)
    editor.fill(latest)
    refuse(held.pop(), "no-answer")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_enabled()
    # Nobody waits for the check of the former text any more.
    assert asked == [former, latest, latest]


def test_an_edit_does_not_overwrite_one_that_was_made_meanwhile(house, open_page, console):
    house.wash()
    house.washed()
    page = open_page("/#/replay/washer/laundry")
    expect(page.locator(".part-edit summary")).to_be_visible()
    editor = open_editor(house, page)
    mine = editor.input_value() + "\n# mine\n"
    editor.fill(mine)
    house.redefine("washer", lambda text: text + "# by hand\n")
    expect(page.get_by_text("The file has changed since you opened it")).to_be_visible()
    console.expect("412 (Precondition Failed)")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_enabled()
    assert (house.definitions / "washer.yaml").read_text().endswith("# by hand\n")
    page.get_by_role("button", name="Undo all").click()
    expect(editor).to_have_value(re.compile("# by hand"))
    for word in ("one", "two"):
        editor.fill(editor.input_value() + f"# {word}\n")
        with page.expect_response(lambda answer: answer.request.method == "PUT"):
            page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_text(re.compile("^Saved at"))).to_be_visible()
        # It would bring back the text from before that.
        expect(page.get_by_role("button", name="Undo all")).to_be_enabled()
        wait_until_in_force(house, word)
    assert (house.definitions / "washer.yaml").read_text().endswith("# by hand\n# one\n# two\n")


def test_the_chart_is_that_of_an_edited_definition(house, open_page):
    house.wash()
    page = open_page("/#/device/washer/laundry/authors")
    expect(page.get_by_role("img", name=re.compile("^Running .*active now"))).to_be_visible()
    house.redefine("washer", lambda text: text.replace("en: Running", "en: Spinning around"))
    expect(page.get_by_role("img", name=re.compile("^Spinning around .*active now"))).to_be_visible()
    expect(page.locator(".device-state")).to_have_text("Spinning around")
    house.tell("homeconnect/laundry/state", {"OperationState": "Pause"})
    expect(page.get_by_role("img", name=re.compile("^Paused .*active now"))).to_be_visible()


def test_a_dropped_recording_is_replayed_and_marked(house, open_page):
    page = open_page("/#/replay")
    lines = [
        {"tst": f"2026-09-21T{10 + minute // 60}:00:00.000000Z+0000", "topic": "homeconnect/cellar/state", "payload": json.dumps(payload)}
        for minute, payload in [
            (0, {"OperationState": "Run", "RemainingProgramTime": 3600}),
            (60, {"OperationState": "Finished"}),
        ]
    ]
    page.locator("input[type=file]").set_input_files(
        {"name": "cellar.jsonl", "mimeType": "text/plain", "buffer": "\n".join(json.dumps(line) for line in lines).encode()}
    )
    expect(page.get_by_role("main")).to_contain_text("Cellar")
    expect(page.get_by_role("slider").first).to_be_visible()


def test_an_administrator_chooses_the_settings_of_a_device(house, open_page, console):
    house.publish("plug/washingmachine/cellar/power", "1")
    page = open_page("/#/device/washer-plug/cellar")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Cellar")
    expect(page.get_by_role("button", name="Save")).to_have_count(0)  # no administrator yet
    become_administrator(house, page)

    field = page.get_by_label("Threshold", exact=True)
    expect(field).to_have_value("")
    expect(field).to_have_attribute("placeholder", "10")
    expect(page.get_by_text("Default: 10 · at least 3 · at most 40")).to_be_visible()
    field.fill("20")
    field.press("Enter")
    expect(page.get_by_text(re.compile("^Saved at"))).to_be_visible()
    expect(page.get_by_role("button", name="Save")).to_be_focused()
    expect(page.get_by_label("Threshold", exact=True)).to_have_value("20")
    assert house.get("/v1/devices/washer-plug/cellar")["settings"] == {"threshold": 20}
    check_accessibility(page)

    expect(page.get_by_label("Name", exact=True)).to_have_attribute("placeholder", "Cellar")
    page.get_by_label("Name", exact=True).fill("Big washer")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Big washer")

    # What the browser does not refuse, the bridge does, at the field.
    console.expect("400 (Bad Request)")
    page.locator(".settings-form").evaluate("form => form.noValidate = true")
    field = page.get_by_label("Threshold", exact=True)
    field.fill("2")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("'threshold' must be at least 3, and this is 2")).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")

    page.get_by_role("button", name="Threshold: back to default").click()
    expect(field).to_be_focused()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text(re.compile("^Saved at"))).to_be_visible()
    assert house.get("/v1/devices/washer-plug/cellar")["settings"] == {"threshold": 10}

    page.goto(page.url.split("#")[0] + "#/")
    expect(page.get_by_role("link", name="Big washer")).to_be_visible()


def test_lengths_are_written_as_in_definitions_and_what_the_file_sets_is_fixed(house, open_page, console):
    settings = house.folder / "skerry.yaml"
    settings.write_text(settings.read_text() + "devices: { shelf/a: { settings: { limit: 7 } } }\n")
    (house.definitions / "shelf.yaml").write_text(
        """skerry: 1
kind: shelf
settings: { limit: 5, rest: 90m, room: hall, loud: true }
sources: [{ topic: "shelf/{device}", signals: { load: payload.load } }]
machine:
  states:
    light: { always: { guard: load > settings.limit && settings.loud && settings.room != "", target: heavy } }
    heavy: { always: { guard: load <= settings.limit, for: settings.rest, target: light } }
"""
    )
    house.stop_bridge()
    house.start_bridge()
    house.publish("shelf/a", {"load": 1}, "-r")
    page = open_page("/#/device/shelf/a/authors")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    become_administrator(house, page)
    expect(page.get_by_text("The configuration file sets it")).to_be_visible()
    expect(page.locator("#setting-limit")).to_have_count(0)
    rest = page.get_by_label("Rest", exact=True)
    expect(rest).to_have_attribute("placeholder", "1h30m")
    expect(page.get_by_text(re.compile(r"Default: 1 hr 30 mins?"))).to_be_visible()
    rest.fill("soon")
    page.get_by_label("Loud", exact=True).select_option("false")
    page.get_by_label("Room", exact=True).fill("5m")
    console.expect("400 (Bad Request)")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("'rest' must be a length of time")).to_be_visible()
    # Neither a choice of somebody else nor a message of the device takes away what is being written.
    body = json.dumps({"settings": {"room": "attic"}}).encode()
    token = (house.folder / "admin").read_text().strip()
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    urllib.request.urlopen(urllib.request.Request(f"{house.url}/v1/devices/shelf/a/settings", body, headers, method="PUT")).close()
    house.publish("shelf/a", {"load": 234})
    expect(page.locator(".part-signals")).to_contain_text("234")
    expect(rest).to_have_value("soon")
    rest.fill("5m")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text(re.compile("^Saved at"))).to_be_visible()
    assert house.get("/v1/devices/shelf/a")["settings"] == {"limit": 7, "rest": 300, "room": "5m", "loud": False}
    page.reload()
    expect(page.get_by_label("Rest", exact=True)).to_have_value("5m")
    expect(page.get_by_label("Loud", exact=True)).to_have_value("false")


def wait_until_in_force(house, words):
    deadline = time.monotonic() + PATIENCE
    while words not in house.get("/v1/definitions/washer")["source"]:
        assert time.monotonic() < deadline, f"the definition with '{words}' is not in force"


def open_editor(house, page):
    become_administrator(house, page)
    page.locator(".part-edit summary").click()
    editor = page.locator(".editor-field")
    expect(editor).to_have_value(re.compile("kind: washer"))
    return editor


def become_administrator(house, page):
    token = (house.folder / "admin").read_text().strip()
    body = json.dumps({"token": token})
    page.evaluate(
        """async (body) => fetch("/v1/session", { method: "POST", body, headers: { "content-type": "application/json" } })""", body
    )
    page.reload()
