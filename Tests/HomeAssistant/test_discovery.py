"""The devices of Skerry in Home Assistant, by its MQTT discovery."""

import datetime


def start(home, name, **more):
    home.tell_laundry(
        name, **{"OperationState": "Run", "ActiveProgram": "Cotton", "RemainingProgramTime": 3600, "Progress": 40} | more
    )
    return f"laundry/{name}"


def test_a_wash_is_shown(home):
    device = start(home, "shown")
    entities = home.assistant.shows(device, state="Running", running="on", field_status="Running", field_share="40")
    assert entities["state"]["attributes"]["device_class"] == "enum"
    assert entities["state"]["attributes"]["friendly_name"] == "Laundry shown State"
    assert entities["field_share"]["attributes"]["unit_of_measurement"] == "%"
    assert entities["progress"]["state"] == "40"
    assert entities["progress"]["attributes"]["unit_of_measurement"] == "%"
    assert entities["state"]["attributes"]["icon"] == "mdi:washing-machine"

    cycle = entities["field_cycle"]
    assert cycle["attributes"]["device_class"] == "timestamp"
    end = datetime.datetime.fromisoformat(cycle["state"])
    assert int(end.timestamp()) == int(home.snapshot(device)["content"]["cycle"]["end"])

    home.tell_laundry("shown", OperationState="Pause", Progress=55)
    home.assistant.shows(device, state="Paused", field_cycle="unknown", field_share="55")
    home.tell_laundry("shown", OperationState="Run")
    later = home.assistant.shows(device, state="Running")["field_cycle"]["state"]
    assert datetime.datetime.fromisoformat(later) >= end

    home.tell_laundry("shown", OperationState="Finished")
    home.assistant.shows(device, running="off", state="none", field_status="unknown")


def test_a_device_that_does_nothing_is_known(home):
    home.tell_laundry("idle", OperationState="Ready")
    idle = {"state": "none", "running": "off"}
    home.assistant.shows("laundry/idle", **idle)
    # Nothing is retained for it, and Home Assistant remembers nothing.
    home.assistant.stop()
    home.assistant.start()
    home.assistant.shows("laundry/idle", **idle)
    home.assistant.shows(start(home, "idle"), state="Running", running="on")


def test_a_field_that_is_gone_from_the_definition_vanishes(home):
    device = start(home, "changed")
    home.assistant.shows(device, state="Running", field_share="40")
    laundry = home.definitions / "laundry.yaml"
    whole = laundry.read_text()
    fewer = whole.replace('    share: { value: progress, of: 100, unit: "%" }\n', "")
    laundry.write_text(fewer.replace("  content:\n", "").replace(", progress: share", ""))
    restart_bridge(home)
    gone = {"field_share", "progress"}
    home.assistant.bell.until(lambda: not gone & set(home.assistant.entities(device)), "the end of the field")
    home.assistant.shows(device, state="Running", running="on")
    laundry.write_text(whole)
    restart_bridge(home)
    home.assistant.shows(device, state="Running", field_share="40", progress="40")


def restart_bridge(home):
    home.bridge.kill()
    home.bridge.wait()
    home.start_bridge()


def test_a_device_that_cannot_be_reached_is_unavailable(home):
    device = start(home, "silent")
    home.assistant.shows(device, state="Running")
    home.tell("laundry/silent/LWT", "offline")
    gone = home.assistant.shows(device, state="unavailable")
    # Alerts are told meanwhile, too.
    assert gone.pop("alert")["state"] == "unknown"
    assert {entity["state"] for entity in gone.values()} == {"unavailable"}
    home.tell("laundry/silent/LWT", "online")
    home.assistant.shows(device, state="Running", running="on")


def test_without_its_bridge_a_device_is_unavailable(home):
    device = start(home, "bridged")
    home.assistant.shows(device, state="Running")
    home.bridge.kill()
    home.bridge.wait()
    gone = home.assistant.shows(device, state="unavailable")
    assert {entity["state"] for entity in gone.values()} == {"unavailable"}
    home.start_bridge()
    home.assistant.shows(device, state="Running", running="on")


def test_devices_are_connected_through_the_bridge(home):
    device = start(home, "through")
    home.assistant.shows(device, state="Running")
    home.assistant.shows("bridge", connection="on")
    devices = home.assistant.devices()
    bridge = devices["skerry_bridge"]
    assert (bridge["name"], bridge["via_device_id"]) == ("Skerry", None)
    assert devices["skerry_laundry_through"]["via_device_id"] == bridge["id"]
    # None has been made for something that is never announced.
    assert all(one["name"] for one in devices.values())
    home.bridge.kill()
    home.bridge.wait()
    home.assistant.shows("bridge", connection="off")
    home.start_bridge()
    home.assistant.shows("bridge", connection="on")


def test_a_room_is_the_area_of_a_new_device(home):
    def area():
        names = {one["area_id"]: one["name"] for one in home.assistant.ask({"type": "config/area_registry/list"})}
        return names.get(home.assistant.devices()["skerry_laundry_roomy"]["area_id"])

    home.arrange("roomy", room="Cellar")
    device = start(home, "roomy")
    home.assistant.shows(device, state="Running")
    assert area() == "Cellar"
    # It is Home Assistant's from then on.
    home.arrange("roomy", room="Attic")
    home.tell_laundry("roomy", OperationState="Pause")
    home.assistant.shows(device, state="Paused")
    assert area() == "Cellar"


def test_a_button_reaches_the_machine(home):
    device = start(home, "pressed")
    entities = home.assistant.shows(device, state="Running", event_soak="unknown")
    home.assistant.press(entities["event_soak"])
    entities = home.assistant.shows(device, state="Soaking")
    home.assistant.press(entities["event_resume"])
    home.assistant.shows(device, state="Running")


def test_an_alert_is_an_event(home):
    device = start(home, "alerting")
    home.assistant.shows(device, state="Running", alert="unknown")
    home.tell_laundry("alerting", OperationState="Finished", ProgramFinished="Present")

    def told():
        entity = home.assistant.entities(device)["alert"]
        return entity if entity["state"] != "unknown" else None

    alert = home.assistant.bell.until(told, "the alert")["attributes"]
    assert alert["event_type"] == "alert" and alert["title"] and alert["level"] == "active"


def test_a_removed_device_vanishes(home):
    device = start(home, "removed")
    home.assistant.shows(device, state="Running")
    home.forget(device)
    home.assistant.bell.until(lambda: home.assistant.entities(device) == {}, "the end of the entities")


def test_devices_are_announced_again_when_home_assistant_starts(home):
    device = start(home, "again")
    home.assistant.shows(device, state="Running")
    home.assistant.stop()
    # The broker lost it, so that only the bridge can announce it.
    home.publish("homeassistant/device/skerry_laundry_again/config", "", "-r")
    home.tell_laundry("again", OperationState="Pause")
    home.assistant.start()
    home.assistant.shows(device, state="Paused", running="on")
