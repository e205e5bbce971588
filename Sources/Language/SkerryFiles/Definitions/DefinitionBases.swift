import SkerryDevice

/// A file that a definition extends.
public struct DefinitionBase: Sendable, Hashable {
    package var path: String
    package var text: String

    package init(path: String, text: String) {
        self.path = path
        self.text = text
    }
}

/// The definitions and parts of definitions that others can extend, by kind or by path.
public struct DefinitionBases: Sendable {
    private var known: [DefinitionBase] = []
    /// True if a path may also lead to a file that is not among them.
    private let readsFiles: Bool
    /// The folder of the definitions that come with Skerry, which a kind or a name alone leads to when nothing else has it.
    private let shipped: String?

    /// Nothing that could be extended.
    public static let none = DefinitionBases([], readsFiles: false)

    /// Makes them from texts.
    ///
    /// - Parameters:
    ///   - bases: The files with their texts; the first one of a kind counts.
    ///   - readsFiles: True if a path may lead to a file that is not among them.
    ///   - shipped: The folder of the definitions that come with Skerry; nil if they can't be extended.
    package init(_ bases: [DefinitionBase], readsFiles: Bool, shipped: String? = nil) {
        self.readsFiles = readsFiles
        self.shipped = shipped
        for base in bases where !known.contains(where: { $0.path == base.path }) {
            known.append(base)
        }
    }

    /// The bases that definitions which were read before offer to others: themselves, those that they extend, and what comes with
    /// Skerry.
    package init(of files: [DefinitionFile]) {
        let own = files.map { DefinitionBase(path: $0.path, text: $0.text) }
        self.init(own + files.flatMap(\.bases), readsFiles: false, shipped: ShippedDefinitions.folder)
    }

    /// The kinds, for suggestions.
    var kinds: [String] {
        let names = shipped.flatMap { try? FileBytes.names(inFolder: $0) } ?? []
        let others = names.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix("_") }
            .map { String($0.dropLast(".yaml".count)) }
        return known.compactMap { Self.kind(in: $0.text) } + others
    }

    /// True for a text that has the key `extends`; false is certain, true is not.
    static func mayExtend(_ text: String) -> Bool { text.contains("extends") }

    /// True for a path, as opposed to a kind.
    static func isPath(_ wish: String) -> Bool {
        wish.contains("/") || wish.hasSuffix(".yaml") || wish.hasSuffix(".yml")
    }

    /// The base that a definition names; nil when there is none.
    ///
    /// - Parameters:
    ///   - wish: A kind, or a path from the folder of the definition on.
    ///   - path: The file of the definition.
    /// - Returns: The base with its text.
    func base(_ wish: String, of path: String) -> DefinitionBase? {
        guard Self.isPath(wish) else {
            // Most texts do not have the word; only with an escape can they have the kind without it.
            let those = known.filter { base in
                (base.text.contains(wish) || base.text.contains("\\")) && Self.kind(in: base.text) == wish
            }
            // A definition that extends its own kind means the one that comes with Skerry.
            return those.first { $0.path != path } ?? shippedFile("\(wish).yaml", for: path) ?? those.first
        }
        let target = Self.joined(wish, to: path)
        if let base = known.first(where: { Self.shortened($0.path) == target }) { return base }
        guard !wish.hasPrefix("/"), wish.hasSuffix(".yaml") || wish.hasSuffix(".yml") else { return nil }
        if readsFiles, let base = Self.file(target) { return base }
        return wish.contains("/") ? nil : shippedFile(wish, for: path)
    }

    /// A file of the definitions that come with Skerry; nil if it is the one that asks for it.
    private func shippedFile(_ name: String, for path: String) -> DefinitionBase? {
        guard let target = shipped.map({ "\($0)/\(name)" }), target != path else { return nil }
        return Self.file(target)
    }

    private static func file(_ path: String) -> DefinitionBase? {
        guard let bytes = try? FileBytes.read(path, limit: DefinitionReader.fileSizeLimit),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        return DefinitionBase(path: path, text: text)
    }

    /// The path that another one means in the folder of a file.
    private static func joined(_ wish: String, to path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return shortened(wish) }
        return shortened(path[...slash] + wish)
    }

    /// A path without `.`, and without `..` behind a folder.
    private static func shortened(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }

    /// The kind that a text of a definition gives; nil when it gives none.
    package static func kind(in text: String) -> String? {
        var problems = ProblemList()
        guard case .map(let pairs)? = YAMLComposer.compose(text, into: &problems)?.content else { return nil }
        return pairs.first { $0.key.text == "kind" }?.value.scalar?.source.text
    }
}
