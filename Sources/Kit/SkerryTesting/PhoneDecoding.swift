public import SkerryActivity
public import SkerryValues

/// The contracts that the app on a simulated phone can decode, because it was generated from them.
public struct PhoneDecoding: Sendable {
    private let contracts: [LiveActivityContract]

    /// Makes an app that knows these activities.
    public init(_ contracts: [LiveActivityContract]) {
        self.contracts = contracts
    }

    /// Why a content-state of a type would not decode; nil if it would.
    public func fault(_ type: String, _ state: ValueMap) -> String? {
        guard let contract = contracts.first(where: { $0.attributesType == type }) else {
            return "the app has no \(type)"
        }
        guard case .string? = state["phase"], case .string? = state["state"] else {
            return "phase and state are texts"
        }
        guard case .int? = state["rev"] else { return "rev is a whole number" }
        guard case .map(let content)? = state["content"] else { return "content is an object" }
        for field in contract.content {
            guard let value = content[field.name], !Self.fits(value, field.type) else { continue }
            return "\(field.name) is no \(field.type.name)"
        }
        return nil
    }

    /// Returns whether a value decodes as Swift's optional of the type; null and what is absent do.
    private static func fits(_ value: Value, _ type: FieldType) -> Bool {
        switch (type, value) {
        case (_, .null): true
        case (.string, .string), (.bool, .bool), (.int, .int), (.time, .map): true
        case (.double, .int), (.double, .double), (.timestamp, .int), (.timestamp, .double): true
        case (.duration, .int), (.duration, .double): true
        case (.any, .string), (.any, .int), (.any, .double), (.any, .bool): true
        default: false
        }
    }
}
