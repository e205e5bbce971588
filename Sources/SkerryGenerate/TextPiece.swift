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

/// The types of values that are written as text; each has a generated function that does it.
struct WrittenTypes {
    private var types: Set<FieldType> = []

    /// The types in their order.
    var inOrder: [FieldType] { FieldType.allCases.filter { types.contains($0) } }

    /// The text of a member; nil for timers, which are drawn and not written.
    mutating func text(of member: AppModel.Member, in owner: String) -> TextPiece? {
        switch member.type {
        case .time, .structure: return nil
        case .any, .string, .int, .double, .bool, .timestamp, .duration: break
        }
        types.insert(member.type)
        return .expression("text(\(owner).\(member.converted ?? member.property))")
    }
}
