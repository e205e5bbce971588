/// Puts a file of Swift together from pieces of whole lines.
///
/// A function with this attribute looks like the file it makes: texts stand in their order, with the `if` and `for` that
/// decide about them between them.
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
    /// The lines with spaces before each.
    func indented(by count: Int) -> [String] {
        let spaces = String(repeating: " ", count: count)
        return map { spaces + $0 }
    }
}
