import SkerryValues

/// Writes texts as scalars of YAML that are read as the same texts.
enum YAMLScalarText {
    /// A text on one line, in quotes where it needs them.
    ///
    /// Between braces or brackets (`isFlow`) more characters have a meaning. A text that must stay one (`isLabel`) gets
    /// quotes where it looks like a number, a truth value or a length of time.
    static func line(_ text: String, isFlow: Bool, isLabel: Bool = false) -> String {
        if isPlain(text, isFlow: isFlow), !isLabel || isClearlyText(text) { return text }
        return quoted(text)
    }

    private static func isClearlyText(_ text: String) -> Bool {
        if case .success = DurationText.parse(text) { return false }
        return CoreSchema.meaning(of: text) == .text
    }

    private static func quoted(_ text: String) -> String {
        if text.unicodeScalars.contains(where: { needsEscape($0) }) { return escaped(text) }
        let needsSingle = text.unicodeScalars.contains { $0 == "\"" || $0 == "\\" }
        return needsSingle ? "'\(text.replacing("'", with: "''"))'" : "\"\(text)\""
    }

    /// The header and the lines of a text as a block, without their indentation; nil when it can't be one.
    static func block(_ text: String, width: Int) -> (header: String, lines: [String])? {
        guard !text.unicodeScalars.contains(where: { $0 != "\n" && needsEscape($0) }) else { return nil }
        if text.utf8.contains(UInt8(ascii: "\n")) {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let isLiteral = lines.allSatisfy { !$0.hasSuffix(" ") } && !lines[0].hasPrefix(" ")
            guard isLiteral, lines[0] != "", lines[lines.count - 1] != "" else { return nil }
            return ("|-", lines)
        }
        guard !text.hasPrefix(" "), !text.hasSuffix(" ") else { return nil }
        let lines = TextFolding.lines(of: text, width: width)
        return lines.count > 1 ? (">-", lines) : nil
    }

    private static func isPlain(_ text: String, isFlow: Bool) -> Bool {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, let last = scalars.last, first != " ", last != " ", last != ":"
        else {
            return false
        }
        let second = scalars.dropFirst().first
        let isNumber = first == "-" && second.map { ("0"..."9").contains($0) } == true
        if "-?:,[]{}#&*!|>'\"%@`".unicodeScalars.contains(first), !isNumber { return false }
        if text == "---" || text == "..." || text == "<<" || text == "=" { return false }
        var previous: Unicode.Scalar = "a"
        for scalar in scalars {
            if needsEscape(scalar) { return false }
            if isFlow, ",[]{}".unicodeScalars.contains(scalar) { return false }
            if scalar == " ", previous == ":" { return false }
            if scalar == "#", previous == " " { return false }
            previous = scalar
        }
        return true
    }

    /// True for line breaks and invisible scalars, which must be escaped.
    static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
        default: false
        }
    }

    private static func escaped(_ text: String) -> String {
        let result = text.rewritten { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\t": "\\t"
            case "\r": "\\r"
            case _ where needsEscape(scalar):
                "\\u" + String(scalar.value, hexadecimalDigits: 4, uppercase: true)
            default: nil
            }
        }
        return "\"\(result)\""
    }
}
