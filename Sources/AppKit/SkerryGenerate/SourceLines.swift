/// A result builder that joins pieces of whole lines to a file of Swift.
///
/// A function with this attribute looks like the file it makes: the texts stand in their order, with `if` and `for`
/// between them.
///
///     """
///     struct Content {
///     """
///     for member in members {
///         """
///             var \(member.property): \(member.type.swift)?
///         """
///     }
///     "}"
@resultBuilder
enum SourceLines {
    static func buildExpression(_ text: String) -> [String] { [text] }
    static func buildExpression(_ lines: [String]) -> [String] { lines }
    static func buildBlock(_ pieces: [String]...) -> [String] { pieces.flatMap { $0 } }
    static func buildOptional(_ lines: [String]?) -> [String] { lines ?? [] }
    static func buildEither(first lines: [String]) -> [String] { lines }
    static func buildEither(second lines: [String]) -> [String] { lines }
    static func buildArray(_ pieces: [[String]]) -> [String] { pieces.flatMap { $0 } }
}

extension [String] {
    /// Returns the lines with spaces before each.
    func indented(by count: Int) -> [String] {
        let spaces = String(repeating: " ", count: count)
        return map { spaces + $0 }
    }
}
