import SkerryCommand
import SkerryDevice
import SkerryFiles

extension ExpressionFailure {
    /// The place of the expression, the number of failures and the reason, in one line; only the beginning of a long
    /// expression.
    func line(in file: DefinitionFile) -> String {
        let words = text.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let shown = words.count > 80 ? words.prefix(79) + "…" : words[...]
        let times = count == 1 ? "once" : "\(count) times"
        let path = file.file(of: text.place).path
        let line = "\(path):\(text.place.line):\(text.place.column): '\(shown)' failed \(times): \(reason)"
        return Terminal.printable(line) + "\n"
    }
}
