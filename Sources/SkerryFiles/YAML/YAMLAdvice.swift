/// What is wrong with a text that is no YAML, in the words of its author rather than of a parser.
struct YAMLAdvice {
    /// What is wrong.
    var message: String
    /// What would be right.
    var remedy: String?
    /// Whether the place where the unfinished thing began says more than the place where parsing stopped.
    var isAboutContext = false

    /// Advice on a complaint of the parser.
    ///
    /// - Parameters:
    ///   - problem: The complaint.
    ///   - context: What the parser was doing.
    ///   - isOnLaterLine: Whether it had begun that on an earlier line than the one where it stopped.
    ///   - next: The scalar at which it stopped; nil at the end of a line.
    init(problem: String, context: String, isOnLaterLine: Bool, next: Unicode.Scalar?) {
        switch problem {
        case "found character that cannot start any token":
            self = YAMLAdvice(unexpected: next)
        case "mapping values are not allowed in this context":
            message = "a ':' can't stand here"
            remedy = "put a text that contains ': ' in quotes, or check the indentation of this line"
        case "found unexpected end of stream" where context.contains("quoted"),
            "found unexpected document indicator" where context.contains("quoted"):
            message = "this quote is never closed"
            remedy = "close it on the same line"
            isAboutContext = true
        case "could not find expected ':'":
            message = "a ':' is missing after this key"
            remedy = "write `key: value`, or put a text that goes on over several lines in quotes"
            isAboutContext = true
        case "did not find expected key", "did not find expected '-' indicator":
            message =
                problem.contains("key")
                ? "a key is expected here" : "a '-' is expected here, as in the lines above"
            remedy = "indent the line like its neighbours, and put texts with special characters in quotes"
        case "did not find expected ',' or '}'", "did not find expected ',' or ']'":
            let close = problem.contains("}") ? "}" : "]"
            message = isOnLaterLine ? "this is never closed" : "a ',' or '\(close)' is expected here"
            remedy =
                isOnLaterLine
                ? "close it with a '\(close)'"
                : "within { } and [ ], put texts and expressions with , [ ] { } or : in quotes"
            isAboutContext = isOnLaterLine
        case "found unknown escape character":
            message = "no such escape in a text with double quotes"
            remedy = "use single quotes, or write \\\\ for a backslash"
        case "did not find expected node content":
            self = YAMLAdvice(unexpected: next)
        case "did not find expected alphabetic or numeric character":
            message = "a '&' or '*' at the start of a text makes it an anchor or an alias"
            remedy = "put the text in quotes"
        case "did not find expected comment or line break":
            message = "a '|' or '>' at the start begins a text on the lines below"
            remedy = "put a text that begins so in quotes"
        case "found unexpected ':'":
            message = "a ':' can't stand here"
            remedy = "within { } and [ ], put texts and expressions with , [ ] { } or : in quotes"
        case "block sequence entries are not allowed in this context":
            message = "a list can't begin here"
            remedy = "put the '-' on a line of its own below the key"
        case _ where problem.hasPrefix("Maximum nesting level"):
            message = "mappings and lists are nested too deep"
        default:
            message = problem.hasPrefix("found a tab") ? "a tab can't indent a line" : problem
            remedy = problem.hasPrefix("found a tab") ? "indent with spaces" : nil
        }
    }

    private init(unexpected next: Unicode.Scalar?) {
        if next == "\t" {
            message = "a tab can't indent a line"
            remedy = "indent with spaces"
        } else {
            message = next.map { "a text can't begin with '\($0)'" } ?? "something else is expected here"
            remedy = "put the text in quotes"
        }
    }
}
