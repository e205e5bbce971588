"""The page without the bridge: what it showed last, marked with its time, and nothing that is told as new."""

import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect

from house import House
from test_rules import check_accessibility

KEEPS = {"service_workers": "allow"}
FILES = """async () => {
    await navigator.serviceWorker.ready;
    const names = (await caches.keys()).filter((name) => name.startsWith("skerry.files"));
    return Promise.all(names.map(async (name) => [name, (await (await caches.open(name)).keys()).map((file) => new URL(file.url).pathname)]));
}"""


def expect_away(page):
    """The page says that the bridge is gone, and of when it is."""
    expect(page.locator("#banner")).to_contain_text("The bridge does not answer.")
    expect(page.locator("#banner")).to_contain_text(re.compile(r"This is how it was at \d?\d:\d\d:\d\d\."))


def test_the_last_state_is_there_without_the_bridge_and_marked(house, open_page, console):
    console.expect("Failed to load resource")
    house.wash()
    page = open_page(**KEEPS)
    expect(page.get_by_role("link", name="laundry")).to_be_visible()
    [[name, files]] = page.evaluate(FILES)
    assert "/" in files and "/page/app.js" in files and "/page/settings.js" in files
    assert not any(file.startswith("/v1") for file in files)
    house.stop_bridge()
    expect_away(page)
    said = page.locator("#banner p").inner_text()
    page.reload()
    expect(page.get_by_role("link", name="laundry")).to_be_visible()
    # Of the moment at which the bridge was heard last, however late the page was opened.
    expect_away(page)
    assert page.locator("#banner p").inner_text() == said
    check_accessibility(page)
    # What was not shown before has its files, and says that the bridge does not answer.
    page.get_by_role("navigation").get_by_role("link", name="Settings").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    assert page.evaluate("fetch('v1/status').then(() => 'answered', () => 'refused')") == "refused"
    page.get_by_role("navigation").get_by_role("link", name="Now").click()
    house.start_bridge()
    expect(page.locator("#banner")).to_be_hidden()
    assert page.evaluate(FILES) == [[name, files]]


def test_a_view_that_was_opened_without_the_bridge_is_shown_when_it_answers(house, open_page, console):
    console.expect("Failed to load resource")
    console.expect("net::ERR")
    house.wash()
    page = open_page()
    expect(page.get_by_role("link", name="laundry")).to_be_visible()
    house.stop_bridge()
    expect_away(page)
    page.get_by_role("navigation").get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", name="This view could not be loaded.")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    check_accessibility(page)
    house.start_bridge()
    expect(page.get_by_role("heading", name="History")).to_be_visible()


def test_signing_out_forgets_what_was_shown(house, open_page, console):
    console.expect("Failed to load resource")
    house.wash()
    page = open_page(**KEEPS, extra_http_headers={"X-Forwarded-For": "192.0.2.7"})
    page.get_by_label("Code").fill(house.code(role="viewer"))
    page.get_by_role("button", name="Sign in", exact=True).last.click()
    expect(page.get_by_role("link", name="laundry")).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    kept = "() => caches.keys().then((names) => names.filter((name) => name.startsWith('skerry.state')).length)"
    page.wait_for_function(kept)
    page.get_by_role("banner").get_by_role("button", name="Chrome, Linux").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Who is there?")).to_be_visible()
    assert page.evaluate(kept) == 0
    house.stop_bridge()
    page.reload()
    expect(page.get_by_role("navigation")).to_be_visible()
    expect(page.get_by_role("link", name="laundry")).to_have_count(0)


class Proxy(BaseHTTPRequestHandler):
    """A reverse proxy with the page below a prefix, which says 502 where the bridge does not answer."""

    bridge, version = "", ""

    def do_GET(self):
        headers = {key: value for key, value in self.headers.items() if key.lower() not in ("host", "accept-encoding")}
        try:
            with urlopen(Request(self.bridge + self.path, headers=headers), timeout=60) as answer:
                self.answer(answer.status, answer.headers, answer)
        except HTTPError as error:
            self.answer(error.code, error.headers, error)
        except OSError:
            self.answer(502, {"Content-Type": "text/html"}, None)

    def answer(self, status, headers, body):
        self.send_response(status)
        for key, value in headers.items():
            if key.lower() not in ("connection", "transfer-encoding", "content-length", "date", "server"):
                self.send_header(key, value)
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            while body and (part := body.read1(65536)):
                # A new version of the page has another list of files.
                if self.path.endswith("/page/files.json"):
                    part = part.replace(b'"version":"', b'"version":"' + Proxy.version.encode())
                self.wfile.write(part)
        except OSError:
            pass

    def log_message(self, *_):
        pass


class PrefixedHouse(House):
    def __init__(self):
        super().__init__()
        settings = self.folder / "skerry.yaml"
        settings.write_text(settings.read_text().replace("edit: true", 'edit: true, base-path: /home/skerry, url: "http://127.0.0.1"'))


@pytest.fixture
def prefixed():
    with PrefixedHouse() as house:
        Proxy.bridge, Proxy.version = house.url, ""
        server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield house, f"http://127.0.0.1:{server.server_port}/home/skerry/"
        server.shutdown()


def test_it_is_so_below_a_prefix_behind_a_proxy_and_a_new_version_replaces_the_former(prefixed, visit, console):
    console.expect("Failed to load resource")
    console.expect("MIME type")
    house, address = prefixed
    house.wash()
    page = visit(address, **KEEPS)
    expect(page.get_by_role("link", name="laundry")).to_be_visible()
    [[first, files]] = page.evaluate(FILES)
    assert "/home/skerry/" in files and "/home/skerry/page/app.js" in files
    Proxy.version = "new-"
    page.reload()
    expect(page.get_by_role("link", name="laundry")).to_be_visible()
    page.wait_for_function("() => caches.keys().then((names) => names.filter((name) => / new-\\w+$/.test(name)).length === 1 && names.filter((name) => name.startsWith('skerry.files')).length === 1)")
    house.stop_bridge()
    expect_away(page)
    page.reload()
    expect_away(page)
    expect(page.get_by_role("link", name="laundry")).to_be_visible()
