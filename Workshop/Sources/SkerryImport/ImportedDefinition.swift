public import SkerryDevice
public import SkerryFiles

/// A definition made from a file of another format, with comments and problems.
public struct ImportedDefinition: Sendable {
    /// The definition; nil when the file has another format.
    public var draft: DefinitionDraft?
    /// Comments for the places where people have to complete the definition.
    public var comments = DefinitionComments()
    /// The parts that could not be read or translated, sorted by place in the file.
    public var problems: [DefinitionProblem] = []

    /// Makes an empty result.
    public init() {}

    /// The definition as YAML; nil without a definition.
    public var yaml: String? { draft.map { DefinitionWriter.text(of: $0, comments: comments) } }

    /// The kind of device for a word, with only the characters that MQTT and file names allow without quotes.
    ///
    /// - Returns: The kind; `machine` if no character is left.
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
