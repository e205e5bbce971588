import SkerryDevice

/// Builds the tree of a YAML document in one pass over its events: resolves aliases, merges merge keys, finds double keys.
///
/// See docs/decisions/0037-yaml-by-events.md.
struct YAMLTree: ~Copyable {
    /// The number of nodes that a document may have, those behind aliases included.
    static let nodeLimit = 50_000
    /// The number of levels to which mappings and lists may be nested.
    static let depthLimit = 64
    /// The number of directives that a text may have: libyaml compares each with all others.
    static let directiveLimit = 64

    /// The problems found so far.
    private(set) var problems: [DefinitionProblem] = []

    private let lines: YAMLLines
    private var reader: YAMLEventReader
    /// True when tags are kept, false when they are reported.
    private let keepsTags: Bool
    private var anchors: [String: (node: YAMLNode, size: Int)] = [:]
    private var size = 0
    private var depth = 0
    /// The number of lists and mappings in brackets or braces around the present node.
    private var flows = 0

    /// Prepares to read a text, given with its lines.
    init(_ text: String, lines: YAMLLines, keepsTags: Bool) {
        self.lines = lines
        self.keepsTags = keepsTags
        reader = YAMLEventReader(JoinedEscapes(text, lines.scalars))
    }

    /// Reads the first document; nil when there is none.
    mutating func document() throws(DefinitionProblem) -> YAMLNode? {
        if let last = lines.starts(with: "%").dropFirst(YAMLTree.directiveLimit).first {
            throw refusal(at: last, "more than \(YAMLTree.directiveLimit) lines begin with a '%'")
        }
        _ = try next()
        guard case .start = try next().kind else { return nil }
        let root = try node(try next())
        _ = try next()
        return root
    }

    /// Reports a second document.
    mutating func end() throws(DefinitionProblem) {
        guard case .start = try next().kind else { return }
        let problem = DefinitionProblem(
            .notYAML,
            at: lines.place(of: try next().start),
            "a second document begins here",
            remedy: "give every definition a file of its own"
        )
        problems.append(problem)
    }

    private mutating func next() throws(DefinitionProblem) -> YAMLEvent {
        do throws(YAMLComplaint) {
            return try reader.next()
        } catch {
            throw YAMLAdvice.problem(of: error, in: lines)
        }
    }

    // MARK: Nodes

    /// The node that begins with an event; nil for an alias without an anchor.
    private mutating func node(_ event: YAMLEvent) throws(DefinitionProblem) -> YAMLNode? {
        let sizeBefore = size
        try grow(by: 1, at: event)
        depth += 1
        defer { depth -= 1 }
        guard depth <= YAMLTree.depthLimit else {
            throw refusal(
                at: event.start,
                "mappings and lists are nested deeper than \(YAMLTree.depthLimit) levels"
            )
        }
        let tag = event.hasTag ? try tag(of: event) : nil
        var node = YAMLNode(content: .list([]), place: lines.place(of: event.start))
        switch event.kind {
        case .start, .end:
            return nil
        case .alias(let name):
            return try alias(name, event)
        case .scalar(let text, let style):
            let scalar = scalar(text, style, tag: tag, event)
            node.content = .scalar(scalar)
            node.place = scalar.source.place
        case .list, .map:
            node.isFlow = lines.beginsWithBracket(event)
            if node.isFlow { flows += 1 }
            if case .list = event.kind {
                node.content = .list(try elements())
            } else {
                node.content = .map(try pairs(isFlow: node.isFlow))
            }
            if node.isFlow { flows -= 1 }
        }
        if keepsTags { node.tag = tag }
        // Only now, so that an alias within its own anchor finds none and the tree has no circle.
        if let anchor = event.anchor { anchors[anchor] = (node, size - sizeBefore) }
        return node
    }

    private mutating func grow(by count: Int, at event: YAMLEvent) throws(DefinitionProblem) {
        guard size + count <= YAMLTree.nodeLimit else {
            throw refusal(
                at: event.start,
                "there are more than \(YAMLTree.nodeLimit) values, those behind aliases counted"
            )
        }
        size += count
    }

