import Foundation
import SkerryDevice
import SkerryHouse
import Testing

@testable import SkerryFiles

@Suite("The table of the language")
struct LanguageTests {
    @Test("its parts are documented: titles, sentences, examples; no key twice")
    func told() {
        for part in LanguagePart.allCases {
            let mapping = part.mapping
            #expect(Set(mapping.names).count == mapping.names.count, "\(part)")
            #expect(mapping.summary.hasSuffix("."), "\(part)")
            #expect(mapping.choice.allSatisfy(mapping.names.contains), "\(part)")
            for key in mapping.keys {
                #expect(!key.title.isEmpty && !key.title.hasSuffix("."), "\(part).\(key.name)")
                #expect(key.summary.hasSuffix("."), "\(part).\(key.name)")
                #expect(!key.examples.isEmpty, "\(part).\(key.name)")
            }
        }
    }

    /// Definitions with a place for one key of a part.
    private static let places: [(part: LanguagePart, before: String, after: String)] = [
        (.definition, "{ ", "}"),
        (.setting, "{ skerry: 1, settings: { s: { default: 1, ", "}}}"),
        (.source, "{ skerry: 1, sources: [{ ", "}]}"),
        (.signal, "{ skerry: 1, sources: [{ topic: t, signals: { s: { ", "}}}]}"),
        (.validRange, "{ skerry: 1, sources: [{ topic: t, signals: { s: { value: v, valid: { ", "}}}}]}"),
        (.signalForm, "{ skerry: 1, sources: [{ topic: t, signals: { s: { ", "}}}]}"),
        (.recognition, "{ skerry: 1, recognise: [{ topic: t, ", "}]}"),
        (.timer, "{ skerry: 1, timers: { t: { ", "}}}"),
        (.learning, "{ skerry: 1, timers: { t: { count: up, learn: { ", "}}}}"),
        (.machine, "{ skerry: 1, machine: { ", "}}"),
        (.state, "{ skerry: 1, machine: { states: { a: { ", "}}}}"),
        (.transition, "{ skerry: 1, machine: { on: { a: { ", "}}}}"),
        (.waitingTransition, "{ skerry: 1, machine: { always: { ", "}}}"),
        (.action, "{ skerry: 1, machine: { entry: { ", "}}}"),
        (.guardedAction, "{ skerry: 1, machine: { entry: { guard: g, actions: [], ", "}}}"),
        (.start, "{ skerry: 1, machine: { entry: { start: { timer: t, ", "}}}}"),
        (.pause, "{ skerry: 1, machine: { entry: { pause: { timer: t, ", "}}}}"),
        (.extend, "{ skerry: 1, machine: { entry: { extend: { timer: t, ", "}}}}"),
        (.send, "{ skerry: 1, machine: { entry: { send: { event: e, ", "}}}}"),
        (.publish, "{ skerry: 1, machine: { entry: { publish: { topic: t, ", "}}}}"),
        (.activity, "{ skerry: 1, machine: {}, activity: { ", "}}"),
        (.runKey, "{ skerry: 1, machine: {}, activity: { run: { ", "}}}"),
        (.silence, "{ skerry: 1, machine: {}, activity: { stale: { ", "}}}"),
        (.attribute, "{ skerry: 1, machine: {}, activity: { attributes: { f: { value: 1, ", "}}}}"),
        (.field, "{ skerry: 1, machine: {}, activity: { content: { f: { value: 1, ", "}}}}"),
        (.alert, "{ skerry: 1, machine: {}, activity: { alerts: { a: { title: t, ", "}}}}"),
        (.listedAlert, "{ skerry: 1, machine: {}, activity: { alerts: [{ title: t, ", "}]}}"),
        (.island, "{ skerry: 1, machine: {}, island: { ", "}}"),
        (.compact, "{ skerry: 1, machine: {}, island: { compact: { ", "}}}"),
        (.expanded, "{ skerry: 1, machine: {}, island: { expanded: { ", "}}}"),
        (.region, "{ skerry: 1, machine: {}, island: { lock: { ", "}}}"),
        (.cell, "{ skerry: 1, machine: {}, island: { lock: { column: [{ ", "}]}}}"),
        (.drawnSymbol, "{ skerry: 1, machine: {}, island: { lock: { symbol: { value: v, ", "}}}}"),
        (.drawnText, "{ skerry: 1, machine: {}, island: { lock: { text: { value: v, ", "}}}}"),
        (.drawnClock, "{ skerry: 1, machine: {}, island: { lock: { countdown: { value: v, ", "}}}}"),
        (.drawnBar, "{ skerry: 1, machine: {}, island: { lock: { progress: { value: v, ", "}}}}"),
        (.button, "{ skerry: 1, machine: {}, island: { buttons: { call: { ", "}}}}"),
        (.test, "{ skerry: 1, machine: {}, tests: [{ ", "}]}"),
        (.place, "{ skerry: 1, machine: {}, tests: [{ name: t, steps: [], place: { ", "}}]}"),
        (.step, "{ skerry: 1, machine: {}, tests: [{ name: t, steps: [{ ", "}]}]}"),
        (.repetition, "{ skerry: 1, machine: {}, tests: [{ name: t, steps: [{ repeat: 2, ", "}]}]}"),
        (.given, "{ skerry: 1, machine: {}, tests: [{ steps: [{ given: { ", "}}]}]}"),
        (.event, "{ skerry: 1, machine: {}, tests: [{ steps: [{ event: { name: e, ", "}}]}]}"),
    ]

