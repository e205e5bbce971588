import SkerryDevice

/// The correct forms of definition parts that have another shape.
enum ShapeAdvice {
    /// Returns whether a text compares or combines something, so that it is no name.
    static func isExpression(_ text: String) -> Bool {
        ["==", "!=", "<", ">", "&&", "||", "("].contains { text.contains($0) }
    }

    /// Returns whether a text compares something, so that it is no event; names of events may have any characters.
    static func isComparison(_ text: String) -> Bool {
        [" == ", " != ", " < ", " > ", " <= ", " >= ", " && ", " || "].contains { text.contains($0) }
    }

    /// A text as a scalar between braces.
    static func line(_ text: String) -> String { YAMLScalarText.line(text, isFlow: true) }

    /// A mapping on one line.
    static func map(_ pairs: [(key: String, value: YAMLNode)]) -> String {
        let texts = pairs.map { key, value in
            "\(key): \(value.scalar.map { line($0.source.text) } ?? "…")"
        }
        return "{ \(texts.joined(separator: ", ")) }"
    }

    /// A transition with a guard.
    static func transition(_ condition: String, _ target: YAMLNode?) -> String {
        "{ guard: \(line(condition)), target: \(target?.scalar.map { line($0.source.text) } ?? "…") }"
    }

    /// A transition by silence, from a length with its target.
    static func silence(_ node: YAMLNode) -> String {
        guard case .map(let pairs) = node.content, let pair = pairs.first else {
            return "{ quiet: \(node.scalar.map { line($0.source.text) } ?? "…"), target: … }"
        }
        return
            "{ quiet: \(line(pair.key.text)), target: \(pair.value.scalar.map { line($0.source.text) } ?? "…") }"
    }

    /// A transition from the text of a condition, or of a state with its condition: `running if power > 10`.
    static func transition(_ text: String) -> String {
        let words = text.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count == 3, words[1] == "if" || words[1] == "when" else { return transition(text, nil) }
        return "{ guard: \(line(words[2])), target: \(line(words[0])) }"
    }

    /// `on` as a mapping, from a list of events with their targets.
    static func events(_ node: YAMLNode) -> String? {
        guard case .list(let elements) = node.content else { return nil }
        return joined(elements, key: ["event", "on", "trigger"], value: ["target", "to", "goto"])
    }

    /// A transition, from a list whose first element is a condition with its target.
    static func condition(in node: YAMLNode) -> String? {
        guard case .list(let elements) = node.content, case .map(let pairs)? = elements.first?.content,
            let pair = pairs.first, isComparison(pair.key.text)
        else { return nil }
        return transition(pair.key.text, pair.value)
    }

    /// `after` as a mapping, from the forms of other tools.
    static func delays(_ node: YAMLNode) -> String? {
        switch node.content {
        case .scalar(let scalar):
            if let length = DurationText.meant(by: scalar.source.text) { return "{ \(length): … }" }
            let parts = scalar.source.text.split { " ->=:,".contains($0) }.map(String.init)
            guard let first = parts.first, isLength(first) else { return nil }
            return "{ \(first): \(parts.count > 1 ? parts[parts.count - 1] : "…") }"
        case .list(let elements):
            let texts = elements.compactMap { $0.scalar?.source.text }
            if texts.count == 2, elements.count == 2, isLength(texts[0]) {
                return "{ \(texts[0]): \(line(texts[1])) }"
            }
            return joined(elements, key: ["delay", "time", "duration"], value: ["target", "to", "goto"])
        case .map(let pairs):
            let target = pairs.first { ["target", "to", "goto"].contains($0.key.text) }
            let condition = pairs.first { $0.key.text == "guard" }?.value.scalar?.source.text
            guard let length = pairs.lazy.compactMap({ length(of: $0) }).first else { return nil }
            if let condition { return "{ \(length): \(transition(condition, target?.value)) }" }
            return "{ \(length): \(target?.value.scalar.map { line($0.source.text) } ?? "…") }"
        }
    }

    /// An alert that names its state itself, as a mapping.
    static func alert(_ pairs: [YAMLPair]) -> String? {
        let state = pairs.first { ["state", "on", "when"].contains($0.key.text) }?.value.scalar?.source.text
        let title = pairs.first { ["title", "message"].contains($0.key.text) }?.value
        let body = pairs.first { $0.key.text == "body" }?.value
        guard let title else { return nil }
        let texts = [("title", title)] + (body.map { [("body", $0)] } ?? [])
        return "{ \(state ?? "done"): \(map(texts)) }"
    }

    /// The correct form of `assign: loads = 3`.
    static func assignment(_ node: YAMLNode) -> String {
        let parts = node.scalar?.source.text.split(separator: "=", maxSplits: 1).map(String.init) ?? []
        guard parts.count == 2 else { return "write `assign: { loads: context.loads + 1 }`" }
        let name = parts[0].filter { $0 != " " && $0 != ":" && $0 != "+" }
        return "write `assign: { \(name): \(line(String(parts[1].drop { $0 == " " }))) }`"
    }

    private static func joined(_ elements: [YAMLNode], key: [String], value: [String]) -> String? {
        let texts = elements.compactMap { element -> String? in
            if let name = element.scalar?.source.text, !name.isEmpty { return "\(line(name)): …" }
            guard case .map(let pairs) = element.content else { return nil }
            if pairs.count == 1, let target = pairs[0].value.scalar {
                return "\(pairs[0].key.text): \(line(target.source.text))"
            }
            let name = pairs.first { key.contains($0.key.text) }?.value.scalar?.source.text
            let target = pairs.first { value.contains($0.key.text) }?.value.scalar?.source.text
            guard let name, let target else { return nil }
            return "\(name): \(line(target))"
        }
        return texts.isEmpty ? nil : "{ \(texts.joined(separator: ", ")) }"
    }

    /// The length of time of a mapping such as `{ minutes: 5 }`; nil when it is nothing like that.
    static func length(of node: YAMLNode) -> String? {
        guard case .map(let pairs) = node.content, pairs.count == 1 else { return nil }
        return length(of: pairs[0])
    }

    private static func isLength(_ text: String) -> Bool {
        if case .success = DurationText.parse(text) { true } else { false }
    }

    /// The length of time of a key such as `delay` or `minutes`.
    private static func length(of pair: YAMLPair) -> String? {
        guard let text = pair.value.scalar?.source.text else { return nil }
        switch pair.key.text {
        case "delay", "time", "duration", "wait":
            if isLength(text) { return text }
            return Int(text).map { $0 % 1000 == 0 ? "\($0 / 1000)s" : "\($0)ms" }
        case "seconds": return isLength("\(text)s") ? "\(text)s" : nil
        case "minutes": return isLength("\(text)m") ? "\(text)m" : nil
        case "hours": return isLength("\(text)h") ? "\(text)h" : nil
        case "ms": return isLength("\(text)ms") ? "\(text)ms" : nil
        default: return nil
        }
    }
}
