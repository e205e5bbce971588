import SkerryDevice
import SkerryValues

extension DefinitionBuilder {
    /// The most fields of a payload.
    private static let fieldLimit = 256

    /// Reads the fields of a payload of bytes.
    mutating func fields(_ node: YAMLNode, of format: PayloadFormat) -> [PayloadField] {
        let example = "write each field with its type, as in `[{ power: u16be }, { temperature: i8 }]`"
        guard case .list(let elements) = node.content else {
            report(.wrongShape, node, "'struct' must be a list, not \(node.shape)", remedy: example)
            return []
        }
        if !format.isBytes {
            report(
                .badValue,
                node,
                "'struct' does not belong to a payload of '\(format.name)'",
                remedy: "write `payload: hex`, `payload: base64` or `payload: bytes`"
            )
        }
        if elements.count > Self.fieldLimit {
            report(.tooMany, node, "'struct' may have at most \(Self.fieldLimit) fields")
            return []
        }
        var fields: [PayloadField] = []
        for element in elements {
            let pairs = entries(element, of: "a field", remedy: example)
            if pairs.count != 1, !pairs.isEmpty {
                report(.wrongShape, element, "a field is one name with its type", remedy: example)
            }
            for pair in pairs {
                guard let field = field(pair, after: fields) else { continue }
                fields.append(field)
            }
        }
        return fields
    }

    private mutating func field(_ pair: YAMLPair, after fields: [PayloadField]) -> PayloadField? {
        let name = pair.key.text
        guard let type = text(pair.value, of: "'\(name)'") else { return nil }
        guard let kind = PayloadField.Kind(type.text) else {
            report(
                .badValue,
                type,
                "there is no type '\(type.text)' of a field",
                remedy:
                    "write u8, i8, u16be, i16le, u24be, u32le, i64be, f32be, f64le, text8 or bytes4 and the like"
            )
            return nil
        }
        if name != "_", fields.contains(where: { $0.name.hasSameCodePoints(as: name) }) {
            report(
                .duplicateName,
                pair.key,
                "there are two fields '\(name)'",
                remedy: "name them differently"
            )
        }
        return PayloadField(name: name, kind: kind)
    }
}
