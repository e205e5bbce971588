"""The broker, as an administrator chooses it on the page: tried first, kept out of sight, and undone."""

import json
import subprocess
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from house import PATIENCE, House, free_port
from test_rules import check_accessibility

SECRET = "pass: 'word' #1"


class LostHouse(House):
    """A bridge whose settings name a port where nobody listens; its broker is elsewhere, and wants a password and TLS."""

    def __init__(self):
        super().__init__(kinds=("washer",))
        self.wrong, self.secure = free_port(), free_port()
        settings = self.folder / "skerry.yaml"
        settings.write_text(settings.read_text().replace(f"port: {self.mqtt}", f"port: {self.wrong}"))
        self.chosen = self.folder / "skerry.db.broker"
        passwords, certificate, key = (self.folder / name for name in ("passwords", "certificate.pem", "key.pem"))
        subprocess.run(["mosquitto_passwd", "-b", "-c", passwords, "skerry", SECRET], check=True, capture_output=True)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
            + ["-keyout", key, "-out", certificate, "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"],
            check=True,
            capture_output=True,
        )
        self.certificate = certificate
        # Mosquitto gives up its rights, if it is started by root.
        for path in (passwords, key):
            path.chmod(0o644)
        self.folder.chmod(0o755)
        (self.folder / "mosquitto.conf").write_text(
            f"listener {self.mqtt} 127.0.0.1\nlistener {self.secure} 127.0.0.1\ncertfile {certificate}\nkeyfile {key}\n"
            f"password_file {passwords}\nallow_anonymous false\npersistence false\n"
        )

    def __enter__(self):
        self.start_broker()
        self.bridge, self.told_by_bridge = self.start_program()
        self.told_by_bridge.wait_for("the page is on http://")
        return self

    def ask(self, method, body=None):
        """Asks by the right of the administrator; returns the status and the answer."""
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {(self.folder / 'admin').read_text().strip()}"}
        request = urllib.request.Request(self.url + "/v1/broker", body and json.dumps(body).encode(), headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, json.loads(answer.read() or "null")
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)


@pytest.fixture
def house():
    with LostHouse() as house:
        yield house


def sign_in(house, page):
    dialog = page.get_by_role("dialog", name="Sign in")
    dialog.get_by_label("Code").fill(house.code(role="admin"))
    dialog.get_by_role("button", name="Sign in").click()
    expect(dialog).to_have_count(0)


def test_first_steps_lead_to_the_broker_and_back(house, open_page, console):
    # The page asks while the bridge begins anew, and what is refused is in the console, too.
    for part in ("409", "net::ERR", "502"):
        console.expect(part)
    page = open_page()
    step = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="The broker"))
    step.get_by_role("button", name="Sign in").click()
    # The first answer is lost.
    page.route("**/v1/broker", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/v1/broker")):
        sign_in(house, page)
    page.unroute("**/v1/broker")
    expect(step.get_by_label("Name or address")).to_have_value("127.0.0.1")
    step.get_by_label("Port").fill(str(house.mqtt))
    # What is typed stays while the page asks again and again whether the broker is there.
    for _ in range(2):
        with page.expect_response("**/v1/status"):
            pass
    expect(step.get_by_label("Port")).to_have_value(str(house.mqtt))
    check_accessibility(page)
    use = step.get_by_role("button", name="Try and use it")
    use.click()
    expect(step.get_by_role("alert")).to_contain_text("The broker refuses user and password.")
    expect(step.get_by_role("alert")).to_contain_text("Nothing has changed.")
    step.get_by_label("Name or address").fill("no-such-host.invalid")
    use.click()
    expect(step.get_by_role("alert")).to_contain_text("No host has this name.")
    # An address as other programs want one is taken apart.
    step.get_by_label("Name or address").fill(f"mqtts://127.0.0.1:{house.wrong}")
    step.get_by_label("Name or address").press("Tab")
    expect(step.get_by_label("Name or address")).to_have_value("127.0.0.1")
    expect(step.get_by_label("Port")).to_have_value(str(house.wrong))
    expect(step.get_by_label("Encryption")).to_have_value("system")
    step.get_by_label("Encryption").select_option("none")
    use.click()
    expect(step.get_by_role("alert")).to_contain_text("Nothing answers there.")
    assert not house.chosen.exists()
    check_accessibility(page)

    step.get_by_label("User").fill("skerry")
    step.get_by_label("Password").fill(SECRET)
    step.get_by_label("Port").fill(str(house.mqtt))
    number = house.bridge.pid
    use.click()
    expect(step).to_contain_text(f"Connected to 127.0.0.1:{house.mqtt}.")
    # The same process goes on, and so does the session of the browser.
    assert house.bridge.poll() is None and house.bridge.pid == number
    assert house.chosen.stat().st_mode & 0o777 == 0o600
    assert SECRET in house.chosen.read_text()
    status, broker = house.ask("GET")
    assert status == 200 and broker == {
        "host": "127.0.0.1", "port": house.mqtt, "username": "skerry", "hasPassword": True, "tls": "none", "isChosen": True,
    }
    assert SECRET not in page.content()
    house.publish("homeconnect/laundry/state", {"OperationState": "Run", "RemainingProgramTime": 3600}, "-u", "skerry", "-P", SECRET)
    expect(page.get_by_role("link", name="laundry")).to_be_visible()

    page.goto(f"{house.url}/#/settings")
    part = page.locator(".view .broker")
    expect(part.get_by_label("Password")).to_have_attribute("placeholder", "unchanged")
    check_accessibility(page)
    part.get_by_role("button", name="Use the broker of the configuration again").click()
    part.get_by_role("button", name="Really go back? Press again").click()
    expect(page.get_by_text(f"The bridge runs with 127.0.0.1:{house.wrong}, but it is not connected yet.")).to_be_visible()
    assert not house.chosen.exists()


def test_an_authority_of_ones_own_is_kept_and_a_password_goes_to_no_other_place(house):
    wish = {"host": "127.0.0.1", "port": house.secure, "username": "skerry", "password": SECRET, "tls": "system"}
    status, problem = house.ask("PUT", wish)
    assert (status, problem["code"]) == (409, "broker-insecure")
    status, broker = house.ask("PUT", wish | {"tls": "authority", "authority": house.certificate.read_text()})
    assert status == 200, broker
    house.told_by_bridge.wait_for("the page is on http://", 2)
    kept = list(house.folder.glob("skerry.db.broker.*.pem"))
    assert [path.read_text() for path in kept] == [house.certificate.read_text()]
    house.told_by_bridge.wait_for('"id":"connected"')
    # What is kept is for this place alone.
    unsaid = {"host": "127.0.0.1", "username": "skerry"}
    for other in ({"port": house.mqtt}, {"port": house.secure, "tls": "system"}, {"port": house.secure, "tls": "none"}):
        status, problem = house.ask("PUT", unsaid | other)
        assert (status, problem["code"]) == (400, "password-needed"), other
    status, broker = house.ask("PUT", unsaid | {"port": house.secure, "tls": "authority"})
    assert status == 200 and broker["hasPassword"] is True
    house.told_by_bridge.wait_for("the page is on http://", 3)
    assert kept[0].exists()
    assert house.ask("DELETE")[0] == 204
    house.told_by_bridge.wait_for("the page is on http://", 4)
    assert not kept[0].exists() and not house.chosen.exists()
    status, problem = house.ask("DELETE")
    assert (status, problem["code"]) == (409, "broker-not-chosen")
