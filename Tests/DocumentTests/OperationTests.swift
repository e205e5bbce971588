import Foundation
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryPhones
import SkerryValues
import Testing

@testable import SkerryGateway

/// The pages about running Skerry: their commands, settings and tables.
struct OperationTests {
    /// The pages whose commands are typed on a gateway.
    private static func pages() throws -> [Page] {
        try ["docs/install.md", "docs/what-is-kept.md"].map { try Page.read($0) }
            + Page.all(below: "docs/how-to") + Page.all(below: "docs/reference")
    }

    @Test func `ranges and defaults are those of the parts that have the settings`() throws {
        func greatest<Value>(_ key: SettingKey<Value>) -> Int? {
            if case .number(let range, _) = key.declaration.form { range.upperBound } else { nil }
        }
        #expect(greatest(SettingKeys.MQTT.receiveMaximum) == HandledMessages.limit)
        let outbox = BridgeOptions(version: "").outboxLimit
        #expect(SettingKeys.Limits.outbox.declaration.standard == "`\(outbox)`")
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

    @Test func `files with settings are right`() throws {
        var count = 0
        for page in try Page.all(below: "docs") {
            for block in page.blocks("yaml") where block.info.contains("file=skerry.yaml") {
                #expect(SettingsFile(block.text).problems == [], "\(page.path), line \(block.line)")
                count += 1
            }
        }
        #expect(count > 5)
    }

    @Test func `commands are run in a booted system, or build something`() throws {
        var booted = 0
        for page in try Self.pages() {
            for block in page.blocks("sh") {
                if block.info.dropFirst().first?.hasPrefix("booted") == true {
                    booted += 1
                } else if let file = block.info.dropFirst().first, file.hasPrefix("tried=") {
                    // What does the same elsewhere, with an engine for containers or a database.
                    let path = Page.root.appending(path: String(file.dropFirst("tried=".count))).path
                    #expect(
                        FileManager.default.fileExists(atPath: path),
                        "\(page.path), line \(block.line)"
                    )
                } else {
                    #expect(
                        block.text.contains(
                            /^(?:scripts\/(?:package|container|home-assistant-app)|swift build (?:--package-path Workshop )?-c release --product skerry-)/
                        ),
                        "\(page.path), line \(block.line)"
                    )
                }
            }
        }
        // The one that boots them runs all that are marked.
        #expect(booted > 10)
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
        let other = text.replacing("plug", with: "meter")
        let compiled = CompiledFiles(
            [("plug.yaml", text), ("meter.yaml", other)].map {
                DefinitionFile(path: $0, bytes: Array($1.utf8))
            }
        )
        var engine = Engine(definitions: compiled.definitions, epoch: 0)
        let unread = Message(
            topic: ArraySlice("plug/a".utf8),
            payload: ArraySlice("much".utf8),
            isRetained: false
        )
        _ = engine.handle(.message(unread), at: Timestamp(seconds: 1))
        let start = Timestamp(seconds: 1)
        let options = BridgeOptions(version: "")
        let ledger = Ledger(
            StoreProgress(aliveAt: start, sequence: 0, lastPublication: 0),
            epoch: 0,
            sinks: [SinkQueue(name: "test", options: options)],
            options: options,
            at: start
        )
        let report = health.report(engine, ledger, at: start, topic: "health")
        let members = try #require(
            try JSONSerialization.jsonObject(with: Data(report.payload)) as? [String: Any]
        )
        let page = try Page.read("docs/reference/health.md")
        let rows = try #require(page.tables.first { $0.header.first == "member" }).rows
        #expect(Set(rows.map { $0[0].codeSpans[0] }) == Set(members.keys))
        for (name, value) in members {
            guard let parts = value as? [String: Any] else { continue }
            let row = try #require(rows.first { $0[0] == "`\(name)`" })
            #expect(Set(row[1].codeSpans) == Set(parts.keys), "\(name)")
        }
    }
}
