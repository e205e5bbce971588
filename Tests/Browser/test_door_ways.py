"""The first device by keyboard alone, by touch alone, and as a screen reader is told."""

import re

import pytest
from playwright.sync_api import expect

from test_door import EmptyHouse, begin, row
from test_rules import check_accessibility


@pytest.fixture
def house():
    with EmptyHouse() as house:
        begin(house)
        yield house


def focus_by_tab(page, wanted, limit=60):
    """Presses Tab until something has the focus, as somebody without a mouse does."""
    expect(wanted).to_be_visible()
    for _ in range(limit):
        if wanted.evaluate("node => node === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab does not get there")


def test_a_device_is_added_by_keyboard(house, open_page, console):
    # A card may ask once more for its definition, which is gone.
    console.expect("404")
    page = open_page()
    focus_by_tab(page, page.get_by_role("button", name="Use Washer cellar"))
    page.keyboard.press("Enter")
    sign_in = page.get_by_role("dialog", name="Sign in")
    expect(sign_in.get_by_label("Code")).to_be_focused()
    page.keyboard.type(house.code(role="admin"))
    page.keyboard.press("Enter")
    expect(sign_in).to_have_count(0)
    dialog = page.get_by_role("dialog", name="Use Washer cellar")
    expect(dialog.get_by_label("What it is")).to_be_focused()
    # The focus stays in the dialog.
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement === document.body || document.activeElement.closest('dialog') !== null")
    focus_by_tab(page, dialog.get_by_label("Name"))
    page.keyboard.press("Control+A")
    page.keyboard.type("Cellar washer")
    focus_by_tab(page, dialog.get_by_role("button", name="Use it"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Cellar washer")).to_be_visible()
    # Its row is gone, and what takes it back has the focus; then the list does.
    expect(page.get_by_role("button", name="Undo")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_role("link", name="Cellar washer")).to_have_count(0)
    expect(page.locator(".found > summary")).to_be_focused()


def test_the_keyboard_goes_on_where_the_row_was_drawn_anew_behind_its_dialog(house, open_page, console):
    console.expect("404")
    page = open_page()
    page.get_by_role("button", name="Use Washer cellar").press("Enter")
    page.keyboard.type(house.code(role="admin"))
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Use Washer cellar")
    expect(dialog).to_be_visible()
    page.locator(".found-list").first.evaluate("list => list.replaceChildren()")
    dialog.get_by_role("button", name="Use it").press("Enter")
    expect(page.get_by_role("button", name="Undo")).to_be_focused()


def test_escape_leaves_everything_as_it_was(house, open_page):
    page = open_page()
    use = page.get_by_role("button", name="Use Washer cellar")
    use.press("Enter")
    expect(page.get_by_role("dialog", name="Sign in")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(use).to_be_focused()
    assert not (house.folder / "skerry.db.adopted").exists()


def test_a_device_is_added_by_touch_on_a_phone(house, open_page):
    page = open_page("/", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    use = page.get_by_role("button", name="Use Washer cellar")
    use.tap()
    sign_in = page.get_by_role("dialog", name="Sign in")
    code = sign_in.get_by_label("Code")
    code.tap()
    code.fill(house.code(role="admin"))
    sign_in.get_by_role("button", name="Sign in").tap()
    dialog = page.get_by_role("dialog", name="Use Washer cellar")
    expect(dialog.get_by_role("group", name="What its card would show now")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # What is to be touched is large enough for a finger, and within the screen.
    for button in [use, *dialog.get_by_role("button").all()]:
        box = button.bounding_box()
        assert box["height"] >= 40 and box["x"] >= 0 and box["x"] + box["width"] <= 390, button
    check_accessibility(page)
    dialog.get_by_role("button", name="Use it").tap()
    expect(page.get_by_role("link", name="Washer cellar")).to_be_visible()
    assert (house.folder / "skerry.db.adopted").read_text() == "washer-plug\n"


def test_what_a_screen_reader_is_told(house, open_page):
    page = open_page()
    expect(row(page, "Washer cellar")).to_be_visible()
    found = page.locator("details.found")
    expect(found).to_match_aria_snapshot(
        """
        - group:
          - heading "Add a device" [level=2]
          - status: Skerry listens to everything on your broker while this is open.
          - list:
            - listitem:
              - paragraph: "Looks like: Washing machine"
              - heading "Washer cellar" [level=3]
              - button "Use Washer cellar"
              - button "Hide Washer cellar"
            - listitem:
              - paragraph: "Looks like: Dishwasher"
              - heading "Dishwasher plug" [level=3]
              - button "Use Dishwasher plug"
              - button "Hide Dishwasher plug"
          - heading "Others that were heard" [level=3]
          - list:
            - listitem:
              - button /Describe attic/
        """
    )
    page.get_by_role("button", name="Use Washer cellar").click()
    expect(page.get_by_role("dialog")).to_match_aria_snapshot(
        """
        - dialog "Sign in":
          - heading "Sign in" [level=2]
          - paragraph: This is for an administrator.
          - textbox "Code"
          - button "Sign in"
          - button "Cancel"
        """
    )
    dialog = page.get_by_role("dialog")
    described = dialog.get_by_label("Code").evaluate("node => document.getElementById(node.getAttribute('aria-describedby')).textContent")
    assert re.search("skerry pair --browser", described)
    # What went wrong is said by itself.
    dialog.get_by_role("button", name="Sign in").click()
    expect(dialog.get_by_role("alert")).to_have_text("Enter the code.")
    dialog.get_by_label("Code").fill(house.code(role="admin"))
    dialog.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("dialog")).to_match_aria_snapshot(
        """
        - dialog "Use Washer cellar":
          - heading "Use Washer cellar" [level=2]
          - combobox "What it is"
          - textbox "Name"
          - heading "What its card would show now" [level=3]
          - group "What its card would show now"
          - button "Use it"
          - button "Cancel"
        """
    )
    page.get_by_role("button", name="Use it").click()
    expect(found.get_by_role("status").first).to_contain_text("Washer cellar is in use")
