"""The playground: the folder of scripts/playground, served by a server that knows nothing of it."""

import functools
import http.server
import json
import os
import subprocess
import threading
import urllib.parse

import pytest
from playwright.sync_api import expect

from house import PROGRAM, ROOT
from test_rules import check_accessibility

RECORDINGS = ROOT / "Tests/Recordings"
VALETUDO = RECORDINGS / "kinds/valetudo.jsonl"

# What the table of publications shows: topic, bytes and payload of each.
ROWS = """rows => rows.map((row) => [row.dataset.topic, Number(row.dataset.at), row.children[2].textContent, row.children[3].textContent])"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def playground(tmp_path_factory):
    """The address of the folder; SKERRY_WASM names a skerry.wasm that may be there already, which saves its compilation."""
    folder = tmp_path_factory.mktemp("playground")
    wasm = os.environ.get("SKERRY_WASM", "")
    wasm = ["--wasm", wasm] if os.path.exists(wasm) else []
    subprocess.run([ROOT / "scripts/playground", "-o", folder, *wasm], check=True, env=os.environ | {"SKERRY": str(PROGRAM)})
    # In a folder below the root, as on the pages of a repository.
    handler = functools.partial(Quiet, directory=folder.parent)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/{folder.name}/"
        server.shutdown()


def test_the_folder_is_made_again_from_what_it_holds_or_left_alone(tmp_path):
    folder, wasm = tmp_path / "playground", tmp_path / "skerry.wasm"
    wasm.write_text("the engine")

    def make(wasm, program=PROGRAM):
        command = [ROOT / "scripts/playground", "-o", folder, "--wasm", wasm]
        return subprocess.run(command, env=os.environ | {"SKERRY": str(program)}, capture_output=True).returncode

    folder.mkdir()
    (folder / "playground.js").touch()  # what a compilation that failed left
    assert make(wasm) == 0
    assert make(folder / "skerry.wasm") == 0
    assert make(folder / "skerry.wasm", program="/bin/false") == 1
    assert (folder / "skerry.wasm").read_text() == "the engine"
    assert (folder / "definitions.jsonl").stat().st_size > 0
    other = tmp_path / "other"
    other.mkdir()
    (other / "notes.txt").touch()
    folder = other
    assert make(wasm) == 1
    assert [path.name for path in other.iterdir()] == ["notes.txt"]


def replayed(recording, definitions="devices"):
    """What `skerry replay` publishes of a recording, by device."""
    command = [PROGRAM, "replay", recording, "-d", ROOT / definitions]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    devices = {}
    for line in map(json.loads, lines):
        kind, device = line["topic"].split("/")[1:3]
        devices.setdefault(f"{kind}/{device}", []).append(line)
    return devices


def choose(page, path):
    page.locator("#recording-file").set_input_files(path)


def drop(page, path):
    """Drops a file on the page, as a hand does."""
    make = "([name, text]) => { const carried = new DataTransfer(); carried.items.add(new File([text], name)); return carried; }"
    carried = page.evaluate_handle(make, [path.name, path.read_text()])
    page.locator(".drop").dispatch_event("drop", {"dataTransfer": carried})


def published(page, key):
    """What the page shows as published by a device."""
    chooser = page.locator(".replay-head select")
    if chooser.count():
        chooser.select_option(key)
    expect(page.locator(".replay-head h2")).to_have_attribute("data-device", key)
    return page.locator(".published tbody tr").evaluate_all(ROWS)


def check(page, recording):
    expected = replayed(recording)
    assert expected
    expect(page.get_by_role("slider").first).to_be_visible()
    for key, lines in expected.items():
        rows = published(page, key)
        assert [(topic, payload) for topic, _, _, payload in rows] == [(line["topic"], line.get("payload") or "") for line in lines]
        assert [size.replace(",", "") for _, _, size, _ in rows] == [str(line["payloadlen"]) for line in lines]
    return expected


@pytest.mark.parametrize("recording", ["kinds/valetudo", "kinds/lg", "kinds/octoprint", "kinds/zigbee", "simulated-valve"])
def test_a_dropped_recording_publishes_what_skerry_replay_does(playground, visit, recording):
    page = visit(playground)
    drop(page, RECORDINGS / f"{recording}.jsonl")
    check(page, RECORDINGS / f"{recording}.jsonl")


def test_a_recording_may_be_named_json(playground, visit, tmp_path):
    line = {"tst": "2026-11-21T09:00:00Z", "topic": "opensprinkler/station/lawn", "payload": '{"state":1,"duration":600}'}
    recordings = {"one.json": json.dumps(line), "many.json": VALETUDO.read_text()}
    page = visit(playground)
    for name, text in recordings.items():
        (tmp_path / name).write_text(text)
        choose(page, tmp_path / name)
        check(page, tmp_path / name)


def test_one_of_ours_is_played_to_its_end(playground, visit):
    requests = []
    page = visit(playground, watch=requests)
    expect(page.get_by_text("Skerry turns the messages of your devices into a countdown on your phone")).to_be_visible()
    expect(page.locator(".sample svg")).to_have_count(4)
    page.get_by_role("button", name="A robot vacuum cleans a flat").click()
    check(page, VALETUDO)
    page.get_by_role("radio", name="600×").check(force=True)
    expect(page.locator(".replay-head")).to_contain_text("A robot vacuum cleans a flat · ")
    expect(page.locator(".replay-head")).to_contain_text(f"{len(VALETUDO.read_text().splitlines())} messages")
    lights = page.locator(".chart-state.is-lit")
    expect(lights.last).to_have_text("Cleaning")
    for _ in range(2):
        page.get_by_role("button", name="To the next change").click()
    expect(lights.last).to_contain_text("Paused")
    expect(page.locator(".replay-phone .island-alone.expanded")).to_be_visible()
    expect(page.locator(".replay-phone .lock-card")).to_be_visible()
    slider = page.get_by_role("slider").first
    slider.press("End")
    slider.press("ArrowLeft")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("() => { const one = document.querySelector('[role=slider]'); return one.ariaValueNow === one.ariaValueMax; }")
    expect(page.locator(".published .is-to-come")).to_have_count(0)
    assert all(address.startswith(playground) for address in requests)
    assert any(address.endswith("skerry.wasm") for address in requests)


def test_a_link_carries_definition_and_recording(playground, visit):
    page = visit(playground)
    choose(page, VALETUDO)
    page.get_by_role("button", name="Share by link").click()
    expect(page.locator(".part-published")).to_contain_text("The link is in the address bar")
    link = page.url
    assert len(link) < 2000
    requests = []
    other = visit(link, watch=requests)
    check(other, VALETUDO)
    expect(other.locator("#definition")).to_have_value("robot-valetudo")
    # In the same tab, too.
    choose(other, RECORDINGS / "kinds/lg.jsonl")
    expect(other.locator(".part-drop")).to_contain_text("No definition reads any message")
    other.evaluate("location.hash = ''")
    other.evaluate("link => location.assign(link)", link)
    check(other, VALETUDO)
    assert all("#" not in urllib.parse.unquote(address) and address.startswith(playground) for address in requests)


def compiled(folder, name, source):
    """Writes a definition into a folder, compiled and described."""
    path = folder / f"{name}.yaml"
    path.write_text(source)
    subprocess.run([PROGRAM, "compile", path, "-o", folder / f"{name}.skd"], check=True, capture_output=True)
    described = subprocess.run([PROGRAM, "describe", path, "--json"], check=True, capture_output=True)
    (folder / f"{name}.json").write_bytes(described.stdout)


@pytest.fixture
def mine(tmp_path):
    """A folder with a definition that is not shipped, mine.skd and mine.json, and a recording for it, cellar.txt."""
    text = (ROOT / "devices/washer.yaml").read_text().replace("kind: washer", "kind: my-washer", 1)
    compiled(tmp_path, "mine", text.replace("en: Paused", "en: On hold", 1))
    (tmp_path / "cellar.txt").write_text(
        '2026-11-21T09:00:00+0000 homeconnect/cellar/state {"OperationState":"Run","RemainingProgramTime":3600}\n'
        'no message\n'
        '2026-11-21T09:10:00+0000 homeconnect/cellar/state {"OperationState":"Pause"}\n'
    )
    return tmp_path


def test_a_link_carries_a_definition_of_ones_own(playground, visit, mine):
    page = visit(playground)
    for name in ["mine.skd", "mine.json", "cellar.txt"]:
        choose(page, mine / name)
        expect(page.locator(".part-drop")).to_contain_text("One line is no message" if name == "cellar.txt" else f"{name} was read")
    expect(page.locator(".published")).to_contain_text("On hold")
    page.get_by_role("button", name="Share by link").click()
    expect(page.locator(".part-published")).to_contain_text("The link is in the address bar")
    other = visit(page.url)
    expect(other.locator(".replay-head h2")).to_have_attribute("data-device", "my-washer/cellar")
    expect(other.locator(".published")).to_contain_text("On hold")
    expect(other.locator(".chart-state").first).to_be_visible()
    # The shipped definition draws itself again, although the other one is still there.
    other.locator("#definition").select_option("")
    expect(other.locator(".replay-head h2")).to_have_attribute("data-device", "washer/cellar")
    expect(other.locator(".published")).to_contain_text("Paused")
    expect(other.locator(".chart-state").first).to_be_visible()
    expect(other.locator(".replay-phone .lock-card")).to_be_visible()


def test_the_drawing_is_that_of_the_chosen_definition(playground, visit, tmp_path):
    text = (ROOT / "devices/washer.yaml").read_text()
    compiled(tmp_path, "washer", text.replace("en: Switched off", "en: Asleep"))
    page = visit(playground)
    line = b'2026-11-21T09:00:00Z homeconnect/cellar/state {"OperationState":"Run"}\n'
    choose(page, {"name": "day.txt", "mimeType": "", "buffer": line})
    expect(page.locator(".replay-head")).to_be_visible()
    for choice, title in {"own": "Asleep", "washer": "Switched off", "": "Switched off"}.items():
        if choice == "own":
            choose(page, tmp_path / "washer.skd")
            expect(page.locator("#definition")).to_have_value("own")
            choose(page, tmp_path / "washer.json")
        else:
            page.locator("#definition").select_option(choice)
        expect(page.locator(".chart-state", has_text=title)).to_be_visible()


# Keeps workers back until they are released, and counts them.
WORKERS = """() => {
  let release;
  const released = new Promise((done) => { release = done; });
  window.workers = { count: 0, release };
  window.Worker = class extends Worker {
    constructor(...values) { super(...values); window.workers.count += 1; }
    postMessage(data) { released.then(() => super.postMessage(data)); }
  };
}"""


def test_an_earlier_run_leaves_the_worker_of_a_later_one_alone(playground, visit, mine):
    page = visit(playground)
    page.evaluate(WORKERS)
    held = []
    page.route("**/definitions/washer.skd", lambda route: held.append(route), times=1)
    with page.expect_request("**/definitions/washer.skd"):
        choose(page, mine / "cellar.txt")
    choose(page, mine / "mine.skd")
    expect(page.locator("#definition")).to_have_value("own")
    choose(page, mine / "cellar.txt")
    page.wait_for_function("() => workers.count === 1")
    with page.expect_response("**/definitions/washer.skd"):
        held[0].continue_()
    # What waited for it goes on before this answer comes.
    page.evaluate("() => fetch('definitions/washer.skd').then((answer) => answer.arrayBuffer()).then(() => {})")
    page.evaluate("() => workers.release()")
    expect(page.locator(".replay-head h2")).to_have_attribute("data-device", "my-washer/cellar")
    assert page.evaluate("() => workers.count") == 1


# Flips each millisecond once its activity has begun.
RESTLESS = """
skerry: 1
kind: restless
sources:
  - topic: l/{device}/x
    payload: number
    signals: { x: payload }
