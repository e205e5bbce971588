import SkerryDevice
import SkerryValues

/// A definition's tree, merged from its own text and the texts that it extends.
struct DefinitionMerging {
    /// The length of a chain of definitions that extend each other.
    static let depthLimit = 8
    /// The greatest number of times that a definition, and those that it extends, name another one.
    static let limit = 32

    /// The key that names the definition to be extended.
    static let key = "extends"

    /// The lists of which an element may stand for those of another definition.
    private static let lists = ["sources", "recognise"]

    /// The problems found so far.
    var problems = ProblemList()
    /// The definitions that it extends, the nearest first.
    private(set) var bases: [DefinitionBase] = []
    /// The place of the name of the nearest one.
    private(set) var place: Place?
    /// The files on the way to the one that is being read.
    private var chain: [String] = []

    /// The tree of a text; nil when it can't be read, or when it extends something that is not there.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - path: Its file.
    ///   - known: What it may extend.
    /// - Returns: The merged tree.
    mutating func tree(_ text: String, path: String, _ known: DefinitionBases) -> YAMLNode? {
        guard let root = YAMLComposer.compose(text, into: &problems) else { return nil }
        return merged(root, path: path, known)
    }

    private mutating func merged(_ root: YAMLNode, path: String, _ known: DefinitionBases) -> YAMLNode? {
        guard let root = filled(root, path: path, known) else { return nil }
        guard case .map(let pairs) = root.content else { return root }
        guard let pair = pairs.first(where: { $0.key.text == Self.key }) else { return root }
        var top = root
        top.content = .map(pairs.filter { $0.key.text != Self.key })
        guard let below = base(pair.value, path: path, known)?.tree.inherited else { return nil }
        return below.overlaid(by: top.settingDefaults(of: below))
    }

    /// A tree in whose lists each element that names a file has become the elements of that file's list.
    private mutating func filled(_ root: YAMLNode, path: String, _ known: DefinitionBases) -> YAMLNode? {
        guard case .map(var pairs) = root.content else { return root }
        for index in pairs.indices where Self.lists.contains(pairs[index].key.text) {
            guard case .list(let elements) = pairs[index].value.content else { continue }
            var all: [YAMLNode] = []
            for var element in elements {
                guard case .map(let keys) = element.content,
                    let name = keys.first(where: { $0.key.text == Self.key })
                else {
                    all.append(element)
                    continue
                }
                guard let base = base(name.value, path: path, known) else { return nil }
                guard case .list(let those)? = base.tree[pairs[index].key.text]?.content else {
                    let message = "'\(base.wish.text)' has no list '\(pairs[index].key.text)'"
                    report(base.wish, message, remedy: "name a file with such a list")
                    return nil
                }
                element.content = .map(keys.filter { $0.key.text != Self.key })
                all += those.map { $0.overlaid(by: element) }
            }
            pairs[index].value.content = .list(all)
        }
        var node = root
        node.content = .map(pairs)
        return node
    }

    /// The definition that a text names, merged with those that it extends itself.
    private mutating func base(
        _ node: YAMLNode,
        path: String,
        _ known: DefinitionBases
    ) -> (wish: SourceText, tree: YAMLNode)? {
        guard let wish = wish(node) else { return nil }
        if place == nil { place = wish.place }
        guard let base = base(wish, path: path, known) else { return nil }
        bases.append(base)
        guard let lower = YAMLComposer.compose(base.text, file: bases.count, into: &problems) else {
            report(wish, "'\(wish.text)' can't be read: \(base.path)", remedy: "correct that file first")
            return nil
        }
        chain.append(path)
        defer { chain.removeLast() }
        return merged(lower, path: base.path, known).map { (wish, $0) }
    }

    private mutating func wish(_ node: YAMLNode) -> SourceText? {
        if let source = node.scalar?.source, !source.text.isEmpty { return source }
        problems.report(
            DefinitionProblem(
                .badBase,
                at: node.place,
                length: node.length,
                "'\(Self.key)' must name one definition, not \(node.shape)",
                remedy: "write the kind of a definition, or the path of a file"
            )
        )
        return nil
    }

