"""The same words in all views, no more of the past than was recorded, and what the page tells people to do."""

import datetime
import json
import re
import urllib.request

import pytest
from playwright.sync_api import expect

from house import PATIENCE, ZONE
from test_device import become_administrator
from test_guest import FAR
from test_rules import check_accessibility

# A machine whose status is not the title of its state.
MILL = """skerry: 1
kind: mill
sources: [{ topic: "mill/{device}", signals: { on: payload.on, phase: payload.phase } }]
machine:
  initial: idle
  states:
    idle: { title: Idle, always: { guard: on, target: working } }
    working: { title: Working, always: { guard: "!on", target: over } }
    over: { title: Over, always: { guard: on, target: working } }
activity:
  starts: working
  ends: over
  content: { status: phase }
  dismiss: 1h
island: { lock: { text: "{status}" }, expanded: { center: { text: "{status}" } } }
"""

# A machine that people hold up, with words for two of its three events.
PRESS = """skerry: 1
kind: press
sources: [{ topic: "press/{device}", signals: { on: payload.on } }]
context: { notes: 0 }
machine:
  initial: idle
  states:
    idle: { always: { guard: on, target: busy } }
    busy:
      initial: working
      always: { guard: "!on", target: idle }
      on: { noteIt: { actions: { assign: { notes: context.notes + 1 } } } }
      states:
        working: { title: Working, on: { pause: held } }
        held: { title: Held, on: { resume: working } }
activity: { starts: busy, ends: idle, content: { status: 'default(state.title, "Done")' } }
island: { buttons: { pause: Hold on, resume: Go on } }
"""


@pytest.fixture
def mill(house):
    (house.definitions / "mill.yaml").write_text(MILL)
    house.told_by_broker.wait_for("mill/+")
    house.tell("mill/yard", {"on": True, "phase": "Rinsing"})
    return house


def test_all_views_have_the_status_that_phones_show(mill, open_page):
    now = open_page("/")
    expect(now).to_have_title("Rinsing · Skerry")
    expect(now.get_by_role("article").locator(".state")).to_have_text("Rinsing")
    expect(now.locator(".eyebrow")).to_have_text("Yard")
    expect(now.get_by_role("heading", level=1)).to_have_text("Rinsing")
    device = open_page("/#/device/mill/yard")
    expect(device.locator(".device-state")).to_have_text("Rinsing")
    wall = open_page("/?wall")
    expect(wall.get_by_role("article").locator(".state")).to_have_text("Rinsing")
    phone = open_page("/#/phone")
    expect(phone.get_by_role("main")).to_contain_text("Rinsing")
    url = mill.post("/v1/guests", {"device": "mill/yard"})["url"]
    guest = open_page(f"/?{url.split('?')[1]}", **FAR)
    expect(guest.get_by_role("article").locator(".state")).to_have_text("Rinsing")
    for view in (now, wall, phone, guest):
        expect(view.get_by_role("main")).not_to_contain_text("Working")
    mill.tell("mill/yard", {"phase": "Spinning"})
    expect(now).to_have_title("Spinning · Skerry")
    expect(device.locator(".device-state")).to_have_text("Spinning")
    mill.tell("mill/yard", {"on": False, "phase": "Spun"})
    for view in (now, wall, guest):
        expect(view.get_by_role("article").locator(".state")).to_have_text("Spun")
    expect(device.locator(".device-state")).to_have_text("Spun")


# Where the phases of the timeline begin and end, in parts of its width.
PHASES = """() => [...document.querySelectorAll(".part-moment .timeline-picture g.phase")].map((node) => {
    const rect = node.querySelector("rect"), width = document.querySelector(".part-moment .timeline-picture").viewBox.baseVal.width;
    return [node.querySelector("title").textContent.split(",")[0], rect.x.baseVal.value / width];
})"""


def test_buttons_have_their_words_and_are_there_in_their_states(house, open_page):
    (house.definitions / "press.yaml").write_text(PRESS)
    house.told_by_broker.wait_for("press/+")
    house.tell("press/hall", {"on": True})
    now, device = open_page("/"), open_page("/#/device/press/hall")
    places = [now.get_by_role("article").locator(".events"), device.locator(".device-buttons")]
    for place in places:
        expect(place.get_by_role("button")).to_have_text(["Hold on", "Note it"])
    places[1].get_by_role("button", name="Hold on").click()
    for place in places:
        expect(place.get_by_role("button")).to_have_text(["Go on", "Note it"])
    places[0].get_by_role("button", name="Go on").click()
    expect(device.locator(".device-state")).to_have_text("Working")


