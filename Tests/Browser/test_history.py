"""The history: the runs of each day, also of days that the first list does not reach."""

import datetime
import json
import re
import sqlite3

from playwright.sync_api import expect

from house import ZONE
from test_layout import faults
from test_rules import check_accessibility

DAYS = 7
RUNS_A_DAY = 100


def fill(house):
    """Puts runs of the days before today into the store of a bridge that does not run, oldest first."""
    noon = datetime.datetime.now(ZONE).replace(hour=12, minute=0, second=0, microsecond=0)
    with sqlite3.connect(house.folder / "skerry.db") as store:
        for day in range(DAYS, 0, -1):
            for number in range(RUNS_A_DAY):
                start = (noon - datetime.timedelta(days=day)).timestamp() + 300 * number
                run = (f"washer/laundry/{start:.0f}", "washer", "laundry", int(start * 1e6), int(start * 1e6) + 120_000_000)
                store.execute("INSERT INTO history VALUES (NULL, ?, ?, ?, ?, ?, 'done', 2, '{}', '{}')", run)
    store.close()


def test_a_history_without_a_run_has_nothing_to_choose(house, open_page):
    page = open_page("/#/history", viewport={"width": 390, "height": 844})
    expect(page.get_by_text("No runs yet.")).to_be_visible()
    expect(page.locator("main").get_by_role("button")).to_have_count(0)
    expect(page.get_by_role("radio")).to_have_count(0)
    house.wash()
    expect(page.get_by_role("radio")).to_have_count(4)
    expect(page.get_by_role("button", name="Now", exact=True)).to_be_visible()


def test_days_beyond_the_first_list_are_read_when_somebody_goes_there(house, open_page):
    house.stop_bridge()
    fill(house)
    house.start_bridge()
    requests = []
    page = open_page("/#/history", watch=requests)
    lists = lambda: [request for request in requests if "/v1/runs" in request]
    runs = page.locator("[data-run]")
    expect(page.get_by_role("heading", level=2, name="Last 24 hours")).to_be_visible()
    assert len(lists()) == 1
    for _ in range(DAYS):
        page.get_by_role("button", name="Day before").click()
        expect(runs).to_have_count(RUNS_A_DAY)
    assert len(lists()) == 2 and "before=washer%2Flaundry%2F" in lists()[1]
    page.get_by_role("button", name="Day before").click()
    expect(runs).to_have_count(0)
    assert len(lists()) == 2


def test_a_run_of_a_forgotten_device_has_the_name_with_which_it_began(house, open_page):
    house.stop_bridge()
    start = int(datetime.datetime.now().timestamp()) - 3600
    with sqlite3.connect(house.folder / "skerry.db") as store:
        run = (f"washer/w1/{start}", "washer", "w1", start * 1_000_000, (start + 120) * 1_000_000, '{"name": "Attic washer"}')
        store.execute("INSERT INTO history VALUES (NULL, ?, ?, ?, ?, ?, 'done', 2, ?, '{}')", run)
    store.close()
    house.start_bridge()
    page = open_page("/#/history")
    expect(page.locator(".gantt-name").filter(has_text="Attic washer")).to_be_visible()
    page.goto(f"{house.url}/#/now")
    expect(page.get_by_role("link", name="Attic washer")).to_be_visible()


