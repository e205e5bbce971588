import SkerryDevice

extension CompiledFiles {
    /// Reports definitions that read each other's activities in a circle: one revision would lead to another for ever.
    mutating func refuseCircles() {
        for index in files.indices {
            guard let definition = files[index].definition else { continue }
            for (number, source) in definition.sources.enumerated() {
                guard let kind = source.filter.activityKind,
                    let way = way(from: kind, to: definition.kind)
                else { continue }
                let topics = files[index].draft?.sources.map(\.topic) ?? []
                let circle = ([definition.kind] + way).map { "'\($0)'" }.joined(separator: " reads ")
                files[index].problems.append(
                    DefinitionProblem(
                        .badTopic,
                        topics.indices.contains(number)
                            ? topics[number] : SourceText("", at: Place(line: 1, column: 1)),
                        "definitions read each other's activities in a circle: \(circle)",
                        remedy: "let one of them read the topics of the device itself"
                    )
                )
            }
        }
        for index in files.indices where files[index].problems.contains(where: { $0.severity == .error }) {
            files[index].definition = nil
        }
    }

    /// Returns the kinds on the way from one kind to another that it reads, directly or through others; nil if there is none.
    private func way(from kind: String, to goal: String) -> [String]? {
        var passed: Set<String> = []
        return way(from: kind, to: goal, &passed)
    }

    /// Looks at each kind once: many ways may lead to a kind from which none goes on.
    private func way(from kind: String, to goal: String, _ passed: inout Set<String>) -> [String]? {
        if kind == goal { return [kind] }
        let definition = files.first { $0.kind == kind }?.definition
        guard passed.insert(kind).inserted, let definition else { return nil }
        for next in definition.sources.compactMap(\.filter.activityKind) {
            if let way = way(from: next, to: goal, &passed) { return [kind] + way }
        }
        return nil
    }
}
