"""The looks of every view: nothing is cut off, nothing lies on something else, everything is within the screen.

The rules here hold with every font, and notice what a person would see in a picture first: texts that are cut, collide or leave
their place, a style sheet that is missing, a scheme that does not reach a view. `test_look.py` compares a few views with what they were.
"""

import os
import re
import shutil

import pytest
from playwright.sync_api import expect

from house import PATIENCE
from test_rules import VIEWS

SCREENS = {"desk": {"width": 1280, "height": 800}, "tablet": {"width": 820, "height": 1180}, "phone": {"width": 360, "height": 740}}

# The faults of what is shown, as lines; a line of text is a rectangle of a text node.
FAULTS = """() => {
    const visible = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !node.closest(".unseen, [aria-hidden=true]:empty");
    const name = (node) => `${node.localName}.${node.getAttribute("class") ?? ""}`;
    const lines = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode;
        const parent = text.parentElement;
        if (!text.data.trim() || !visible(parent) || ["SCRIPT", "STYLE", "TEXTAREA", "OPTION"].includes(parent.tagName)) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        for (const box of range.getClientRects()) {
            if (box.width > 1 && box.height > 1) lines.push({ parent, box, words: text.data.trim().slice(0, 40) });
        }
    }
    const faults = new Set();
    const width = document.documentElement.clientWidth;
    const lets = (style) => style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
    const scrolls = (style) => /auto|scroll/.test(style.overflowX + style.overflowY);
    // What stays in its place while the rest scrolls lies on it by intention.
    const layer = (line) => {
        let node = line.parent;
        while (node && !["fixed", "sticky"].includes(getComputedStyle(node).position)) node = node.parentElement;
        return node;
    };
    const shown = [];
    for (const line of lines) {
        const { parent, box, words } = line;
        let isSeen = true;
        let mayLeave = false;
        for (let node = parent; node && node !== document.body; node = node.parentElement) {
            const style = getComputedStyle(node);
            mayLeave ||= scrolls(style) || lets(style);
            if (scrolls(style)) {
                // What is scrolled away lies on nothing.
                const frame = node.getBoundingClientRect();
                isSeen &&= box.bottom > frame.top && box.top < frame.bottom && box.right > frame.left && box.left < frame.right;
                break;
            }
            if (lets(style)) break;
            if (style.overflowX === "visible" || node instanceof SVGElement) continue;
            const frame = node.getBoundingClientRect();
            if (box.right > frame.right + 1 || box.left < frame.left - 1 || box.bottom > frame.bottom + 2 || box.top < frame.top - 2) {
                faults.add(`"${words}" is cut off by ${name(node)}`);
            }
            break;
        }
        if (!isSeen) continue;
        if (!mayLeave && (box.left < -1 || box.right > width + 1)) faults.add(`"${words}" leaves the screen`);
        const frame = parent.closest(".part, .card, .sheet")?.getBoundingClientRect();
        if (frame && box.right > frame.right + 1 && getComputedStyle(parent).overflowX === "visible" && !parent.closest("[tabindex='0'], .editor, svg, .tip")) faults.add(`"${words}" leaves its part`);
        shown.push(line);
    }
    for (const [index, one] of shown.entries()) {
        for (const other of shown.slice(index + 1)) {
            const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
            const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
            // Lines of a text may be set closer than their boxes are high.
            const height = Math.min(one.box.height, other.box.height);
            if (across > 2 && down > height * 0.4 && one.parent !== other.parent && layer(one) === layer(other)) faults.add(`"${one.words}" lies on "${other.words}"`);
        }
    }
    return [...faults];
}"""

# A device that waits on a condition without a place where a line could end.
PUMP = """skerry: 1
kind: pump
sources: [{ topic: "pump/{device}", signals: { power: payload.power } }]
machine:
  initial: idle
  states:
    idle: { always: { guard: 'power > 5 && !device.name.matches("(fridge|freezer|refrigerator|icebox|deepfreeze|coldstore|winecooler|larder)")', for: 1h, target: on } }
    on: {}
"""

# How bright the ground of the page is, from 0 to 255.
BRIGHTNESS = """() => {
    const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number);
    return 0.3 * red + 0.6 * green + 0.1 * blue;
}"""


def faults(page):
    """The faults that stay: a view that is still being drawn has none a moment later."""
    for _ in range(300):
        found = page.evaluate(FAULTS)
        if not found:
            break
        page.wait_for_timeout(100)
    return found


