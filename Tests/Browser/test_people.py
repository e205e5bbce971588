"""The view of a device for people: what it does and why, what comes next, its last runs; the part for authors is one step away."""

import re
import time

from playwright.sync_api import expect

from house import PATIENCE
from test_rules import check_accessibility

# The smallest letters of a drawing as they are seen, in points.
SMALLEST = """() => {
    const picture = document.querySelector(".part-chart svg.chart"), scale = picture.getBoundingClientRect().width / picture.viewBox.baseVal.width;
    return Math.min(...[...picture.querySelectorAll("text")].filter((text) => text.textContent).map((text) => parseFloat(getComputedStyle(text).fontSize) * scale));
}"""


def wait_for_runs(house, are_there):
    """Waits until the history says so of the runs, the newest of which comes first."""
    deadline = time.monotonic() + PATIENCE
    while not ((runs := house.get("/v1/runs")["runs"]) and are_there(runs)):
        assert time.monotonic() < deadline, runs


def test_a_device_tells_why_and_what_comes_next_and_how_long_its_runs_take(house, open_page):
    for _ in range(2):
        house.wash(remaining=1500)
        wait_for_runs(house, lambda runs: not runs[0]["ended"])
        house.washed()
        wait_for_runs(house, lambda runs: all(run["ended"] for run in runs))
    house.wash(remaining=3600)
    wait_for_runs(house, lambda runs: len(runs) == 3)
    page = open_page("/#/device/washer/laundry")
    why = page.get_by_role("region", name="Why, and what comes next")
    expect(why).to_contain_text(re.compile(r"Running since \d\d?:\d\d"))
    expect(why.get_by_role("listitem").first).to_have_text(re.compile(r"Finishing up at \d\d?:\d\d, when its time is over\."))
    expect(why).to_contain_text("Paused when operation is “Pause”.")
    expect(page.locator(".device-next")).to_contain_text("Finishing up")
    runs = page.get_by_role("region", name="Last runs")
    expect(runs.get_by_role("listitem")).to_have_count(3)
    expect(runs).to_contain_text("usually")
    expect(runs).to_contain_text("running")
    # It follows what happens.
    house.washed()
    expect(why).to_contain_text("Laundry is done since")
    expect(runs.get_by_text("running", exact=True)).to_have_count(0)
    check_accessibility(page)


def test_the_part_for_authors_is_one_step_away_and_remembers_itself(house, open_page):
    house.wash()
    page = open_page("/#/device/washer/laundry")
    expect(page.get_by_role("region", name="Why, and what comes next")).to_be_visible()
    expect(page.get_by_role("region", name="Signals")).to_be_hidden()
    page.locator(".authors > summary").press("Enter")
    expect(page.get_by_role("region", name="Signals")).to_be_visible()
    page.reload()
    expect(page.get_by_role("region", name="Signals")).to_be_visible()
    page.locator(".authors > summary").click()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("region", name="Signals")).to_be_hidden()


def test_the_chart_can_be_read_and_tells_the_conditions_of_the_chosen_state(house, open_page):
    house.wash()
    for width in (390, 1280):
        page = open_page("/#/device/washer/laundry/authors", viewport={"width": width, "height": 844})
        chart = page.get_by_role("region", name="States", exact=True)
        expect(chart).to_contain_text("From Running")
        assert page.evaluate(SMALLEST) >= 11
        for _ in range(12):
            chart.get_by_role("button", name="Smaller").click()
        assert page.evaluate(SMALLEST) >= 11
        chart.get_by_role("img", name=re.compile("^Paused")).dispatch_event("click")
        expect(chart).to_contain_text("From Paused")
        guards = chart.get_by_role("button", name="Conditions on the lines")
        expect(chart.locator(".chart-words")).to_have_count(0)
        guards.click()
        expect(guards).to_have_attribute("aria-pressed", "true")
        expect(chart.locator(".chart-words").first).to_be_attached()
        assert page.evaluate(SMALLEST) >= 11
        expect(chart.get_by_role("img", name=re.compile("^Running .*active now"))).to_be_attached()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_device_looks_the_same_after_a_visit_to_settings(house, open_page):
    house.wash()
    height = "node => getComputedStyle(node).height"
    page = open_page("/#/device/washer/laundry")
    meter = page.locator(".device-progress")
    expect(meter).to_be_visible()
    before = meter.evaluate(height)
    page.get_by_role("link", name="Settings", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Settings")).to_be_visible()
    page.go_back()
    expect(meter).to_be_visible()
    assert meter.evaluate(height) == before
