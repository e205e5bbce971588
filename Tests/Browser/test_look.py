"""What stable views look like, compared with Tests/Browser/look.txt: each line of text with its place, size, weight and colours.

Pictures would compare machines: each has other fonts, and draws the same ones otherwise. So the page is measured in a font that the
test makes itself, in which every letter is a box of the same width, at a fixed time and with fixed answers of the bridge. Places may
differ by a few points from one Chromium to the next; texts, weights and colours may not. After a change that is intended, run
`RECORD_GOLDENS=1 scripts/test-page look`, and read the difference.
"""

import base64
import io
import json
import os
import re

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from playwright.sync_api import expect

from house import ROOT

STORED = ROOT / "Tests/Browser/look.txt"
TOLERANCE = 3  # points
NOW = 1_773_932_400  # 2026-03-19, 16:00 in Berlin

VIEWS = {
    "now at a desk": ("now", 1280, "light"),
    "now on a phone, dark": ("now", 390, "dark"),
    "history at a desk, dark": ("history", 1280, "dark"),
    "settings on a phone": ("settings", 390, "light"),
}


def run(device, start, end, *phases):
    return {
        "id": f"washer/{device}/{start}", "kind": "washer", "device": device, "start": start, "end": end, "ended": end is not None, "updates": 3,
        "phases": [{"state": state, "title": title, "from": since, "to": to} for state, title, since, to in phases],
    }


def answers():
    """What the bridge says of the house by address, and the first word of its stream; definitions come from a real one."""
    start, ended = NOW - 1200, NOW - 5400
    attributes = {"name": "laundry", "program": "Cotton"}
    running = {
        "id": f"washer/laundry/{start}", "rev": 1, "epoch": 1, "at": start, "phase": "active", "state": "running", "attributes": attributes,
        "content": {"status": "Running", "cycle": {"start": start, "end": NOW + 2400}},
    }
    quiet = {"kind": "washer", "device": "cellar", "states": ["idle"], "title": "Switched off", "since": ended, "heard": ended, "available": True}
    devices = [
        quiet | {"next": None, "activity": None},
        quiet | {"device": "laundry", "states": ["running"], "title": "Running", "since": start, "heard": NOW - 30,
                 "next": {"at": NOW + 2400, "what": "finishing"}, "activity": running},
    ]
    return {
        "/v1/devices": {"devices": devices},
        "/v1/runs": {"runs": [
            run("laundry", start, None, ("running", "Running", start, None)),
            run("cellar", ended - 3600, ended, ("running", "Running", ended - 3600, ended - 600), ("finishing", "Finishing up", ended - 600, ended)),
        ]},
        "/v1/status": {
            "version": "1.0.0", "started": NOW - 90_000, "prefix": "skerry", "messages": 8800, "updates": 42, "store": True, "storing": True,
            "broker": {"connected": True, "since": NOW - 90_000, "address": "127.0.0.1:1883"}, "health": {"connects": 1, "messages": {"unrouted": 7}},
            "days": [{"from": NOW - 57_600, "messages": 2200, "updates": 12}, {"from": NOW - 144_000, "messages": 6600, "updates": 30}],
            "phones": 0, "recordHours": 24,
        },
        "/v1/phones": {"phones": []},
        "/v1/browsers": {"browsers": [
            {"browser": "1", "name": "Kitchen wall", "role": "viewer", "person": None, "pairedAt": NOW - 90_000, "seenAt": NOW - 60, "isOwn": False},
        ]},
        "/v1/errors": {"errors": [
            {"at": NOW - 600, "service": "webhook", "recipient": "", "activity": running["id"], "text": "start: the receiver answered 400"},
        ]},
        "/v1/session": {
            "role": "local", "may": ["enter", "follow", "look", "act", "author", "know", "oversee"], "mayEdit": False, "mayRename": False, "version": "1.0.0",
        },
    }, {"at": NOW, "rate": 1, "activities": [running], "timelines": [], "devices": devices, "broker": {"connected": True, "since": NOW - 90_000}}


