public import SkerryDevice
public import SkerryFiles

/// A definition made from a file of another format, and what is to be said of it.
public struct ImportedDefinition: Sendable {
    /// The definition; nil when the file is not of the format.
    public var draft: DefinitionDraft?
    /// Comments at the places where something is left to do.
    public var comments = DefinitionComments()
    /// What could not be read or not be translated, at its place in the file, sorted by place.
    public var problems: [DefinitionProblem] = []

    /// Makes the result of nothing.
    public init() {}

    /// The definition as YAML; nil when there is none.
    public var yaml: String? { draft.map { DefinitionWriter.text(of: $0, comments: comments) } }

    /// A word as a kind of device: what MQTT and file names allow without quotes.
    ///
    /// - Returns: `machine` when nothing is left of it.
    public static func kind(from word: String) -> String {
        var kind = ""
        for scalar in word.unicodeScalars {
            if scalar.isASCII, scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                kind.unicodeScalars.append(scalar)
            } else if !kind.isEmpty, !kind.hasSuffix("-") {
                kind += "-"
            }
        }
        if kind.hasSuffix("-") { kind.removeLast() }
        return kind.isEmpty ? "machine" : kind.lowercased()
    }
}
