import SkerryDevice

/// A text without quotes on a line of YAML as its author meant it, although YAML ends it before, or reads something else.
///
/// It ends where the value of an author ends: between braces at a comma or a bracket that belongs to none within the
/// text, elsewhere at a comment or the end of the line. Quotes and brackets within the text hide what they enclose.
struct UnquotedText: Sendable {
    let text: String
    /// The positions of the text.
    let range: Range<Int>
    private let isFlow: Bool
    private let lines: YAMLLines
    /// The position of the name of a key of the language within the text, with a colon after it: it begins another value.
    private let strayKey: Int?
    /// True if a '#' in it begins no comment.
    let takesSigns: Bool
    /// True if the text is whole already: what begins with a bracket or a quote ends with its counterpart, or never.
    private let isWhole: Bool

    /// Reads the text that begins at a position, between braces or brackets if `isFlow`.
    ///
    /// With `crossesCommas` it goes on behind a comma where no key follows, as in `{ en: Off, or not, de: Aus }`; with
    /// `takesSigns` also behind a `#`.
    init(
        at start: Int,
        isFlow: Bool,
        crossesCommas: Bool = false,
        takesSigns: Bool = false,
        in lines: YAMLLines
    ) {
        let row = lines.rest(from: start)
        var end = row.startIndex
        var depth = 0
        var firstEnd: Int?
        var strayKey: Int?
        var isCondition = false
        scan: while end < row.endIndex {
            switch row[end] {
            case "\"", "'": end = Self.closingQuote(of: end, in: row) ?? end
            case "(", "[", "{": depth += 1
            case ")": depth = max(0, depth - 1)
            case "]", "}":
                if depth == 0, isFlow { break scan }
                depth = max(0, depth - 1)
            case "," where isFlow && depth == 0:
                guard crossesCommas, end > start, Self.goesOn(row[..<end], row[(end + 1)...]) else {
                    break scan
                }
            case "?": isCondition = true
            case ":" where !isCondition && depth == 0 && strayKey == nil && row[(end + 1)...].first == " ":
                let key = row[..<end].lastIndex { !$0.isPartOfKey }.map { $0 + 1 } ?? end
                if Self.keys.contains(String(row[key..<end])) { strayKey = key }
            case "#" where !isFlow && !takesSigns && end > start && row[end - 1] == " ": break scan
            default: break
            }
            end += 1
            if firstEnd == nil, depth == 0 { firstEnd = end }
        }
        while end > row.startIndex, row[end - 1] == " " { end -= 1 }
        let isEnclosed = row.first.map { "[{\"'".unicodeScalars.contains($0) } ?? true
        // A list that begins beside its key is no text.
        let isList = !isFlow && row.starts(with: "- ".unicodeScalars)
        let isOpenQuote =
            row.first == "\"" || row.first == "'" ? Self.closingQuote(of: start, in: row) == nil : false
        isWhole = isList || isOpenQuote || isEnclosed && firstEnd ?? end >= end
        text = String(row[..<end])
        range = row.startIndex..<end
        self.strayKey = strayKey
        self.takesSigns = takesSigns
        self.lines = lines
        self.isFlow = isFlow
    }

    /// The names of the keys of the language.
    private static let keys = Set(LanguagePart.allCases.flatMap { $0.mapping.names })

    /// True if words without a key of theirs follow a comma, and not two names alone, of which one lacks its value.
    private static func goesOn(
        _ text: ArraySlice<Unicode.Scalar>,
        _ rest: ArraySlice<Unicode.Scalar>
    ) -> Bool {
        var part = rest.prefix { !",]}".unicodeScalars.contains($0) }.drop { $0 == " " }
        while part.last == " " { part.removeLast() }
        let isKey = zip(part, part.dropFirst()).contains { $0 == ":" && $1 == " " } || part.last == ":"
        if part.isEmpty || isKey || part.contains(where: { "\"'{[#".unicodeScalars.contains($0) }) {
            return false
        }
        return (text + part).contains(" ") && !keys.contains(String(part.prefix { $0 != " " }))
    }

    private static func closingQuote(of start: Int, in row: ArraySlice<Unicode.Scalar>) -> Int? {
        var index = start + 1
        while index < row.endIndex {
            if row[index] == row[start] { return index }
            index += row[index] == "\\" ? 2 : 1
        }
        return nil
    }

    private var quoted: String { YAMLScalarText.line(text, isFlow: isFlow) }

    /// The problem that the text has no quotes.
    var problem: DefinitionProblem {
        let place = lines.place(of: range.lowerBound)
        guard let strayKey else {
            return DefinitionProblem(
                .notYAML,
                at: place,
                length: text.count,
                reason,
                remedy: "write `\(quoted)`"
            )
        }
        return Self.problem(ofKey: strayKey, isFlow: isFlow, in: lines)
    }

    private static func problem(ofKey start: Int, isFlow: Bool, in lines: YAMLLines) -> DefinitionProblem {
        let key = String(lines.rest(from: start).prefix { $0 != ":" })
        return DefinitionProblem(
            .notYAML,
            SourceText(key, at: lines.place(of: start)),
            "'\(key)' begins another value here",
            remedy: isFlow ? "put a ',' before it" : "put it on a line of its own"
        )
    }

