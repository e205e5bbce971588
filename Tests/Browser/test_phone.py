"""The drawn phone."""

from playwright.sync_api import expect


def island(page):
    return page.locator(".island").first


def test_the_island_grows_when_it_is_pressed(house, open_page):
    house.wash()
    page = open_page("/#/phone")
    expand = page.get_by_role("button", name="Open the island")
    expect(expand).to_be_enabled()
    before = island(page).bounding_box()
    island(page).hover()
    page.mouse.down()
    expect(page.get_by_role("button", name="Close the island")).to_be_visible()
    page.mouse.up()
    page.wait_for_function("height => document.querySelector('.island').getBoundingClientRect().height > height * 2", arg=before["height"])
    expect(island(page)).to_contain_text("Running")


def test_a_second_activity_makes_both_minimal(house, open_page):
    house.wash()
    page = open_page("/#/phone")
    where = page.get_by_role("list").filter(has_text="Laundry")
    expect(where).to_be_visible()
    house.wash("cellar", 1800)
    expect(where.get_by_role("listitem")).to_have_count(2)
    expect(page.locator(".island.detached, .island-detached, [data-form=detached]").first).to_be_visible()


def test_without_activities_the_islands_of_all_definitions_are_samples(house, open_page):
    page = open_page("/#/phone")
    expect(page.get_by_role("button", name="Washing machine")).to_be_visible()
    expect(page.get_by_text("Sample").first).to_be_visible()


def test_the_lock_screen_is_drawn_from_the_layout(house, open_page):
    house.wash()
    page = open_page("/#/phone")
    page.get_by_role("tab", name="Lock Screen").click()
    panel = page.get_by_role("tabpanel")
    expect(panel).to_contain_text("laundry", ignore_case=True)
    expect(panel).to_contain_text("Running")
