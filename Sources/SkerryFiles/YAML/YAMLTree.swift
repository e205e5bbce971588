import SkerryDevice
import Yams

/// Turns the nodes of a parser into ours: aliases resolved, merge keys merged, marks into places.
struct YAMLTree {
    /// How many nodes a definition may have with all its aliases resolved.
    static let nodeLimit = 50_000
    /// How deep mappings and lists may be nested.
    static let depthLimit = 64

    /// What was found wrong.
    private(set) var problems: ProblemList

    /// Whether tags are kept instead of reported.
    var keepsTags = false

    private let lines: SourceLines
    private let substitution: YAMLSubstitution
    private var anchors: [String: (node: YAMLNode, size: Int)] = [:]
    private var size = 0
    private var depth = 0
    /// Whether the document is too large or too deep to be used at all.
    private(set) var isRefused = false

    init(lines: SourceLines, substitution: YAMLSubstitution, problems: ProblemList) {
        self.lines = lines
        self.substitution = substitution
        self.problems = problems
    }

    /// The tree below a node; nil when it can't be used.
    mutating func node(of node: Node) -> YAMLNode? {
        guard !isRefused else { return nil }
        let sizeBefore = size
        guard grow(by: 1, at: node.mark) else { return nil }
        depth += 1
        defer { depth -= 1 }
        guard depth <= YAMLTree.depthLimit else {
            refuse(at: node.mark, "mappings and lists are nested deeper than \(YAMLTree.depthLimit) levels")
            return nil
        }
        var result: YAMLNode?
        let tag = reportTag(at: node.mark)
        switch node {
        case .scalar(let scalar):
            result = self.scalar(scalar, tag: tag)
        case .sequence(let sequence):
            let elements = sequence.compactMap { self.node(of: $0) }
            result = YAMLNode(
                content: .list(elements),
                place: place(of: node.mark),
                isFlow: isFlow(node.mark)
            )
        case .mapping(let mapping):
            result = YAMLNode(
                content: .map(pairs(of: mapping)),
                place: place(of: node.mark),
                isFlow: isFlow(node.mark)
            )
        case .alias:
            result = nil
        }
        if keepsTags { result?.tag = tag }
        if let anchor = node.anchor?.rawValue, let result { anchors[anchor] = (result, size - sizeBefore) }
        return result
    }

    private mutating func grow(by count: Int, at mark: Mark?) -> Bool {
        guard size + count <= YAMLTree.nodeLimit else {
            refuse(at: mark, "there are more than \(YAMLTree.nodeLimit) values, those behind aliases counted")
            return false
        }
        size += count
        return true
    }

    private mutating func refuse(at mark: Mark?, _ message: String) {
        isRefused = true
        problems.report(DefinitionProblem(.notYAML, at: place(of: mark), message))
    }

    /// Reports a tag that is not one of YAML's own, which is hardly ever meant as one; its text.
    private mutating func reportTag(at mark: Mark?) -> String? {
        guard let mark else { return nil }
        let column = contentColumn(of: mark, skipsTags: false)
        let rest = lines.rest(ofLine: mark.line, fromScalarColumn: column)
        guard rest.first == "!", rest.dropFirst().first != "!" else { return nil }
        let tag = String(String.UnicodeScalarView(rest.prefix { !" \t,]}".unicodeScalars.contains($0) }))
        let place = lines.place(line: mark.line, scalarColumn: column)
        if !keepsTags { problems.report(YAMLComposer.tag(SourceText(tag, at: place))) }
        return tag
    }

    private mutating func scalar(_ scalar: Node.Scalar, tag: String?) -> YAMLNode? {
        let string = substitution.restored(scalar.string)
        let text = string.isEmpty && !keepsTags ? tag ?? string : string
        let isPlain = scalar.style == .plain || scalar.style == .any
        if isPlain, let marker = substitution.aliasMarker, scalar.string.unicodeScalars.first == marker {
            return alias(text, at: scalar.mark)
        }
        let source = source(text, style: scalar.style, mark: scalar.mark)
        var result = YAMLScalar(source: source, isPlain: isPlain)
        result.isCutOffByComment = result.isEmpty && isComment(at: scalar.mark)
        return YAMLNode(content: .scalar(result), place: source.place)
    }

    private mutating func alias(_ text: String, at mark: Mark?) -> YAMLNode? {
        let source = SourceText(text, at: place(of: mark))
        let name = String(text.dropFirst())
        guard let (node, count) = anchors[name] else {
            let isName = name.utf8.allSatisfy { $0 != 0x20 }
            problems.report(
                DefinitionProblem(
                    .notYAML,
                    source,
                    isName
                        ? "'\(text)' names no anchor above"
                        : "a '*' at the start of a text makes it an alias",
                    remedy: "put a text that begins with '*' in quotes"
                )
            )
            return nil
        }
        return grow(by: count, at: mark) ? node : nil
    }

