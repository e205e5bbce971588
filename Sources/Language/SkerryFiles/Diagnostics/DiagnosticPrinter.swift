public import SkerryDevice

/// Prints problems as a good compiler does: place, message, the line with a mark, and a remedy.
///
///     devices/washer.yaml:12:9: error: unknown key 'singals' in a source [SK0002]
///        12 |     singals:
///           |     ^~~~~~~
///           help: did you mean 'signals'?
public struct DiagnosticPrinter: Sendable {
    /// The number of warnings shown for one file; all errors are shown.
    package static let warningLimit = 30
    /// The number of columns of a line shown around a mark.
    package static let lineLimit = 140

    /// True if the text has colours for a terminal.
    public var usesColours: Bool

    /// Makes a printer.
    public init(usesColours: Bool = false) {
        self.usesColours = usesColours
    }

    /// Prints the problems of a file in the order of their places.
    ///
    /// - Parameters:
    ///   - problems: The problems.
    ///   - file: The name of the file, as its reader wants to see it.
    ///   - text: The text of the file, to show its lines.
    /// - Returns: Lines of text; empty when there are no problems.
    public func text(of problems: [DefinitionProblem], file: String, text: String) -> String {
        let lines = YAMLLines(text)
        var result = ""
        let sorted = problems.enumerated()
            .sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
        var warnings = 0
        for (_, problem) in sorted {
            if problem.severity == .warning { warnings += 1 }
            guard problem.severity == .error || warnings <= DiagnosticPrinter.warningLimit else { continue }
            append(problem, file: file, lines: lines, to: &result)
        }
        let rest = warnings - DiagnosticPrinter.warningLimit
        if rest > 0 { result += "\(printable(file)): and \(rest) more warning\(rest == 1 ? "" : "s")\n" }
        return result
    }

    /// Prints the problems of a definition, each with the line of the file that it is in.
    public func text(of problems: [DefinitionProblem], in source: DefinitionFile) -> String {
        (0...source.bases.count).map { number in
            let file = source.file(of: Place(line: 1, column: 1, file: number))
            return text(of: problems.filter { $0.place.file == number }, file: file.path, text: file.text)
        }.joined()
    }

    /// The number of problems, such as `2 errors, 1 warning`; nil without problems.
    public static func summary(of problems: some Sequence<DefinitionProblem>) -> String? {
        var errors = 0
        var warnings = 0
        for problem in problems {
            switch problem.severity {
            case .error: errors += 1
            case .warning: warnings += 1
            }
        }
        var parts: [String] = []
        if errors > 0 { parts.append(errors == 1 ? "1 error" : "\(errors) errors") }
        if warnings > 0 { parts.append(warnings == 1 ? "1 warning" : "\(warnings) warnings") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private func append(
        _ problem: DefinitionProblem,
        file: String,
        lines: YAMLLines,
        to result: inout String
    ) {
        let isError = problem.severity == .error
        let place = "\(printable(file)):\(problem.place.line):\(problem.place.column): "
        let severity = styled(isError ? "error:" : "warning:", isError ? .red : .magenta)
        let message = styled(printable(problem.message), .bold)
        result += styled(place, .bold) + severity + " " + message + " [\(problem.code.name)]\n"
        let margin = String(repeating: " ", count: 5)
        if let line = lines.text(ofLine: problem.place.line) {
            let excerpt = SourceExcerpt(
                line: line,
                column: problem.place.column,
                length: problem.length,
                limit: DiagnosticPrinter.lineLimit
            )
            let number = String(problem.place.line)
            let padding = String(repeating: " ", count: max(0, 5 - number.utf8.count))
            result += "\(padding)\(number) | \(excerpt.text)\n"
            result += "\(margin) | " + styled(excerpt.mark, .green) + "\n"
        }
        if let remedy = problem.remedy {
            result += "\(margin)   " + styled("help:", .cyan) + " " + printable(remedy) + "\n"
        }
    }

    /// The styles of words on a terminal.
    enum Style: String {
        case bold = "1"
        case red = "1;31"
        case magenta = "1;35"
        case green = "1;32"
        case cyan = "1;36"
    }

    /// Text in a style, on a terminal.
    func styled(_ text: String, _ style: Style) -> String {
        usesColours ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Text without characters that control a terminal.
    func printable(_ text: String) -> String {
        String(text.map { SourceExcerpt.isControl($0) ? "\u{FFFD}" : $0 })
    }
}
