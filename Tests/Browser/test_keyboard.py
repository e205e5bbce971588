"""The page by keyboard alone: everything that can be pressed is reached, shows that it is, and does what a click does."""

import re

import pytest
from playwright.sync_api import expect

from test_device import become_administrator
from test_rules import VIEWS

# A name for what can be pressed or written in, which it keeps when the page draws it again and when its clocks tick.
NAME = """(node) => [node.localName, node.id, node.getAttribute("aria-label") ?? node.textContent.replace(/[0-9:]+/g, "#").trim().slice(0, 40)].join(" ")"""

# What Tab must reach. Of a group of radio buttons, it reaches one.
WANTED = """() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.disabled && node.tabIndex >= 0 && node.type !== "radio")
    .map(NAME)""".replace("NAME", NAME)

# What has the focus, and whether a person sees that it has; null for the page itself. The mark may be around a whole card, around the
# label beside a hidden field, or around the frame of a field.
FOCUSED = """() => {
    const node = document.activeElement;
    if (node === document.body) return null;
    const marks = [getComputedStyle(node), getComputedStyle(node, "::after")];
    for (const other of [node.nextElementSibling, node.closest(".editor-frame")]) if (other) marks.push(getComputedStyle(other));
    const isMarked = marks.some((style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0);
    const box = node.getBoundingClientRect();
    return { name: (NAME)(node), isShown: isMarked && box.bottom > 0 && box.top < innerHeight };
}""".replace("NAME", NAME)


def press_until(page, key, wanted, limit=100):
    """Presses a key until an element has the focus."""
    for _ in range(limit):
        if wanted.evaluate_all("nodes => nodes.includes(document.activeElement)"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not reach {wanted}")


@pytest.mark.parametrize("view", VIEWS)
def test_tab_reaches_everything_and_shows_where_it_is(house, open_page, view):
    house.wash("cellar")
    house.washed("cellar")
    house.wash()
    page = open_page(f"/#/{view}", reduced_motion="reduce")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("load")
    reached, hidden = set(), set()

    def missing():
        return [name for name in page.evaluate(WANTED) if name not in reached]

    # A part that was drawn behind the focus is reached in the next round.
    for _ in range(600):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None and reached and not missing():
            break
        if focused and focused["name"] not in reached | hidden:
            (reached if focused["isShown"] else hidden).add(focused["name"])
    assert hidden == set()
    assert missing() == []


def test_an_island_a_moment_and_a_run_are_opened_by_keys(house, open_page):
    house.wash()
    house.washed()
    house.wash("cellar")
    page = open_page("/#/phone", reduced_motion="reduce")
    press_until(page, "Tab", page.get_by_role("button", name="Open the island"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Close the island")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Open the island")).to_be_visible()

    press_until(page, "Shift+Tab", page.get_by_role("navigation").get_by_role("link", name="History"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="History")).to_be_visible()
    run = page.locator("[data-run]").first
    press_until(page, "Tab", run)
    expect(page.get_by_role("tooltip")).to_be_visible()
    page.keyboard.press("Enter")
    expect(run).to_have_attribute("aria-pressed", "true")
    press_until(page, "Shift+Tab", page.get_by_role("link", name=re.compile("Cellar")))
    page.keyboard.press("Enter")
    press_until(page, "Tab", page.locator(".authors > summary"))
    page.keyboard.press("Enter")
    press_until(page, "Tab", page.get_by_role("slider"))
    page.keyboard.press("Home")
    expect(page.locator(".past-note")).to_contain_text("The past")
    press_until(page, "Tab", page.get_by_role("button", name="Back to now"))
    page.keyboard.press("Space")
    expect(page.locator(".device-state")).to_have_text("Running")


def test_a_button_that_sent_something_keeps_the_focus(house, open_page):
    printing = {"gcode_state": "RUNNING", "mc_remaining_time": 55, "subtask_name": "cube.3mf"}
    house.tell("device/A1/report", {"print": printing})
    page = open_page("/")
    for here, place in (("/", ".card"), ("/#/device/printer-bambu/A1", ".device-buttons")):
        page.goto(house.url + here)
        # Not that of the view before, which is still there for a moment.
        pause = page.locator(place).get_by_role("button", name=re.compile("^Pause"))
        with page.expect_response(re.compile("/events$")):
            pause.press("Enter")
        expect(pause).to_be_focused()
        # Its state has another button, after ten seconds, and the keyboard goes on from there.
        house.tell("device/A1/report", {"print": printing | {"gcode_state": "PAUSE"}})
        expect(page.get_by_role("button", name="Continue")).to_be_visible()
        page.wait_for_function("() => document.activeElement !== document.body")
        house.tell("device/A1/report", {"print": printing})
        expect(pause).to_be_visible()


def test_a_definition_is_edited_and_saved_by_keys(house, open_page):
    house.wash()
    page = open_page("/#/replay/washer/laundry")
    become_administrator(house, page)
    press_until(page, "Tab", page.locator(".part-edit summary"))
    page.keyboard.press("Enter")
    editor = page.locator(".editor-field")
    press_until(page, "Tab", editor)
    page.keyboard.press("Control+End")
    page.keyboard.type("# by keys\n")
    # Tab indents in the editor; after Escape it leaves.
    page.keyboard.press("Tab")
    expect(editor).to_be_focused()
    page.keyboard.press("Backspace")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(editor).not_to_be_focused()
    save = page.get_by_role("button", name="Save", exact=True)
    expect(save).to_be_enabled()
    press_until(page, "Tab", save)
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("^Saved at"))).to_be_visible()
    assert "# by keys" in (house.definitions / "washer.yaml").read_text()


def test_a_row_that_stays_keeps_the_focus_when_its_neighbour_goes(house, open_page):
    house.tell("homeconnect/attic/state", {"OperationState": "Ready"})
    house.tell("homeconnect/bath/state", {"OperationState": "Ready"})
    page = open_page("/")
    rows = page.locator(".rows li")
    expect(rows).to_have_count(2)
    bath = page.get_by_role("link", name="Bath")
    bath.focus()
    house.wash("attic")
    expect(rows).to_have_count(1)
    expect(bath).to_be_focused()

    one = {"kind": "washer", "called": "Washing machine", "topic": "homeconnect/x/state", "alternatives": [], "hidden": False}
    found = [one | {"device": "cellar"}, one | {"device": "den"}]
    page.route("**/v1/found", lambda route: route.fulfill(json={"listening": True, "problem": None, "messages": 2, "found": found, "unknown": []}))
    page.locator(".found > summary").click()
    use = page.get_by_role("button", name="Use Den")
    use.focus()
    expect(use).to_be_focused()
    del found[0]
    expect(page.get_by_role("button", name="Use Cellar")).to_have_count(0)
    expect(use).to_be_focused()
