import SkerryDevice

/// The subject mappings by which NATS servers give each partition the messages of its own devices.
///
/// A server publishes what a client publishes on `zigbee2mqtt/plug` on `p/3/zigbee2mqtt/plug` instead, where 3 is the
/// partition that the engine gives to the device `plug`. Topics without a mapping go to all partitions, as with any
/// broker, so a topic that can't be mapped costs time and loses nothing. See
/// https://docs.nats.io/nats-concepts/subject_mapping and docs/decisions/0055-partitions.md.
struct NATSMappings {
    /// The topics of a source, as a subject.
    private struct Topics {
        /// The tokens: `*` for a wildcard, `>` for the rest, `/` for an empty level.
        var tokens: [String]
        /// The token that is the name of the device; nil if none is.
        var device: Int?

        /// The tokens of a mapping: NATS hashes tokens one by one, so a name of several goes to all partitions.
        var single: [String] { tokens.indices.last == device ? tokens.dropLast() + ["*"] : tokens }

        /// Returns whether there may be a topic that is one of others, and of this mapping.
        func isMapped(by mapping: [String]) -> Bool {
            for (one, two) in zip(tokens, mapping) {
                if one == ">" || two == ">" { return true }
                if one != two, one != "*", two != "*" { return false }
            }
            return tokens.count == mapping.count
        }
    }

    private let partitions: Int
    private let prefix: String
    private var mapped: [[String]: Int] = [:]
    private var others: Set<String> = []

    /// Makes those of definitions.
    init(of definitions: [Definition], partitions: Int, prefix: String) {
        self.partitions = partitions
        self.prefix = Self.tokens(prefix.split(separator: "/", omittingEmptySubsequences: false)).joined(
            separator: "."
        )
        let sources = definitions.flatMap(\.sources).filter { !$0.filter.isOfEngine }
        let topics = sources.map { Topics(tokens: Self.tokens(of: $0.filter), device: $0.levelOfDevice) }
        for one in topics {
            // A topic goes to the partition of one name only.
            let isShared = topics.contains { $0.device != one.device && $0.isMapped(by: one.single) }
            if let device = one.device, Self.isPossible(one.single), !isShared {
                mapped[one.single] = device
            } else {
                others.insert(one.tokens.joined(separator: "."))
            }
        }
    }

    private static func tokens(of filter: TopicFilter) -> [String] {
        tokens(filter.subscription.split(separator: "/", omittingEmptySubsequences: false))
    }

    private static func tokens(_ levels: [Substring]) -> [String] {
        levels.map { level in
            switch level {
            case "": "/"
            case "+": "*"
            case "#": ">"
            default: String(level)
            }
        }
    }

    /// Returns whether clients can publish there: not on topics of the server, nor with a space or a full stop.
    private static func isPossible(_ tokens: [String]) -> Bool {
        !tokens[0].hasPrefix("$") && !tokens.contains { $0.contains(" ") || $0.contains(".") }
    }

    /// The mappings for the configuration of a server.
    var text: String {
        let mappings = mapped.map { tokens, device in
            "  \"\(tokens.joined(separator: "."))\": \"\(target(of: tokens, device))\"\n"
        }
        let rest = others.sorted().map { "# to all partitions: \($0)\n" }
        return (["mappings = {\n"] + mappings.sorted() + ["}\n"] + rest).joined()
    }

    private func target(of tokens: [String], _ device: Int) -> String {
        var number = 0
        let target = tokens.map { token in
            guard token == "*" else { return token }
            number += 1
            return "{{wildcard(\(number))}}"
        }
        let wildcard = tokens[...device].count { $0 == "*" }
        return "\(prefix).{{partition(\(partitions),\(wildcard))}}.\(target.joined(separator: "."))"
    }
}
