"""One home for all tests: a broker, Home Assistant with a phone, and a bridge that knows both."""

import json
import shutil
import subprocess
import urllib.request

import pytest

from home_assistant import HomeAssistant
from house import PROGRAM, ROOT, House
from phone import Phone


class Home(House):
    """A house with Home Assistant. The bridge starts last, as it would for somebody who adds it."""

    def __init__(self):
        super().__init__(kinds=["washer"])
        shutil.copy(ROOT / "Tests/HomeAssistant/laundry.yaml", self.definitions)
        self.phone = Phone()
        # Parts of complaints of Home Assistant that a test provokes.
        self.expected = []
        self.assistant = HomeAssistant(self.folder / "home-assistant")

    def __enter__(self):
        try:
            self.set_up()
        except BaseException:
            self.__exit__()
            raise
        return self

    def set_up(self):
        self.start_broker()
        self.assistant.start()
        self.assistant.use_broker(self.mqtt)
        target = self.assistant.register_phone("Annas iPhone", self.phone.url)
        token = self.folder / "token"
        token.write_text(self.assistant.token)
        with (self.folder / "skerry.yaml").open("a") as settings:
            settings.write(
                f"""home-assistant: {{ discovery: true }}
sinks:
  home-assistant:
    url: {self.assistant.url}
    token-file: {token}
    targets: [{target}]
    requests-per-hour: 240
"""
            )
        self.start_bridge()
        self.wait_for_subscriptions()

    def __exit__(self, *reason):
        self.assistant.stop()
        self.phone.close()
        super().__exit__(*reason)

    def tell_laundry(self, name, **payload):
        """A washing machine reports."""
        self.tell(f"laundry/{name}/state", payload)

    def arrange(self, name, room):
        """An administrator puts a washing machine into a room on the page."""
        secret = (self.folder / "admin").read_text().strip()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {secret}"}
        cards = json.dumps({"cards": [{"kind": "laundry", "device": name, "room": room}]}).encode()
        urllib.request.urlopen(urllib.request.Request(f"{self.url}/v1/cards", cards, headers, method="PUT")).close()

    def snapshot(self, device):
        """The retained snapshot of a device's activity."""
        command = ["mosquitto_sub", "-h", "127.0.0.1", "-p", str(self.mqtt), "-C", "1", "-W", "30"]
        return json.loads(subprocess.check_output([*command, "-t", f"skerry/{device}/activity"]))

    def forget(self, device):
        subprocess.run([PROGRAM, "forget", device, "--config", self.folder / "skerry.yaml"], check=True)


@pytest.fixture(scope="session")
def whole_home():
    with Home() as home:
        yield home


@pytest.fixture
def home(whole_home):
    """The home, in which Home Assistant must not complain about anything that it gets."""
    earlier = len(whole_home.assistant.complaints())
    whole_home.expected = []
    yield whole_home
    complaints = whole_home.assistant.complaints()[earlier:]
    assert [line for line in complaints if not any(part in line for part in whole_home.expected)] == []
