"""What is typed and not saved outlives a look elsewhere, and what is hidden or forgotten is not shown."""

import re
import subprocess

from playwright.sync_api import expect

from house import PATIENCE, PROGRAM
from test_device import become_administrator
from test_door import sign_in


def test_typed_settings_and_an_edit_are_there_after_a_look_elsewhere(house, open_page):
    house.tell("plug/washingmachine/cellar/power", "1")
    house.wash()
    page = open_page("/#/device/washer-plug/cellar")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Cellar")
    become_administrator(house, page)
    page.get_by_label("Threshold", exact=True).fill("20")
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", level=1, name="History")).to_be_visible()
    page.go_back()
    expect(page.get_by_label("Threshold", exact=True)).to_have_value("20")

    page.goto(f"{house.url}/#/replay/washer/laundry")
    page.locator(".part-edit summary").click()
    editor = page.locator(".editor-field")
    editor.fill("# mine\n" + editor.input_value())
    page.get_by_role("link", name="Now", exact=True).click()
    expect(page.get_by_role("article")).to_be_visible()
    page.get_by_role("link", name="Replay", exact=True).click()
    expect(editor).to_have_value("# mine\n" + (house.definitions / "washer.yaml").read_text())
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Devices go on with it.")).to_be_visible()
    # The text from before it was saved comes back, to be saved again.
    page.get_by_role("button", name="Undo all").click()
    expect(editor).not_to_have_value("# mine\n" + editor.input_value())


def choose_language(page, tag):
    page.locator("[popovertarget=display]").click()
    page.locator("#display select").select_option(tag)
    expect(page.locator("html")).to_have_attribute("lang", tag)


def test_what_is_typed_is_there_in_another_language_and_not_for_the_next_person(house, open_page):
    house.tell("plug/washingmachine/cellar/power", "1")
    page = open_page("/#/settings")
    become_administrator(house, page)
    page.get_by_label("Name of the phone").fill("Mine")
    page.get_by_role("radio", name="Member").check()
    page.get_by_label("Name or address").fill("broker.example")
    choose_language(page, "de")
    expect(page.get_by_label("Name des Telefons")).to_have_value("Mine")
    expect(page.get_by_role("radio", name="Mitglied")).to_be_checked()
    expect(page.get_by_label("Name oder Adresse")).to_have_value("broker.example")
    expect(page.locator("[popovertarget=display]")).to_be_focused()

    page.goto(f"{house.url}/#/device/washer-plug/cellar")
    page.get_by_label("Name", exact=True).fill("Secret")
    choose_language(page, "en")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Secret")
    page.locator("[popovertarget=account]").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in").click()
    sign_in(house, page)
    expect(page.get_by_label("Name", exact=True)).to_have_value("")


def test_escape_asks_before_changes_in_a_dialog_are_lost(house, open_page):
    house.wash()
    page = open_page()
    expect(page.get_by_role("article")).to_be_visible()
    become_administrator(house, page)
    page.get_by_role("button", name="Arrange").click()
    dialog = page.get_by_role("dialog", name="Arrange devices")
    dialog.get_by_role("combobox", name="Room of Laundry").fill("Cellar")
    asked = []
    page.once("dialog", lambda question: (asked.append(question.message), question.dismiss()))
    page.keyboard.press("Escape")
    expect(dialog.get_by_role("combobox", name="Room of Laundry")).to_have_value("Cellar")
    assert asked == ["Throw away what you have changed?"]
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)


def test_a_hidden_device_is_no_headline_and_a_forgotten_one_says_so(house, open_page):
    house.wash()
    page = open_page("/#/device/washer/laundry")
    expect(page.get_by_role("heading", level=1, name="Laundry")).to_be_visible()
    hidden = open_page()
    expect(hidden).to_have_title(re.compile(r"^Running, (1 hr|5\d mins) · Skerry$"))
    become_administrator(house, hidden)
    hidden.get_by_role("button", name="Arrange").click()
    dialog = hidden.get_by_role("dialog", name="Arrange devices")
    dialog.get_by_role("checkbox", name="Show Laundry").uncheck()
    dialog.get_by_role("button", name="Save").click()
    expect(hidden.get_by_role("heading", level=1, name="All quiet")).to_be_visible()
    expect(hidden).to_have_title("Skerry")

    forget = [PROGRAM, "forget", "washer/laundry", "--config", house.folder / "skerry.yaml"]
    subprocess.run(forget, check=True, timeout=PATIENCE, cwd=house.folder)
    expect(page.get_by_text("The bridge has forgotten this device.")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("link", name="All devices")).to_be_visible()


def test_replay_offers_devices_once_there_are_some_and_keeps_their_list(house, open_page):
    page = open_page("/#/replay")
    replay = page.get_by_role("button", name="Replay", exact=True)
    expect(page.get_by_text("No devices yet")).to_be_visible()
    expect(replay).to_be_hidden()
    house.wash()
    expect(replay).to_be_visible()
    expect(page.get_by_text("No devices yet")).to_have_count(0)
    # Somebody has the list open while a device goes on.
    option = page.get_by_label("Device").locator("option")
    expect(option).to_have_count(1)
    option.evaluate("node => { node.dataset.seen = ''; }")
    with page.expect_response("**/v1/devices"):
        house.tell("homeconnect/laundry/state", {"RemainingProgramTime": 1800})
    page.evaluate("new Promise(requestAnimationFrame)")
    expect(page.locator("option[data-seen]")).to_have_count(1)


def test_a_history_without_runs_offers_no_files(house, open_page):
    page = open_page("/#/history")
    expect(page.get_by_text("No runs yet.")).to_be_visible()
    expect(page.get_by_role("button", name="Export as CSV")).to_be_hidden()
    house.wash()
    expect(page.get_by_role("button", name="Export as CSV")).to_be_visible()
