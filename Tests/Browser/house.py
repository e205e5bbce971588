"""A broker, a bridge and the messages of devices, for tests and pictures of the page."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("SKERRY", ROOT / ".build/debug/skerry"))
PATIENCE = 30  # seconds until something that does not come counts as missing


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def eventually(check, what):
    """Asks again until the answer is true."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = check()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{what}: not within {PATIENCE} s")


class House:
    """A bridge with definitions of its own, on a broker of its own. Use it in a with statement."""

    def __init__(self, definitions=None, settings=""):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="skerry-browser-"))
        self.definitions = self.folder / "devices"
        shutil.copytree(definitions or ROOT / "devices", self.definitions)
        self.mqtt, self.http = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.http}"
        (self.folder / "skerry.yaml").write_text(
            f"""mqtt: {{ host: 127.0.0.1, port: {self.mqtt}, client-id: browser-test }}
definitions: [{self.definitions}]
store: {{ path: {self.folder}/skerry.db }}
http: {{ address: "127.0.0.1:{self.http}", admin-token-file: {self.folder}/admin, edit: true }}
record: {{ hours: 2 }}
{settings}
"""
        )
        (self.folder / "mosquitto.conf").write_text(
            f"listener {self.mqtt} 127.0.0.1\nallow_anonymous true\npersistence false\n"
        )
        self.broker = self.bridge = None

    def __enter__(self):
        self.start_broker()
        self.start_bridge()
        return self

    def __exit__(self, *_):
        for process in (self.bridge, self.broker):
            if process and process.poll() is None:
                process.terminate()
                try:
                    process.wait(PATIENCE)
                except subprocess.TimeoutExpired:
                    process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start_broker(self):
        path = os.environ["PATH"] + ":/usr/local/sbin:/usr/sbin:/sbin"
        self.broker = subprocess.Popen(
            [shutil.which("mosquitto", path=path), "-c", self.folder / "mosquitto.conf"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        eventually(lambda: socket.socket().connect_ex(("127.0.0.1", self.mqtt)) == 0, "the broker listens")

    def stop_broker(self):
        self.broker.send_signal(signal.SIGKILL)
        self.broker.wait()

    def start_bridge(self):
        self.log = open(self.folder / "bridge.log", "ab")
        self.bridge = subprocess.Popen(
            [PROGRAM, "run", "--config", self.folder / "skerry.yaml"],
            stdout=self.log,
            stderr=self.log,
            cwd=self.folder,
        )
        eventually(lambda: self.status().get("broker", {}).get("connected"), "the bridge is connected")

    def status(self):
        try:
            return self.get("/v1/status")
        except OSError:
            assert self.bridge.poll() is None, (self.folder / "bridge.log").read_text()
            return {}

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=PATIENCE) as answer:
            return json.load(answer)

    def post(self, path, body):
        request = urllib.request.Request(
            self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def publish(self, topic, payload, *options):
        text = payload if isinstance(payload, str) else json.dumps(payload)
        broker = ["-h", "127.0.0.1", "-p", str(self.mqtt)]
        subprocess.run(["mosquitto_pub", *broker, "-q", "1", "-t", topic, "-m", text, *options], check=True)

    def wash(self, name="laundry", remaining=3600, program="Cotton"):
        """A washer begins."""
        self.publish(
            f"homeconnect/{name}/state",
            {"OperationState": "Run", "ActiveProgram": program, "RemainingProgramTime": remaining},
        )

    def washed(self, name="laundry"):
        """The washer is done."""
        self.publish(f"homeconnect/{name}/state", {"OperationState": "Finished"})
