"""The drawn phone."""

import shutil

from playwright.sync_api import expect

from house import ROOT


def test_the_island_grows_when_it_is_pressed(house, open_page):
    house.wash()
    page = open_page("/#/phone")
    expect(page.get_by_role("button", name="Open the island")).to_be_enabled()
    island = page.locator(".island-shape")
    before = island.bounding_box()
    page.mouse.move(before["x"] + before["width"] / 2, before["y"] + before["height"] / 2)
    page.mouse.down()
    expect(page.get_by_role("button", name="Close the island")).to_be_visible()
    page.mouse.up()
    page.wait_for_function(
        "height => document.querySelector('.island-shape').getBoundingClientRect().height > 2 * height", arg=before["height"]
    )
    expect(island).to_contain_text("Running")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Open the island")).to_be_visible()


# The widths of the blanks in a clock in minutes.
BLANKS = """async () => {
    const { drawLockCard } = await import("/page/phone-draw.js");
    const layout = { lock: { clocks: [{ draw: "clock", field: "eta", in: "minutes" }] } };
    const content = { eta: { remaining: 700, duration: 1000 } };
    const card = drawLockCard(layout, { id: "ride/mia/1", phase: "active", state: "on", attributes: {}, content }, { at: 0 });
    document.body.append(card);
    const glyphs = [...card.querySelectorAll(".running .roll-glyph")];
    return glyphs.filter((glyph) => glyph.textContent === " ").map((glyph) => glyph.getBoundingClientRect().width);
}"""


def test_the_blank_in_minutes_is_seen(house, open_page):
    [blank] = open_page("/#/phone").evaluate(BLANKS)
    assert blank > 2


def test_a_second_activity_makes_both_minimal(house, open_page):
    house.wash()
    page = open_page("/#/phone")
    where = page.get_by_role("list").filter(has_text="Laundry")
    expect(where).to_be_visible()
    house.wash("cellar", 1800)
    expect(where.get_by_role("listitem")).to_have_count(2)
    # The start of a run opens the island for a few seconds.
    expect(page.locator(".island-bubble")).to_be_visible()


def test_without_activities_the_islands_of_all_definitions_are_samples(house, open_page):
    page = open_page("/#/phone")
    for name in ("3D printer", "Sprinkler"):
        expect(page.get_by_role("button", name=name)).to_be_visible()
    expect(page.get_by_text("Sample").first).to_be_visible()


def test_of_many_definitions_only_the_chosen_ones_are_read(house, open_page):
    kinds = sorted(path.stem for path in (ROOT / "devices").glob("[!_]*.yaml"))
    assert len(kinds) > 40
    house.stop_bridge()
    for kind in kinds:
        shutil.copy(ROOT / "devices" / f"{kind}.yaml", house.definitions)
    house.start_bridge()
    requests = []
    page = open_page("/#/phone", watch=requests)
    expect(page.locator(".phone-chip")).to_have_count(len(kinds))
    expect(page.locator(".phone-where li")).to_have_count(1)
    chip = page.get_by_role("button", name="Washing machine washer-lg")
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".phone-where li")).to_have_count(2)
    assert sum("/v1/definitions/" in request for request in requests) == 2


ALERTS = """skerry: 1
kind: oven
sources: [{ topic: "oven/{device}", signals: { on: payload.on, heat: double(payload.heat) } }]
machine:
  states:
    off: { title: "Off", always: { guard: on, target: baking } }
    baking: { title: Baking, always: { guard: "!on", target: "off" } }
activity:
  starts: baking
  ends: "off"
  content: { status: state.title, heat: { value: heat } }
  alerts:
    - { state: baking, title: "{device.name}: {state.title}" }
    - { when: heat > 200, title: "Hot, {heat > 300 ? 'very' : 'quite'}", body: "{device.name}" }
    - { when: heat > 250, title: For later, level: passive }
island: { lock: { title: "{status}" } }
"""


def test_alerts_are_those_of_the_bridge(house, open_page):
    (house.definitions / "oven.yaml").write_text(ALERTS)
    house.told_by_broker.wait_for("oven/+")
    page = open_page("/#/phone")
    expect(page.get_by_role("button", name="Oven")).to_be_visible()
    said = page.locator(".phone-said")
    house.tell("oven/kitchen", {"on": True, "heat": 20})
    expect(said).to_have_text("Alert: Kitchen, kitchen: Baking")
    house.tell("oven/kitchen", {"heat": 220})
    expect(said).to_have_text("Alert: Kitchen, Hot, quite, kitchen")
    house.tell("oven/kitchen", {"heat": 260})
    page.get_by_role("tab", name="Lock Screen").click()
    house.wash()
    expect(said).to_have_text("Alert: laundry, Running")


def test_each_button_has_its_name_before_anything_is_drawn(house, visit):
    house.wash()
    page = visit(house.url + "/")
    page.route("**/v1/definitions/**", lambda route: None)
    page.goto(house.url + "/#/phone")
    page.reload()
    expect(page.get_by_role("button", name="Open the island")).to_be_disabled()


def test_the_lock_screen_is_drawn_from_the_layout(house, open_page):
    house.wash()
    page = open_page("/#/phone")
    page.get_by_role("tab", name="Lock Screen").click()
    panel = page.get_by_role("tabpanel")
    expect(panel).to_contain_text("laundry", ignore_case=True)
    expect(panel).to_contain_text("Running")
    house.redefine("washer", lambda text: text.replace('text: "{status}", countdown', 'text: "Now: {status}", countdown'))
    expect(panel).to_contain_text("Now: Running")
