package import SkerryDevice
package import SkerryFiles

/// A definition made from a file of another format, with comments and problems.
package struct ImportedDefinition: Sendable {
    /// The definition; nil when the file has another format.
    package var draft: DefinitionDraft?
    /// Comments for the places where people have to complete the definition.
    package var comments = DefinitionComments()
    /// The parts that could not be read or translated, sorted by place in the file.
    package var problems: [DefinitionProblem] = []

    /// Makes an empty result.
    package init() {}

    /// The definition as YAML; nil without a definition.
    package var yaml: String? { draft.map { DefinitionWriter.text(of: $0, comments: comments) } }

    /// The kind of device for a word, with only the characters that MQTT and file names allow without quotes.
    ///
    /// - Returns: The kind; `machine` if no character is left.
    package static func kind(from word: String) -> String {
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
