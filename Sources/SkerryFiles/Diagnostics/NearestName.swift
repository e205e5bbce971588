/// Finds the name that somebody probably meant.
enum NearestName {
    /// Words that other tools use, with the key that does the same here.
    private static let synonyms = [
        "cond": "guard", "condition": "guard", "if": "guard", "when": "guard", "goto": "target",
        "then": "target", "to": "target", "do": "actions", "action": "actions", "onEntry": "entry",
        "on_entry": "entry", "onExit": "exit", "on_exit": "exit", "onEnter": "entry", "enter": "entry",
        "leave": "exit", "subscribe": "sources", "mqtt": "sources", "statechart": "machine",
        "format": "payload", "values": "signals", "variables": "context", "availability": "available",
        "description": "title", "label": "title", "message": "body", "icon": "symbol", "image": "symbol",
        "timer": "countdown", "bar": "progress", "color": "tint", "colour": "tint", "parameters": "given",
        "assert": "expect", "sleep": "wait", "publish": "send", "delay": "after", "version": "skerry",
    ]

    /// The candidate nearest to a name, when one is near enough to be meant.
    ///
    /// Near enough is one change for each three letters, at least one; letter case does not count. Of several
    /// candidates equally near the first wins.
    static func of(_ name: String, among candidates: [String]) -> String? {
        let wanted = Array(name.lowercased().unicodeScalars.prefix(64))
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(wanted, Array(candidate.lowercased().unicodeScalars.prefix(64)))
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        if let best, best.distance <= max(1, wanted.count / 3), best.distance < best.name.count {
            return best.name
        }
        return synonyms[name].flatMap { candidates.contains($0) ? $0 : nil }
    }

    /// How many letters must be changed, added, dropped or swapped with their neighbour (Damerau and Levenshtein,
    /// no letter touched twice).
    static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        guard !left.isEmpty else { return right.count }
        guard !right.isEmpty else { return left.count }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 1...left.count {
            var current = [row]
            for column in 1...right.count {
                let isSame = left[row - 1] == right[column - 1]
                var least = min(
                    last[column] + 1,
                    current[column - 1] + 1,
                    last[column - 1] + (isSame ? 0 : 1)
                )
                if row > 1, column > 1, left[row - 1] == right[column - 2],
                    left[row - 2] == right[column - 1]
                {
                    least = min(least, beforeLast[column - 2] + 1)
                }
                current.append(least)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