    private func refusal(at index: Int, _ message: String) -> DefinitionProblem {
        DefinitionProblem(.notYAML, at: lines.place(of: index), message)
    }

    private mutating func alias(_ name: String, _ event: YAMLEvent) throws(DefinitionProblem) -> YAMLNode? {
        guard let (node, count) = anchors[name] else {
            let source = SourceText("*\(name)", at: lines.place(of: event.start))
            problems.append(YAMLAdvice.alias(source, "'\(source.text)' names no anchor above"))
            return nil
        }
        // 0037: an alias counts as all that it stands for, or a few lines could stand for millions of values.
        try grow(by: count, at: event)
        return node
    }

    private mutating func elements() throws(DefinitionProblem) -> [YAMLNode] {
        var elements: [YAMLNode] = []
        while true {
            let event = try next()
            if case .end = event.kind { return elements }
            if let element = try node(event) { elements.append(element) }
        }
    }

    private mutating func pairs(isFlow: Bool) throws(DefinitionProblem) -> [YAMLPair] {
        var pairs: [YAMLPair] = []
        var last: UnquotedText?
        var places: [[UInt8]: Place] = [:]
        var merged: [YAMLPair] = []
        while true {
            let event = try next()
            if case .end = event.kind { break }
            let key = try key(event)
            if let key, key.isPlain, key.source.text.unicodeScalars.first?.properties.isWhitespace ?? false {
                throw MistypedLine.blank(at: event.start, in: lines)
            }
            let valueEvent = try next()
            guard let value = try node(valueEvent), let key else { continue }
            // Behind a comma between braces YAML takes the rest of an unquoted text for further keys.
            if isFlow, !keepsTags {
                if reportComma(between: pairs.last, key, event) { continue }
                if let last, event.start < last.range.upperBound, !key.isName || !lines.hasColon(event) {
                    join(last, to: &pairs[pairs.count - 1].value)
                    continue
                }
                last = value.scalar.flatMap { scalar in
                    guard scalar.isPlain else { return nil }
                    let isText = CoreSchema.meaning(of: scalar.source.text) == .text
                    return UnquotedText(
                        at: valueEvent.start,
                        isFlow: true,
                        crossesCommas: isText,
                        in: lines
                    )
                }
            }
            if key.isPlain, key.source.text == "<<" {
                merged += mergedPairs(value)
                continue
            }
            let name = Array(key.source.text.utf8)
            if let first = places[name] {
                problems.append(
                    DefinitionProblem(
                        .duplicateName,
                        key.source,
                        "'\(key.source.text)' stands twice in this mapping, first on line \(first.line)",
                        remedy: "remove one of them, or give it another name"
                    )
                )
                continue
            }
            places[name] = key.source.place
            pairs.append(YAMLPair(key: key.source, value: value))
        }
        // Last, because a mapping's own keys outrank those of `<<` wherever it stands.
        for pair in merged where places.updateValue(pair.key.place, forKey: Array(pair.key.text.utf8)) == nil
        {
            pairs.append(pair)
        }
        return pairs
    }

    /// Reports a key that is the fraction of the number before it: `{ full: 90,5 }`.
    private mutating func reportComma(between last: YAMLPair?, _ key: YAMLScalar, _ event: YAMLEvent) -> Bool
    {
        guard let whole = last?.value.scalar, whole.isPlain, key.isPlain, !lines.hasColon(event),
            event.start > 0, lines.scalars[event.start - 1] == ",",
            let number = "\(whole.source.text),\(key.source.text)".withDecimalPoint
        else { return false }
        let message = "a ',' ends the value before it"
        problems.append(DefinitionProblem(.notYAML, key.source, message, remedy: "write \(number)"))
        return true
    }

    /// Gives a value between braces the text that its author meant, a part of which YAML took for further keys.
    private mutating func join(_ meant: UnquotedText, to value: inout YAMLNode) {
        guard var scalar = value.scalar, scalar.source.text != meant.text else { return }
        problems.append(meant.problem)
        scalar.source.text = meant.text
        value.content = .scalar(scalar)
    }

