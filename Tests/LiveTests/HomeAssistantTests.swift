import Foundation
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryHouse
import SkerryTesting
import Testing

/// Announcements to Home Assistant, whose templates are evaluated by the template engine that Home Assistant has.
@Suite(
    "Home Assistant, live",
    .serialized,
    .enabled(if: Broker.isAvailable, "needs a mosquitto binary"),
    .enabled(if: Jinja.isAvailable, "needs python3 with jinja2 (apt-get install python3-jinja2)")
)
struct HomeAssistantTests {
    @Test("every snapshot of every definition, and none, gives each entity a value that Home Assistant takes")
    func templates() async throws {
        let broker = try Broker()
        let homeAssistant = try BrokerClient(port: broker.port)
        try homeAssistant.subscribe("homeassistant/#", keepsRetainFlag: true)
        var cases: [Jinja.Case] = []
        for (definition, tests) in Files.testedDevices where definition.contract != nil {
            for test in tests {
                let script = TestScript(test)
                if script.isGiven || script.hasRetainedMessages { continue }
                let play = try LivePlay(definition, broker, prefix: "ha/\(cases.count)") {
                    $0.homeAssistant = HomeAssistantOptions()
                }
                let steps = try play.play(
                    script,
                    device: DefinitionTestRunner(definition).onlyDevice(of: test)
                )
                await play.end()
                let snapshots = steps.flatMap(\.shown).filter { $0.topic.hasSuffix("/activity") }.map(
                    \.payload
                )
                let start = "homeassistant/device/ha_\(cases.count)_"
                // Beside the device the bridge is announced.
                func isOfDevice(_ message: BrokerClient.Message) -> Bool {
                    message.topic.hasPrefix(start) && !message.topic.hasSuffix("_bridge/config")
                }
                try homeAssistant.wait(for: "an announcement") { $0.contains { isOfDevice($0) } }
                let announcement = try #require(homeAssistant.messages.last { isOfDevice($0) })
                #expect(announcement.isRetained)
                cases.append(
                    Jinja.Case(
                        name: "\(definition.kind): \(test.name.text)",
                        announcement: announcement.text,
                        snapshots: snapshots + [""]
                    )
                )
                if !snapshots.isEmpty { break }
            }
        }
        #expect(cases.count >= Files.testedDevices.count)
        #expect(try Jinja.findings(cases) == "")
    }

    @Test("a template that Home Assistant can't use is found")
    func wrongTemplate() throws {
        let announcement = """
            {"components":{"a":{"platform":"sensor","device_class":"timestamp","value_template":"{{ value_json.at }}"},
             "b":{"platform":"sensor","device_class":"enum","options":["x"],"value_template":"{{ value_json.at }}"}}}
            """
        let wrong = Jinja.Case(name: "wrong", announcement: announcement, snapshots: [#"{"at":5}"#, ""])
        let findings = try Jinja.findings([wrong])
        #expect(findings.split(separator: "\n").count == 4, "\(findings)")
    }
}

/// Evaluates templates of Jinja in Python, with the filter and the rules of Home Assistant that the announcements rely on.
enum Jinja {
    static let isAvailable: Bool = {
        let python = Process()
        python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        python.arguments = ["python3", "-c", "import jinja2"]
        python.standardError = FileHandle.nullDevice
        guard (try? python.run()) != nil else { return false }
        python.waitUntilExit()
        return python.terminationStatus == 0
    }()

    /// An announcement, and the payloads that its entities get.
    struct Case: Encodable {
        var name: String
        var announcement: String
        var snapshots: [String]
    }

    /// What is wrong with the values that entities get from payloads, line by line.
    static func findings(_ cases: [Case]) throws -> String {
        let python = Process()
        python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        python.arguments = ["python3", "-c", script]
        let (input, output) = (Pipe(), Pipe())
        python.standardInput = input
        python.standardOutput = output
        try python.run()
        try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(cases))
        try input.fileHandleForWriting.close()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        python.waitUntilExit()
        return String(decoding: text, as: UTF8.self) + (python.terminationStatus == 0 ? "" : "python failed")
    }

    /// As Home Assistant renders: `value_json` is there only for a payload that is JSON, and `None` means unknown.
    private static let script = """
        import datetime, json, sys
        from jinja2.sandbox import ImmutableSandboxedEnvironment
        environment = ImmutableSandboxedEnvironment()
        environment.filters["as_datetime"] = lambda v: datetime.datetime.fromtimestamp(v, datetime.timezone.utc)
        environment.filters["to_json"] = json.dumps
        # As the bridge publishes them.
        alerts = ['{"title":"Done","body":"After 5 min","at":5}', '{"title":"It is","body":"","at":5,"level":"passive"}', ""]
        def judge(entity, text):
            if entity["platform"] == "binary_sensor":
                return text in ("ON", "OFF", "None")
            if entity["platform"] == "event":
                return text == "" or json.loads(text)["event_type"] in entity["event_types"]
            if "options" in entity:
                return text in entity["options"]
            if text == "None":
                return True
            try:
                if entity.get("device_class") == "timestamp":
                    return datetime.datetime.fromisoformat(text).tzinfo is not None
                if "state_class" in entity or entity.get("device_class") == "duration":
                    return float(text) is not None
            except ValueError:
                return False
            return len(text) <= 255
        for case in json.load(sys.stdin):
            for name, entity in json.loads(case["announcement"])["components"].items():
                if "value_template" not in entity:
                    continue
                template = environment.from_string(entity["value_template"])
                for payload in alerts if entity["platform"] == "event" else case["snapshots"]:
                    variables = {"value": payload}
                    try:
                        variables["value_json"] = json.loads(payload)
                    except ValueError:
                        pass
                    try:
                        text = template.render(variables).strip()
                    except Exception as error:
                        print(case["name"], name, "fails:", error, "for", payload)
                        continue
                    if not judge(entity, text):
                        print(case["name"], name, "shows", repr(text), "for", payload)
        """
}
