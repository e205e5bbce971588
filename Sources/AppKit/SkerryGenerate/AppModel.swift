import SkerryActivity

/// The members of the generated types.
struct AppModel {
    /// A member of the attributes or the content.
    struct Member {
        /// The name in JSON.
        var name: String
        /// The name in Swift.
        var property: String
        /// The property with the value as a date or a length of time; nil for other types.
        var converted: String?
        /// The type.
        var type: FieldType

        /// The property that texts show.
        var shownProperty: String { converted ?? property }

        /// The case of `CodingKeys` for it.
        var key: String { name == property ? property : "\(property) = \(SwiftName.literal(name))" }
    }

    /// The states of the device, as cases of an enum.
    struct States {
        /// Each case as it is declared, with the text of its comment.
        let cases: [(swift: String, meaning: String)]
        /// The case for a state that an app does not know.
        let unknown: String
        /// The names of the cases, by the names of the states.
        let names: [String: String]

        init(_ states: [String]) {
            var names = SwiftNames()
            var cases: [String: String] = [:]
            self.cases = states.map { state in
                let name = names.name(SwiftName.member(state))
                cases[state] = name
                return (
                    name == state ? name : "\(name) = \(SwiftName.literal(state))", SwiftName.comment(state)
                )
            }
            unknown = names.name("unknown")
            self.names = cases
        }
    }

    /// The kind of device, as a literal.
    let kind: String
    /// The attributes, which stay the same for a run.
    let attributes: [Member]
    /// The content, which changes.
    let content: [Member]
    /// The states of the device; nil when several are active at once, and they are one text.
    let states: States?
    /// True if the link is a member of the content state, because it may change.
    let isLinkContent: Bool

    init(_ contract: LiveActivityContract) {
        kind = SwiftName.literal(contract.kind)
        attributes = Self.members(contract.attributes)
        content = Self.members(contract.content)
        states = contract.states.map { States($0) }
        isLinkContent = contract.isLinkContent
    }

    /// True if a member is a timer.
    var hasTimes: Bool { (attributes + content).contains { $0.type == .time } }

    /// True if a member has a type that the definition does not determine.
    var hasScalars: Bool { (attributes + content).contains { $0.type == .any } }

    private static func members(_ fields: [LiveActivityContract.Field]) -> [Member] {
        var names = SwiftNames()
        let wishes = fields.filter { $0.type != .structure }.map {
            ($0, names.name(SwiftName.member($0.name)))
        }
        return wishes.map { field, property in
            let suffix: String? =
                switch field.type {
                case .timestamp: "Date"
                case .duration: "Duration"
                default: nil
                }
            return Member(
                name: field.name,
                property: property,
                converted: suffix.map { names.name(property + $0) },
                type: field.type
            )
        }
    }
}

extension [AppModel.Member] {
    /// The member of this name; the layout of an island names only members of its own definition.
    subscript(name: String) -> AppModel.Member {
        guard let member = first(where: { $0.name == name }) else {
            preconditionFailure("the layout draws '\(name)', which the definition does not have")
        }
        return member
    }
}

extension FieldType {
    /// The type in Swift.
    var swift: String {
        switch self {
        case .any: "Scalar"
        case .string: "String"
        case .int: "Int"
        case .double, .timestamp, .duration: "Double"
        case .bool: "Bool"
        case .time, .structure: "TimerState"
        }
    }

    /// True if the type is declared within the generated one.
    var isNested: Bool {
        switch self {
        case .any, .time, .structure: true
        case .string, .int, .double, .bool, .timestamp, .duration: false
        }
    }

    /// The description for comments.
    var meaning: String {
        switch self {
        case .any: "a text, a number or a truth value"
        case .string: "text"
        case .int: "a whole number"
        case .double: "a number"
        case .bool: "a truth value"
        case .timestamp: "a moment in Unix seconds"
        case .duration: "a length of time in seconds"
        case .time, .structure: "a timer"
        }
    }
}
