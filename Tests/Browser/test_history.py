"""The history: the runs of each day, also of days that the first list does not reach."""

import datetime
import sqlite3
import zoneinfo

from playwright.sync_api import expect

DAYS = 7
RUNS_A_DAY = 100


def fill(house):
    """Puts runs of the days before today into the store of a bridge that does not run, oldest first."""
    noon = datetime.datetime.now(zoneinfo.ZoneInfo("Europe/Berlin")).replace(hour=12, minute=0, second=0, microsecond=0)
    with sqlite3.connect(house.folder / "skerry.db") as store:
        for day in range(DAYS, 0, -1):
            for number in range(RUNS_A_DAY):
                start = (noon - datetime.timedelta(days=day)).timestamp() + 300 * number
                run = (f"washer/laundry/{start:.0f}", "washer", "laundry", int(start * 1e6), int(start * 1e6) + 120_000_000)
                store.execute("INSERT INTO history VALUES (NULL, ?, ?, ?, ?, ?, 'done', 2, '{}', '{}')", run)
    store.close()


def test_days_beyond_the_first_list_are_read_when_somebody_goes_there(house, open_page):
    house.stop_bridge()
    fill(house)
    house.start_bridge()
    requests = []
    page = open_page("/#/history", watch=requests)
    lists = lambda: [request for request in requests if "/v1/runs" in request]
    runs = page.locator("[data-run]")
    expect(page.get_by_role("heading", level=2, name="Today")).to_be_visible()
    assert len(lists()) == 1
    for _ in range(DAYS):
        page.get_by_role("button", name="Day before").click()
        expect(runs).to_have_count(RUNS_A_DAY)
    assert len(lists()) == 2 and "before=washer%2Flaundry%2F" in lists()[1]
    page.get_by_role("button", name="Day before").click()
    expect(runs).to_have_count(0)
    assert len(lists()) == 2
