"""The first minutes of a new user: a bridge with the address of a broker, and nothing else."""

import re
import shutil

import pytest
from playwright.sync_api import expect

from house import ROOT, House
from test_rules import check_accessibility

TASMOTA = {"Time": "2026-11-27T10:00:00", "ENERGY": {"Total": 7.1, "Power": 1900, "Voltage": 230, "Current": 8.2}}


class EmptyHouse(House):
    """A bridge that has no definition and is given none."""

    def __init__(self):
        super().__init__(kinds=())
        shutil.rmtree(self.definitions)
        settings = self.folder / "skerry.yaml"
        lines = settings.read_text().splitlines(keepends=True)
        settings.write_text("".join(line for line in lines if not line.startswith("definitions:")).replace(", edit: true", ""))

    def __enter__(self):
        return self


@pytest.fixture
def house():
    with EmptyHouse() as house:
        yield house


def begin(house):
    """Starts broker and bridge, with devices that have spoken."""
    house.start_broker()
    house.publish("tele/washer_cellar/SENSOR", TASMOTA, "--retain")
    house.publish("zigbee2mqtt/dishwasher plug", {"power": 900, "state": "ON", "energy": 3.1}, "--retain")
    house.publish("attic/weather", {"wind": 3, "rain": False}, "--retain")
    house.start_bridge()


def sign_in(house, page):
    """Signs in as an administrator, in the dialog that asks for it; returns the clicks that it took."""
    dialog = page.get_by_role("dialog", name="Sign in")
    dialog.get_by_label("Code").fill(house.code(role="admin"))
    dialog.get_by_role("button", name="Sign in").click()
    expect(dialog).to_have_count(0)
    return 1


def row(page, name):
    return page.locator(".found-list > li").filter(has=page.get_by_role("heading", name=name, exact=True))


def test_the_page_says_what_the_broker_says_until_it_is_there(house, open_page):
    house.bridge, house.told_by_bridge = house.start_program()
    house.told_by_bridge.wait_for("the page is on http://")
    page = open_page()
    broker = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="The broker"))
    expect(broker).to_contain_text(f"There is no connection to 127.0.0.1:{house.mqtt}:")
    expect(page.get_by_text("Once the broker answers")).to_be_visible()
    # There is nothing yet that could be as it was.
    expect(page.locator("#banner")).to_have_text("The bridge has no connection to its broker.")
    expect(broker).to_contain_text("refused")
    expect(broker).to_contain_text(f"{house.folder}/skerry.yaml")
    house.start_broker()
    expect(broker).to_contain_text(f"Connected to 127.0.0.1:{house.mqtt}.")
    expect(page.get_by_text("Skerry listens to everything")).to_be_visible()


def test_from_nothing_to_cards(house, open_page):
    begin(house)
    page = open_page()
    clicks = 0

    def click(button):
        nonlocal clicks
        clicks += 1
        button.click()

    expect(row(page, "Washer cellar")).to_contain_text("Looks like: Washing machine")
    # That the bridge listens is said once.
    assert len(re.findall("listen", page.locator("main").inner_text(), re.IGNORECASE)) == 1
    check_accessibility(page)
    click(page.get_by_role("button", name="Use Washer cellar"))
    check_accessibility(page)
    clicks += sign_in(house, page)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("group", name="What its card would show now")).to_be_visible()
    check_accessibility(page)
    click(dialog.get_by_role("button", name="Use it"))
    expect(page.get_by_role("link", name="Washer cellar")).to_be_visible()
    assert clicks <= 5

    # The second one needs no code any more.
    clicks = 0
    click(page.get_by_role("button", name="Use dishwasher plug"))
    dialog.get_by_label("Name").fill("<b>Dishes</b>")
    dialog.get_by_label("Room").fill("Kitchen <i>")
    click(dialog.get_by_role("button", name="Use it"))
    expect(page.get_by_text("<b>Dishes</b> is in use")).to_be_visible()
    house.publish("zigbee2mqtt/dishwasher plug", {"power": 950, "state": "ON", "energy": 3.1})
    expect(page.get_by_role("link", name="<b>Dishes</b>")).to_be_visible()
    expect(page.get_by_role("button", name="Kitchen <i>")).to_be_visible()
    assert clicks <= 5
    assert (house.folder / "skerry.db.adopted").read_text() == "washer-plug\ndishwasher-plug\n"

    # What is recognised beyond doubt needs no click.
    house.publish("device/A1/report", {"print": {"gcode_state": "PREPARE", "subtask_name": "cube.3mf"}}, "--retain")
    expect(page.locator(".cards [data-key='printer-bambu/A1']")).to_contain_text("cube.3mf")
    expect(page.locator(".found-list > li").filter(has_text="attic/")).to_be_visible()


