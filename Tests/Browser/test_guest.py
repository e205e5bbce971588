"""What a guest sees: one card, and that it is done."""

import re
import urllib.parse

import pytest
from playwright.sync_api import expect

from test_rules import check_accessibility

# Nobody on this machine is a guest: these come through a proxy.
FAR = {"extra_http_headers": {"X-Forwarded-For": "192.0.2.7"}}


@pytest.fixture
def invite(house, open_page):
    """Opens the page as a guest who may see a device."""

    def invite(device, **options):
        url = house.post("/v1/guests", {"device": device})["url"]
        return open_page(f"/?{urllib.parse.urlsplit(url).query}", **FAR, **options)

    return invite


def test_a_guest_sees_a_whole_card_and_then_that_it_is_done(house, invite, console):
    house.redefine("washer", lambda text: re.sub(r"dismiss: \S+", "dismiss: 2s", text))
    house.wash()
    house.wash("cellar")
    requests = []
    page = invite("washer/laundry", watch=requests)
    card = page.get_by_role("article")
    expect(card).to_have_count(1)
    expect(card).to_contain_text("Laundry")
    expect(card).to_contain_text("Washing machine")
    expect(card).to_contain_text("Running")
    assert card.evaluate("card => card.style.getPropertyValue('--tint')").startswith("#")
    expect(card.get_by_role("link")).to_have_count(0)
    expect(card.get_by_role("button")).to_have_count(0)
    assert "?guest=" not in page.url
    check_accessibility(page)
    house.tell("homeconnect/laundry/state", {"OperationState": "Pause"})
    expect(card).to_contain_text("Paused")
    house.washed()
    expect(page.get_by_role("heading", level=1, name="It is done")).to_be_visible()
    check_accessibility(page)
    expect(page.get_by_label("Code")).to_have_count(0)
    # Nothing was asked that guests may not ask: the console would have it.
    assert not [path for path in requests if re.search(r"/v1/(devices|status|runs|definitions$)", path)]
    page.reload()
    expect(page.get_by_role("heading", level=1, name="It is done")).to_be_visible()
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_label("Code")).to_be_focused()


def test_a_link_whose_run_is_over_says_so(house, open_page):
    page = open_page("/?guest=0123456789abcdef", **FAR)
    expect(page.get_by_role("heading", level=1, name="It is done")).to_be_visible()
    page = open_page("/", **FAR)
    expect(page.get_by_role("heading", level=1, name="Who is there?")).to_be_visible()
    check_accessibility(page)


def test_devices_to_show_come_and_go_while_settings_are_open(house, open_page):
    page = open_page("/#/settings")
    expect(page.get_by_text("Nothing is running just now.")).to_be_visible()
    house.wash()
    device = page.locator("#guest-device")
    expect(device.get_by_role("option")).to_have_text(["Laundry"])
    expect(page.get_by_text("Nothing is running just now.")).to_be_hidden()
    house.wash("cellar")
    expect(device.get_by_role("option")).to_have_count(2)
    device.select_option("washer/laundry")
    house.tell("homeconnect/cellar/state", {"OperationState": "Finished"})
    expect(device.get_by_role("option")).to_have_text(["Laundry"])
    expect(device).to_have_value("washer/laundry")


def test_a_link_is_for_the_device_that_is_chosen_and_says_where_it_leads_nowhere(house, open_page):
    for number in (10, 9, 1):
        house.wash(f"flat-{number}")
    page = open_page("/#/settings")
    choice = page.get_by_label("Device")
    expect(choice.locator("option")).to_have_text(["Flat 1", "Flat 9", "Flat 10"])
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_text("?guest=")
    expect(link).to_be_visible()
    expect(page.get_by_text("Another device can probably not reach this address.")).to_be_visible()
    choice.select_option(label="Flat 9")
    expect(link).to_have_count(0)
