"""Makes the pictures of the page for README and docs."""

from playwright.sync_api import sync_playwright

from house import ROOT, House

PICTURES = ROOT / "docs/pictures"


def take(browser, house, name, address, prepare=lambda page: None, **options):
    """Opens an address in a browser of its own, lets `prepare` act on it, and keeps what is seen."""
    options = {"locale": "en-GB", "timezone_id": "Europe/Berlin", "viewport": {"width": 1280, "height": 800}} | options
    context = browser.new_context(reduced_motion="reduce", **options)
    page = context.new_page()
    page.goto(f"{house.url}/#/{address}")
    page.get_by_role("heading", level=1).wait_for()
    prepare(page)
    page.screenshot(path=PICTURES / f"page-{name}.png")
    context.close()
    print(f"docs/pictures/page-{name}.png")


def busy(house):
    """A household in the afternoon: two machines wash, one has finished, a valve is open, something prints."""
    house.wash("cellar", 1500, "Wool")
    house.washed("cellar")
    house.wash("laundry", 3600)
    house.publish("opensprinkler/station/lawn", {"state": 1, "duration": 1140})
    house.publish(
        "device/workshop/report",
        {"print": {"gcode_state": "RUNNING", "mc_remaining_time": 95, "mc_percent": 34, "subtask_name": "lighthouse"}},
    )


def pause_and_go_on(house):
    for word in ("Pause", "Run"):
        house.publish("homeconnect/laundry/state", {"OperationState": word})


def main():
    with House() as house, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        busy(house)
        pause_and_go_on(house)
        take(browser, house, "now", "now")
        take(browser, house, "island", "phone", lambda page: page.get_by_role("button", name="Open the island").click())
        take(browser, house, "device", "device/washer/laundry", viewport={"width": 1280, "height": 1000})
        take(browser, house, "history", "history")
        take(browser, house, "what-if", "replay/washer/laundry", what_if, viewport={"width": 1280, "height": 1100})
        browser.close()


def what_if(page):
    editor = page.get_by_role("textbox", name="Definition")
    editor.wait_for()
    editor.fill(editor.input_value().replace("tolerance: 1m", "tolerance: 10m"))
    page.wait_for_timeout(1500)


if __name__ == "__main__":
    main()
