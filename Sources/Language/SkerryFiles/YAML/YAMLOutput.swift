/// A value of a YAML document to be written.
struct YAMLOutput {
    /// The kinds of values.
    indirect enum Content {
        /// A text; a label stays a text for every reader.
        case text(String, isLabel: Bool)
        case list([YAMLOutput])
        case map([Pair])
    }

    /// A key of a mapping with its value.
    struct Pair {
        var key: String
        var value: YAMLOutput
    }

    var content: Content
    /// The lines of a comment above it.
    var comments: [String] = []
    /// True for a value with a line for each of its parts, even when all would fit on one line.
    var isBlock = false
    /// True for blank lines between its parts when one of them has several lines.
    var isSpaced = false

    /// A text that has no quotes unless it needs them.
    static func text(_ text: String) -> YAMLOutput { YAMLOutput(content: .text(text, isLabel: false)) }

    /// A text for people.
    static func label(_ text: String) -> YAMLOutput { YAMLOutput(content: .text(text, isLabel: true)) }

    static func list(_ elements: [YAMLOutput]) -> YAMLOutput { YAMLOutput(content: .list(elements)) }

    /// A mapping, without the pairs that have no value.
    static func map(_ pairs: [(String, YAMLOutput?)], isBlock: Bool = false) -> YAMLOutput {
        let present = pairs.compactMap { key, value in value.map { Pair(key: key, value: $0) } }
        return YAMLOutput(content: .map(present), isBlock: isBlock)
    }

    /// The whole document.
    var document: String { lines(indentation: 0).map { $0 + "\n" }.joined() }

    /// The number of columns that a line should not exceed.
    private static let width = 100

    // MARK: On one line

    /// The value on one line between braces or brackets; nil when it has comments or needs lines of its own.
    private func flow(isNested: Bool = true) -> String? {
        guard comments.isEmpty || !isNested else { return nil }
        switch content {
        case .text(let text, let isLabel):
            guard !text.utf8.contains(UInt8(ascii: "\n")) else { return nil }
            return YAMLScalarText.line(text, isFlow: isNested, isLabel: isLabel)
        case .list(let elements):
            let texts = elements.compactMap { element in
                if case .text = element.content { element.flow() } else { nil }
            }
            return texts.count == elements.count ? "[\(texts.joined(separator: ", "))]" : nil
        case .map(let pairs):
            if pairs.isEmpty { return "{}" }
            guard !isBlock else { return nil }
            let texts = pairs.compactMap { pair in
                pair.value.flow().map { "\(YAMLScalarText.line(pair.key, isFlow: true)): \($0)" }
            }
            return texts.count == pairs.count ? "{ \(texts.joined(separator: ", ")) }" : nil
        }
    }

    /// The value after `key:` or `-` on the same line, if there is room.
    private func flow(after column: Int) -> String? {
        flow(isNested: false).flatMap { $0.count <= max(2, YAMLOutput.width - column) ? $0 : nil }
    }

    // MARK: On several lines

    /// Its lines below `key:` or for the whole document.
    private func lines(indentation: Int) -> [String] {
        let margin = String(repeating: " ", count: indentation)
        switch content {
        case .text(let text, let isLabel):
            return [margin + YAMLScalarText.line(text, isFlow: false, isLabel: isLabel)]
        case .list(let elements):
            return joined(elements.map { $0.lines(asElementAt: indentation) })
        case .map(let pairs):
            return joined(pairs.map { $0.value.lines(under: $0.key, indentation: indentation) })
        }
    }

    private func joined(_ parts: [[String]]) -> [String] {
        var lines: [String] = []
        for (index, part) in parts.enumerated() {
            let isLong = part.count > 1 || index > 0 && parts[index - 1].count > 1
            if isSpaced, index > 0, isLong { lines.append("") }
            lines += part
        }
        return lines
    }

    private func lines(under key: String, indentation: Int) -> [String] {
        let margin = String(repeating: " ", count: indentation)
        let head = margin + YAMLScalarText.line(key, isFlow: false) + ":"
        return commentLines(indentation) + linesWithoutComment(after: head, indentation: indentation)
    }

    private func linesWithoutComment(after head: String, indentation: Int) -> [String] {
        if let flow = flow(after: head.count + 1) { return ["\(head) \(flow)"] }
        guard case .text(let text, let isLabel) = content else {
            return [head] + lines(indentation: indentation + 2)
        }
        let width = max(40, YAMLOutput.width - indentation - 2)
        guard let block = YAMLScalarText.block(text, width: width) else {
            return ["\(head) \(YAMLScalarText.line(text, isFlow: false, isLabel: isLabel))"]
        }
        let margin = String(repeating: " ", count: indentation + 2)
        return ["\(head) \(block.header)"] + block.lines.map { $0.isEmpty ? "" : margin + $0 }
    }

    private func lines(asElementAt indentation: Int) -> [String] {
        let margin = String(repeating: " ", count: indentation)
        guard case .map(var pairs) = content, flow(after: indentation + 2) == nil else {
            return commentLines(indentation)
                + linesWithoutComment(after: margin + "-", indentation: indentation)
        }
        // The first key stands behind the dash, where no comment can be above it.
        let hoisted = pairs[0].value.commentLines(indentation)
        pairs[0].value.comments = []
        var lines = pairs.flatMap { $0.value.lines(under: $0.key, indentation: indentation + 2) }
        lines[0] = margin + "- " + lines[0].dropFirst(indentation + 2)
        return commentLines(indentation) + hoisted + lines
    }

    /// The comment as lines that a reader takes for one.
    func commentLines(_ indentation: Int) -> [String] {
        let margin = String(repeating: " ", count: indentation)
        let width = max(40, YAMLOutput.width - indentation - 2)
        return comments.flatMap { comment in
            comment.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
                let visible = line.unicodeScalars.map { YAMLScalarText.needsEscape($0) ? " " : $0 }
                let text = String(String.UnicodeScalarView(visible))
                return TextFolding.lines(of: text, width: width).map { line in
                    let end = line.lastIndex { $0 != " " }.map { line.index(after: $0) } ?? line.startIndex
                    return end == line.startIndex ? margin + "#" : "\(margin)# \(line[..<end])"
                }
            }
        }
    }
}