    private mutating func pairs(of mapping: Node.Mapping) -> [YAMLPair] {
        var pairs: [YAMLPair] = []
        var places: [[UInt8]: Place] = [:]
        var merged: [YAMLPair] = []
        for (keyNode, valueNode) in mapping {
            guard let key = self.node(of: keyNode) else { continue }
            guard let scalar = key.scalar else {
                problems.report(
                    DefinitionProblem(
                        .wrongShape,
                        at: key.place,
                        "a key must be a text, not \(key.shape)",
                        remedy: key.isFlow ? "put a text that begins with { or [ in quotes" : nil
                    )
                )
                continue
            }
            guard let value = self.node(of: valueNode) else { continue }
            if scalar.isPlain, scalar.source.text == "<<" {
                merged += mergedPairs(value)
                continue
            }
            let name = Array(scalar.source.text.utf8)
            if let first = places[name] {
                problems.report(YAMLComposer.duplicate(scalar.source, first: first))
                continue
            }
            places[name] = scalar.source.place
            pairs.append(YAMLPair(key: scalar.source, value: value))
        }
        for pair in merged where places.updateValue(pair.key.place, forKey: Array(pair.key.text.utf8)) == nil
        {
            pairs.append(pair)
        }
        return pairs
    }

    private mutating func mergedPairs(_ node: YAMLNode) -> [YAMLPair] {
        switch node.content {
        case .map(let pairs):
            return pairs
        case .list(let nodes):
            return nodes.flatMap { mergedPairs($0) }
        case .scalar:
            problems.report(
                DefinitionProblem(
                    .wrongShape,
                    at: node.place,
                    length: node.length,
                    "'<<' merges a mapping, not a text"
                )
            )
            return []
        }
    }
}

extension YAMLTree {
    private func place(of mark: Mark?) -> Place {
        mark.map { lines.place(line: $0.line, scalarColumn: $0.column) } ?? Place(line: 1, column: 1)
    }

    private func isComment(at mark: Mark?) -> Bool {
        guard let mark else { return false }
        let rest = lines.rest(ofLine: mark.line, fromScalarColumn: mark.column)
        return rest.first { $0 != " " } == "#"
    }

    private func isFlow(_ mark: Mark?) -> Bool {
        guard let mark else { return false }
        let next = lines.rest(ofLine: mark.line, fromScalarColumn: contentColumn(of: mark)).first
        return next == "{" || next == "["
    }

    /// The column behind the anchor and the tag at a mark, counted in scalars.
    private func contentColumn(of mark: Mark, skipsTags: Bool = true) -> Int {
        var column = mark.column
        var rest = lines.rest(ofLine: mark.line, fromScalarColumn: column)
        while let first = rest.first, first == "&" || first == "!" && skipsTags {
            let length = rest.prefix { $0 != " " && $0 != "\t" }.count
            let spaces = rest.dropFirst(length).prefix { $0 == " " || $0 == "\t" }.count
            column += length + spaces
            rest = rest.dropFirst(length + spaces)
        }
        return column
    }

    private func source(_ text: String, style: Node.Scalar.Style, mark: Mark?) -> SourceText {
        guard let mark else { return SourceText(text, at: Place(line: 1, column: 1)) }
        let column = contentColumn(of: mark)
        switch style {
        case .singleQuoted:
            return source(text, style: .singleQuoted, line: mark.line, column: column + 1)
        case .doubleQuoted:
            return source(text, style: .doubleQuoted, line: mark.line, column: column + 1)
        case .literal, .folded:
            let indentation = indentation(ofBlockAfter: mark.line)
            let style = YAMLTextWalk.Style.block(indentation: indentation)
            return source(text, style: style, line: mark.line + 1, column: indentation + 1)
        default:
            return source(text, style: .plain, line: mark.line, column: column)
        }
    }

    private func source(_ text: String, style: YAMLTextWalk.Style, line: Int, column: Int) -> SourceText {
        SourceText(
            text,
            at: lines.place(line: line, scalarColumn: column),
            pieces: YAMLTextWalk.pieces(of: text, style: style, line: line, column: column, in: lines)
        )
    }

    private func indentation(ofBlockAfter line: Int) -> Int {
        var line = line + 1
        var content = lines.rest(ofLine: line, fromScalarColumn: 1)
        while line < lines.count, content.allSatisfy({ $0 == " " }) {
            line += 1
            content = lines.rest(ofLine: line, fromScalarColumn: 1)
        }
        return content.prefix { $0 == " " }.count
    }
}
