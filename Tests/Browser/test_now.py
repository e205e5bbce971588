"""Now: the first thing that a newcomer sees."""

import re

from playwright.sync_api import expect

# The activities as the page holds them; a promise of a list.
READ_ACTIVITIES = "import('/page/model.js').then(({ model }) => [...model.activities.values()])"


def quiet_requests(page):
    """The requests of the page from now on, once it has read what it reads after an event."""
    page.clock.run_for(10_000)
    page.evaluate("fetch('/healthz').then((answer) => answer.text())")
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    return requests


def test_a_wash_appears_and_counts_down_without_network_traffic(house, open_page):
    page = open_page(has_own_clock=True)
    house.wash(remaining=3600)
    card = page.get_by_role("article").filter(has_text="Laundry")
    expect(card).to_contain_text("Running")
    timer = card.get_by_role("timer")
    expect(timer).to_contain_text(re.compile(r"5\d:\d\d|1:00:00"))
    # A page that was opened before the first device asks what else is heard, until somebody closes that.
    page.locator("details.found").evaluate("part => { part.open = false; }")
    requests = quiet_requests(page)
    # More than a minute passes, however slow the machine is.
    page.clock.run_for(60_000)
    expect(timer).to_contain_text(re.compile(r"5[0-8]:\d\d"))
    assert requests == []
    assert 1 <= int(card.get_by_role("progressbar").get_attribute("aria-valuenow")) <= 17


def test_an_ended_run_says_so_and_the_next_step_is_told(house, open_page):
    house.wash()
    page = open_page()
    card = page.get_by_role("article").filter(has_text="Laundry")
    expect(card).to_contain_text(re.compile(r"Next (\w+ )?\d{1,2}:\d\d: Finishing up"))
    house.washed()
    expect(card).to_contain_text("Laundry is done")
    expect(card.get_by_role("timer")).to_have_count(0)


def test_moments_get_their_day_at_midnight(house, open_page, console):
    console.expect("ERR_FAILED")
    house.redefine("washer", lambda text: re.sub(r"dismiss: \S+", "dismiss: 1s", text))
    house.wash()
    house.washed()
    house.wash("cellar")
    page = open_page(has_own_clock=True)
    card = page.get_by_role("article")
    earlier = page.locator("section", has=page.get_by_role("heading", name="Earlier")).locator("li time")
    expect(card).to_have_count(1)
    expect(earlier).to_have_text(re.compile(r"^\d\d:\d\d$"))
    expect(card.locator(".ends time").first).to_have_text(re.compile(r"^\d\d:\d\d$"))
    # Nothing new comes meanwhile, also no time of the bridge. What is out of sight is drawn when it comes into sight.
    page.route("**/v1/**", lambda route: route.abort())
    page.clock.fast_forward("24:00:00")
    page.clock.run_for(2000)
    earlier.scroll_into_view_if_needed()
    expect(earlier).to_have_text(re.compile(r"^\w{3},? \d\d:\d\d$"))
    card.scroll_into_view_if_needed()
    expect(card.locator(".ends time").first).to_have_text(re.compile(r"^\w{3},? \d\d:\d\d$"))


def test_a_house_without_devices_says_what_to_do(house, open_page):
    house.publish("garage/freezer", {"power": 3}, "--retain")
    page = open_page()
    expect(page.get_by_role("listitem").filter(has_text="garage/{device}")).to_contain_text("freezer")


def test_a_newcomer_reads_names_and_opens_topics(house, open_page):
    page = open_page(viewport={"width": 360, "height": 740})
    # Two definitions have this name.
    known = page.locator(".plainlist summary")
    washer = known.filter(has_text="Washing machine")
    expect(washer).to_have_count(1)
    topic = page.get_by_text("homeconnect/+/state", exact=True)
    expect(topic).to_be_hidden()
    washer.click()
    expect(topic).to_be_visible()


def test_the_loss_of_the_broker_is_shown_and_its_return(house, open_page):
    house.wash()
    page = open_page()
    card = page.get_by_role("article").filter(has_text="Laundry")
    expect(card).to_be_visible()
    house.stop_broker()
    banner = page.locator("#banner")
    expect(banner).to_contain_text("broker")
    expect(card).to_contain_text("Running")
    house.start_broker()
    expect(banner).to_contain_text("Connected again since")
    house.wait_for_subscriptions()
    house.tell("homeconnect/laundry/state", {"OperationState": "Pause"})
    expect(card).to_contain_text("Paused")
    expect(banner).to_be_hidden()


def test_the_loss_of_the_bridge_is_shown_and_its_return(house, open_page, console):
    console.expect("Failed to load resource")
    console.expect("net::ERR")
    house.wash()
    page = open_page()
    card = page.get_by_role("article").filter(has_text="Laundry")
    expect(card).to_be_visible()
    house.bridge.terminate()
    house.bridge.wait()
    expect(page.locator("#banner")).to_be_visible()
    expect(card).to_contain_text("Running")
    house.start_bridge()
    expect(page.locator("#banner")).to_be_hidden()
    expect(card).to_contain_text("Running")