    @Test("every key in it is read", arguments: LanguagePart.allCases)
    func read(part: LanguagePart) throws {
        // Only the runner of the tests looks at these.
        if [.expectation, .timerExpectation].contains(part) { return }
        let place = try #require(Self.places.first { $0.part == part })
        for key in part.mapping.keys {
            // A list of lists is right nowhere, so whoever reads the key complains.
            let given =
                switch (part, key.name) {
                case (.step, "retained"), (.step, "base64"): "send: {}, "
                case (.signalForm, let key) where !part.mapping.choice.contains(key): "max: v, "
                case (.signal, "value"): "valid: { min: 0 }, "
                case (.signal, _): "value: v, "
                case (.state, "target"): "type: history, "
                case (.silence, "for"): "of: a, "
                case (.silence, _): "for: 1m, "
                case (.runKey, "once"): "key: k, "
                default: ""
                }
            var before = place.before.replacing("timer: t, ", with: key.name == "timer" ? "" : "timer: t, ")
                .replacing(/(event|name|value|title|default|topic|repeat): \w+, $/) { match in
                    match.output.1 == key.name ? "" : String(match.output.0)
                }
            if part == .guardedAction {
                before.replace("\(key.name): \(key.name == "guard" ? "g" : "[]"), ", with: "")
            }
            let text = "\(before)\(given)\(key.name):\n [[]]\n\(place.after)"
            let problems = DefinitionReader.read(text: text).problems
            #expect(problems.contains { $0.place.line == 2 }, "\(part): nothing reads '\(key.name)'")
        }
    }

    @Test("every key that has a place in a draft is written again", arguments: LanguagePart.allCases)
    func written(part: LanguagePart) throws {
        // Tests are in no draft, and what extends another definition is merged before it is read.
        guard let place = Self.places.first(where: { $0.part == part }),
            place.before.range(of: "tests") == nil
        else { return }
        // The usual value, a transition to a state alone, and keys that only other regions have.
        let left: [(LanguagePart, String)] = [
            (.timer, "onRestart"), (.transition, "target"), (.waitingTransition, "target"),
            (.listedAlert, "state"), (.region, "align"), (.cell, "width"), (.definition, "tests"),
        ]
        for key in part.mapping.keys where !key.isRequired && key.name != "extends" {
            if left.contains(where: { $0 == (part, key.name) }) { continue }
            let given =
                switch (part, key.name) {
                case (.source, _): "topic: t, "
                case (.signalForm, let key) where !part.mapping.choice.contains(key): "max: v, "
                case (.listedAlert, let key) where key != "when" && key != "event": "when: w, "
                case (.state, "target"), (.state, "history"): "type: history, "
                case (.waitingTransition, "dropout"), (.waitingTransition, "reports"): "for: 1m, "
                case (.silence, _): "for: 1m, "
                case (.runKey, _): "key: k, "
                default: ""
                }
            let example = try #require(part == .setting ? key.examples.first : key.examples.last)
            var text = "\(place.before)\(given)\(key.name): \(example)\(place.after)"
            if !text.contains("machine:") { text.replace("skerry: 1, ", with: "skerry: 1, machine: {}, ") }
            if part == .definition { text.replace("{ ", with: "{ machine: {}, ", maxReplacements: 1) }
            let draft = try #require(DefinitionReader.read(text: text).draft, "\(text)")
            let written = DefinitionWriter.text(of: draft)
            #expect(
                written.contains("\(key.name):"),
                "\(part): nothing writes '\(key.name)' of \(text)\n\(written)"
            )
        }
    }

    @Test("every expectation in it is checked")
    func expectations() throws {
        for key in LanguagePart.expectation.mapping.keys where key.name != "device" {
            let text = """
                skerry: 1
                kind: sample
                sources: [{ topic: '{device}', payload: text, signals: { seen: payload } }]
                machine: { on: { look: { guard: seen == "", target: idle } }, states: { idle: {} } }
                tests: [{ name: t, steps: [{ send: { a: b } }, { expect: { \(key.name): nonsense } }] }]
                """
            let reading = DefinitionReader.read(text: text)
            let draft = try #require(reading.draft)
            let definition = try #require(Definition.compile(draft).definition)
            let outcome = try #require(DefinitionTestRunner(definition).run(reading.tests).first)
            #expect(!outcome.hasPassed, "nothing looks at '\(key.name)'")
        }
    }
}

