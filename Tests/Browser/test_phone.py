"""The drawn phone."""

from playwright.sync_api import expect


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


def test_a_second_activity_makes_both_minimal(house, open_page):
    house.wash()
    page = open_page("/#/phone")
    where = page.get_by_role("list").filter(has_text="Laundry")
    expect(where).to_be_visible()
    house.wash("cellar", 1800)
    expect(where.get_by_role("listitem")).to_have_count(2)
    # The start of a run opens the island for a few seconds.
    expect(page.locator(".island-bubble")).to_be_visible(timeout=15_000)


def test_without_activities_the_islands_of_all_definitions_are_samples(house, open_page):
    page = open_page("/#/phone")
    for name in ("3D printer", "Sprinkler"):
        expect(page.get_by_role("button", name=name)).to_be_visible()
    expect(page.get_by_text("Sample").first).to_be_visible()


def test_the_lock_screen_is_drawn_from_the_layout(house, open_page):
    house.wash()
    page = open_page("/#/phone")
    page.get_by_role("tab", name="Lock Screen").click()
    panel = page.get_by_role("tabpanel")
    expect(panel).to_contain_text("laundry", ignore_case=True)
    expect(panel).to_contain_text("Running")