def test_nothing_is_drawn_of_a_time_that_nobody_recorded(house, open_page):
    house.wash()
    # A machine that says Run in passing is believed after a second.
    now = open_page("/")
    expect(now.get_by_role("article").locator(".state")).to_have_text("Running")
    now.close()
    since = house.get("/v1/devices/washer/laundry")["states"][-1]["since"]
    house.stop_bridge()
    house.start_bridge()
    house.wait_for_subscriptions()
    page = open_page("/#/device/washer/laundry/authors", reduced_motion="reduce")
    slider = page.get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("Running"))
    begin, end = (int(slider.get_attribute(name)) for name in ("aria-valuemin", "aria-valuemax"))
    assert since - (end - since) * 0.04 - 1 <= begin <= since + 1
    [[title, place]] = page.evaluate(PHASES)
    assert title == "Running" and 0.01 < place < 0.05
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator(".device-state")).to_have_text("Not recorded")
    # The tapes do not outlive a restart: what is there is said.
    expect(page.locator(".part-messages")).to_contain_text(re.compile(r"Messages are kept since the bridge started at \d\d?:\d\d"))
    page.get_by_role("button", name="Back to now").click()
    house.tell("homeconnect/laundry/state", {"OperationState": "Pause"})
    expect(slider).to_have_attribute("aria-valuetext", re.compile("Paused"))
    titles = [title for title, place in page.evaluate(PHASES) if place > 0.01]
    assert titles == ["Running", "Paused"]
    page.get_by_role("button", name="Read again").click()
    expect(page.locator(".recorded-since")).to_have_text(re.compile(r"^Recorded since \d\d?:\d\d$"))


def test_the_code_for_a_phone_has_its_picture(house, open_page):
    page = open_page("/#/settings")
    become_administrator(house, page)
    page.get_by_role("button", name="Show the code").first.click()
    picture = page.locator("img.qr")
    expect(picture).to_be_visible()
    page.wait_for_function("() => document.querySelector('img.qr').naturalWidth > 0")
    box = picture.bounding_box()
    assert box["width"] > 120 and abs(box["width"] - box["height"]) < 2
    check_accessibility(page)


def test_the_page_for_pairing_takes_its_own_form(house, open_page):
    page = open_page("/pair")
    page.get_by_label("Admin token").fill((house.folder / "admin").read_text().strip())
    page.get_by_role("button", name="Show a code").click()
    expect(page.locator(".code")).to_have_text(re.compile(r"^\w{4}-\w{4}$"))
    expect(page.locator("svg path").first).to_be_visible()


def test_the_page_says_a_thing_once_and_what_replay_is_for(house, open_page):
    house.tell("homeconnect/laundry/state", {"OperationState": "Ready"})
    page = open_page()
    expect(page.get_by_role("heading", level=1, name="All quiet")).to_be_visible()
    expect(page.locator(".eyebrow")).to_have_text("")
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_text("Play back what a device has sent")).to_be_visible()
    expect(page.get_by_text("The bridge keeps its messages for 2 hrs.")).to_be_visible()


def test_a_message_whose_guard_holds_and_has_to_wait_says_so(house, open_page):
    patient = MILL.replace("kind: mill", "kind: patient").replace("mill/", "patient/")
    patient = patient.replace('guard: "!on", target: over', 'guard: "!on", for: 150s, target: over')
    (house.definitions / "patient.yaml").write_text(patient)
    house.told_by_broker.wait_for("patient/+")
    house.tell("patient/yard", {"on": True, "phase": "Rinsing"})
    house.tell("patient/yard", {"on": False})
    page = open_page("/#/device/patient/yard/authors")
    expect(page.locator(".part-messages")).to_contain_text("guard holds, waits 3 min")


# An oven with a layout that says more than its status, and values of every sort.
OVEN = """skerry: 1
kind: stove
sources: [{ topic: "stove/{device}", signals: { on: payload.on, heat: payload.heat, goal: payload.goal, pause: duration(payload.pause), lit: timestamp(payload.lit), fan: payload.fan } }]
context: { rest: duration("90s") }
timers: { roast: { duration: hours(1), while: inState("heating") } }
machine:
  initial: cold
  states:
    cold: { title: Cold, always: { guard: on, target: heating } }
    heating: { title: Heating, always: { guard: "!on", target: cold } }
activity:
  starts: heating
  ends: cold
  content: { status: state.title, roast: timer.roast, heat: { value: heat, unit: "°C" }, goal: { value: goal, unit: "°C" }, fanSpeed: { value: fan, unit: "%" } }
island: { lock: { text: "{status}, {heat} of {goal}", countdown: roast }, expanded: { center: { text: "{status}" } } }
"""


