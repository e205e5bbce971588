"""The first minute of a newcomer: the demonstration, and its page in a browser."""

import re
import subprocess

import pytest
from playwright.sync_api import expect

from house import PATIENCE, PROGRAM, ROOT, Output


@pytest.fixture
def demo(request):
    """The demonstration as `scripts/demo` runs it once it has built, with the parameters of the test; yields the address in its first line."""
    process = subprocess.Popen([PROGRAM, "demo", *getattr(request, "param", [])], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT)
    output = Output(process)
    output.wait_for("http://")
    yield re.search(r"http://\S+", output.lines[0])[0]
    process.terminate()
    process.wait(PATIENCE)


def test_a_newcomer_sees_a_machine_count_down_and_learns_why(demo, visit):
    page = visit(demo)
    card = page.get_by_role("article").filter(has=page.get_by_role("timer")).first
    expect(card).to_be_visible()
    timer = card.get_by_role("timer")
    before = timer.inner_text()
    expect(timer).not_to_have_text(before)

    page.get_by_role("navigation").get_by_role("link", name="Phone").click()
    expect(page.get_by_role("button", name="Open the island")).to_be_visible()
    page.get_by_role("link", name="Now", exact=True).click()
    card.get_by_role("link").first.click()
    expect(page.get_by_role("heading", name="Why, and what comes next")).to_be_visible()
    page.get_by_role("heading", name="For authors").click()
    expect(page.get_by_role("img", name=re.compile("active now")).first).to_be_visible()
    expect(page.locator(".part-signals tr").first).to_be_visible()
    expect(page.locator(".part-guards li").first).to_be_visible()


@pytest.mark.parametrize("demo", [["--phones"]], indirect=True)
def test_the_phones_of_the_demonstration_are_in_the_settings(demo, visit):
    page = visit(f"{demo}/#/settings")
    for name in ("Anna's iPhone", "Ben's iPhone"):
        expect(page.get_by_role("article").filter(has_text=name)).to_contain_text("iOS 18.2")
