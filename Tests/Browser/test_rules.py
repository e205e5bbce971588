"""Rules that hold on every view: accessibility, weight, security."""

import gzip
import re
import urllib.request

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from house import ROOT

AXE = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
VIEWS = ["now", "phone", "device/washer/laundry", "device/washer/laundry/authors", "history", "replay", "settings"]


def check_accessibility(page):
    results = Axe().run(page, options=AXE)
    assert results.violations_count == 0, results.generate_report()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", [f"/#/{view}" for view in VIEWS] + ["/?wall", "/?wall#/device/washer/laundry"])
def test_axe_finds_nothing(house, open_page, address, scheme):
    house.wash("cellar")
    house.washed("cellar")
    house.wash()
    page = open_page(address, color_scheme=scheme, reduced_motion="reduce")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("load")
    check_accessibility(page)


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_is_wider_than_a_phone(house, open_page, view):
    house.wash()
    page = open_page(f"/#/{view}", viewport={"width": 360, "height": 740})
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_page_weighs_at_most_215_kilobytes(house):
    files = [path for path in (ROOT / "Sources/Adapters/CPage/page").iterdir() if path.is_file()]
    total = 0
    for path in files:
        request = urllib.request.Request(f"{house.url}/page/{path.name}", headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request) as answer:
            body = answer.read()
            assert answer.headers["Content-Encoding"] == "gzip" or len(body) < 1000 or path.suffix == ".png", path.name
            assert "unsafe" not in answer.headers["Content-Security-Policy"]
        if answer.headers["Content-Encoding"] == "gzip":
            # Lines that are comments are served empty.
            assert gzip.decompress(body).count(b"\n") == path.read_bytes().count(b"\n")
        total += len(body)
    print(f"{total} bytes in all")
    assert 50_000 < total <= 215_000


def test_nothing_comes_from_elsewhere(house, open_page):
    house.wash()
    page = open_page()
    addresses = []
    page.on("request", lambda request: addresses.append(request.url))
    for view in VIEWS:
        page.goto(f"{house.url}/#/{view}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert addresses and all(re.match(re.escape(house.url) + "/", address) for address in addresses)


def test_what_is_chosen_has_the_colour_of_the_page(house, open_page):
    page = open_page("/", color_scheme="dark")
    # By its tone; the one of the browser is blue.
    expect(page.locator("input[type=radio]").first).to_have_css("accent-color", "rgb(111, 211, 207)")
