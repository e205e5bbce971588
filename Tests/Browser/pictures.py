"""Makes the pictures of the page for README and docs."""

import datetime
import json
from zoneinfo import ZoneInfo

from playwright.sync_api import sync_playwright

from house import ROOT, House

PICTURES = ROOT / "docs/pictures"
PASSED = datetime.timedelta(minutes=11)


def take(browser, house, name, address, prepare=lambda page: None, **options):
    """Opens an address in a browser of its own, lets `prepare` act on it, and keeps what is seen."""
    options = {"locale": "en-GB", "timezone_id": "Europe/Berlin", "viewport": {"width": 1280, "height": 800}} | options
    context = browser.new_context(reduced_motion="reduce", **options)
    page = context.new_page()
    page.clock.install()
    page.goto(f"{house.url}/#/{address}")
    page.get_by_role("heading", level=1).wait_for()
    # What has just begun has empty bars: the page is shown some minutes later than it is.
    later = datetime.datetime.now() + PASSED
    page.clock.set_system_time(later)
    page.clock.run_for(2000)
    prepare(page)
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=PICTURES / f"page-{name}.png")
    context.close()
    print(f"docs/pictures/page-{name}.png")


def busy(house):
    """A household in the afternoon: two machines wash, one has finished, a valve is open, something prints."""
    house.wash("cellar", 1500, "Wool")
    house.washed("cellar")
    house.wash("laundry", 3600)
    house.tell("opensprinkler/station/lawn", {"state": 1, "duration": 1140})
    house.tell(
        "device/workshop/report",
        {"print": {"gcode_state": "RUNNING", "mc_remaining_time": 95, "mc_percent": 34, "subtask_name": "lighthouse"}},
    )


def pause_and_go_on(house):
    for word in ("Pause", "Run"):
        house.tell("homeconnect/laundry/state", {"OperationState": word})


def yesterday(page):
    """Shows a day that is over: the bridge of the pictures has just begun, so its answer gets the runs of that day."""
    midnight = datetime.datetime.now(ZoneInfo("Europe/Berlin")).replace(hour=0, minute=0, second=0, microsecond=0)
    midnight -= datetime.timedelta(days=1)

    def moment(hours):
        return (midnight + datetime.timedelta(hours=hours)).timestamp()

    def run(kind, device, *stages):
        """A run of stages, each a begin in hours, a state and a title; the last one is only an end."""
        phases = [
            {"state": state, "title": title, "from": moment(begin), "to": moment(end)}
            for (begin, state, title), (end, *_) in zip(stages, stages[1:])
        ]
        start, end = phases[0]["from"], phases[-1]["to"]
        return {
            "id": f"{kind}/{device}/{int(start)}", "kind": kind, "device": device, "start": start, "end": end,
            "ended": True, "updates": len(phases) + 1, "phases": phases,
        }

    wash = ("running", "Running")
    runs = [
        run("washer", "laundry", (16.2, *wash), (17.05, "finishing", "Finishing up"), (17.3,)),
        run("printer-bambu", "workshop", (10.2, "preparing", "Preparing"), (10.4, "printing", "Printing"), (14.75,)),
        run("washer", "cellar", (13.1, *wash), (13.6, "paused", "Paused"), (13.9, *wash), (14.5,)),
        run("washer", "laundry", (8.1, *wash), (9.05, "finishing", "Finishing up"), (9.25,)),
        run("sprinkler", "lawn", (6, "watering", "Watering"), (6.5,)),
        run("sprinkler", "lawn", (20, "watering", "Watering"), (20.5,)),
    ]
    page.route("**/v1/runs*", lambda route: route.fulfill(json={"runs": sorted(runs, key=lambda run: -run["end"])}))
    page.reload()
    page.get_by_role("button", name="Day before").click()
    page.locator(".gantt-run").nth(len(runs) - 1).wait_for()


def main():
    with House() as house, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        busy(house)
        pause_and_go_on(house)
        take(browser, house, "now", "now")
        take(browser, house, "island", "phone", lambda page: page.get_by_role("button", name="Open the island").click())
        take(browser, house, "device", "device/washer/laundry")
        take(browser, house, "history", "history", yesterday)
        take(browser, house, "what-if", "replay", what_if, viewport={"width": 1280, "height": 1000})
        islands(browser)
        browser.close()


