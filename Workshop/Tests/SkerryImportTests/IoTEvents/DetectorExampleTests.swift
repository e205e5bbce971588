import Foundation
import SkerryDevice
import SkerryFiles
import SkerryImport
import Testing

/// Detector models as they are published, with their messages.
@Suite("Detector models with their messages")
struct DetectorExampleTests {
    @Test(arguments: ["thermostat", "heartbeat", "simple-alarm", "isa-alarm", "connectivity"])
    func `an example becomes the definition beside it, without errors`(name: String) throws {
        let file = DetectorScene.examples.appendingPathComponent("\(name).json")
        let text = try String(contentsOf: file, encoding: .utf8)
        let imported = DetectorTranslation.definition(from: text, file: "\(name).json")
        let yaml = try #require(imported.yaml)
        let compiled = CompiledFiles([DefinitionFile(path: "\(name).yaml", bytes: Array(yaml.utf8))])
        #expect(!compiled.hasErrors, "\(compiled.report(DiagnosticPrinter()))")
        #expect(imported.problems.allSatisfy { $0.code == .notTranslated })
        let golden = DetectorScene.examples.appendingPathComponent("\(name).yaml")
        if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" {
            try yaml.write(to: golden, atomically: true, encoding: .utf8)
            Issue.record("recorded \(name).yaml")
            return
        }
        #expect(yaml == (try String(contentsOf: golden, encoding: .utf8)))
    }

    private static let seed = """
        {"areaId": "Area51", "desiredTemperature": 20.0, "allowedError": 0.7, "rangeHigh": 30.0, "rangeLow": 15.0,
         "anomalousHigh": 60.0, "anomalousLow": 0.0, "sensorCount": 10, "noDelay": false}
        """

    private func reading(_ temperature: String, _ sensor: String = "01") -> String {
        "{\"sensorId\": \"\(sensor)\", \"areaId\": \"Area51\", \"sensorData\": {\"temperature\": \(temperature)}}"
    }

    /// The first message enters `start`, goes through it and leaves it, and its parting words know what it set.
    @Test func `HVAC: the first message creates the detector and is evaluated`() throws {
        var scene = try DetectorScene(example: "thermostat")
        try scene.send(Self.seed, to: "seedTemperatureInput")
        #expect(scene.state == "idle")
        let published = [
            ("sensorCount", "10"), ("rangeHigh", "30.0"), ("resetMe", "false"),
            ("averageTemperature", "20.0"),
            ("rangeLow", "15.0"), ("noDelay", "false"), ("allowedError", "0.7"),
            ("desiredTemperature", "20.0"),
            ("anomalousHigh", "60.0"), ("reportedTemperature", "0.1"), ("anomalousLow", "0.0"),
            ("sensorId", "0"),
        ]
        for (name, value) in published { #expect(scene.variable(name) == value, "\(name)") }
        #expect(scene.variable("goodToGo") == "unset")
        #expect(
            scene.reference.told == [
                "start: notifies 'arn:aws:sns:eu-central-1:000000000000:heatOff'",
                "start: notifies 'arn:aws:sns:eu-central-1:000000000000:coolOff'",
                "start: publishes to 'hvac/Heating/Off'", "start: publishes to 'hvac/Cooling/Off'",
            ]
        )
        #expect(scene.difference == nil)
    }

    @Test func `HVAC: a unit runs for its time at least`() throws {
        var scene = try DetectorScene(example: "thermostat")
        try scene.send(Self.seed, to: "seedTemperatureInput")
        try scene.send(reading("15.72"), to: "temperatureInput")
        // (20 * 9 + 15.72) / 10, as DescribeDetector prints it.
        #expect(scene.variable("averageTemperature") == "19.572")
        #expect(scene.variable("sensorId") == "\"01\"")
        #expect(scene.state == "idle")
        try scene.send(reading("12.5"), to: "temperatureInput")
        #expect(scene.state == "heating")
        #expect(scene.timer("heatingTimer") == "until 120")
        // The average would be reached at once, but the unit has to run on.
        for _ in 0..<3 { try scene.send(reading("29.9"), to: "temperatureInput") }
        #expect(scene.state == "heating")
        #expect(scene.variable("goodToGo") == "false")
        scene.wait(120)
        #expect(scene.variable("goodToGo") == "true")
        #expect(scene.timer("heatingTimer") == "off")
        // The end of the timer was an evaluation too, with the last reading.
        #expect(scene.state == scene.reference.state)
        try scene.send(reading("29.9"), to: "temperatureInput")
        #expect(scene.state == "idle")
        try scene.send("{\"areaId\": \"Area51\", \"desiredTemperature\": 23.0}", to: "seedTemperatureInput")
        #expect(scene.variable("desiredTemperature") == "23.0")
        #expect(scene.difference == nil)
    }

    @Test func `heartbeat: silence is noticed, and the last message brings the detector back`() throws {
        var scene = try DetectorScene(example: "heartbeat")
        try scene.send(#"{"value": 1}"#, to: "heartbeat")
        scene.wait(299)
        try scene.send(#"{"value": 1}"#, to: "heartbeat")
        scene.wait(299)
        #expect(scene.state == "Normal")
        scene.wait(1)
        #expect(scene.state == "Offline")
        // The expiry has started the timer again (BATCH), and at its next end the last message still says 1.
        scene.wait(300)
        #expect(scene.state == "Normal")
        #expect(scene.difference == nil)
    }

    @Test func `simple alarm: acknowledged, it comes back after two minutes`() throws {
        var scene = try DetectorScene(example: "simple-alarm")
        try scene.send(#"{"value": 9, "threshold": 5}"#, to: "alarmInput")
        // The threshold is set by the message, and conditions see it from the next one on.
        #expect(scene.state == "Normal")
        try scene.send(#"{"value": 9}"#, to: "alarmInput")
        #expect(scene.state == "Alarming")
        try scene.send(#"{"command": "acknowledge"}"#, to: "alarmInput")
        #expect(scene.state == "Snooze")
        #expect(scene.timer("escalate") == "off")
        try scene.send(#"{"command": "dnd"}"#, to: "alarmInput")
        scene.wait(120)
        #expect(scene.state == "Alarming")
        #expect(scene.reference.told.last == "Alarming: publishes to 'alarm/quiet'")
        try scene.send(#"{"command": "reset"}"#, to: "alarmInput")
        #expect(scene.state == "Normal")
        #expect(scene.variable("dnd_active") == "0")
        #expect(scene.difference == nil)
    }

    @Test func `ISA alarm: all seven states`() throws {
        var scene = try DetectorScene(example: "isa-alarm")
        let steps = [
            (#"{"value": 5, "higher": 8, "lower": 2}"#, "Normal"), (#"{"value": 9}"#, "Unacknowledged"),
            (#"{"value": 6}"#, "RTN_Unacknowledged"), (#"{"command": "shelve"}"#, "Shelved"),
            (#"{"value": 9}"#, "Shelved"), (#"{"command": "unshelve"}"#, "RTN_Unacknowledged"),
            (#"{"value": 1}"#, "Unacknowledged"), (#"{"command": "acknowledge"}"#, "Acknowledged"),
            (#"{"command": "suppress"}"#, "Suppressed_by_design"),
            (#"{"command": "unsuppress"}"#, "Acknowledged"), (#"{"command": "remove"}"#, "Out_of_service"),
            (#"{"command": "add"}"#, "Acknowledged"),
        ]
        for (payload, state) in steps {
            try scene.send(payload, to: "processInput")
            #expect(scene.state == state, "\(payload)")
            #expect(scene.difference == nil)
        }
        scene.wait(600)
        #expect(scene.state == "Unacknowledged")
    }

    @Test func `connectivity: only a device that stays away is reported`() throws {
        var scene = try DetectorScene(example: "connectivity")
        let (connected, disconnected) = (#"{"eventType": "connected"}"#, #"{"eventType": "disconnected"}"#)
        try scene.send(connected, to: "lifecycle")
        try scene.send(disconnected, to: "lifecycle")
        scene.wait(59)
        try scene.send(connected, to: "lifecycle")
        scene.wait(600)
        #expect(scene.state == "Normal")
        try scene.send(disconnected, to: "lifecycle")
        scene.wait(60)
        #expect(scene.state == "Offline")
        #expect(scene.variable("deviceStatus") == "\"disconnected\"")
        scene.wait(60)
        #expect(scene.state == "Notify")
        // SERIAL: the status that the message sets counts for its own transition, a timer that is set does not.
        try scene.send(connected, to: "lifecycle")
        #expect(scene.state == "Normal")
        #expect(scene.variable("connectEvents") == "3")
        // The two timers were evaluations too, with the last message.
        #expect(scene.variable("disconnectEvents") == "4")
        #expect(scene.difference == nil)
    }
}
