/// The names of the types that Swift files declare, to find those that two files declare.
enum DeclaredTypes {
    private static let words: Set<Substring> = ["actor", "class", "enum", "protocol", "struct"]

    /// Makes sure that files have names and types of their own.
    ///
    /// Kinds such as `a-b` and `a_b` give the same names, and a kind may be called as a part of the app.
    ///
    /// - Throws: ``AppSources/Fault/takenName(_:)``.
    static func check(_ files: [AppSources.File]) throws(AppSources.Fault) {
        var paths: Set<String> = []
        var types: Set<Substring> = []
        for file in files {
            guard paths.insert(file.name).inserted else { throw .takenName(file.name) }
            guard file.name.hasSuffix(".swift") else { continue }
            for line in file.text.split(separator: "\n") {
                guard let type = type(declaredBy: line) else { continue }
                guard types.insert(type).inserted else { throw .takenName(String(type)) }
            }
        }
    }

    /// The name of the type that a line declares at the top level of its file; nil if it declares none, or one for its file alone.
    private static func type(declaredBy line: Substring) -> Substring? {
        guard line.first?.isWhitespace == false, !line.hasPrefix("//") else { return nil }
        let parts = line.split(separator: " ")
        guard !parts.contains("private"), let place = parts.firstIndex(where: words.contains),
            place + 1 < parts.count, !parts[..<place].contains("extension")
        else { return nil }
        return parts[place + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}
