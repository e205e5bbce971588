import SkerryActivity

/// The names of the types that an app has for its kinds.
struct KindNames {
    /// The kinds, each once, in the order of their names.
    let kinds: [String]
    /// The endings of the names of a kind's types.
    let endings: [String]

    /// Makes sure that each name is used once.
    ///
    /// - Parameter files: The files that are the same for every app; beside their types an app has those of ActivityKit.
    /// - Throws: The names that are not free.
    func check(against files: [AppSources.File]) throws(AppSources.Fault) {
        let taken = Set(files.flatMap { Self.types(in: $0) } + ["ActivityAttributes"])
        var kindOfType: [String: String] = [:]
        for kind in kinds {
            let type = LiveActivityContract.typeName(ofKind: kind)
            if let other = kindOfType.updateValue(kind, forKey: type.lowercased()) {
                throw .sameNames(kinds: [other, kind], type: type)
            }
            for name in endings.map({ type + $0 }) where taken.contains(name) {
                throw .takenName(kind: kind, type: name)
            }
        }
    }

    /// The types that a file of Swift declares outside of others.
    private static func types(in file: AppSources.File) -> [String] {
        guard file.name.hasSuffix(".swift") else { return [] }
        let lines = file.text.split(separator: "\n").filter { $0.first != " " && $0.first != "/" }
        return lines.compactMap { line in
            let words = line.split { !$0.isLetter && !$0.isNumber }
            let keyword = words.firstIndex { ["class", "enum", "protocol", "struct"].contains($0) }
            return keyword.flatMap { $0 + 1 < words.count ? String(words[$0 + 1]) : nil }
        }
    }
}
