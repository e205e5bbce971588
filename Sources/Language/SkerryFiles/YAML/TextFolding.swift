/// Folds a long line into several, as a folded block of YAML has them.
enum TextFolding {
    private static let operators: Set<Substring> = ["&&", "||", "?", ":"]

    /// The lines of a text, broken at single spaces; joined by spaces they are the text again.
    ///
    /// Lines break before the operators of an expression where that is enough, else between any two words. A word
    /// longer than the width stays whole.
    static func lines(of text: String, width: Int) -> [String] {
        fill(parts(of: text).flatMap { $0.count > width ? words(of: Substring($0)) : [$0] }, width: width)
    }

    private static func fill(_ parts: [String], width: Int) -> [String] {
        var lines: [String] = []
        for part in parts {
            if let last = lines.last, last.count + 1 + part.count <= width {
                lines[lines.count - 1] = last + " " + part
            } else {
                lines.append(part)
            }
        }
        return lines
    }

    /// The parts of an expression, each but the first beginning with an operator outside of parentheses and quotes.
    private static func parts(of text: String) -> [String] {
        var parts: [String] = []
        var depth = 0
        var quote: Character?
        for word in words(of: Substring(text)) {
            let isBreak = depth == 0 && quote == nil && operators.contains(word.prefix { $0 != " " })
            if isBreak || parts.isEmpty { parts.append(word) } else { parts[parts.count - 1] += " " + word }
            for letter in word {
                if let open = quote {
                    if letter == open { quote = nil }
                } else {
                    switch letter {
                    case "'", "\"": quote = letter
                    case "(", "[", "{": depth += 1
                    case ")", "]", "}": depth -= 1
                    default: break
                    }
                }
            }
        }
        return parts
    }

    /// The pieces between single spaces; where several spaces stand together nothing is broken.
    private static func words(of text: Substring) -> [String] {
        var words: [String] = []
        var isJoined = false
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if word.isEmpty || isJoined, !words.isEmpty {
                words[words.count - 1] += " " + word
            } else {
                words.append(String(word))
            }
            isJoined = word.isEmpty
        }
        return words
    }
}