@pytest.mark.parametrize("width, columns", [(390, 1), (700, 1), (820, 3), (1280, 3)])
def test_the_first_steps_stand_in_one_row_or_one_column(house, open_page, width, columns):
    begin(house)
    page = open_page(viewport={"width": width, "height": 1180})
    steps = page.locator(".steps > li")
    expect(steps).to_have_count(3)
    expect(row(page, "Washer cellar")).to_be_visible()
    assert len({step.bounding_box()["x"] for step in steps.all()}) == columns


def test_a_bridge_that_writes_nothing_says_so_before_somebody_edits(house, open_page):
    begin(house)
    page = open_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Describe attic/").click()
    sign_in(house, page)
    dialog = page.get_by_role("dialog", name="Describe attic/")
    expect(dialog).to_contain_text("This bridge writes no definitions.")
    expect(dialog.get_by_role("button", name="Save")).to_have_count(0)
    field = dialog.locator(".editor-field")
    expect(field).to_have_value(re.compile("kind: attic"))
    text = field.input_value()
    dialog.get_by_role("button", name="Copy").click()
    expect(page.get_by_text("The text for attic.yaml is copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == text
    # A topic is listed in one place.
    expect(page.get_by_text("attic/", exact=False)).to_have_count(1)


def test_without_devices_no_empty_phone_is_drawn(house, open_page):
    begin(house)
    page = open_page("/#/phone")
    expect(page.get_by_text("Nothing that is in use has an island yet.")).to_be_visible()
    expect(page.get_by_role("button", name="Open the island")).to_be_hidden()


def test_a_browser_that_nobody_named_is_known_again_in_the_list(house, open_page):
    begin(house)
    page = open_page(user_agent="Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", viewport={"width": 390, "height": 844})
    page.get_by_role("banner").get_by_role("button", name="Sign in").click()
    sign_in(house, page)
    expect(page.get_by_role("banner").get_by_role("button", name="Firefox, Android")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.goto(f"{house.url}/#/settings")
    entry = page.locator(".browsers li").filter(has=page.get_by_role("heading", name="Firefox, Android"))
    # When it was here is told below its name.
    name, seen = entry.get_by_role("heading"), entry.get_by_text("this browser")
    expect(seen).to_be_visible()
    assert abs(name.bounding_box()["x"] - seen.bounding_box()["x"]) <= 2


def test_hiding_and_using_are_undone(house, open_page, console):
    console.expect("403")
    # A card may ask once more for its definition, which is gone.
    console.expect("404")
    begin(house)
    page = open_page()
    # Who has not signed in is asked to, for what was clicked and nothing else.
    page.get_by_role("button", name="Hide Washer cellar").click()
    dialog = page.get_by_role("dialog", name="Sign in")
    enter = dialog.get_by_role("button", name="Sign in")
    enter.click()
    expect(dialog.get_by_role("alert")).to_contain_text("Enter the code")
    dialog.get_by_label("Code").fill("wrong")
    enter.click()
    expect(dialog.get_by_role("alert")).to_contain_text("does not know this code")
    dialog.get_by_label("Code").fill(house.code(role="member"))
    enter.click()
    expect(dialog.get_by_role("alert")).to_contain_text("not as an administrator")
    assert not (house.folder / "skerry.db.hidden").exists()
    sign_in(house, page)
    expect(row(page, "Washer cellar")).to_have_count(0)
    assert (house.folder / "skerry.db.hidden").read_text() == "washer-plug/washer_cellar\n"
    assert not (house.folder / "skerry.db.adopted").exists()
    page.get_by_role("button", name="Undo").click()
    expect(row(page, "Washer cellar")).to_be_visible()

    page.get_by_role("button", name="Use Washer cellar").click()
    page.get_by_role("dialog").get_by_role("button", name="Use it").click()
    expect(page.get_by_role("link", name="Washer cellar")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("link", name="Washer cellar")).to_have_count(0)
    assert (house.folder / "skerry.db.adopted").read_text() == ""


def test_what_is_in_use_and_silent_is_named_once(house, open_page):
    (house.folder / "skerry.db.adopted").write_text("plug-shelly\nplug-tasmota\n")
    house.start_broker()
    house.start_bridge()
    page = open_page()
    expect(page.get_by_text("In use, and not heard yet: Plug. The card comes with the next message.")).to_be_visible()


def test_a_hidden_device_is_shown_again_by_who_signs_in(house, open_page, console):
    (house.folder / "skerry.db.hidden").write_text("washer-plug/washer_cellar\n")
    begin(house)
    page = open_page()
    page.get_by_text("Hidden", exact=True).click()
    page.get_by_role("button", name="Show Washer cellar again").click()
    sign_in(house, page)
    expect(row(page, "Washer cellar")).to_be_visible()
    assert (house.folder / "skerry.db.hidden").read_text() == ""
    assert not (house.folder / "skerry.db.adopted").exists()


def test_a_dialog_that_is_closed_while_it_is_made_asks_for_nothing_more(house, open_page):
    begin(house)
    page = open_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(house.url.rstrip("/"))))
    held = []
    page.route("**/editor.js", lambda route: held.append(route))
    page.get_by_role("button", name="Describe attic/{device}").click()
    with page.expect_request("**/editor.js"):
        sign_in(house, page)
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    asked.clear()
    with page.expect_response("**/editor.js"):
        held[0].continue_()
    # The list is asked for again and again meanwhile.
    for _ in range(2):
        with page.expect_response("**/v1/found"):
            pass
    assert "/v1/proposals" not in asked


def test_what_nobody_knows_is_described(house, open_page, console):
    # A card may ask once more for its definition, which is gone.
    console.expect("404")
    settings = house.folder / "skerry.yaml"
    settings.write_text(settings.read_text().replace("http: {", "http: { edit: true,"))
    begin(house)
    page = open_page()
    page.get_by_role("button", name="Describe attic/{device}").click()
    sign_in(house, page)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("textbox", name="Definition")).to_have_value(re.compile(r"kind: attic\n[^$]*attic/\{device\}"))
    expect(dialog.get_by_text("No problems")).to_be_visible()
    check_accessibility(page)
    # What is typed into lies on what is shown, so that a click leads to where it is made.
    field, paper = (dialog.locator(f".editor-{part}").bounding_box() for part in ("field", "paper"))
    assert all(abs(field[side] - paper[side]) < 2 for side in ("x", "y", "height")), (field, paper)
    dialog.get_by_label("Kind, the name of its file").fill("weather")
    dialog.get_by_label("Kind, the name of its file").press("Tab")
    expect(dialog.get_by_role("textbox", name="Definition")).to_have_value(re.compile(r"kind: weather\n"))
    dialog.get_by_role("button", name="Save").click()
    link = page.get_by_role("link", name="Weather", exact=True)
    expect(link).to_be_visible()
    assert "kind: weather\n" in (house.definitions / "weather.yaml").read_text()
    page.get_by_role("button", name="Undo").click()
    expect(link).to_have_count(0)
    assert not (house.definitions / "weather.yaml").exists()


