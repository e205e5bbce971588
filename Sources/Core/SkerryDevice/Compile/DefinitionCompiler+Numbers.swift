import SkerryActivity
import SkerryExpressions

extension DefinitionCompiler {
    /// Compiles a field that is rounded, or has a unit or a whole, and so is a number.
    ///
    /// Without a declared type it gets one, so that phones need not expect a text.
    mutating func number(_ field: ContentDraft) -> ActivityDefinition.Typed? {
        guard let key = field.numberKey, var value = typed(field.value, as: field.type) else { return nil }
        switch (field.type, FieldType(value.program.type)) {
        case (.int?, _), (.double?, _): break
        case (nil, .int): value.type = .int
        case (nil, .double), (nil, .any): value.type = .double
        case (let declared?, _):
            reportNoNumber(field, key, "declared as \(declared.name)")
            return nil
        case (nil, _):
            reportNoNumber(field, key, value.program.type.description)
            return nil
        }
        value.decimals = field.decimals
        return value
    }

    /// Reports a key that only numbers have.
    mutating func reportNoNumber(_ field: ContentDraft, _ key: String, _ what: String) {
        report(
            .wrongType,
            field.value,
            "'\(key)' belongs to a number, but this is \(what)",
            remedy: "leave '\(key)' out, or give the field a number, as in double(\(field.name.text))"
        )
    }
}

extension ContentDraft {
    /// The first of the keys that only numbers have; nil when it has none of them.
    var numberKey: String? {
        if decimals != nil { return "round" }
        if unit != nil { return "unit" }
        return whole != nil ? "of" : nil
    }
}
