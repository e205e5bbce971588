public import SkerryValues

/// Decides whose phones see an activity: by a table of people for devices, and by an attribute that names a person.
///
/// Where neither is given everybody sees it; where both are given, both must allow it.
public struct AudiencePolicy: Equatable, Sendable {
    /// The people who see a device, all devices of a kind, or all devices.
    public struct Rule: Equatable, Sendable {
        /// `kind/device`, `kind/*` or `*`.
        public var subject: String
        /// The people; without any, no phone sees it.
        public var people: [String]

        /// Makes a rule.
        public init(_ subject: String, people: [String]) {
            self.subject = subject
            self.people = people
        }
    }

    /// A kind of devices that has a definition.
    public struct Kind: Equatable, Sendable {
        /// Its name.
        public var name: String
        /// The attribute whose value names the person of a run; nil for none.
        public var attribute: String?

        /// Makes a kind.
        public init(_ name: String, attribute: String? = nil) {
            self.name = name
            self.attribute = attribute
        }
    }

    /// The rules, sorted by the bytes of their subjects.
    private let rules: [Rule]
    private let kinds: [Kind]?

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - rules: The table; the most exact rule counts.
    ///   - kinds: The kinds that have a definition, because nothing is known of who may see others; nil for all kinds.
    public init(rules: [Rule] = [], kinds: [Kind]? = nil) {
        self.rules = rules.sorted { $0.subject.precedesByCodePoints($1.subject) }
        self.kinds = kinds
    }

    /// True if nothing is kept from any phone, as far as definitions go.
    public var isOpen: Bool { rules.isEmpty && !(kinds ?? []).contains { $0.attribute != nil } }

    /// The attribute that names the person of each run of a kind; nil for none.
    public func attribute(ofKind kind: String) -> String? { known(kind)?.attribute }

    /// Returns whether an activity, or a device, is for a person.
    ///
    /// - Parameters:
    ///   - person: The person that the phone belongs to; nil for a phone without one.
    ///   - kind: The kind of the device.
    ///   - device: Its name.
    ///   - attributes: The attributes of the run; nil when no run is known.
    /// - Returns: whether phones of this person see it.
    public func allows(
        _ person: String?,
        kind: String,
        device: String,
        attributes: @autoclosure () -> ValueMap?
    ) -> Bool {
        if kinds != nil, known(kind) == nil { return false }
        if let rule = rule(kind: kind, device: device) {
            guard let person, rule.people.contains(where: { $0.hasSameCodePoints(as: person) }) else {
                return false
            }
        }
        guard let attribute = attribute(ofKind: kind) else { return true }
        guard let person, case .string(let name)? = attributes()?[attribute] else { return false }
        return name.hasSameCodePoints(as: person)
    }

    private func known(_ kind: String) -> Kind? {
        kinds?.first { $0.name.hasSameCodePoints(as: kind) }
    }

    /// The most exact rule for a device; nil when no rule is about it.
    private func rule(kind: String, device: String) -> Rule? {
        if rules.isEmpty { return nil }
        return rule(for: "\(kind)/\(device)") ?? rule(for: "\(kind)/*") ?? rule(for: "*")
    }

    private func rule(for subject: String) -> Rule? {
        let place = rules.partitioningIndex { !$0.subject.precedesByCodePoints(subject) }
        guard place < rules.count, rules[place].subject.hasSameCodePoints(as: subject) else { return nil }
        return rules[place]
    }
}
