import SkerryActivity

/// The members of the generated types.
struct AppModel {
    /// A member of the attributes or the content.
    struct Member {
        /// The name in JSON.
        var name: String
        /// The name in Swift.
        var property: String
        /// The property that has the value as a date or a length of time; nil for other types.
        var converted: String?
        /// The type.
        var type: FieldType
    }

    /// What stays the same for a run.
    let attributes: [Member]
    /// What changes.
    let content: [Member]
    /// What the templates read.
    let context: [String: Any]

    init(_ contract: LiveActivityContract) {
        attributes = Self.members(contract.attributes)
        content = Self.members(contract.content)
        let all = attributes + content
        var context: [String: Any] = [
            "attributes": Self.context(attributes, contract),
            "content": Self.context(content, contract),
            "hasTimes": all.contains { $0.type == .time },
            "hasScalars": all.contains { $0.type == .any },
        ]
        if let states = contract.states { context["states"] = Self.states(states) }
        self.context = context
    }

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

    private static func context(
        _ members: [Member],
        _ contract: LiveActivityContract
    ) -> [String: Any] {
        [
            "isEmpty": members.isEmpty,
            "members": members.map { member -> [String: Any] in
                [
                    "name": member.name,
                    "property": member.property,
                    "swiftType": member.type.swift,
                    "decoded": member.type.isNested
                        ? contract.attributesType + "." + member.type.swift : member.type.swift,
                    "meaning": member.type.meaning,
                    "key": member.name == member.property
                        ? member.property : "\(member.property) = \(SwiftName.literal(member.name))",
                    "isDate": member.type == .timestamp,
                    "isDuration": member.type == .duration,
                    "converted": member.converted ?? "",
                ]
            },
        ]
    }

    private static func states(_ states: [String]) -> [String: Any] {
        var names = SwiftNames()
        let cases = states.map { state -> [String: Any] in
            let name = names.name(SwiftName.member(state))
            return [
                "case": name == state ? name : "\(name) = \(SwiftName.literal(state))",
                "meaning": SwiftName.comment(state),
            ]
        }
        return ["cases": cases, "unknown": names.name("unknown")]
    }
}

extension FieldType {
    /// The type in Swift.
    fileprivate var swift: String {
        switch self {
        case .any: "Scalar"
        case .string: "String"
        case .int: "Int"
        case .double, .timestamp, .duration: "Double"
        case .bool: "Bool"
        case .time, .structure: "TimerState"
        }
    }

    /// Whether the type is declared within the generated one.
    fileprivate var isNested: Bool {
        switch self {
        case .any, .time, .structure: true
        case .string, .int, .double, .bool, .timestamp, .duration: false
        }
    }

    /// What a comment says of it.
    fileprivate var meaning: String {
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
