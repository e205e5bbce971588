"""Home Assistant itself, with an owner, a broker and a phone, as a person would set it up."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request

import aiohttp

from house import Output, free_port

PATIENCE = 120  # seconds until something that does not come counts as missing


class Bell:
    """Rung whenever something happens; whoever waits looks again then."""

    def __init__(self):
        self.changed = threading.Condition()
        self.count = 0

    def ring(self):
        with self.changed:
            self.count += 1
            self.changed.notify_all()

    def until(self, look, what):
        """Waits until `look` returns something, and returns it."""
        limit = time.monotonic() + PATIENCE
        while True:
            before = self.count
            if found := look():
                return found
            with self.changed:
                came = self.changed.wait_for(lambda: self.count > before, limit - time.monotonic())
            assert came, f"did not come: {what}"


class HomeAssistant:
    """A process of Home Assistant that can be stopped and started again on the same folder."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        (folder / "configuration.yaml").write_text(
            f"""http: {{ server_host: 127.0.0.1, server_port: {self.port} }}
api:
config:
mobile_app:
logger: {{ default: warning, logs: {{ homeassistant.components.http: info }} }}
"""
        )
        # Rung by each event of Home Assistant.
        self.bell = Bell()
        self.process = self.token = None
        self.outputs = []

    def start(self):
        # Without --skip-pip it would install packages while a test waits.
        command = [sys.executable, "-m", "homeassistant", "--config", self.folder, "--skip-pip", "--log-no-color"]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        )
        self.outputs.append(Output(self.process))
        self.outputs[-1].wait_for("Now listening on port")
        if self.token is None:
            self.make_owner()
        self.listen()
        self.bell.until(self.runs, "the end of Home Assistant's start")

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()

    def listen(self):
        """Rings the bell with each event until Home Assistant ends."""
        subscribed = threading.Event()

        async def listen():
            async with self.commands() as socket:
                await socket.send_json({"id": 1, "type": "subscribe_events"})
                await socket.receive_json(timeout=PATIENCE)
                subscribed.set()
                async for _ in socket:
                    self.bell.ring()

        threading.Thread(target=lambda: asyncio.run(listen()), daemon=True).start()
        assert subscribed.wait(PATIENCE), "Home Assistant does not tell its events"

    def runs(self):
        return self.get("/api/config")["state"] == "RUNNING"

    # What a person does once.

    def make_owner(self):
        client = f"{self.url}/"
        owner = {"name": "Anna", "username": "anna", "password": "secret", "client_id": client, "language": "en"}
        code = self.post("/api/onboarding/users", owner)["auth_code"]
        form = {"grant_type": "authorization_code", "code": code, "client_id": client}
        with urllib.request.urlopen(
            f"{self.url}/auth/token", urllib.parse.urlencode(form).encode(), timeout=PATIENCE
        ) as answer:
            self.token = json.load(answer)["access_token"]
        # The first token lasts for half an hour; people make such a one in their profile.
        self.token = self.ask({"type": "auth/long_lived_access_token", "client_name": "Skerry", "lifespan": 1})

    def use_broker(self, port):
        flow = self.post("/api/config/config_entries/flow", {"handler": "mqtt"})
        broker = {"broker": "127.0.0.1", "port": port}
        # Later versions ask for the protocol, and for the rest in a section of the form.
        if any(field["name"] == "other_settings" for field in flow["data_schema"]):
            broker["protocol"] = "5"
            broker["other_settings"] = {"set_client_cert": False, "set_ca_cert": "off", "transport": "tcp"}
        entry = self.post(f"/api/config/config_entries/flow/{flow['flow_id']}", broker)
        assert entry["type"] == "create_entry", entry

    def register_phone(self, name, push_url):
        """The app of Home Assistant does this when somebody signs in; returns the name of the notify action."""
        self.post(
            "/api/mobile_app/registrations",
            {
                "app_id": "io.robbie.HomeAssistant",
                "app_name": "Home Assistant",
                "app_version": "2026.7",
                "device_name": name,
                "device_id": name,
                "manufacturer": "Apple",
                "model": "iPhone",
                "os_name": "iOS",
                "os_version": "26.0",
                "supports_encryption": False,
                "app_data": {"push_token": "token-of-the-phone", "push_url": push_url},
            },
        )
        action = "mobile_app_" + name.lower().replace(" ", "_")
        self.bell.until(lambda: self.has_action("notify", action), f"notify.{action}")
        return action

    # Questions and actions.

    def get(self, path):
        return self.request(path)

    def post(self, path, body):
        return self.request(path, json.dumps(body).encode())

    def request(self, path, body=None):
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(self.url + path, body, headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    @contextlib.asynccontextmanager
    async def commands(self):
        """The WebSocket API, in the name of the owner."""
        async with aiohttp.ClientSession() as session, session.ws_connect(f"{self.url}/api/websocket") as socket:
            await socket.receive_json(timeout=PATIENCE)
            await socket.send_json({"type": "auth", "access_token": self.token})
            await socket.receive_json(timeout=PATIENCE)
            yield socket

    def ask(self, command):
        """Sends a command of the WebSocket API and returns its result."""

        async def ask():
            async with self.commands() as socket:
                await socket.send_json({"id": 1} | command)
                return await socket.receive_json(timeout=PATIENCE)

        answer = asyncio.run(ask())
        assert answer["success"], answer
        return answer["result"]

    def has_action(self, domain, action):
        return any(action in one["services"] for one in self.get("/api/services") if one["domain"] == domain)

    def devices(self):
        """The devices of MQTT by their identifiers."""
        return {
            name: one
            for one in self.ask({"type": "config/device_registry/list"})
            for integration, name in one["identifiers"]
            if integration == "mqtt"
        }

    def entities(self, device):
        """The entities of a device of Skerry: state and attributes by the name that Skerry gave the entity."""
        start = f"skerry_{device.replace('/', '_')}_"
        names = {
            entry["entity_id"]: entry["unique_id"].removeprefix(start)
            for entry in self.ask({"type": "config/entity_registry/list"})
            if entry["unique_id"].startswith(start)
        }
        return {names[one["entity_id"]]: one for one in self.get("/api/states") if one["entity_id"] in names}

    def shows(self, device, **expected):
        """Waits until entities of a device have these states, and returns all of them."""

        def look():
            seen.clear()
            seen.update(self.entities(device))
            return all(name in seen and seen[name]["state"] == state for name, state in expected.items())

        seen = {}
        try:
            self.bell.until(look, f"{expected} of {device}")
        except AssertionError as error:
            states = {name: entity["state"] for name, entity in seen.items()}
            raise AssertionError(f"{error}; it shows {states}") from None
        return dict(seen)

    def press(self, entity):
        self.post("/api/services/button/press", {"entity_id": entity["entity_id"]})

    def complaints(self):
        """Warnings and errors of Home Assistant that are about messages, entities or notifications."""
        about = ("mqtt", "mobile_app", "notify", "sensor", "button", "template", "kerry")
        return [
            line
            for output in self.outputs
            for line in output.lines
            if (" WARNING " in line or " ERROR " in line) and any(word in line for word in about)
        ]
