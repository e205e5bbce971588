import Mustache

/// Names of Swift, made from those of definitions.
enum SwiftName {
    /// The name of a type: `washer-plug` becomes `WasherPlug`.
    static func type(_ name: String) -> String {
        name.split { !$0.isLetter && !$0.isNumber }
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined()
    }
}