def test_a_month_has_weeks_and_files_and_a_run_opens_its_curve(house, open_page):
    house.stop_bridge()
    fill(house)
    house.start_bridge()
    house.wait_for_subscriptions()
    house.wash("cellar", 3600)
    for left in (3000, 2000, 1000):
        house.tell("homeconnect/cellar/state", {"RemainingProgramTime": left})
    page = open_page("/#/history", reduced_motion="reduce")
    expect(page.get_by_role("heading", level=2, name="Last 24 hours")).to_be_visible()
    page.get_by_role("radio", name="Week").check()
    expect(page.get_by_role("heading", level=2, name="Last 7 days")).to_be_visible()
    expect(page.locator("[data-run]")).to_have_count((DAYS - 1) * RUNS_A_DAY + 1)
    page.get_by_role("radio", name="Month").check()
    expect(page.locator("[data-run]")).to_have_count(DAYS * RUNS_A_DAY + 1)
    weeks = page.get_by_role("region", name="Runs per week")
    expect(weeks.get_by_role("row", name="Cellar")).to_be_visible()
    check_accessibility(page)
    # A run of another day says which day that was, where the span has several.
    day = datetime.datetime.now(ZONE) - datetime.timedelta(days=3)
    assert re.match(rf"Laundry, {day:%a},? 12:00 to {day:%a},? 12:02,", page.locator(f"[data-run$='/{day.replace(hour=12, minute=0, second=0, microsecond=0).timestamp():.0f}']").get_attribute("aria-label"))

    with page.expect_download() as download:
        page.get_by_role("button", name="Export as CSV").click()
    # Its name has the first day as people here call it, also where that begins on another one in UTC.
    today = datetime.datetime.now(ZONE)
    assert download.value.suggested_filename == f"skerry-{today - datetime.timedelta(days=29):%Y-%m-%d}.csv"
    lines = download.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) == 1 + DAYS * RUNS_A_DAY + 1 and lines[0].startswith("kind,device,name,start")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export as JSON").click()
    assert len(json.loads(download.value.path().read_text())["runs"]) == DAYS * RUNS_A_DAY + 1

    page.goto(f"{house.url}/#/history/washer/cellar")
    expect(page.get_by_text("Only Cellar")).to_be_visible()
    run = page.locator("[data-run]")
    expect(run).to_have_count(1)
    run.focus()
    assert re.search(r"; (One update was|\d+ updates were) sent$", run.get_attribute("aria-label"))
    run.press("Enter")
    expect(page.get_by_role("img", name="Remaining program time from 1,000 to 3,600")).to_be_visible()
    check_accessibility(page)
    page.get_by_role("link", name="All devices").click()
    expect(page.get_by_text("Only Cellar")).to_have_count(0)


def test_a_history_of_a_month_fits_on_a_phone(house, open_page):
    house.stop_bridge()
    fill(house)
    house.start_bridge()
    page = open_page("/#/history", viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    page.get_by_role("radio", name="Month").check()
    expect(page.locator("[data-run]")).to_have_count(DAYS * RUNS_A_DAY)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert faults(page) == []


LONG = "the-washing-machine-of-the-grandparents-in-the-cellar-by-the-sea"


def test_a_long_name_takes_two_lines_and_is_there_in_full(house, open_page):
    house.wash(LONG)
    page = open_page("/#/history", viewport={"width": 1024, "height": 700})
    name = page.locator(".gantt-name")
    expect(name).to_have_attribute("title", "The washing machine of the grandparents in the cellar by the sea")
    lines = "node => Math.round(node.getBoundingClientRect().height / parseFloat(getComputedStyle(node).lineHeight))"
    assert name.locator("strong").evaluate(lines) == 2
    assert name.locator("small").evaluate(lines) == 1


def test_today_goes_on_into_the_new_day(house, open_page, console):
    console.expect("ERR_FAILED")
    house.wash()
    page = open_page("/#/history", has_own_clock=True)
    page.get_by_role("radio", name="Day", exact=True).check()
    title = page.get_by_role("heading", level=2)
    expect(title).to_have_text(re.compile("^Today, "))
    before = title.text_content()
    # Nothing is told meanwhile that would draw the view.
    page.route("**/v1/**", lambda route: route.abort())
    page.clock.fast_forward("24:00:00")
    page.clock.run_for(2000)
    expect(title).not_to_have_text(before)
    expect(title).to_have_text(re.compile("^Today, "))
    expect(page.get_by_role("button", name="Day after")).to_be_disabled()
