import SkerryDevice
import SkerryValues

extension DefinitionBuilder {
    mutating func readTests(_ node: YAMLNode) {
        guard case .list(let elements) = node.content else {
            report(
                .wrongShape,
                node,
                "'tests' must be a list, not \(node.shape)",
                remedy: "begin each test with `- name: …`"
            )
            return
        }
        for element in elements {
            guard let keys = keys(element, of: "a test", .test) else { continue }
            let name = keys["name"].flatMap { text($0, of: "'name'") }
            let steps = keys["steps"].map { self.steps($0) } ?? []
            let location = keys["place"].flatMap { self.location($0) } ?? Location.utc
            let title = name ?? SourceText("", at: element.place)
            tests.append(TestDraft(name: title, steps: steps, location: location))
        }
    }

    private mutating func steps(_ node: YAMLNode) -> [TestStep] {
        guard case .list(let elements) = node.content else {
            report(
                .wrongShape,
                node,
                "'steps' must be a list, not \(node.shape)",
                remedy: "begin each step with a '-'"
            )
            return []
        }
        return elements.reduce(into: []) { steps, element in
            let more = self.steps(of: element)
            if steps.count + more.count <= TestDraft.stepLimit {
                steps += more
            } else {
                report(
                    .tooMany,
                    element,
                    "a test may have at most \(TestDraft.stepLimit) steps, repetitions included",
                    remedy: "repeat them less often"
                )
            }
        }
    }

    /// Reads a step, or those that are repeated.
    private mutating func steps(of node: YAMLNode) -> [TestStep] {
        guard case .map(let pairs) = node.content, pairs.contains(where: { $0.key.text == "repeat" }) else {
            return step(node).map { [$0] } ?? []
        }
        guard let keys = keys(node, of: "a repetition", .repetition), let times = keys.pair("repeat") else {
            return []
        }
        let count = self.count(times, in: 2...TestDraft.stepLimit, "write how often the steps are done")
        let steps = keys["steps"].map { self.steps($0) } ?? []
        guard let count, count * steps.count <= TestDraft.stepLimit else {
            if count != nil {
                report(
                    .tooMany,
                    times.key,
                    "a test may have at most \(TestDraft.stepLimit) steps, repetitions included",
                    remedy: "repeat them less often"
                )
            }
            return steps
        }
        let again = steps.map { $0.again }
        return steps + (1..<count).flatMap { _ in again }
    }

    private mutating func step(_ node: YAMLNode) -> TestStep? {
        guard let keys = keys(node, of: "a step", .step) else { return nil }
        let verbs = keys.pairs.filter { !["retained", "base64"].contains($0.key.text) }
        guard let verb = verbs.first else {
            if case .map(let pairs) = node.content, pairs.count == keys.pairs.count {
                report(
                    .missingKey,
                    node,
                    "a step is missing",
                    remedy: "it can be \(LanguagePart.step.mapping.choice.listed(with: "or"))"
                )
            }
            return nil
        }
        for extra in verbs.dropFirst() {
            report(
                .badValue,
                extra.key,
                "one step can't have '\(verb.key.text)' and '\(extra.key.text)'",
                remedy: "make two steps, each with a '-'"
            )
        }
        for word in ["retained", "base64"] {
            guard let pair = keys.pair(word), verb.key.text != "send" else { continue }
            report(.badValue, pair.key, "only 'send' can be '\(word)'", remedy: "remove it")
        }
        return stepKind(verb, keys: keys).map { TestStep($0, at: node.place) }
    }

    private mutating func stepKind(_ pair: YAMLPair, keys: Keys) -> TestStep.Kind? {
        switch pair.key.text {
        case "given":
            return given(pair.value).map { .given($0) }
        case "expect":
            return .expect(testEntries(pair))
        case "send":
            let isRetained = keys["retained"].flatMap { truth($0, of: "'retained'") } ?? false
            let isBase64 = keys["base64"].flatMap { truth($0, of: "'base64'") } ?? false
            let messages = entries(pair.value, of: "'send'").map { message in
                TestMessage(
                    topic: message.key,
                    payload: isBase64 ? bytes(message.value) : payload(message.value)
                )
            }
            return .send(messages, isRetained: isRetained)
        case "wait":
            return interval(pair.value, of: "'wait'").map { .wait($0) }
        case "at":
            return moment(pair.value)
        default:
            return event(pair.value)
        }
    }

    private mutating func given(_ node: YAMLNode) -> TestGiven? {
        var given = TestGiven()
        return read(node, of: "'given'", TestKeys.given, into: &given) == nil ? nil : given
    }

