import SkerryExpressions

extension DefinitionCompiler {
    /// Compiles the messages that tell that a device is there; they know no signal and no other part of a device.
    mutating func compileRecognition() {
        var empty = Scope()
        empty.timeZone = scope.timeZone
        empty.refusesFailures = true
        for entry in draft.recognition {
            guard let source = compile(entry.source, in: empty) else { continue }
            if !source.filter.hasLiteral, entry.source.when == nil {
                report(
                    .badTopic,
                    entry.source.topic,
                    "every message would tell of such a device",
                    remedy: "name a level of the topic, or write 'when:'"
                )
            }
            let costLimit = parts.limits.expressionCost
            parts.recognition.append(
                Recognition(source, certainty: entry.certainty, costLimit: costLimit)
            )
        }
    }
}

extension TopicFilter {
    /// True if a level names something.
    fileprivate var hasLiteral: Bool {
        levels.contains { level in
            switch level {
            case .literal, .partialCapture: true
            case .any, .capture, .captureOfRest, .rest: false
            }
        }
    }
}
