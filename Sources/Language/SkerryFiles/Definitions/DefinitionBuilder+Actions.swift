import SkerryDevice

extension DefinitionBuilder {
    private static let verbs = LanguagePart.action.mapping.names

    /// Reads one action or a list of them.
    mutating func actions(_ node: YAMLNode, of what: String) -> [ActionDraft] {
        guard case .list(let elements) = node.content else { return action(node, of: what) }
        return elements.flatMap { action($0, of: what) }
    }

    private mutating func action(_ node: YAMLNode, of what: String) -> [ActionDraft] {
        if let source = node.scalar?.source {
            let words = source.text.split(separator: " ")
            let isVerb = words.count == 2 && Self.verbs.contains(String(words[0]))
            report(
                .wrongShape,
                node,
                "an action of \(what) must be a mapping, not \(node.shape)",
                remedy: isVerb
                    ? "write `{ \(words[0]): \(words[1]) }`" : "write an action such as `{ start: cycle }`"
            )
            return []
        }
        if case .map(let pairs) = node.content, pairs.contains(where: { Self.isOfGuard($0.key.text) }) {
            return guarded(node)
        }
        guard let keys = keys(node, of: "an action", .action) else { return [] }
        if keys.pairs.isEmpty, case .map(let pairs) = node.content, pairs.isEmpty {
            report(
                .missingKey,
                node,
                "an action is missing",
                remedy: "it can be \((Self.verbs + ["guard"]).listed(with: "or"))"
            )
        }
        for pair in keys.pairs.dropFirst() {
            report(
                .badValue,
                pair.key,
                "one action can't do two things",
                remedy: "make a list of actions, each with a '-'"
            )
        }
        return keys.pairs.first.map { action($0) } ?? []
    }

    private mutating func action(_ pair: YAMLPair) -> [ActionDraft] {
        let verb = pair.key.text
        switch verb {
        case "start": return start(pair.value)
        case "pause": return pause(pair.value)
        case "extend": return extend(pair.value)
        case "send": return send(pair.value)
        case "publish": return publish(pair.value)
        case "try": return [.attempt(actions(pair.value, of: "'try'"))]
        case "assign":
            return namedTexts(pair, remedy: ShapeAdvice.assignment(pair.value)).map {
                .assign($0.name, value: $0.text)
            }
        default:
            guard let name = text(pair.value, of: "'\(verb)'") else { return [] }
            switch verb {
            case "stop": return [.stop(name)]
            case "resume": return [.resume(name)]
            case "raise": return [.raise(name)]
            default: return [.cancel(name)]
            }
        }
    }

    private static func isOfGuard(_ key: String) -> Bool {
        LanguagePart.guardedAction.mapping.names.contains(key)
    }

    private mutating func guarded(_ node: YAMLNode) -> [ActionDraft] {
        guard let keys = keys(node, of: "a guarded action", .guardedAction) else { return [] }
        let then = keys["actions"].map { actions($0, of: "'actions'") } ?? []
        let otherwise = keys["else"].map { actions($0, of: "'else'") } ?? []
        guard let condition = keys["guard"].flatMap({ expression($0, of: "'guard'") }) else { return [] }
        return [.guarded(condition, then, otherwise: otherwise)]
    }

    private mutating func start(_ node: YAMLNode) -> [ActionDraft] {
        guard case .map = node.content else {
            return text(node, of: "'start'").map { [.start($0, duration: nil)] } ?? []
        }
        let keys = keys(node, of: "'start'", .start)
        guard let timer = keys?["timer"].flatMap({ text($0, of: "'timer'") }) else { return [] }
        return [.start(timer, duration: keys?["duration"].flatMap { expression($0, of: "'duration'") })]
    }

    private mutating func pause(_ node: YAMLNode) -> [ActionDraft] {
        guard case .map = node.content else { return text(node, of: "'pause'").map { [.pause($0)] } ?? [] }
        let keys = keys(node, of: "'pause'", .pause)
        guard let timer = keys?["timer"].flatMap({ text($0, of: "'timer'") }) else { return [] }
        return [.pause(timer, from: keys?["from"].flatMap { expression($0, of: "'from'") })]
    }

    private mutating func extend(_ node: YAMLNode) -> [ActionDraft] {
        guard let keys = keys(node, of: "'extend'", .extend),
            let timer = keys["timer"].flatMap({ text($0, of: "'timer'") }),
            let length = keys["by"].flatMap({ expression($0, of: "'by'") })
        else { return [] }
        return [.extend(timer, by: length)]
    }

    private mutating func publish(_ node: YAMLNode) -> [ActionDraft] {
        var message = PublicationDraft(topic: SourceText("", at: node.place), payload: nil)
        read(node, of: "'publish'", ActionKeys.publish, into: &message)
        return message.topic.text.isEmpty ? [] : [.publish(message)]
    }

    /// Reads the payload of a message, which may be empty.
    mutating func payload(_ pair: YAMLPair) -> SourceText? {
        pair.value.scalar?.source.text.isEmpty == true ? nil : text(pair.value, of: pair.what)
    }

    /// Reads the quality of service of a message.
    mutating func quality(_ node: YAMLNode) -> UInt8? {
        guard let quality = number(node, of: "'qos'", in: 0...1) else { return nil }
        if quality != 0, quality != 1 { report(.badValue, node, "'qos' is 0 or 1") }
        return quality == 0 ? 0 : 1
    }

    private mutating func send(_ node: YAMLNode) -> [ActionDraft] {
        guard case .map = node.content else {
            return text(node, of: "'send'").map { [.send($0, delay: nil, id: nil)] } ?? []
        }
        let keys = keys(node, of: "'send'", .send)
        guard let keys, let event = keys["event"].flatMap({ text($0, of: "'event'") }) else { return [] }
        let delay = keys["delay"].flatMap { expression($0, of: "'delay'") }
        let id = keys["id"].flatMap { text($0, of: "'id'") }
        return [.send(event, delay: delay, id: id)]
    }
}
