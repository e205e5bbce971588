"""The device view, the history and the replay."""

import json
import re

from playwright.sync_api import expect


def test_the_chart_lights_the_state_and_follows_a_transition(house, open_page):
    house.wash()
    page = open_page("/#/device/washer/laundry")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Laundry")
    expect(page.get_by_role("img", name=re.compile("^Running .*active now"))).to_be_visible()
    house.tell("homeconnect/laundry/state", {"OperationState": "Pause"})
    expect(page.get_by_role("img", name=re.compile("^Paused .*active now"))).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("^Running .*active now"))).to_have_count(0)


def test_signals_and_guards_are_live(house, open_page):
    house.wash(remaining=3000)
    page = open_page("/#/device/washer/laundry")
    expect(page.get_by_role("main")).to_contain_text("3000")
    house.tell("homeconnect/laundry/state", {"RemainingProgramTime": 2950})
    expect(page.get_by_role("main")).to_contain_text("2950")


def test_past_runs_are_drawn(house, open_page):
    house.wash()
    house.washed()
    page = open_page("/#/history")
    expect(page.get_by_role("main")).to_contain_text("Laundry")


def test_an_edit_is_checked_and_replayed_beside_the_old_definition(house, open_page):
    house.wash(remaining=3600)
    house.tell("homeconnect/laundry/state", {"OperationState": "Pause"})
    house.tell("homeconnect/laundry/state", {"OperationState": "Run"})
    house.washed()
    page = open_page("/#/replay/washer/laundry")
    page.locator(".part-edit summary").click()
    editor = page.locator(".editor-field")
    expect(editor).to_have_value(re.compile("kind: washer"))
    source = editor.input_value()
    editor.fill(source.replace('operation == "Run"', 'operation = "Run"', 1))
    expect(page.get_by_role("main")).to_contain_text("SK0201")
    editor.fill(source.replace("en: Paused", "en: On hold"))
    expect(page.get_by_role("main")).not_to_contain_text("SK0201")
    expect(page.get_by_role("main")).to_contain_text("The edit changes what people see")


def test_a_dropped_recording_is_replayed_and_marked(house, open_page):
    page = open_page("/#/replay")
    lines = [
        {"tst": f"2026-09-21T{10 + minute // 60}:00:00.000000Z+0000", "topic": "homeconnect/cellar/state", "payload": json.dumps(payload)}
        for minute, payload in [
            (0, {"OperationState": "Run", "RemainingProgramTime": 3600}),
            (60, {"OperationState": "Finished"}),
        ]
    ]
    page.locator("input[type=file]").set_input_files(
        {"name": "cellar.jsonl", "mimeType": "text/plain", "buffer": "\n".join(json.dumps(line) for line in lines).encode()}
    )
    expect(page.get_by_role("main")).to_contain_text("washer/cellar")
    expect(page.get_by_role("slider").first).to_be_visible()
