"""The slider of the device view: it takes the view back to a moment."""

import itertools
import re

from playwright.sync_api import expect

# What is shown of the moment of the slider by its own words, by the head of the view, by the innermost state that the chart
# lights, and by the part below it.
SHOWN = """() => {
    const slider = document.querySelector(".part-moment [role=slider]");
    const lit = [...document.querySelectorAll(".part-chart [role=img][aria-label*='active then']")];
    return {
        slider: slider.ariaValueText.split(", ")[1] ?? "Not started",
        head: document.querySelector(".device-state").textContent,
        chart: lit.at(-1)?.ariaLabel.split(/,| \\(/)[0] ?? "Not started",
        then: document.querySelector(".then-state strong")?.textContent,
    };
}"""


# Each state lasts a second, which is many steps of the slider.
KETTLE = """skerry: 1
kind: kettle
sources: [{ topic: "kettle/{device}", signals: { on: payload.on } }]
machine:
  states:
    cold: { title: Cold, always: { guard: on, target: warm } }
    warm: { title: Warm, after: { 1s: hot } }
    hot: { title: Hot, after: { 1s: done } }
    done: { title: Tea is ready }
activity: { starts: [warm, hot], ends: done, content: { status: state.title } }
"""


def test_the_slider_draws_at_each_moment_what_the_timeline_says(house, open_page):
    (house.definitions / "kettle.yaml").write_text(KETTLE)
    house.told_by_broker.wait_for("kettle/+")
    house.tell("kettle/kitchen", {"on": True})
    page = open_page("/#/device/kettle/kitchen/authors", reduced_motion="reduce")
    expect(page.get_by_role("img", name=re.compile("^Tea is ready.*active now"))).to_be_visible()
    page.get_by_role("button", name="Read again").click()
    expect(page.locator(".part-messages td").first).to_be_visible()

    page.get_by_role("slider").focus()
    page.keyboard.press("Home")
    seen = []
    while page.locator(".device-view.is-past").count():
        shown = page.evaluate(SHOWN)
        assert set(shown.values()) == {shown["head"]}, shown
        seen.append(shown["head"])
        page.keyboard.press("ArrowRight")
    # What the bridge itself says of the past.
    moves = house.get("/v1/devices/kettle/kitchen")["moves"]
    titles = {state["name"]: state["title"] for state in house.get("/v1/definitions/kettle")["machine"]["states"]}
    passed = ["Not started"] + [titles[move["to"]] for move in moves]
    assert [state for state, _ in itertools.groupby(seen)] == [state for state, _ in itertools.groupby(passed)]

    page.keyboard.press("Home")
    expect(page.locator(".past-note")).to_contain_text("The past: as it was at")
    page.get_by_role("button", name="Back to now").click()
    expect(page.locator(".device-state")).to_have_text("Tea is ready")
    expect(page.get_by_role("img", name=re.compile("^Tea is ready.*active now"))).to_be_visible()
