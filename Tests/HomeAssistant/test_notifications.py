"""The notifications that a phone with Home Assistant's app gets."""


def received(home, device, count):
    """Waits for so many notifications about a device; there must not be more."""
    pushes = home.phone.bell.until(
        lambda: (pushes := home.phone.of(device))[count - 1 :] and pushes, f"notification {count} about {device}"
    )
    assert len(pushes) == count, messages(pushes)
    return pushes


def messages(pushes):
    return [push["message"] for push in pushes]


def test_a_wash_with_a_pause_is_five_notifications(home):
    device = "laundry/anna"
    home.tell_laundry("anna", OperationState="Run", ActiveProgram="Cotton", RemainingProgramTime=3600)
    first = received(home, device, 1)[0]
    end = home.snapshot(device)["content"]["cycle"]["end"]
    assert (first["title"], first["message"]) == ("anna", "Running")
    assert first["push_token"] == "token-of-the-phone"
    data = first["data"]
    assert data["live_update"] is True and data["chronometer"] is True and data["sticky"] is True
    assert data["when"] == round(end)
    assert data["notification_icon"] == "mdi:washing-machine" and data["color"] == "#2a9d8f"
    assert "progress" not in data and "silent" not in data

    home.tell_laundry("anna", OperationState="Pause")
    paused = received(home, device, 2)[1]
    rest = home.snapshot(device)["content"]["cycle"]
    assert paused["message"] == "Paused"
    assert paused["data"]["progress_max"] == round(rest["duration"])
    assert abs(paused["data"]["progress"] - (rest["duration"] - rest["remaining"])) <= 1
    assert "chronometer" not in paused["data"] and paused["data"]["silent"] is True

    home.tell_laundry("anna", OperationState="Run")
    resumed = received(home, device, 3)[2]
    assert resumed["message"] == "Running"
    assert resumed["data"]["when"] == round(home.snapshot(device)["content"]["cycle"]["end"])
    assert resumed["data"]["when"] >= data["when"]

    home.tell_laundry("anna", OperationState="Finished")
    pushes = received(home, device, 5)
    assert messages(pushes) == [
        "Running",
        "Paused",
        "Running",
        "Laundry is done: Cotton has finished",
        "clear_notification",
    ]
    assert "silent" not in pushes[3]["data"] and "sticky" not in pushes[3]["data"]
    assert {push["data"]["tag"] for push in pushes} == {data["tag"]}
    assert pushes[4]["data"] == {"tag": data["tag"]}


def test_home_assistant_restarts_in_the_middle(home):
    device = "laundry/ben"
    home.tell_laundry("ben", OperationState="Run", ActiveProgram="Cotton", RemainingProgramTime=3600)
    tag = received(home, device, 1)[0]["data"]["tag"]
    home.assistant.stop()
    home.tell_laundry("ben", OperationState="Pause")
    home.assistant.start()
    received(home, device, 2)
    home.tell_laundry("ben", OperationState="Aborting")
    pushes = received(home, device, 3)
    assert messages(pushes) == ["Running", "Paused", "clear_notification"]
    assert {push["data"]["tag"] for push in pushes} == {tag}


def test_what_the_push_service_refuses_comes_with_the_next_state(home):
    device = "laundry/cleo"
    # Home Assistant logs it, and tells Skerry that all went well.
    home.expected.append("maximum number of notifications")
    home.expected.append("push notification rate limits")
    home.expected.append("Rate limit exceeded")  # in later versions
    home.phone.refusals.append(429)
    home.tell_laundry("cleo", OperationState="Run", ActiveProgram="Cotton", RemainingProgramTime=3600)
    home.phone.bell.until(lambda: not home.phone.refusals, "the push that is refused")
    home.tell_laundry("cleo", OperationState="Pause")
    pushes = received(home, device, 1)
    assert messages(pushes) == ["Paused"]
    assert pushes[0]["title"] == "cleo" and pushes[0]["data"]["live_update"] is True
