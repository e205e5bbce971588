"""Settings: phones with the ages of their tokens, what did not arrive, and the counts of each day."""

import http.server
import json
import threading
import time
import urllib.request

import pytest
from playwright.sync_api import expect

from test_rules import check_accessibility


@pytest.fixture
def refusing():
    """A server that refuses everything; yields its address."""

    class Refusing(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.send_response(400)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def pair(house, name, report):
    """Pairs a phone and reports for it, as an app does."""
    def ask(method, path, body, token):
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        request = urllib.request.Request(house.url + path, json.dumps(body).encode(), headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read() or "null")

    code = ask("POST", "/v1/pairings", {"name": name}, (house.folder / "admin").read_text().strip())["code"]
    phone = house.post("/v1/pair", {"code": code})
    ask("PUT", f"/v1/phones/{phone['phone']}/tokens", report, phone["token"])


def test_errors_are_listed_and_filtered(house, open_page, refusing):
    settings = house.folder / "skerry.yaml"
    settings.write_text(settings.read_text() + f"sinks: {{ webhook: {{ url: '{refusing}' }}, ntfy: {{ url: '{refusing}', topic: house }} }}\n")
    house.stop_bridge()
    house.start_bridge()
    house.wait_for_subscriptions()
    page = open_page("/#/settings")
    expect(page.get_by_text("Everything has arrived.")).to_be_visible()
    house.wash()
    errors = page.get_by_role("list", name="What did not arrive").get_by_role("listitem")
    expect(errors.filter(has_text="webhook")).to_have_count(1)
    expect(errors.filter(has_text="ntfy")).to_have_count(1)
    expect(errors.first).to_contain_text("Laundry")
    expect(errors.first).to_contain_text("400")
    page.get_by_label("Errors of").select_option(label="ntfy")
    expect(errors).to_have_count(1)
    expect(errors).to_contain_text("ntfy")
    page.get_by_label("Errors of").select_option(label="all phones and services")
    expect(errors).to_have_count(2)
    check_accessibility(page)


def test_what_did_not_arrive_is_told_in_the_language_of_the_page(house, open_page):
    error = {"at": time.time(), "service": "phones", "recipient": "iPhone", "activity": "washer/laundry/1", "text": "start: the token has expired (410)"}
    page = open_page(locale="de-DE")
    page.route("**/v1/errors?**", lambda route: route.fulfill(json={"errors": [error]}))
    page.get_by_role("link", name="Einstellungen").click()
    expect(page.get_by_role("list", name="Was nicht ankam").get_by_role("listitem")).to_contain_text("Ein Token ist abgelaufen: Öffne die App.")


def test_a_phone_has_the_ages_of_its_tokens_and_a_day_its_counts(house, open_page):
    pair(house, "Ada's iPhone", {"confirmedAt": time.time() - 3 * 86_400, "pushToStart": {"WasherAttributes": "00aa00aa00aa00aa"}})
    house.wash()
    page = open_page("/#/settings")
    card = page.get_by_role("article").filter(has_text="Ada's iPhone")
    expect(card.get_by_text("Tokens confirmed")).to_be_visible()
    card.locator("summary").click()
    expect(card.get_by_role("listitem").filter(has_text="WasherAttributes")).to_contain_text("3 days ago")
    expect(card.get_by_text("0 of 0 accepted, 0 refused")).to_be_visible()
    expect(page.get_by_role("table").get_by_role("row").nth(1)).to_contain_text("1")
    today = house.get("/v1/status")["days"][0]
    assert (today["messages"], today["updates"]) == (1, 1)
    check_accessibility(page)