def font():
    """A font in which each letter is a box of half its height."""
    pen = TTGlyphPen(None)
    for index, corner in enumerate([(50, 0), (50, 700), (450, 700), (450, 0)]):
        (pen.lineTo if index else pen.moveTo)(corner)
    pen.closePath()
    builder = FontBuilder(1000)
    builder.setupGlyphOrder([".notdef", "box"])
    builder.setupCharacterMap({letter: "box" for letter in range(0x20, 0x3000)})
    builder.setupGlyf({".notdef": pen.glyph(), "box": pen.glyph()})
    builder.setupHorizontalMetrics({".notdef": (500, 50), "box": (500, 50)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Measure", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    builder.setupPost()
    file = io.BytesIO()
    builder.save(file)
    return base64.b64encode(file.getvalue()).decode()


# Gives the page the font, and a stream that says one thing.
PREPARE = """
const font = new FontFace("Measure", Uint8Array.from(atob("FONT"), (letter) => letter.charCodeAt(0)));
document.fonts.add(font);
font.load();
document.addEventListener("DOMContentLoaded", () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, *::before, *::after { font-family: Measure !important }");
    document.adoptedStyleSheets = [sheet];
});
window.EventSource = class extends EventTarget {
    constructor() {
        super();
        queueMicrotask(() => {
            this.onopen?.();
            this.dispatchEvent(new MessageEvent("snapshot", { data: JSON.stringify(SNAPSHOT) }));
        });
    }
    close() {}
};
"""

# The lines of text that are seen: place, size, height and weight of the letters, colour, ground, words.
LINES = """() => {
    const ground = (node) => {
        for (; node; node = node.parentElement) {
            const { backgroundColor } = getComputedStyle(node);
            if (!/, 0\\)|transparent|\\/ 0\\)/.test(backgroundColor)) return backgroundColor;
        }
        return "none";
    };
    const lines = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement, words = walker.currentNode.data.trim().replace(/\\s+/g, " ");
        if (!words || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || ["SCRIPT", "OPTION"].includes(parent.tagName)) continue;
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        const box = range.getBoundingClientRect(), style = getComputedStyle(parent);
        if (box.width < 2 || box.height < 2) continue;
        const place = [box.left, box.top + scrollY, box.width, box.height].map(Math.round).join(" ");
        const colour = parent instanceof SVGElement ? style.fill : style.color;
        lines.push(`${place} | ${style.fontSize} ${style.fontWeight} | ${colour} on ${ground(parent)} | ${words}`);
    }
    return lines;
}"""


@pytest.fixture
def look(browser, house, console):
    """Opens a view as it is stored, and returns the lines that are seen."""
    fixed, snapshot = answers()
    contexts = []

    def look(view, width, scheme):
        context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce", locale="en-GB", timezone_id="Europe/Berlin"
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: console.lines.append(message.text))
        page.clock.set_fixed_time(NOW * 1000)
        page.add_init_script(PREPARE.replace("FONT", font()).replace("SNAPSHOT", json.dumps(snapshot)))
        for path, answer in fixed.items():
            page.route(re.compile(re.escape(house.url + path) + r"(\?.*)?$"), lambda route, _, answer=answer: route.fulfill(json=answer))
        page.goto(f"{house.url}/#/{view}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        # The last thing that a view asks for is what the stream does not tell, within half a second after its first word.
        page.wait_for_load_state("networkidle")
        page.evaluate("document.fonts.ready.then(() => {})")
        return page.evaluate(LINES)

    yield look
    for context in contexts:
        context.close()
    assert console.surprises() == []


def stored():
    """The stored lines of each view."""
    views = {}
    for line in STORED.read_text().splitlines() if STORED.exists() else []:
        if line.startswith("# "):
            lines = views.setdefault(line[2:], [])
        elif line:
            lines.append(line)
    return views


def difference(one, other):
    """Both lines if they differ; None if they are alike."""
    (place, *rest), (other_place, *other_rest) = one.split(" | "), other.split(" | ")
    moved = max(abs(int(a) - int(b)) for a, b in zip(place.split(), other_place.split()))
    return None if rest == other_rest and moved <= TOLERANCE else f"{one}\n    was {other}"


def test_stable_views_look_as_they_did(look):
    seen = {name: look(*view) for name, view in VIEWS.items()}
    if os.environ.get("RECORD_GOLDENS"):
        STORED.write_text("\n".join(f"# {name}\n" + "\n".join(lines) + "\n" for name, lines in seen.items()))
        pytest.fail("look.txt was written")
    was = stored()
    for name, lines in seen.items():
        assert [line.split(" | ")[3] for line in lines] == [line.split(" | ")[3] for line in was[name]], name
        assert [found for found in map(difference, lines, was[name]) if found] == [], name
