import SkerryActivity

/// A piece of a text that is put together on the phone.
enum TextPiece {
    /// Text as it is.
    case literal(String)
    /// An expression of Swift that gives text.
    case expression(String)

    /// The argument of `Text` for some pieces.
    static func swift(_ pieces: [TextPiece]) -> String {
        if pieces.count == 1, case .expression(let expression) = pieces[0] {
            return "verbatim: " + expression
        }
        let inner = pieces.map { piece in
            switch piece {
            case .literal(let text): SwiftName.escaped(text)
            case .expression(let expression): "\\(\(expression))"
            }
        }
        return "verbatim: \"\(inner.joined())\""
    }
}

/// The functions that turn values of a type into text; those that a view calls are generated.
struct TextFunctions {
    private var types: Set<FieldType> = []

    /// Whether none is called.
    var isEmpty: Bool { types.isEmpty }

    /// The text of a member; nil for timers, which are drawn and not written.
    mutating func expression(_ member: AppModel.Member, in owner: String) -> TextPiece? {
        switch member.type {
        case .time, .structure: return nil
        case .any, .string, .int, .double, .bool, .timestamp, .duration: break
        }
        types.insert(member.type)
        return .expression("text(\(owner).\(member.converted ?? member.property))")
    }

    /// What the template reads, in the order of the types.
    func context(scalar: String) -> [[String: Any]] {
        FieldType.allCases.filter { types.contains($0) }.compactMap { type in
            Self.function(type, scalar: scalar)
                .map { ["meaning": $0.meaning, "swiftType": $0.swiftType, "body": $0.body] }
        }
    }

    private static func function(
        _ type: FieldType,
        scalar: String
    ) -> (meaning: String, swiftType: String, body: [String])? {
        switch type {
        case .any:
            (
                "The value as people write it; nothing when there is none.",
                scalar,
                [
                    "switch value {",
                    "case .text(let text): text",
                    "case .number(let number): number.formatted(.number.precision(.fractionLength(0...2)))",
                    "case .truth(let truth): truth ? \"true\" : \"false\"",
                    "case nil: \"\"",
                    "}",
                ]
            )
        case .string: ("The text; nothing when there is none.", "String", ["value ?? \"\""])
        case .int: ("The number as people write it.", "Int", ["value?.formatted() ?? \"\""])
        case .double:
            (
                "The number with at most two digits of a fraction.", "Double",
                ["value?.formatted(.number.precision(.fractionLength(0...2))) ?? \"\""]
            )
        case .bool:
            ("The truth value in words.", "Bool", ["value.map { $0 ? \"true\" : \"false\" } ?? \"\""])
        case .timestamp:
            (
                "The moment as a time of day.", "Date",
                ["value?.formatted(date: .omitted, time: .shortened) ?? \"\""]
            )
        case .duration:
            (
                "The length in hours and minutes.", "Duration",
                ["value?.formatted(.time(pattern: .hourMinute)) ?? \"\""]
            )
        case .time, .structure: nil
        }
    }
}
