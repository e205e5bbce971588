"""Many devices: search, rooms, small cards, folded quiet ones, and the dialog that arranges them."""

import json

import pytest
from playwright.sync_api import expect

from test_device import become_administrator
from test_layout import faults
from test_rules import check_accessibility

LONG = "the-washing-machine-of-the-grandparents-in-the-cellar-by-the-sea"


@pytest.fixture
def street(house):
    """Two hundred washers, of which twenty run."""
    lines = [{"topic": f"homeconnect/flat-{number}/state", "payload": {"OperationState": "Run" if number % 10 == 0 else "Ready", "RemainingProgramTime": 3600 + number}} for number in range(199)]
    lines.append({"topic": f"homeconnect/{LONG}/state", "payload": {"OperationState": "Ready"}})
    for line in lines:
        house.publish(line["topic"], line["payload"])
    house.tell("homeconnect/flat-0/state", {"RemainingProgramTime": 3599})
    return house


def test_two_hundred_devices_are_usable_on_a_phone(street, open_page):
    page = open_page("/", viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
    expect(page.get_by_role("article")).to_have_count(20)
    # Running ones come first, quiet ones are folded, and the cards are small.
    quiet = page.get_by_role("heading", name="Quiet · 180")
    expect(quiet).to_be_visible()
    expect(page.locator(".rows li:visible")).to_have_count(0)
    expect(page.get_by_role("button", name="Small cards")).to_have_attribute("aria-pressed", "true")
    assert page.get_by_role("article").first.bounding_box()["height"] < 130
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert faults(page) == []
    check_accessibility(page)
    # A search finds both sorts, also by parts of words, and opens what is folded.
    search = page.get_by_role("searchbox", name="Search devices")
    search.fill("grandparents wash")
    expect(page.get_by_role("article")).to_have_count(0)
    expect(page.locator(".rows li:visible")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    search.fill("flat-10")
    expect(page.get_by_role("article")).to_have_count(2)
    search.fill("nothing of the sort")
    expect(page.get_by_text("No device matches.")).to_be_visible()
    search.fill("")
    expect(page.get_by_role("article")).to_have_count(20)
    quiet.click()
    expect(page.locator(".rows li:visible")).to_have_count(180)
    page.reload()
    expect(page.locator(".rows li:visible")).to_have_count(180)


def test_devices_are_named_arranged_in_rooms_and_hidden(house, open_page, console):
    console.expect("ERR_CONNECTION_REFUSED")
    console.expect("ERR_INCOMPLETE_CHUNKED_ENCODING")
    for device in ("attic", "bath", "cellar"):
        house.tell(f"homeconnect/{device}/state", {"OperationState": "Ready"})
    page = open_page("/")
    expect(page.locator(".rows li")).to_have_count(3)
    expect(page.get_by_role("button", name="Arrange")).to_be_hidden()
    become_administrator(house, page)
    page.get_by_role("button", name="Arrange").click()
    dialog = page.get_by_role("dialog", name="Arrange devices")
    check_accessibility(page)
    dialog.get_by_role("button", name="Move Cellar up").click()
    dialog.get_by_role("button", name="Move Cellar up").press("Enter")
    expect(dialog.get_by_role("button", name="Move Cellar up")).to_be_focused()
    dialog.get_by_label("Room of Cellar").fill("Below")
    dialog.get_by_label("Name of Bath").fill("Big <b>washer</b>")
    dialog.get_by_label("Room of Bath").fill("<img src=x>")
    dialog.get_by_label("Show Attic").uncheck()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    expect(page.locator(".rows li a")).to_have_text(["Cellar", "Big <b>washer</b>"])
    page.get_by_role("button", name="Below").click()
    expect(page.locator(".rows li a")).to_have_text(["Cellar"])
    # It is in files that a person can read, and there after a restart.
    cards = json.loads((house.folder / "skerry.db.cards.json").read_text())["cards"]
    assert [card["device"] for card in cards] == ["cellar", "attic", "bath"]
    assert cards[0]["room"] == "Below" and cards[1]["hidden"] is True
    assert "Big <b>washer</b>" in (house.folder / "skerry.db.devices").read_text()
    house.stop_bridge()
    house.start_bridge()
    page.reload()
    expect(page.get_by_role("button", name="Below")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="All", exact=True).click()
    expect(page.locator(".rows li a")).to_have_text(["Cellar", "Big <b>washer</b>"])
    assert page.locator("img[src=x], b").count() == 0


def test_a_device_is_dragged_to_its_place(house, open_page):
    for device in ("attic", "bath", "cellar"):
        house.tell(f"homeconnect/{device}/state", {"OperationState": "Ready"})
    page = open_page("/")
    become_administrator(house, page)
    page.get_by_role("button", name="Arrange").click()
    dialog = page.get_by_role("dialog", name="Arrange devices")
    expect(dialog.get_by_text("Washing machine")).to_have_count(3)
    grips = dialog.locator(".arranged-grip")
    first, last = grips.first.bounding_box(), grips.last.bounding_box()
    page.mouse.move(first["x"] + 8, first["y"] + 20)
    page.mouse.down()
    page.mouse.move(last["x"] + 8, last["y"] + 40, steps=5)
    expect(dialog.locator("li").last.get_by_label("Name of Attic")).to_be_visible()
    page.mouse.up()
    expect(dialog.get_by_text("Attic: place 3 of 3")).to_be_attached()
    dialog.get_by_role("button", name="Move Cellar to the top").click()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    expect(page.locator(".rows li a")).to_have_text(["Cellar", "Bath", "Attic"])


def test_a_device_that_was_searched_moves_past_those_that_are_shown(house, open_page):
    for number in range(1, 10):
        house.publish(f"homeconnect/{'room' if number % 4 == 1 else 'hall'}-{number}/state", {"OperationState": "Ready"})
    house.tell("homeconnect/hall-2/state", {"OperationState": "Ready"})
    page = open_page("/", locale="de-DE")
    become_administrator(house, page)
    page.get_by_role("button", name="Anordnen").click()
    dialog = page.get_by_role("dialog")
    # No head of a column is cut.
    assert dialog.locator(".arranged-head span").last.evaluate("one => one.scrollWidth <= one.clientWidth")
    search = dialog.get_by_role("searchbox")
    search.fill("room")
    # Enter searches, and saves nothing.
    search.press("Enter")
    expect(dialog.locator("li:visible")).to_have_count(3)
    dialog.get_by_role("button", name="Room 9 nach oben", exact=True).click()
    assert dialog.locator("li:visible .arranged-name input").evaluate_all("all => all.map((one) => one.value)") == ["Room 1", "Room 9", "Room 5"]


def test_cards_on_the_wall_turn_in_pages_and_no_word_breaks(street, open_page):
    page = open_page("/?wall", viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    expect(page.locator(".wall-pages i")).not_to_have_count(0)
    expect(page.locator(".cards > *")).to_have_count(20)
    page.wait_for_function("() => [...document.querySelectorAll('article:not(.is-turned)')].every((card) => card.getBoundingClientRect().bottom <= innerHeight)")
    first = page.locator("article:not(.is-turned)").first.get_attribute("data-key")
    expect(page.locator(".counts")).to_be_hidden()
    assert faults(page) == []
    assert page.evaluate("[...document.querySelectorAll('article:not(.is-turned) .state')].every((state) => state.scrollWidth <= state.clientWidth + 1)")
    # The next ones come by themselves.
    expect(page.locator(f"article[data-key='{first}']")).to_be_hidden()


def test_the_word_about_the_connection_covers_nothing(house, open_page):
    house.wash()
    for view in ("now", "history", "device/washer/laundry"):
        page = open_page(f"/#/{view}", viewport={"width": 390, "height": 844}, reduced_motion="reduce")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        if view == "now":
            house.stop_broker()
        expect(page.locator("#banner")).to_contain_text("has no connection to its broker")
        expect(page.locator("#banner p")).to_be_visible()
        page.wait_for_function("() => document.querySelector('#banner').getBoundingClientRect().bottom <= document.querySelector('h1').getBoundingClientRect().top")
        assert faults(page) == []
