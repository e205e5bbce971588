"""A broker, a bridge and the messages of devices, for tests and pictures of the page."""

import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import urllib.request
from datetime import datetime
from zoneinfo import ZoneInfo

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("SKERRY", ROOT / ".build/debug/skerry")).resolve()
# Seconds until something that does not come counts as missing. A debug build reads all definitions in ten seconds of processor
# time, after everything else that runs on the machine.
PATIENCE = 300
# Where the day is in its middle now: a moment of another day is shown with its day, which tests would see at night only.
ZONE = next(
    zone
    for zone in map(ZoneInfo, ("Europe/Berlin", "Asia/Karachi", "Asia/Tokyo", "Pacific/Auckland", "Pacific/Pago_Pago", "America/Denver", "America/Sao_Paulo"))
    if 9 <= datetime.now(zone).hour < 15
)


# Sockets that keep the ports of this process from being found free by other tests.
RESERVED = []


def free_port():
    """A port that nobody listens on and no other test is given, below those that the system gives to connections.

    Who sets SO_REUSEADDR, as servers do, may listen on it nevertheless.
    """
    while True:
        probe = socket.socket()
        try:
            probe.bind(("127.0.0.1", port := random.randrange(20000, 30000)))
        except OSError:
            probe.close()
            continue
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        RESERVED.append(probe)
        return port


class Output:
    """The lines that a process prints, read as they come."""

    def __init__(self, process):
        self.lines = []
        self.changed = threading.Condition()
        threading.Thread(target=self.read, args=[process.stdout], daemon=True).start()

    def read(self, stream):
        for line in stream:
            with self.changed:
                self.lines.append(line)
                self.changed.notify_all()
        with self.changed:
            self.lines.append("(ended)")
            self.changed.notify_all()

    def count(self, words):
        """The number of lines with these words."""
        return sum(words in line for line in self.lines)

    def wait_for(self, words, times=1):
        """Waits for lines with these words. A process that ends without them fails the test with what it printed."""
        with self.changed:
            self.changed.wait_for(lambda: self.count(words) >= times or self.lines[-1:] == ["(ended)"], PATIENCE)
            assert self.count(words) >= times, f"no line with '{words}':\n{''.join(self.lines)}"


class House:
    """A bridge with definitions of its own, on a broker of its own. Use it in a with statement."""

    # How the address begins that the bridge listens on last.
    last_address = "http://"
    # The kinds of devices that the tests play.
    KINDS = ("dishwasher-plug", "printer-bambu", "sprinkler", "washer", "washer-plug")

    def __init__(self, kinds=KINDS):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="skerry-browser-"))
        self.definitions = self.folder / "devices"
        self.definitions.mkdir()
        # Those that others extend come along.
        for kind in (*(path.stem for path in (ROOT / "devices").glob("_*.yaml")), *kinds):
            shutil.copy(ROOT / "devices" / f"{kind}.yaml", self.definitions)
        self.mqtt, self.http = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.http}"
        (self.folder / "skerry.yaml").write_text(
            f"""mqtt: {{ host: 127.0.0.1, port: {self.mqtt}, client-id: browser-test }}
definitions: [{self.definitions}]
store: {{ path: {self.folder}/skerry.db }}
http: {{ address: "127.0.0.1:{self.http}", admin-token-file: {self.folder}/admin, edit: true }}
record: {{ hours: 2 }}
"""
        )
        (self.folder / "mosquitto.conf").write_text(
            f"listener {self.mqtt} 127.0.0.1\nallow_anonymous true\npersistence false\n"
        )
        self.broker = self.bridge = None

    def __enter__(self):
        try:
            self.start_broker()
            self.start_bridge()
            self.wait_for_subscriptions()
        except BaseException:
            self.__exit__()
            raise
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
        broker = shutil.which("mosquitto", path=path)
        self.broker, self.told_by_broker = self.start([broker, "-v", "-c", self.folder / "mosquitto.conf"])
        self.told_by_broker.wait_for("running")

    def start(self, command):
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", cwd=self.folder
        )
        return process, Output(process)

    def stop_broker(self):
        self.broker.send_signal(signal.SIGKILL)
        self.broker.wait()

    def start_program(self):
        return self.start([PROGRAM, "run", "--config", self.folder / "skerry.yaml"])

    def start_bridge(self):
        self.bridge, self.told_by_bridge = self.start_program()
        self.told_by_bridge.wait_for("connected")
        self.told_by_bridge.wait_for(f"the page is on {self.last_address}")

    def stop_bridge(self):
        self.bridge.terminate()
        self.bridge.wait(PATIENCE)

    def wait_for_subscriptions(self):
        # The first one is for the bridge's own topics; with the second one the session has those of devices.
        self.told_by_broker.wait_for("Sending SUBACK to browser-test\n", 2)

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

    def code(self, **wish):
        """A code that lets a browser in, by the right of the administrator: of a role, and a name and a person if they are given."""
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {(self.folder / 'admin').read_text().strip()}"}
        request = urllib.request.Request(self.url + "/v1/pairings", json.dumps(wish).encode(), headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)["code"]

    def publish(self, topic, payload, *options):
        text = payload if isinstance(payload, str) else json.dumps(payload)
        broker = ["-h", "127.0.0.1", "-p", str(self.mqtt)]
        subprocess.run(["mosquitto_pub", *broker, "-q", "1", "-t", topic, "-m", text, *options], check=True)

    def tell(self, topic, payload):
        """Publishes a message of a device, and waits until the bridge has handled it: it acknowledges no sooner."""
        acknowledgement = "Received PUBACK from browser-test"
        earlier = self.told_by_broker.count(acknowledgement)
        self.publish(topic, payload)
        self.told_by_broker.wait_for(acknowledgement, earlier + 1)

    def wash(self, name="laundry", remaining=3600, program="Cotton"):
        """A washer begins; one that says Run in passing is believed after a second."""
        shown = f"'skerry/washer/{name}/activity'"
        earlier = self.told_by_broker.count(shown)
        self.tell(
            f"homeconnect/{name}/state",
            {"OperationState": "Run", "ActiveProgram": program, "RemainingProgramTime": remaining},
        )
        self.told_by_broker.wait_for(shown, earlier + 1)

    def redefine(self, kind, change):
        """Edits the file of a definition, as an editor on the gateway does, until the bridge has read it: `change` gets its text."""
        path, news = self.definitions / f"{kind}.yaml", "definitions: "
        earlier = self.told_by_bridge.count(news)
        draft = path.with_suffix(".draft")
        draft.write_text(change(path.read_text()))
        draft.replace(path)
        self.told_by_bridge.wait_for(news, earlier + 1)

    def washed(self, name="laundry"):
        """The washer is done."""
        self.tell(f"homeconnect/{name}/state", {"OperationState": "Finished"})