    private mutating func key(_ event: YAMLEvent) throws(DefinitionProblem) -> YAMLScalar? {
        guard let key = try node(event) else { return nil }
        if key.scalar == nil {
            let isList = if case .list = key.content { true } else { false }
            problems.append(
                DefinitionProblem(
                    .wrongShape,
                    at: key.place,
                    "a key must be a text, not \(key.shape)",
                    remedy: isList
                        ? "write a key of its own for each of them"
                        : key.isFlow ? "put a text that begins with { or [ in quotes" : nil
                )
            )
        }
        return key.scalar
    }

    private mutating func mergedPairs(_ node: YAMLNode) -> [YAMLPair] {
        switch node.content {
        case .map(let pairs):
            return pairs
        case .list(let nodes):
            return nodes.flatMap { mergedPairs($0) }
        case .scalar:
            problems.append(
                DefinitionProblem(
                    .wrongShape,
                    at: node.place,
                    length: node.length,
                    "'<<' merges a mapping, not a text",
                    remedy: "mark the mapping with `&name` where it stands, and write `<<: *name`"
                )
            )
            return []
        }
    }
}

extension YAMLScalar {
    /// True if it can be the name of a key of the language.
    fileprivate var isName: Bool { source.text.unicodeScalars.allSatisfy(\.isPartOfKey) }
}

extension YAMLLines {
    /// True if a colon follows a key.
    fileprivate func hasColon(_ key: YAMLEvent) -> Bool { rest(from: key.end).first { $0 != " " } == ":" }
}

extension YAMLTree {
    // MARK: Texts

    /// The tag of a node as it is written, reported unless tags are kept; nil when it is one of YAML's own.
    private mutating func tag(of event: YAMLEvent) throws(DefinitionProblem) -> String? {
        let scalars = lines.scalars
        guard let start = scalars[event.start...].firstIndex(of: "!"), scalars[(start + 1)...].first != "!"
        else {
            return nil
        }
        let tag = String(lines.rest(from: start).prefix { !" \t,]}".unicodeScalars.contains($0) })
        if keepsTags { return tag }
        let meant = UnquotedText(at: start, isFlow: flows > 0, in: lines)
        // What would follow from a value that another program puts in here is not known.
        if tag != "!", meant.text != tag {
            throw DefinitionProblem(
                .notYAML,
                SourceText(tag, at: lines.place(of: start)),
                "there is no '\(tag)': a '!' at the start of a text makes it a tag of YAML",
                remedy: "write the value itself, or put a text in quotes"
            )
        }
        problems.append(meant.problem)
        return tag
    }

    private mutating func scalar(
        _ text: String,
        _ style: YAMLEvent.Style,
        tag: String?,
        _ event: YAMLEvent
    ) -> YAMLScalar {
        // A tag without a text, such as `!open`, was meant as the text. It is reported once, as a tag.
        var text = text.isEmpty && !keepsTags ? tag ?? text : text
        if text.isEmpty, style == .plain, !keepsTags, let anchor = event.anchor {
            problems.append(UnquotedText(at: event.start, isFlow: flows > 0, in: lines).problem)
            text = anchor
        }
        var scalar = YAMLScalar(source: lines.source(of: text, style, event), isPlain: style == .plain)
        let rest = lines.rest(from: event.end)
        if scalar.isPlain, let comment = rest.firstIndex(where: { $0 != " " }), rest[comment] == "#" {
            let start = text.isEmpty ? comment : event.start
            let meant = UnquotedText(at: start, isFlow: flows > 0, in: lines)
            if meant.range.upperBound > comment {
                scalar.cutOff = meant
            } else if let next = rest[comment...].dropFirst().first,
                "0123456789{".unicodeScalars.contains(next)
            {
                scalar.cutOff = UnquotedText(at: start, isFlow: false, takesSigns: true, in: lines)
            }
        }
        return scalar
    }
}