def in_minutes(minutes):
    """A moment so many minutes from now, as messages write it."""
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=minutes)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def scenarios():
    """For each scenario of docs/islands.md its kind, and the messages that lead to what is drawn."""
    pizza = {"items": "2 Margherita", "shop": "Da Enzo", "courier": "Mia", "phone": "+49301234567"}
    coffee = {"drink": "Flat white", "guest": "Ana", "ahead": 0, "counter": "Window 2"}
    groceries = {"items": 24, "window": "18:00 to 20:00", "replaced": []}
    match = {"home": "Harbour Town", "away": "Rovers", "began": in_minutes(-31), "added": 0}
    ride = {"driver": "Nora", "car": "Green Kia", "plate": "B-XY 123", "phone": "+49301234567"}
    meal = {"table": 12, "dishes": "Ramen, gyoza", "ready": in_minutes(14)}
    return {
        "order-pizza": [("pizza/order/417", pizza | {"status": "courier", "eta": in_minutes(12)})],
        "order-coffee": [
            ("coffee/order/81", coffee | {"status": "making"}), ("coffee/order/81", coffee | {"status": "ready"}),
        ],
        "order-groceries": [("groceries/order/7", groceries | {"status": "picking", "picked": 15})],
        "energy-level": [("game/Ana/energy", {"level": 60, "full": in_minutes(96)})],
        "match": [
            ("match/20", match | {"phase": "first", "score": [0, 0]}),
            ("match/20", match | {"phase": "first", "score": [0, 1], "scorer": "Adams"}),
        ],
        "ride": [("ride/9", ride | {"status": "assigned", "pickup": in_minutes(2)})],
        "order-restaurant": [("restaurant/order/31", meal | {"status": "kitchen"})],
    }


DRAW = """async ([kind, snapshot]) => {
    const { drawIsland, drawLockCard } = await import("/page/phone-draw.js");
    const { layout } = await (await fetch(`/v1/definitions/${kind}`)).json();
    const shown = document.createElement("div");
    shown.id = "shown";
    shown.style.cssText = "display: inline-flex; flex-direction: column; align-items: center; gap: 16px; padding: 20px; background: #8cc6dd";
    shown.append(...["compact", "expanded"].map((form) => drawIsland(layout, snapshot, { form })), drawLockCard(layout, snapshot));
    document.body.replaceChildren(shown);
}"""


def islands(browser):
    """Draws the islands and the Lock Screen of docs/islands.md."""
    shown = scenarios()
    with House(shown) as house:
        for kind, messages in shown.items():
            for topic, payload in messages:
                house.tell(topic, payload)
        snapshots = {snapshot["id"].split("/")[0]: snapshot for snapshot in house.get("/v1/activities")["activities"]}
        assert snapshots.keys() == shown.keys(), "a scenario has no activity"
        context = browser.new_context(reduced_motion="reduce", locale="en-GB", timezone_id="Europe/Berlin", device_scale_factor=2)
        for kind, snapshot in snapshots.items():
            page = context.new_page()
            page.goto(house.url)
            page.get_by_role("heading", level=1).wait_for()
            page.evaluate(DRAW, [kind, snapshot])
            page.locator("#shown").screenshot(path=PICTURES / f"island-{kind}.png")
            page.close()
            print(f"docs/pictures/island-{kind}.png")
        context.close()


def wobbling_wash():
    """A wash of an hour that reports its remaining time each half minute, and is never quite sure of it."""
    for step in range(121):
        payload = {"OperationState": "Run", "RemainingProgramTime": max(0, 3600 - 30 * step + (17 * step % 41) - 20)}
        if step == 120:
            payload = {"OperationState": "Finished"}
        yield {
            "tst": f"2026-11-21T{9 + step // 120:02}:{step % 120 // 2:02}:{step % 2 * 30:02}.000000Z+0000",
            "topic": "homeconnect/laundry/state",
            "payload": json.dumps(payload),
        }


def what_if(page):
    """A wash of half an hour, and what it would have cost to show each wobble of its countdown."""
    lines = "\n".join(json.dumps(message) for message in wobbling_wash())
    page.locator("input[type=file]").set_input_files(
        {"name": "saturday.jsonl", "mimeType": "application/x-ndjson", "buffer": lines.encode()}
    )
    page.locator(".part-edit summary").click()
    editor = page.locator(".editor-field")
    editor.fill(editor.input_value().replace("tolerance: 1m", "tolerance: 5s"))
    page.get_by_text("The edit changes what people see").wait_for()


if __name__ == "__main__":
    main()
