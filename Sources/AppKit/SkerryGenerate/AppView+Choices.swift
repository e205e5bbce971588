import SkerryActivity
import SkerryDevice

// Symbols and colours that depend on the state or on a field.

extension AppView {
    /// The argument of a function that chooses, with its label.
    func choosing(_ choice: IslandLayout.Choice) -> String {
        guard let field = choice.field else { return "byState: \(context)state.state" }
        let property = model.content[field].property
        return "\(Self.label(property)): \(context)state.content.\(property)"
    }

    private static func label(_ property: String) -> String {
        "by" + property.prefix(1).uppercased() + property.dropFirst()
    }

    /// The functions that choose symbols and colours.
    var choosings: [Choosing] {
        var found: [Choosing] = []
        for element in layout.elements {
            guard case .symbol(let name, let choice?) = element.view else { continue }
            let literal = SwiftName.literal(name)
            let made = choosing("symbol", choice, otherwise: literal) { SwiftName.literal($0) }
            if !found.contains(where: { $0.label == made.label }) { found.append(made) }
        }
        if let tints = layout.tints {
            let otherwise = tint?.swift ?? "nil"
            found.append(choosing("islandTint", tints, otherwise: otherwise) { Colour($0)?.swift ?? "nil" })
        }
        return found
    }

    private func choosing(
        _ name: String,
        _ choice: IslandLayout.Choice,
        otherwise: String,
        _ swift: (String) -> String
    ) -> Choosing {
        let states = choice.field == nil ? model.states : nil
        return Choosing(
            name: name,
            label: choice.field.map { Self.label(model.content[$0].property) } ?? "byState",
            argument: choice.field != nil ? "String?" : states == nil ? "String" : "\(type)Attributes.State",
            cases: choice.cases.map { one in
                (states?.names[one.value].map { "." + $0 } ?? SwiftName.literal(one.value), swift(one.result))
            },
            otherwise: otherwise,
            isJoined: choice.field == nil && states == nil
        )
    }
}