machine:
  initial: off
  states:
    off:
      always: { guard: x > 0, target: on }
    on:
      initial: a
      states:
        a: { after: { 1ms: b } }
        b: { after: { 1ms: a } }
activity:
  starts: on
  ends: off
  content: { status: "'On'" }
"""


@pytest.mark.parametrize("lines", ["1795251600 l/d/x 1", "1795251600 l/d/x 1\n1826787600 l/d/x 1"])
def test_a_definition_that_never_comes_to_rest_is_played_to_a_limit(playground, visit, tmp_path, lines):
    compiled(tmp_path, "restless", RESTLESS)
    page = visit(playground)
    choose(page, tmp_path / "restless.skd")
    expect(page.locator("#definition")).to_have_value("own")
    choose(page, {"name": "day.txt", "mimeType": "", "buffer": lines.encode()})
    expect(page.locator(".replay-head")).to_be_visible()
    expect(page.locator(".part-drop")).to_contain_text("only the first part is here")


def test_an_engine_that_gives_no_answer_is_stopped(playground, visit):
    page = visit(playground, has_own_clock=True)
    silent = "addEventListener('message', () => { for (;;); });"
    page.route("**/worker.js", lambda route: route.fulfill(content_type="text/javascript", body=silent))
    with page.expect_worker() as found:
        choose(page, VALETUDO)
    with found.value.expect_event("close"):
        page.clock.fast_forward(20_000)
    expect(page.locator(".part-drop")).to_contain_text("longer than 20 seconds")


def test_what_cannot_be_read_is_said(playground, visit, tmp_path):
    page = visit(playground + "#1AAAA")
    where = page.locator(".part-drop")
    expect(where).to_contain_text("damaged")
    choose(page, {"name": "other.skd", "mimeType": "", "buffer": b"SKD"})
    expect(where).to_contain_text("other.skd was read")
    choose(page, VALETUDO)
    expect(where).to_contain_text("compile")
    choose(page, {"name": "day.jsonl", "mimeType": "", "buffer": b"nothing\n"})
    page.locator("#definition").select_option("")
    choose(page, {"name": "day.jsonl", "mimeType": "", "buffer": b"nothing\n"})
    expect(where).to_contain_text("One line is no message")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(playground, visit, scheme):
    page = visit(playground, color_scheme=scheme, reduced_motion="reduce")
    choose(page, VALETUDO)
    expect(page.get_by_role("slider").first).to_be_visible()
    check_accessibility(page)


def test_nothing_is_wider_than_a_phone(playground, visit):
    page = visit(playground, viewport={"width": 360, "height": 740})
    choose(page, VALETUDO)
    expect(page.get_by_role("slider").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