    /// The definition that a text wishes to extend, unless that leads in a circle.
    private mutating func base(
        _ wish: SourceText,
        path: String,
        _ known: DefinitionBases
    ) -> DefinitionBase? {
        guard let base = known.base(wish.text, of: path) else {
            if DefinitionBases.isPath(wish.text) {
                let remedy = "name a file ending in .yaml, from the folder of this one on"
                report(wish, "there is no file '\(wish.text)' to extend", remedy: remedy)
            } else {
                let near = MeantKey.of(wish.text, among: known.kinds).map { "did you mean '\($0)'?" }
                let remedy = near ?? "name a kind in the same folder or one that comes with Skerry, or a file"
                report(wish, "there is no definition of the kind '\(wish.text)' to extend", remedy: remedy)
            }
            return nil
        }
        if base.path == path || chain.contains(base.path) {
            report(wish, "these definitions extend each other in a circle", remedy: "remove one 'extends'")
            return nil
        }
        let isLong = chain.count == Self.depthLimit
        if isLong || bases.count == Self.limit {
            report(
                wish,
                "more than \(isLong ? Self.depthLimit : Self.limit) definitions extend each other",
                remedy: "put what they have in common into one file"
            )
            return nil
        }
        return base
    }

    private mutating func report(_ source: SourceText, _ message: String, remedy: String) {
        problems.report(DefinitionProblem(.badBase, source, message, remedy: remedy))
    }
}

extension YAMLNode {
    /// The tree of a definition without what is its own: the kind, the recognition and the tests.
    fileprivate var inherited: YAMLNode {
        guard case .map(let pairs) = content else { return self }
        var node = self
        node.content = .map(pairs.filter { !["kind", "recognise", "tests"].contains($0.key.text) })
        return node
    }

    /// This node with another one on top: mappings are merged, everything else is replaced, and null removes.
    fileprivate func overlaid(by top: YAMLNode) -> YAMLNode {
        guard case .map(var pairs) = content, case .map(let upper) = top.content else { return top }
        for pair in upper {
            guard let index = pairs.firstIndex(where: { $0.key.text.hasSameCodePoints(as: pair.key.text) })
            else {
                pairs.append(pair)
                continue
            }
            if pair.value.isNull {
                pairs.remove(at: index)
            } else {
                pairs[index] = YAMLPair(key: pair.key, value: pairs[index].value.overlaid(by: pair.value))
            }
        }
        var node = top
        node.content = .map(pairs)
        return node
    }

    /// This definition with each setting that is a mapping below it as a mapping, too: a value alone is its default.
    fileprivate func settingDefaults(of lower: YAMLNode) -> YAMLNode {
        guard case .map(var pairs) = content, case .map(let below)? = lower["settings"]?.content,
            let index = pairs.firstIndex(where: { $0.key.text == "settings" }),
            case .map(var settings) = pairs[index].value.content
        else { return self }
        for number in settings.indices {
            let (key, value) = (settings[number].key, settings[number].value)
            guard value.scalar != nil, !value.isNull,
                case .map? = below.first(where: { $0.key.text == key.text })?.value.content
            else { continue }
            var mapping = value
            mapping.content = .map([YAMLPair(key: SourceText("default", at: value.place), value: value)])
            settings[number].value = mapping
        }
        pairs[index].value.content = .map(settings)
        var node = self
        node.content = .map(pairs)
        return node
    }

    fileprivate subscript(key: String) -> YAMLNode? {
        guard case .map(let pairs) = content else { return nil }
        return pairs.first { $0.key.text == key }?.value
    }

    private var isNull: Bool {
        guard let scalar, scalar.isPlain else { return false }
        return CoreSchema.meaning(of: scalar.source.text) == .null
    }
}
