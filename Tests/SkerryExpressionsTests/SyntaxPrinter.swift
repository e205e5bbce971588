import SkerryValues

@testable import SkerryExpressions

/// Writes a syntax tree as text again, with parentheses around every operator.
struct SyntaxPrinter {
    let tree: SyntaxTree

    static func print(_ tree: SyntaxTree) -> String { SyntaxPrinter(tree: tree).text(tree.root) }

    private func text(_ id: SyntaxNode.ID) -> String {
        switch tree[id].kind {
        case .literal(let value): literal(value)
        case .identifier(let name, let isRooted): (isRooted ? "." : "") + name
        case .select(let operand, let field, let isOptional):
            text(operand) + (isOptional ? ".?" : ".") + fieldName(field)
        case .index(let operand, let key, let isOptional):
            text(operand) + (isOptional ? "[?" : "[") + text(key) + "]"
        case .call(let name, let target, let arguments, _):
            (target.map { text($0) + "." } ?? "") + name + "(" + list(arguments) + ")"
        case .list(let elements):
            "[" + elements.map { ($0.isOptional ? "?" : "") + text($0.value) }.joined(separator: ", ") + "]"
        case .map(let entries):
            "{"
                + entries.map { ($0.isOptional ? "?" : "") + text($0.key) + ": " + text($0.value) }
                .joined(separator: ", ") + "}"
        case .conditional(let condition, let then, let otherwise):
            "(" + text(condition) + " ? " + text(then) + " : " + text(otherwise) + ")"
        case .logical(let isAnd, let operands):
            "(" + operands.map(text).joined(separator: isAnd ? " && " : " || ") + ")"
        case .not(let operand): "(!" + text(operand) + ")"
        case .negate(let operand): "(-(" + text(operand) + "))"
        case .binary(let symbol, let left, let right):
            "(" + text(left) + " " + symbol.text + " " + text(right) + ")"
        case .has(let operand): "has(" + text(operand) + ")"
        case .bind(let name, let value, let result):
            "cel.bind(" + name + ", " + text(value) + ", " + text(result) + ")"
        case .comprehension(let macro, let target, let variables, let filter, let body):
            text(target) + "." + name(macro) + "("
                + (variables + (filter.map { [text($0)] } ?? []) + [text(body)]).joined(separator: ", ") + ")"
        }
    }

    private func list(_ ids: [SyntaxNode.ID]) -> String { ids.map(text).joined(separator: ", ") }

    private func fieldName(_ field: String) -> String {
        let isPlain =
            field.utf8.allSatisfy { isLetter($0) || isDigit($0) } && !isDigit(field.utf8.first ?? 0)
            && !["true", "false", "null", "in"].contains(field)
        return isPlain ? field : "`" + field + "`"
    }

    private func name(_ macro: Comprehension) -> String {
        switch macro {
        case .optionalMap: "optMap"
        case .optionalFlatMap: "optFlatMap"
        default: "\(macro)"
        }
    }

    private func literal(_ value: Value) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .int(let number): String(number)
        case .uint(let number): String(number) + "u"
        case .double(let number): doubleText(number)
        case .string(let text):
            "\"" + text.unicodeScalars.map { "\\U" + hexadecimal($0.value, digits: 8) }.joined() + "\""
        case .bytes(let bytes):
            "b\"" + bytes.map { "\\x" + hexadecimal(UInt32($0), digits: 2) }.joined() + "\""
        default: "?"
        }
    }

    private func doubleText(_ number: Double) -> String {
        let text = number.description
        return text.contains("e") || text.contains(".") ? text : text + ".0"
    }

    private func hexadecimal(_ number: UInt32, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: digits - text.utf8.count) + text
    }
}
