import SkerryCommand
import SkerryDevice

extension ExpressionFailure {
    /// The place of the expression, the number of failures and the reason, in one line; only the beginning of a long
    /// expression.
    func line(in file: String) -> String {
        let words = text.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let shown = words.count > 80 ? words.prefix(79) + "…" : words[...]
        let times = count == 1 ? "once" : "\(count) times"
        let line = "\(file):\(text.place.line):\(text.place.column): '\(shown)' failed \(times): \(reason)"
        return Terminal.printable(line) + "\n"
    }
}
