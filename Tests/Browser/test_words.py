"""The same words in all views, no more of the past than was recorded, and what the page tells people to do."""

import re

import pytest
from playwright.sync_api import expect

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
    expect(now.locator(".eyebrow")).to_have_text("Yard · Rinsing")
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
    page = open_page("/#/device/washer/laundry", reduced_motion="reduce")
    slider = page.get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("Running"))
    begin, end = (int(slider.get_attribute(name)) for name in ("aria-valuemin", "aria-valuemax"))
    assert since - (end - since) * 0.04 - 1 <= begin <= since + 1
    [[title, place]] = page.evaluate(PHASES)
    assert title == "Running" and 0.01 < place < 0.05
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator(".device-state")).to_have_text("Not recorded")
    page.get_by_role("button", name="Back to now").click()
    house.tell("homeconnect/laundry/state", {"OperationState": "Pause"})
    expect(slider).to_have_attribute("aria-valuetext", re.compile("Paused"))
    titles = [title for title, place in page.evaluate(PHASES) if place > 0.01]
    assert titles == ["Running", "Paused"]


def test_the_code_for_a_phone_has_its_picture(house, open_page):
    page = open_page("/#/settings")
    become_administrator(house, page)
    page.get_by_role("button", name="Show the code").click()
    picture = page.locator("img.qr")
    expect(picture).to_be_visible()
    page.wait_for_function("document.querySelector('img.qr').naturalWidth > 0")
    box = picture.bounding_box()
    assert box["width"] > 120 and abs(box["width"] - box["height"]) < 2
    check_accessibility(page)


def test_the_page_for_pairing_takes_its_own_form(house, open_page):
    page = open_page("/pair")
    page.get_by_label("Admin token").fill((house.folder / "admin").read_text().strip())
    page.get_by_role("button", name="Show a code").click()
    expect(page.locator(".code")).to_have_text(re.compile(r"^\w{4}-\w{4}$"))
    expect(page.locator("svg path").first).to_be_visible()


def test_the_welcome_tells_to_record_a_topic_as_the_program_takes_it(house, open_page):
    house.publish("garage/freezer", {"power": 3}, "--retain")
    page = open_page()
    page.get_by_text("garage/freezer").first.click()
    expect(page.get_by_text("skerry record 'garage/freezer' > garage.jsonl")).to_be_visible()


def test_a_message_whose_guard_holds_and_has_to_wait_says_so(house, open_page):
    patient = MILL.replace("kind: mill", "kind: patient").replace("mill/", "patient/")
    patient = patient.replace('guard: "!on", target: over', 'guard: "!on", for: 150s, target: over')
    (house.definitions / "patient.yaml").write_text(patient)
    house.told_by_broker.wait_for("patient/+")
    house.tell("patient/yard", {"on": True, "phase": "Rinsing"})
    house.tell("patient/yard", {"on": False})
    page = open_page("/#/device/patient/yard")
    expect(page.locator(".part-messages")).to_contain_text("guard holds, waits 3 min")
