import SkerryDevice
import SkerryValues

/// A complaint of libyaml in words for the author of a definition.
struct YAMLAdvice {
    private var message: String
    /// The help.
    private var remedy: String?
    /// True when the problem is reported at the start of the unfinished construct, and not where libyaml stopped.
    private var isAboutContext: Bool

    private init(_ message: String, _ remedy: String? = nil, isAboutContext: Bool = false) {
        self.message = message
        self.remedy = remedy
        self.isAboutContext = isAboutContext
    }

    /// The problem to report for a complaint of libyaml.
    static func problem(of complaint: YAMLComplaint, in lines: YAMLLines) -> DefinitionProblem {
        if let character = complaint.character {
            return problem(of: character, at: lines.place(of: complaint.index))
        }
        if let blank = MistypedLine.blank(before: complaint, in: lines) { return blank }
        if let line = MistypedLine.above(complaint, in: lines) { return line }
        if let unquoted = UnquotedText.behind(complaint, in: lines) { return unquoted.problem }
        if let key = UnquotedText.strayKey(of: complaint, in: lines) { return key }
        let advice = advice(on: complaint, in: lines)
        let start = advice.isAboutContext ? complaint.contextIndex : nil
        var place = lines.place(of: start ?? complaint.index)
        if place.line == lines.count, lines.range(ofLine: place.line).isEmpty,
            let last = (1...lines.count).last(where: { !lines.range(ofLine: $0).isEmpty })
        {
            place = lines.place(of: lines.range(ofLine: last).upperBound)
        }
        return DefinitionProblem(.notYAML, at: place, advice.message, remedy: advice.remedy)
    }

    /// The problem of a text that begins with an asterisk.
    static func alias(_ alias: SourceText, _ message: String) -> DefinitionProblem {
        DefinitionProblem(.notYAML, alias, message, remedy: "put a text that begins with '*' in quotes")
    }

    private static func problem(of character: UInt32, at place: Place) -> DefinitionProblem {
        let code = String(character, hexadecimalDigits: 4, uppercase: true)
        let message = "the character U+\(code) is not allowed in YAML"
        return DefinitionProblem(.notYAML, at: place, message, remedy: "remove it")
    }
}

extension YAMLAdvice {
    // MARK: Words for complaints

    private static let inQuotes = "put texts and expressions with , [ ] { } or : in quotes"
    private static let likeNeighbours =
        "indent the line like its neighbours, and put texts with special characters in quotes"
    private static let noEscape = YAMLAdvice(
        "no such escape in a text with double quotes",
        "use single quotes, or write \\\\ for a backslash"
    )
    private static let noTab = YAMLAdvice("a tab can't indent a line", "indent with spaces")
    private static let isTag = YAMLAdvice(
        "a '!' at the start of a text makes it a tag of YAML",
        "put the text in quotes",
        isAboutContext: true
    )
    private static let isDirective = YAMLAdvice(
        "a '%' at the start of a line makes it a directive of YAML",
        "put a text that begins with '%' in quotes",
        isAboutContext: true
    )
    private static let isOpenQuote = YAMLAdvice(
        "this quote is never closed",
        "close it on the same line",
        isAboutContext: true
    )

    /// The words for complaints that need no look at the text.
    private static let advice: [String: YAMLAdvice] = [
        "mapping values are not allowed in this context": YAMLAdvice(
            "a ':' can't stand here",
            "put a text that contains ': ' in quotes, or check the indentation here and the ':' of the line above"
        ),
        "mapping keys are not allowed in this context": YAMLAdvice(
            "a '?' can't stand here",
            "put a text that begins with '?' in quotes"
        ),
        "could not find expected ':'": YAMLAdvice(
            "a ':' is missing after this key",
            "write `key: value`, or put a text that goes on over several lines in quotes",
            isAboutContext: true
        ),
        "did not find expected key": YAMLAdvice("a key is expected here", likeNeighbours),
        "did not find expected '-' indicator": YAMLAdvice(
            "a '-' is expected here, as in the lines above",
            likeNeighbours
        ),
        "did not find expected <document start>": YAMLAdvice(
            "nothing can follow here: the document above is complete",
            likeNeighbours
        ),
        "found incompatible YAML document": isDirective,
        "found unexpected end of stream": isOpenQuote,
        "found unexpected document indicator": isOpenQuote,
        "found unknown escape character": noEscape,
        "did not find expected hexdecimal number": noEscape,
        "found invalid Unicode character escape code": noEscape,
        "did not find expected alphabetic or numeric character": YAMLAdvice(
            "a '&' or '*' at the start of a text makes it an anchor or an alias",
            "put the text in quotes"
        ),
        "found unexpected ':'": YAMLAdvice("a ':' can't stand here", "within { } and [ ], \(inQuotes)"),
        "block sequence entries are not allowed in this context": YAMLAdvice(
            "a list can't begin here",
            "put the '-' on a line of its own below the key"
        ),
        "found a tab character where an indentation space is expected": noTab,
        "found a tab character that violates indentation": noTab,
    ]

    /// The words for a complaint.
    private static func advice(on complaint: YAMLComplaint, in lines: YAMLLines) -> YAMLAdvice {
        let isDirectives = complaint.context.contains("directive")
        if !isDirectives, let advice = advice[complaint.problem] { return advice }
        let next = lines.rest(from: complaint.index).first
        switch (complaint.problem, complaint.context) {
        case ("did not find expected node content", _) where complaint.index >= lines.scalars.count:
            return YAMLAdvice("a '{' or '[' is never closed", "close it with a '}' or ']'")
        case ("did not find expected node content", _), ("found character that cannot start any token", _):
            if next == "\t" { return noTab }
            let message = next.map { "a text can't begin with '\($0)'" }
            return YAMLAdvice(message ?? "something else is expected here", "put the text in quotes")
        case ("did not find expected ',' or '}'", _):
            return unclosed(by: "}", complaint, in: lines)
        case ("did not find expected ',' or ']'", _):
            return unclosed(by: "]", complaint, in: lines)
        case (let problem, _) where isDirectives || problem.contains("directive"):
            return isDirective
        case (let problem, let context) where problem.contains("tag") || context.contains("tag"):
            return isTag
        case (_, "while scanning a block scalar"):
            return YAMLAdvice(
                "a '|' or '>' at the start begins a text on the lines below",
                "put a text that begins so in quotes"
            )
        default:
            return YAMLAdvice("this is no YAML")
        }
    }

    private static func unclosed(
        by close: Character,
        _ complaint: YAMLComplaint,
        in lines: YAMLLines
    ) -> YAMLAdvice {
        let start = complaint.contextIndex ?? complaint.index
        let isAtEnd = complaint.index >= lines.scalars.count
        if isAtEnd || lines.line(of: start) < lines.line(of: complaint.index) {
            return YAMLAdvice("this is never closed", "close it with a '\(close)'", isAboutContext: true)
        }
        return YAMLAdvice("a ',' or '\(close)' is expected here", "within { } and [ ], \(inQuotes)")
    }
}