    /// Reads the timers that are given, each with its time.
    mutating func givenTimers(_ pair: YAMLPair) -> [TestTimer] {
        entries(pair.value, of: pair.what).compactMap { timer in
            interval(timer.value, of: "the time left").map { TestTimer(name: timer.key, length: $0) }
        }
    }

    /// Reads the settings that are given, each with its value.
    mutating func givenSettings(_ node: YAMLNode) -> [WrittenChoice] {
        entries(node, of: "'settings'").compactMap { pair in
            guard text(pair.value, of: pair.what) != nil, let scalar = pair.value.scalar else { return nil }
            return WrittenChoice(setting: pair.key, value: scalar)
        }
    }

    private mutating func moment(_ node: YAMLNode) -> TestStep.Kind? {
        guard let source = text(node, of: "'at'") else { return nil }
        guard let moment = RecordingTime.parse(source.text) else {
            report(
                .badValue,
                source,
                "'at' can't be '\(source.text)'",
                remedy: "write a moment such as 2026-03-01T12:00:00Z"
            )
            return nil
        }
        return .at(moment)
    }

    private mutating func event(_ node: YAMLNode) -> TestStep.Kind? {
        guard case .map = node.content else {
            return text(node, of: "'event'").map { .event($0, device: nil) }
        }
        let keys = keys(node, of: "'event'", .event)
        guard let name = keys?["name"].flatMap({ text($0, of: "'name'") }) else { return nil }
        return .event(name, device: keys?["device"].flatMap { text($0, of: "'device'") })
    }

    /// Reads names with values of any kind.
    mutating func testEntries(_ pair: YAMLPair) -> [TestEntry] {
        entries(pair.value, of: pair.what).map { TestEntry(name: $0.key, value: testValue($0.value)) }
    }

    private func testValue(_ node: YAMLNode) -> TestValue {
        switch node.content {
        case .list(let elements):
            return TestValue(.list(elements.map { testValue($0) }), source: SourceText("", at: node.place))
        case .map(let pairs):
            let entries = pairs.map { TestEntry(name: $0.key, value: testValue($0.value)) }
            return TestValue(.map(entries), source: SourceText("", at: node.place))
        case .scalar(let scalar):
            let content: TestValue.Content =
                switch scalar.isPlain ? CoreSchema.meaning(of: scalar.source.text) : .text {
                case .null: .null
                case .bool(let value): .bool(value)
                case .int(let value): .int(value)
                case .double(let value): .double(value)
                case .text: .text(scalar.source.text)
                }
            return TestValue(content, source: scalar.source)
        }
    }

    // MARK: Payloads

    private mutating func payload(_ node: YAMLNode) -> [UInt8] {
        if let scalar = node.scalar { return Array(scalar.source.text.utf8) }
        var json: [UInt8] = []
        appendJSON(node, to: &json)
        return json
    }

    /// The bytes of a payload that is written in base64.
    private mutating func bytes(_ node: YAMLNode) -> [UInt8] {
        guard let source = text(node, of: "a payload in base64") else { return [] }
        if let bytes = Base64.bytes(of: source.text) { return bytes }
        report(.badValue, source, "this is not base64", remedy: "write the bytes as `base64` prints them")
        return []
    }

    private mutating func appendJSON(_ node: YAMLNode, to json: inout [UInt8]) {
        switch node.content {
        case .list(let elements):
            json.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                appendJSON(element, to: &json)
            }
            json.append(UInt8(ascii: "]"))
        case .map(let pairs):
            json.append(UInt8(ascii: "{"))
            for (index, pair) in pairs.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                JSONText.append(Array(pair.key.text.utf8)[...], to: &json)
                json.append(UInt8(ascii: ":"))
                appendJSON(pair.value, to: &json)
            }
            json.append(UInt8(ascii: "}"))
        case .scalar(let scalar):
            appendJSON(scalar, to: &json)
        }
    }

    private mutating func appendJSON(_ scalar: YAMLScalar, to json: inout [UInt8]) {
        let text = scalar.source.text
        switch scalar.isPlain ? CoreSchema.meaning(of: text) : .text {
        case .null: json += Array("null".utf8)
        case .bool(let value): json += Array((value ? "true" : "false").utf8)
        case .int(let value): json += Array((JSONText.isNumber(text) ? text : String(value)).utf8)
        case .double(let value):
            if !value.isFinite {
                report(.badValue, scalar.source, "'\(text)' is not a JSON number", remedy: "put it in quotes")
            }
            let isExact = JSONText.isNumber(text) || !value.isFinite
            json += Array((isExact ? text : value.description).utf8)
        case .text: JSONText.append(Array(text.utf8)[...], to: &json)
        }
    }
}
