"""Fixtures: one browser for all tests, a bridge with devices for each, and a page that must leave the console empty."""

import os
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from house import PATIENCE, ZONE, House

# A bridge built for debugging answers late on a machine that others use.
expect.set_options(timeout=PATIENCE * 1000)


@pytest.fixture(scope="session")
def browser():
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def house():
    with House() as house:
        yield house


# The questions that the page repeats, as it lists them.
API = Path(__file__).parents[2] / "Sources/Adapters/CPage/page/api.js"
REPEATED = tuple(re.findall(r'"(/v1/\w+)"', re.search(r"QUESTIONS = new Set\((.*)\)", API.read_text())[1]))


class Console:
    """Everything that the console of the page shows and that nobody expected."""

    def __init__(self):
        self.lines = []
        # See `visit`.
        self.expected = ["Service Worker registration blocked by Playwright"]

    def expect(self, part):
        """Allows lines that contain a part, for faults that a test makes on purpose."""
        self.expected.append(part)

    def take(self, message):
        # A busy bridge, whom the page asks again.
        if "503" in message.text and message.location.get("url", "").endswith(REPEATED):
            return
        self.lines.append(f"{message.type}: {message.text}")

    def surprises(self):
        return [line for line in self.lines if not any(part in line for part in self.expected)]


@pytest.fixture
def console():
    return Console()


@pytest.fixture
def visit(browser, console):
    """Opens any address in a browser of its own; options are those of a browser context.

    With a clock of its own, the test moves the time of the page.
    """
    contexts = []

    def visit(address, has_own_clock=False, watch=None, **options):
        # A worker would take requests out of the hands of tests; those about it ask for one.
        options = {"service_workers": "block", "locale": "en-GB", "timezone_id": ZONE.key, "viewport": {"width": 1280, "height": 800}} | options
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE * 1000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", console.take)
        page.on("pageerror", lambda error: console.lines.append(f"error: {error}"))
        if watch is not None:
            context.on("request", lambda request: watch.append(request.url))
        if has_own_clock:
            page.clock.install()
        page.goto(address)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert console.surprises() == []


@pytest.fixture
def open_page(visit, house):
    """Opens an address of the bridge, as `visit` does."""
    return lambda address="/", **options: visit(house.url + address, **options)