@Suite("The schema for editors", .enabled(if: SchemaValidator.python != nil, "needs python3-jsonschema"))
struct SchemaTests {
    private static let devices = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../devices").standardizedFileURL

    private func document(_ text: String) throws -> Any {
        var problems = ProblemList()
        let node = try #require(YAMLComposer.compose(text, into: &problems))
        return try JSONSerialization.jsonObject(with: Data(SchemaNode(node).bytes))
    }

    @Test("it takes every definition in devices/, and the samples of the tests")
    func takes() throws {
        var documents: [String: Any] = ["washer": try document(Samples.washer)]
        documents["machine"] = try document(Samples.machine)
        for file in try FileManager.default.contentsOfDirectory(atPath: Self.devices.path) {
            guard file.hasSuffix(".yaml"), !file.hasPrefix("_") else { continue }
            let url = Self.devices.appendingPathComponent(file)
            documents[file] = try document(String(contentsOf: url, encoding: .utf8))
        }
        #expect(documents.count >= 7)
        #expect(try SchemaValidator.refused(documents, by: LanguageSchema.bytes) == [:])
    }

    /// All ways to a value through mappings alone.
    private func paths(in document: Any) -> [[String]] {
        guard let members = document as? [String: Any] else { return [] }
        return members.flatMap { key, value in [[key]] + paths(in: value).map { [key] + $0 } }
    }

    private func value(_ document: Any, _ path: ArraySlice<String>) -> Any? {
        guard let key = path.first else { return document }
        return (document as? [String: Any])?[key].flatMap { value($0, path.dropFirst()) }
    }

    private func changed(_ document: Any, _ path: ArraySlice<String>, to new: Any?) -> Any? {
        guard let key = path.first else { return new }
        var members = document as? [String: Any] ?? [:]
        members[key] = changed(members[key] ?? [String: Any](), path.dropFirst(), to: new)
        return members
    }

    /// True if `skerry check` finds no error in a file beside those in devices/.
    private func isTaken(_ document: Any) throws -> Bool {
        let bytes = Array(try JSONSerialization.data(withJSONObject: document))
        let bases = DefinitionBases([], readsFiles: true, shipped: ShippedDefinitions.folder)
        let path = Self.devices.appendingPathComponent("of-the-test.yaml").path
        return !CompiledFiles([DefinitionFile(path: path, bytes: bytes, extending: bases)]).hasErrors
    }