def test_a_headline_without_a_clock_says_its_state_once(house, open_page):
    house.tell("homeconnect/laundry/state", {"OperationState": "Run"})
    page = open_page()
    expect(page.get_by_role("heading", level=1)).to_have_text("Running")
    expect(page.locator(".eyebrow")).to_have_text("Laundry")


def test_no_word_lies_on_the_sun_or_the_moon(house, open_page):
    house.wash(remaining=5 * 3600 + 59 * 60)
    page = open_page(locale="de-DE", color_scheme="dark", reduced_motion="reduce")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Std.")
    overlap = """() => {
        const orb = document.querySelector(".horizon .orb").getBoundingClientRect(), range = document.createRange();
        return [...document.querySelectorAll(".headline > *")].some((line) => {
            range.selectNodeContents(line.firstChild);
            return [...range.getClientRects()].some((box) => box.right > orb.left && box.left < orb.right && box.bottom > orb.top && box.top < orb.bottom);
        });
    }"""
    for width in range(770, 1500, 40):
        page.set_viewport_size({"width": width, "height": 800})
        assert not page.evaluate(overlap), width


def test_a_quiet_device_says_what_comes_next(house, open_page):
    (house.definitions / "vent.yaml").write_text(
        """skerry: 1
kind: vent
sources: [{ topic: "vent/{device}", signals: { open: payload.open } }]
machine:
  states:
    shut: { title: Shut, always: { guard: open, target: airing } }
    airing: { title: Open, after: { 20m: reminded } }
    reminded: { title: Close the window }
"""
    )
    house.told_by_broker.wait_for("\tvent/+")
    house.tell("vent/kitchen", {"open": True})
    page = open_page()
    row = page.get_by_role("listitem").filter(has_text="Kitchen")
    expect(row).to_contain_text("Open")
    expect(row).to_contain_text(re.compile(r"Next (\w+ )?\d{1,2}:\d\d: Close the window · heard"))


def test_an_edited_definition_is_shown_at_once(house, open_page):
    house.wash()
    page = open_page()
    card = page.get_by_role("article").filter(has_text="Laundry")
    expect(card).to_contain_text("Washing machine")
    house.redefine("washer", lambda text: text.replace("Washing machine", "The big washer"))
    expect(card).to_contain_text("The big washer")


def test_a_wall_that_was_not_opened_safely_says_that_its_screen_may_turn_off(house, open_page):
    page = open_page("/?wall")
    expect(page.get_by_role("link", name="Leave the wall display")).to_be_attached()
    expect(page.locator(".wall-note")).to_have_count(0)
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { get: () => false })")
    page.reload()
    expect(page.get_by_text("a browser keeps it on only over https")).to_be_visible()


def test_four_languages(house, open_page):
    words = {"de-DE": "Jetzt", "es-ES": "Ahora", "zh-CN": "现在", "en-US": "Now", "fr-FR": "Now"}
    for locale, word in words.items():
        page = open_page(locale=locale)
        expect(page.get_by_role("navigation").get_by_role("link").first).to_have_text(word)


def test_the_keyboard_alone_reaches_a_device(house, open_page):
    house.wash()
    page = open_page()
    expect(page.get_by_role("article").filter(has_text="Laundry")).to_be_visible()
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Laundry":
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Laundry")


def test_back_leads_to_the_place_that_was_left_and_a_link_to_the_top(house, open_page):
    for device in ("attic", "bath", "cellar"):
        house.tell(f"homeconnect/{device}/state", {"OperationState": "Ready"})
    page = open_page(viewport={"width": 390, "height": 400})
    link = page.get_by_role("link", name="Cellar")
    link.scroll_into_view_if_needed()
    top = page.evaluate("scrollY")
    assert top > 100
    link.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Cellar")
    assert page.evaluate("scrollY") == 0
    page.go_back()
    page.wait_for_function("(top) => Math.abs(scrollY - top) < 2", arg=top)
    expect(link).to_be_focused()
    page.get_by_role("navigation").get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("History")
    assert page.evaluate("scrollY") == 0


def test_after_many_updates_the_page_holds_what_the_bridge_does(house, open_page):
    page = open_page()
    house.wash(remaining=36_000)
    card = page.get_by_role("article").filter(has_text="Laundry")
    expect(card).to_contain_text("Running")
    for number in range(20):
        house.tell("homeconnect/laundry/state", {"OperationState": ["Pause", "Run"][number % 2]})
    house.tell("homeconnect/laundry/state", {"OperationState": "Pause"})
    expect(card).to_contain_text("Paused")
    # A wait does not await promises: the model is fetched before it.
    page.evaluate("import('/page/model.js').then(({ model }) => { window.heldModel = model; })")
    page.wait_for_function("() => [...heldModel.activities.values()].some((one) => one.rev === 22)")
    shown = page.evaluate(READ_ACTIVITIES)
    served = house.get("/v1/activities")["activities"]
    assert [only(one) for one in shown] == [only(one) for one in served]


def only(snapshot):
    """What a reader of diffs knows of a revision."""
    return {name: snapshot[name] for name in ("id", "rev", "epoch", "phase", "state", "attributes", "content")}
