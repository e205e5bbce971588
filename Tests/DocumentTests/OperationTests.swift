import Foundation
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryPhones
import SkerryValues
import Testing

@testable import SkerryGateway

/// The tables of docs/operation.md.
@Suite("docs/operation.md")
struct OperationTests {
    let page: Page

    init() throws { page = try Page.read("docs/operation.md") }

    private func rows(_ header: String) throws -> [[String]] {
        try #require(page.tables.first { $0.header.first == header }).rows
    }

    /// The settings that a file may have, found by asking for one that there is not.
    private func settings(under path: [String] = []) -> [String] {
        let text = path.reversed().reduce("none-such: 1") { "\($1): { \($0) }" }
        guard let problem = SettingsFile(text).problems.first, problem.code == .unknownKey else {
            return [path.joined(separator: ".")]
        }
        let names = (problem.remedy ?? "").matches(of: /'([^']+)'/).map { String($0.output.1) }
        return names.flatMap { settings(under: path + [$0]) }
    }

    @Test func `every setting is there, and no other`() throws {
        let documented = try rows("setting").flatMap { $0[0].codeSpans }
        #expect(settings().contains("mqtt.tls.ca"))
        #expect(Set(documented) == Set(settings()))
        #expect(documented.count == settings().count)
    }

    @Test func `the defaults of limits are those of the program`() throws {
        let device = DeviceLimits()
        let engine = EngineLimits()
        let known = [
            "payload": device.json.bytes, "json-depth": device.json.depth,
            "expression-cost": Int(device.expressionCost), "microsteps": device.microsteps,
            "content": device.contentBytes, "devices": engine.devices, "topics": engine.topics,
            "new-devices": engine.newDevices, "device-name": engine.nameBytes, "value": device.valueBytes,
            "device-values": device.deviceBytes, "all-values": engine.valueBytes,
            "outbox": BridgeOptions(version: "").outboxLimit,
        ]
        for (name, value) in known {
            let row = try #require(try rows("setting").first { $0[0] == "`limits.\(name)`" })
            #expect(row[1] == "`\(value)`", "limits.\(name)")
        }
    }

    @Test func `ranges and defaults are those of the parts that have the settings`() throws {
        func greatest<Value>(_ key: SettingKey<Value>) -> Int? {
            if case .number(let range, _) = key.declaration.form { range.upperBound } else { nil }
        }
        #expect(greatest(SettingKeys.MQTT.receiveMaximum) == HandledMessages.limit)
        let budgets = PushSchedulerSettings()
        for (key, budget) in [
            (SettingKeys.PushLimits.updates, budgets.immediateBudget),
            (SettingKeys.PushLimits.frequentUpdates, budgets.frequentBudget),
            (SettingKeys.PushLimits.widgets, budgets.widgetBudget),
        ] {
            #expect(key.declaration.standard == "`\(budget)`")
            #expect(greatest(key) == BudgetLedger.highestLimit)
        }
        #expect(SettingKeys.PushLimits.starts.declaration.standard == "`\(budgets.startBudget)`")
        #expect(SettingKeys.PushLimits.activities.declaration.standard == "`\(budgets.places)`")
    }

    @Test func `files with settings are right`() {
        let blocks = page.blocks("yaml").filter { $0.info.contains("file=skerry.yaml") }
        #expect(!blocks.isEmpty)
        for block in blocks { #expect(SettingsFile(block.text).problems == []) }
    }

    @Test func `commands are run in a booted system, or build something`() {
        let others = page.blocks("sh").filter { $0.info.dropFirst().first?.hasPrefix("booted") != true }
        for block in others {
            #expect(
                block.text.contains(/^(?:scripts\/package|swift build --package-path Workshop)/),
                "line \(block.line)"
            )
        }
        // The one that boots them runs all that are marked.
        #expect(page.blocks("sh").count - others.count > 10)
    }

    @Test func `every member of the health report is there, and no other`() throws {
        var health = BridgeHealth(startedAt: Timestamp(seconds: 0))
        health.foreign = 1
        health.setAside = ["washer/laundry"]
        health.lastProblem = (at: Timestamp(seconds: 1), message: "none")
        _ = health.committed(StoreFault("none", .full), at: Timestamp(seconds: 1))
        let text = """
            skerry: 1
            kind: plug
            sources: [{ topic: "plug/{device}", payload: number, signals: { power: payload } }]
            machine: { initial: idle, states: { idle: { always: { guard: power > 5.0, target: busy } }, busy: {} } }

            """
        let compiled = CompiledFiles([DefinitionFile(path: "plug.yaml", bytes: Array(text.utf8))])
        var engine = Engine(definitions: compiled.definitions, epoch: 0)
        let unread = Message(
            topic: ArraySlice("plug/a".utf8),
            payload: ArraySlice("much".utf8),
            isRetained: false
        )
        _ = engine.handle(.message(unread), at: Timestamp(seconds: 1))
        let report = health.report(
            engine: engine,
            number: 0,
            waiting: 0,
            dropped: 0,
            sinks: [SinkQueue(name: "test", options: BridgeOptions(version: ""))],
            at: Timestamp(seconds: 1),
            topic: "health"
        )
        let members = try #require(
            try JSONSerialization.jsonObject(with: Data(report.payload)) as? [String: Any]
        )
        let rows = try rows("member")
        #expect(Set(rows.map { $0[0].codeSpans[0] }) == Set(members.keys))
        for (name, value) in members {
            guard let parts = value as? [String: Any] else { continue }
            let row = try #require(rows.first { $0[0] == "`\(name)`" })
            #expect(Set(row[1].codeSpans) == Set(parts.keys), "\(name)")
        }
    }
}