@pytest.fixture
def busy(house):
    """A household in which every view has something to show, with long names and an ended run."""
    house.wash("cellar-of-the-grandparents", 1500, "Cotton eco 40-60 with extra rinse")
    house.washed("cellar-of-the-grandparents")
    house.wash("laundry", 36_000)
    house.tell("opensprinkler/station/lawn", {"state": 1, "duration": 1140})
    report = {"gcode_state": "RUNNING", "mc_remaining_time": 95, "mc_percent": 34, "subtask_name": "a_lighthouse_of_many_parts_v3_final"}
    house.tell("device/workshop/report", {"print": report})
    return house


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_is_cut_off_or_covered(busy, open_page, screen, scheme):
    page = open_page("/", viewport=SCREENS[screen], color_scheme=scheme, reduced_motion="reduce")
    found = {}
    for view in VIEWS + ["device/printer-bambu/workshop/authors"]:
        page.goto(f"{busy.url}/#/{view}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_load_state("load")
        found[view] = faults(page)
    assert {view: lines for view, lines in found.items() if lines} == {}
    assert (page.evaluate(BRIGHTNESS) < 80) == (scheme == "dark")


@pytest.mark.parametrize("width", [1000, 1150])
def test_a_replay_of_medium_width_shows_the_whole_machine_and_the_whole_phone(house, open_page, width):
    house.wash()
    page = open_page("/#/replay/washer/laundry", viewport={"width": width, "height": 800}, reduced_motion="reduce")
    expect(page.locator(".replay-phone > div").first).to_be_visible()
    chart = page.locator(".replay-columns .chart-frame")
    assert chart.evaluate("node => node.scrollWidth - node.clientWidth") <= 1
    outside = """node => {
        const frame = node.getBoundingClientRect();
        return [...node.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > frame.right + 1).length;
    }"""
    assert page.locator(".replay-phone").first.evaluate(outside) == 0


@pytest.mark.parametrize("size", [(1024, 600), (1920, 1080), (800, 1280), (600, 1024)])
def test_nothing_is_cut_off_or_covered_on_the_wall(busy, open_page, size):
    screen = {"width": size[0], "height": size[1]}
    page = open_page("/?wall", viewport=screen, reduced_motion="reduce", locale="en-US")
    expect(page.get_by_role("article").first).to_be_visible()
    assert faults(page) == []


def test_the_wall_says_hours_and_minutes_in_one_line(busy, open_page):
    page = open_page("/?wall", viewport={"width": 1280, "height": 800}, reduced_motion="reduce", locale="de-DE")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text(re.compile("Noch 1 Std. 3. Min."))
    # A second line would take the place of a row of cards.
    assert heading.evaluate("(node) => node.getBoundingClientRect().height / parseFloat(getComputedStyle(node).lineHeight)") < 1.5


@pytest.fixture(scope="session")
def large(browser):
    """A browser of somebody whose letters are twice as large."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    large = browser.browser_type.launch(executable_path=path, args=["--no-sandbox", "--blink-settings=defaultFontSize=32"])
    yield large
    large.close()


def sign_in(house, page):
    page.locator(".account").click()
    page.get_by_label("Code", exact=True).fill(house.code(role="admin"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)


# What is wider than the screen, and controls whose words leave them.
WIDE = """() => [
    ...document.documentElement.scrollWidth > innerWidth ? ["the page"] : [],
    ...[...document.querySelectorAll("button, .button, .as-button, select, .segments, .phone-tabs")].filter((node) => {
        const box = node.getBoundingClientRect(), frame = node.closest(".part, .card, .drop-half, .sheet")?.getBoundingClientRect();
        return node.checkVisibility() && !node.closest(".scroller, .device, .island-alone, .replay-phone") && frame && box.right > frame.right + 1;
    }).map((node) => node.textContent),
]"""


@pytest.mark.parametrize("width", [390, 820, 1280])
def test_letters_of_twice_the_size_have_room(busy, large, width):
    page = large.new_page(locale="de-DE", viewport={"width": width, "height": 900}, service_workers="block", reduced_motion="reduce")
    page.set_default_timeout(PATIENCE * 1000)
    found = {}

    def look(name):
        found[name] = faults(page) + page.evaluate(WIDE)

    def go(address):
        page.goto("about:blank")
        page.goto(f"{busy.url}/{address}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_load_state("load")

    for view in VIEWS + ["replay/washer/laundry", "device/printer-bambu/workshop/authors"]:
        go(f"#/{view}")
        look(view)
    expect(page.locator("html")).to_have_css("font-size", "32px")
    for address in ("?wall", "?wall#/device/washer/laundry"):
        go(address)
        look(address)
    go("#/now")
    sign_in(busy, page)
    page.get_by_role("button", name="Anordnen").click()
    look("arrange")
    page.keyboard.press("Escape")
    busy.publish("garden/pond/level_of_the_water", {"level": 41.2}, "--retain")
    page.get_by_text("Gerät hinzufügen").click()
    describe = page.get_by_role("button", name="beschreiben").first
    expect(describe).to_be_visible()
    look("found")
    describe.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    look("describe")
    page.close()
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize("view", ["now", "history", "settings", "device/washer/laundry"])
def test_a_phone_at_twice_its_size_has_room(busy, open_page, view):
    page = open_page(f"/#/{view}", viewport={"width": 195, "height": 422}, locale="de-DE", reduced_motion="reduce")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("load")
    assert faults(page) + page.evaluate(WIDE) == []
    # The drawing of the page would lie below the button.
    expect(page.locator(".home")).to_be_hidden()
    if view.startswith("device"):
        assert page.get_by_role("heading", level=1).evaluate("node => node.offsetHeight / parseFloat(getComputedStyle(node).lineHeight)") < 1.5


# The smallest letters of a drawing, as they are seen, in points.
SMALLEST = """(picture) => {
    const scale = picture.getBoundingClientRect().width / picture.viewBox.baseVal.width;
    return Math.min(...[...picture.querySelectorAll("text")].filter((text) => text.textContent).map((text) => parseFloat(getComputedStyle(text).fontSize) * scale));
}"""


@pytest.mark.parametrize("width", [390, 1280])
def test_the_letters_of_drawings_grow_with_those_of_the_reader(busy, large, width):
    page = large.new_page(viewport={"width": width, "height": 900}, service_workers="block", reduced_motion="reduce")
    page.set_default_timeout(PATIENCE * 1000)
    drawings = {
        "device/washer/laundry/authors": [".part-chart svg.chart", ".timeline-picture"],
        "history": [".is-axis svg.gantt-bars"],
        "replay/washer/laundry": [".timeline-picture", "svg.chart"],
    }
    for view, pictures in drawings.items():
        page.goto("about:blank")
        page.goto(f"{busy.url}/#/{view}")
        for picture in pictures:
            page.locator(f"{picture} text").first.wait_for()
            assert page.locator(picture).first.evaluate(SMALLEST) >= 21.9, (view, picture)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


@pytest.mark.parametrize("screen", SCREENS)
def test_a_long_condition_stays_in_its_part(house, open_page, screen):
    (house.definitions / "pump.yaml").write_text(PUMP)
    house.told_by_broker.wait_for("pump/+")
    house.tell("pump/cellar", {"power": 100})
    page = open_page("/#/device/pump/cellar/authors", viewport=SCREENS[screen], reduced_motion="reduce")
    expect(page.get_by_role("heading", name="What is running")).to_be_visible()
    expect(page.locator(".time-row")).to_contain_text("icebox")
    assert faults(page) == []


# Changes the style of all titles of cards and looks at once, because the page draws a card again when something happens.
SPOIL = """(style) => {
    for (const title of document.querySelectorAll("article h3")) Object.assign(title.style, style);
    return (FAULTS)();
}""".replace("FAULTS", FAULTS)


def test_the_rules_notice_what_is_spoilt(busy, open_page):
    page = open_page("/", reduced_motion="reduce")
    expect(page.get_by_role("article").first).to_be_visible()
    assert faults(page) == []
    narrow = {"width": "30px", "overflow": "hidden", "whiteSpace": "nowrap"}
    assert "is cut off" in " ".join(page.evaluate(SPOIL, narrow))
    moved = {"width": "auto", "overflow": "visible", "transform": "translateY(1.2em)"}
    assert " lies on " in " ".join(page.evaluate(SPOIL, moved))
    beside = {"transform": "translateX(100vw)"}
    assert " leaves the screen" in " ".join(page.evaluate(SPOIL, beside))