@pytest.fixture
def stove(house):
    """An oven that heats, and that a person gave a name."""
    (house.definitions / "stove.yaml").write_text(OVEN)
    house.told_by_broker.wait_for("stove/+")
    house.tell("stove/kitchen", {"on": True, "heat": 50, "goal": 95, "pause": "1440s", "lit": "2026-03-01T08:00:00Z", "fan": 40})
    choice = json.dumps({"name": "Grandma's oven"}).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {(house.folder / 'admin').read_text().strip()}"}
    request = urllib.request.Request(f"{house.url}/v1/devices/stove/kitchen/settings", choice, headers, method="PUT")
    urllib.request.urlopen(request, timeout=PATIENCE).close()
    return house


def test_a_card_says_what_the_layout_says_with_units_and_for_how_long_its_time_is_over(stove, open_page):
    page = open_page(has_own_clock=True)
    card = page.get_by_role("article")
    expect(card.locator(".state")).to_have_text("Heating")
    expect(card.locator(".says li")).to_have_text(["50\u00a0°C of 95\u00a0°C"])
    # What the layout does not say has its name; what it says is not told twice.
    expect(card.locator(".facts div")).to_have_text(["Fan speed40%"])
    page.clock.run_for(86 * 60_000)
    expect(card.get_by_role("timer")).to_contain_text(re.compile("2[6-9] mins over"))
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^2[6-9] mins over$"))
    expect(card.locator(".next")).to_be_hidden()


def test_values_are_lengths_and_moments_and_no_raw_numbers(stove, open_page):
    page = open_page("/#/device/stove/kitchen/authors")
    signals = page.locator(".part-signals")
    expect(signals.get_by_role("row", name=re.compile("^pause"))).to_contain_text("24 min")
    lit = datetime.datetime.fromisoformat("2026-03-01T08:00:00+00:00").astimezone(ZONE)
    expect(signals.get_by_role("row", name=re.compile("^lit"))).to_contain_text(re.compile(rf"{lit.day} {lit:%b}.*{lit:%H:%M:%S}"))
    expect(signals.get_by_role("row", name=re.compile("^rest"))).to_contain_text("1 min 30 sec")


def test_a_value_of_one_word_is_on_one_line_on_a_phone(stove, open_page):
    page = open_page("/#/device/stove/kitchen/authors", viewport={"width": 390, "height": 844}, locale="de-DE")
    # With curves beside them, which take the most room.
    signals = page.locator(".part-signals")
    for fan in [41, 42, 43]:
        stove.tell("stove/kitchen", {"on": True, "heat": 50, "goal": 95, "pause": "1440s", "fan": fan})
        expect(signals.get_by_role("row", name=re.compile("^fan"))).to_contain_text(str(fan))
    expect(signals.locator(".spark").first).to_be_visible()
    values = signals.locator(".value")
    lines = "values => values.map(value => { const range = document.createRange(); range.selectNodeContents(value); const tops = [...range.getClientRects()].map(line => Math.round(line.top)); return [value.textContent, new Set(tops).size]; })"
    broken = [text for text, count in values.evaluate_all(lines) if count > 1]
    assert not broken, broken


def test_choosers_have_the_names_that_people_gave(stove, open_page):
    settings = open_page("/#/settings")
    become_administrator(stove, settings)
    expect(settings.locator("#guest-device option")).to_have_text(["Grandma's oven"])
    replay = open_page("/#/replay")
    expect(replay.get_by_label("Device").locator("option")).to_have_text(["Grandma's oven"])
    replay.get_by_role("button", name="Replay", exact=True).click()
    expect(replay.locator(".replay-head h2")).to_have_text("Grandma's oven")
    expect(replay.locator(".replay-head")).to_contain_text("one message")
    phone = open_page("/#/phone")
    expect(phone.locator(".phone-where")).to_contain_text("Grandma's oven")


def test_an_edit_of_a_title_that_no_value_has_changes_what_people_see(mill, open_page):
    page = open_page("/#/replay/mill/yard")
    become_administrator(mill, page)
    page.locator(".part-edit summary").click()
    editor = page.locator(".editor-field")
    expect(editor).to_have_value(re.compile("kind: mill"))
    source = editor.input_value()
    editor.fill(source.replace("title: Working", "title: Grinding"))
    expect(page.locator(".verdicts")).to_contain_text("The edit changes what people see")
    expect(page.locator(".verdicts")).to_contain_text("the same values, in other words or another look")
    editor.fill(source + "# nothing\n")
    expect(page.locator(".verdicts")).to_contain_text("The edit changes nothing that people would have seen in this recording")