    @Test("what extends another definition may leave out what that one has, as the reader does")
    func extending() throws {
        var documents: [String: Any] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: Self.devices.path).sorted() {
            let url = Self.devices.appendingPathComponent(file)
            let text = try String(contentsOf: url, encoding: .utf8)
            guard file.hasSuffix(".yaml"), !file.hasPrefix("_"), text.contains("\nextends:"),
                var whole = try document(text) as? [String: Any]
            else { continue }
            whole["tests"] = nil
            for path in paths(in: whole) {
                for (word, new) in [("without", nil), ("null for", NSNull())] as [(String, Any?)] {
                    let copy = try #require(changed(whole, path[...], to: new))
                    guard try isTaken(copy) else { continue }
                    documents["\(file) \(word) \(path.joined(separator: "."))"] = copy
                }
            }
        }
        #expect(documents.count > 100)
        #expect(try SchemaValidator.refused(documents, by: LanguageSchema.bytes) == [:])
    }

    @Test("what extends another definition may say one thing anew")
    func changing() throws {
        let kind = "washer-plug"
        let url = Self.devices.appendingPathComponent(kind + ".yaml")
        let whole = try document(String(contentsOf: url, encoding: .utf8))
        let own = ["kind", "extends", "tests", "recognise"]
        var documents: [String: Any] = [:]
        for path in paths(in: whole) where !own.contains(path[0]) {
            let start: [String: Any] = ["kind": "of-the-test", "extends": kind]
            let same = try #require(value(whole, path[...]))
            let file = try #require(changed(start, path[...], to: same))
            if try isTaken(file) { documents[path.joined(separator: ".")] = file }
        }
        #expect(documents.count > 20)
        #expect(try SchemaValidator.refused(documents, by: LanguageSchema.bytes) == [:])
    }

    @Test("parts have a schema of their own, in which no key has to be there")
    func parts() throws {
        var documents: [String: Any] = ["nothing but a name": try document("name: Plug\n")]
        for file in try FileManager.default.contentsOfDirectory(atPath: Self.devices.path)
        where file.hasPrefix("_") {
            let url = Self.devices.appendingPathComponent(file)
            documents[file] = try document(String(contentsOf: url, encoding: .utf8))
        }
        #expect(documents.count > 1)
        #expect(try SchemaValidator.refused(documents, by: LanguageSchema.bytesOfParts) == [:])
        let wrong: [String: Any] = ["wrong": try document("nme: Plug\n")]
        #expect(try SchemaValidator.refused(wrong, by: LanguageSchema.bytesOfParts).count == 1)
        #expect(try SchemaValidator.refused(documents, by: LanguageSchema.bytes).count == documents.count)
    }

    @Test("without indentation it says the same")
    func compact() throws {
        let (whole, compact) = (LanguageSchema.bytes, LanguageSchema.compactBytes)
        #expect(compact.count < whole.count * 3 / 5)
        let read = { (bytes: [UInt8]) in
            try JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary
        }
        #expect(try read(compact) == read(whole))
    }

    @Test("it takes its own examples")
    func examples() throws {
        #expect(try SchemaValidator.refusedExamples(in: LanguageSchema.bytes) == [:])
    }

    @Test("it refuses unknown keys, wrong words and missing keys")
    func refuses() throws {
        let mistakes = [
            ("payload: json", "payload: xml"), ("kind: washer\n", ""), ("kind: washer\n", "kind: a/b\n"),
            ("skerry: 1", "skerry: 2"), ("name: Washing", "nme: Washing"),
            ("tolerance: 1m", "tolerance: 1 m"),
            ("onRestart: drop", "onRestart: never"), ("onNewEnd: restart", "onNewEnd: now"),
            ("15m: idle", "15: idle"),
            ("guard: operation", "if: operation"),
            ("remaining: remaining, ", ""), ("until: ends", "until: ends, count: up"),
            ("starts: running", "x: running"),
            ("{ start: cycle }", "{ begin: cycle }"), ("relevance: 75", "relevance: 101"),
            ("dismiss: 4h", "dismiss: soon"),
            ("#2a9d8f", "teal"), ("minimal: { symbol", "minimal: { picture"),
            ("leading: { symbol", "left: { symbol"),
            ("wait: 59m", "wait: an hour"), ("updates: 2", "update: 2"),
            ("title: Laundry is done, body", "body"), ("retained: true", "retained: 3"),
            ("  signals:", "  signal:"),
        ]
        let right = Samples.washer.replacing(
            "after: { 15m: idle }",
            with: "after: { 15m: idle }\n      entry: { start: cycle }"
        )
        var documents: [String: Any] = [:]
        for (before, after) in mistakes {
            #expect(right.contains(before), "\(before)")
            let wrong = right.replacing(before, with: after, maxReplacements: 1)
            documents["\(before) → \(after)"] = try document(wrong)
        }
        let refused = try SchemaValidator.refused(documents, by: LanguageSchema.bytes)
        #expect(Set(documents.keys).subtracting(refused.keys) == [])
    }

    @Test("it reads lengths of time as the reader does")
    func durations() throws {
        let texts = [
            "15m", "1h30m", "500ms", "2d", "1m1m", "1s1m", "", "15", "m", "1.5h", "15 m", "1m500ms",
        ]
        let schema = #"{"type": "string", "minLength": 1, "pattern": "\#(LanguageSchema.durationPattern)"}"#
        let documents = Dictionary(uniqueKeysWithValues: texts.map { ($0, $0) })
        let refused = try SchemaValidator.refused(documents, by: Array(schema.utf8))
        for text in texts {
            let isRead = if case .success = DurationText.parse(text) { true } else { false }
            #expect(isRead == (refused[text] == nil), "\(text)")
        }
    }
}