def test_a_kind_is_proposed_by_its_device_where_the_topic_says_nothing(house, open_page):
    begin(house)
    house.publish("zigbee2mqtt/hall_sensor", {"temperature": 21.4}, "--retain")
    page = open_page()
    page.get_by_role("button", name="Describe zigbee2mqtt/{device}").click()
    sign_in(house, page)
    expect(page.get_by_role("dialog").get_by_label("Kind, the name of its file")).to_have_value("hall-sensor")


def test_where_definitions_are_named_the_one_that_is_used_is_copied(visit, console):
    console.expect("404")
    with House(kinds=("washer",)) as house:
        house.publish("tele/washer_cellar/SENSOR", TASMOTA, "--retain")
        page = visit(house.url)
        # Before the bridge has read the definitions that come with Skerry.
        preparing = {"listening": False, "messages": 0, "found": [], "unknown": []}
        page.route("**/v1/found", lambda route: route.fulfill(json=preparing))
        # The list is open by itself as long as there is no device.
        expect(page.get_by_text("Getting ready to listen")).to_be_visible()
        page.unroute("**/v1/found")
        expect(row(page, "Washer cellar")).to_be_visible()
        page.get_by_role("button", name="Use Washer cellar").click()
        sign_in(house, page)
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="Use it").click()
        expect(page.get_by_role("link", name="Washer cellar")).to_be_visible()
        copy = house.definitions / "washer-plug.yaml"
        assert copy.read_text() == (ROOT / "devices/washer-plug.yaml").read_text()
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("link", name="Washer cellar")).to_have_count(0)
        assert not copy.exists()
        # Before the bridge ends, so that nothing is asked of it any more.
        page.close()


@pytest.mark.parametrize("definitions, told", [
    ("", "What Skerry recognises beyond doubt gets a card by itself."),
    ("definitions: [mine]\n", "No other device gets a card by itself: an administrator chooses it under “Add a device”."),
])
def test_the_first_steps_tell_whether_devices_are_used_by_themselves(house, open_page, definitions, told):
    (house.folder / "mine").mkdir()
    with (house.folder / "skerry.yaml").open("a") as settings:
        settings.write(definitions)
    begin(house)
    page = open_page()
    known = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="Devices that Skerry knows"))
    expect(known).to_contain_text("None is in use yet.")
    expect(known).to_contain_text(told)


def test_a_device_that_its_bridge_calls_as_its_topic_does_is_called_as_people_write(house, open_page):
    house.start_broker()
    devices = [{"ieee_address": "0x00158d0001dc126a", "friendly_name": "dishwasher_plug", "type": "EndDevice", "supported": True,
                "definition": {"model": "SP 120", "vendor": "Innr", "exposes": [{"type": "numeric", "property": "power", "access": 1}]}}]
    house.publish("zigbee2mqtt/bridge/devices", devices, "--retain")
    house.publish("zigbee2mqtt/dishwasher_plug", {"power": 900, "state": "ON", "energy": 3.1}, "--retain")
    house.start_bridge()
    expect(row(open_page(), "Dishwasher plug")).to_be_visible()