    private var reason: String {
        guard let first = text.unicodeScalars.first else { return "this text needs quotes" }
        if first == "\"" || first == "'" {
            return "a value that begins with a quote ends with the next one, and something follows"
        }
        if "!&*%@`|>{[?-,}]#:".unicodeScalars.contains(first) {
            return "a text that begins with '\(first)' needs quotes"
        }
        if isFlow, let found = text.unicodeScalars.first(where: { ",[]{}".unicodeScalars.contains($0) }) {
            return "a text with '\(found)' needs quotes within { } and [ ]"
        }
        return text.contains(": ") ? "a text with ': ' needs quotes" : "a text with ' #' needs quotes"
    }
}

extension UnquotedText {
    /// The text that a complaint of libyaml is about: one on its line with which the line can be read once it has quotes.
    static func behind(_ complaint: YAMLComplaint, in lines: YAMLLines) -> UnquotedText? {
        let rows = [complaint.index, complaint.contextIndex].compactMap { $0.map { lines.line(of: $0) } }
        for line in rows {
            let range = lines.range(ofLine: line)
            // Each attempt parses the whole file again: four bound the time.
            for start in starts(in: lines.scalars[range]).filter({ $0 <= complaint.index }).suffix(4)
                .reversed()
            {
                let before = lines.scalars[range.lowerBound..<start]
                let isFlow = complaint.context.contains("flow") || before.contains { $0 == "{" || $0 == "[" }
                let unquoted = UnquotedText(at: start, isFlow: isFlow, in: lines)
                guard !unquoted.isWhole, unquoted.quoted != unquoted.text,
                    unquoted.heals(complaint, in: lines)
                else { continue }
                return unquoted
            }
        }
        return nil
    }

    /// The problem of a complaint about a key of the language that follows a value between braces without a comma.
    static func strayKey(of complaint: YAMLComplaint, in lines: YAMLLines) -> DefinitionProblem? {
        guard complaint.context.contains("flow"), lines.rest(from: complaint.index).first == ":" else {
            return nil
        }
        let row = lines.range(ofLine: lines.line(of: complaint.index))
        let before = lines.scalars[row.lowerBound..<complaint.index]
        let start = before.lastIndex { !$0.isPartOfKey }.map { $0 + 1 } ?? row.lowerBound
        guard keys.contains(String(before[start...])) else { return nil }
        // A line that is not indented deeper than the brace is rather the next one after a brace that is never closed.
        let open = lines.range(ofLine: lines.line(of: complaint.contextIndex ?? start))
        guard open == row || lines.indentation(of: open) < lines.indentation(of: row) else { return nil }
        return problem(ofKey: start, isFlow: true, in: lines)
    }

    /// The positions of a line at which values begin: behind the names of keys, and behind a dash.
    private static func starts(in row: ArraySlice<Unicode.Scalar>) -> [Int] {
        var starts: [Int] = []
        var key: Int?
        var isOpen = true
        for index in row.indices {
            let scalar = row[index]
            if scalar == ":", key != nil, row[(index + 1)...].first == " " {
                starts += row[(index + 1)...].firstIndex { $0 != " " }.map { [$0] } ?? []
            }
            if scalar.isPartOfKey {
                if key == nil, isOpen { key = index }
                if scalar == "-", key == index, row[(index + 1)...].first == " " {
                    let element = row[(index + 1)...].drop { $0 == " " }
                    if element.drop(while: \.isPartOfKey).first != ":" { starts.append(element.startIndex) }
                    key = nil
                    continue
                }
                isOpen = false
            } else {
                key = nil
                if scalar != " " { isOpen = "{[,".unicodeScalars.contains(scalar) }
            }
        }
        return starts
    }

    /// True if the text in quotes lets the file be read beyond its line, without the same complaint.
    private func heals(_ complaint: YAMLComplaint, in lines: YAMLLines) -> Bool {
        let quoted = Array(quoted.unicodeScalars)
        let growth = quoted.count - range.count
        let end = lines.range(ofLine: lines.line(of: range.lowerBound)).upperBound + growth
        var scalars = Array(lines.scalars[..<range.lowerBound])
        scalars += quoted
        scalars += lines.scalars[range.upperBound...]
        let text = String(String.UnicodeScalarView(scalars))
        var reader = YAMLEventReader(JoinedEscapes(text, scalars))
        var depth = 0
        do throws(YAMLComplaint) {
            repeat {
                let event = try reader.next()
                if event.start > end { return true }
                switch event.kind {
                case .start, .list, .map: depth += 1
                case .end: depth -= 1
                case .alias, .scalar: break
                }
            } while depth > 0
            return true
        } catch {
            return error.index > end && error.index != complaint.index + growth
        }
    }
}

extension Unicode.Scalar {
    /// True for the scalars of names of keys.
    var isPartOfKey: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".": true
        default: false
        }
    }
}
