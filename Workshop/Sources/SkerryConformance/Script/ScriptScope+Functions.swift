import SkerryImport
import SkerryValues

/// The built-in functions of scripts.
extension ScriptScope {
    static let functions: Set<String> = [
        "In", "String", "Number", "Boolean", "isNaN", "parseInt", "parseFloat", "Array", "Object",
    ]
    static let constants = ["PI": Double.pi, "E": 2.718_281_828_459_045]

    func global(_ name: String, _ arguments: [ScriptValue]) -> ScriptValue? {
        let first = arguments.first ?? .undefined
        switch name {
        case "In": return .bool(activeStates.contains(first.text))
        case "String": return .text(arguments.isEmpty ? "" : first.text)
        case "Number": return .number(arguments.isEmpty ? 0 : first.number)
        case "Boolean": return .bool(first.isTrue)
        case "isNaN": return .bool(first.number.isNaN)
        case "parseFloat":
            return .number(Double(first.text.prefix { $0.isNumber || "+-.eE".contains($0) }) ?? .nan)
        case "parseInt":
            let digits = first.text.prefix { $0.isNumber || "+-".contains($0) }
            return .number(Int(digits).map(Double.init) ?? .nan)
        default: return Self.made(name, arguments)
        }
    }

    /// The result of `new`; nil for unknown classes.
    static func made(_ name: String, _ arguments: [ScriptValue]) -> ScriptValue? {
        switch name {
        case "Array": return .list(arguments)
        case "Object": return .object([])
        case "Error":
            return .object([ScriptValue.Member(name: "message", value: arguments.first ?? .text(""))])
        default: return nil
        }
    }

    static func library(_ library: String, _ name: String, _ arguments: [ScriptValue]) -> ScriptValue? {
        let first = arguments.first ?? .undefined
        switch (library, name) {
        case ("JSON", "stringify"): return first.json.map { .text($0) } ?? .undefined
        case ("JSON", "parse"): return ScriptValue(parsing: first.text)
        case ("Array", "isArray"): return .bool(first.isInstance(of: "Array"))
        case ("Object", "keys"): return .list(first.keys.map { .text($0) })
        case ("Math", _): return mathematics(name, arguments.map { $0.number }).map { .number($0) }
        default: return nil
        }
    }

    /// The result of a method of a list or of a text; nil when there is no method of that name.
    mutating func method(
        _ name: String,
        of owner: ScriptValue,
        at place: ScriptNode,
        _ arguments: [ScriptValue]
    ) throws(ScriptError) -> ScriptValue? {
        let first = arguments.first ?? .undefined
        switch (name, owner) {
        case ("toString", _): return .text(owner.text)
        case ("hasOwnProperty", _): return owner.has(first.text).map { .bool($0) }
        case ("concat", .list(let elements)):
            return .list(
                arguments.reduce(elements) { all, more in
                    if case .list(let inner) = more { all + inner } else { all + [more] }
                }
            )
        case ("indexOf", .list(let elements)):
            return .number(Double(elements.firstIndex(of: first) ?? -1))
        case ("join", .list(let elements)):
            let separator = arguments.isEmpty ? "," : first.text
            return .text(elements.map { $0.text }.joined(separator: separator))
        case ("slice", .list(let elements)): return .list(Array(Self.part(of: elements, arguments)))
        case ("push", .list(let elements)):
            try set(place, to: .list(elements + arguments), declares: false)
            return .number(Double(elements.count + arguments.count))
        case ("pop", .list(let elements)):
            try set(place, to: .list(elements.dropLast()), declares: false)
            return elements.last ?? .undefined
        case ("shift", .list(let elements)):
            try set(place, to: .list(Array(elements.dropFirst())), declares: false)
            return elements.first ?? .undefined
        case ("charAt", .text(let text)): return .text(String(Self.part(of: Array(text), [first]).prefix(1)))
        case ("substring", .text(let text)), ("slice", .text(let text)):
            return .text(String(Self.part(of: Array(text), arguments)))
        case ("indexOf", .text(let text)):
            let parts = text.split(separator: first.text, maxSplits: 1, omittingEmptySubsequences: false)
            return .number(parts.count > 1 ? Double(parts[0].count) : -1)
        case ("split", .text(let text)):
            return .list(
                text.split(separator: first.text, omittingEmptySubsequences: false).map { .text(String($0)) }
            )
        case ("toUpperCase", .text(let text)): return .text(text.uppercased())
        case ("toLowerCase", .text(let text)): return .text(text.lowercased())
        default: return nil
        }
    }

    private static func part<Element>(of all: [Element], _ bounds: [ScriptValue]) -> ArraySlice<Element> {
        func index(_ number: Double) -> Int {
            let whole = Int(exactly: number.rounded(.towardZero)) ?? (number < 0 ? 0 : all.count)
            return max(0, min(all.count, whole < 0 ? all.count + whole : whole))
        }
        let start = index(bounds.first?.number ?? 0)
        let end = bounds.count > 1 && bounds[1] != .undefined ? index(bounds[1].number) : all.count
        return start < end ? all[start..<end] : []
    }

    private static func mathematics(_ name: String, _ numbers: [Double]) -> Double? {
        switch (name, numbers.count) {
        case ("pow", 2): power(numbers[0], numbers[1])
        case ("abs", 1): numbers[0].magnitude
        case ("floor", 1): numbers[0].rounded(.down)
        case ("ceil", 1): numbers[0].rounded(.up)
        case ("round", 1): (numbers[0] + 0.5).rounded(.down)
        case ("sqrt", 1): numbers[0].squareRoot()
        case ("min", 1...): numbers.dropFirst().reduce(numbers[0], min)
        case ("max", 1...): numbers.dropFirst().reduce(numbers[0], max)
        default: nil
        }
    }

    /// A power with a whole exponent of moderate size; nil for others.
    private static func power(_ base: Double, _ exponent: Double) -> Double? {
        guard let count = Int(exactly: exponent), count.magnitude <= 1100 else { return nil }
        let power = (0..<count.magnitude).reduce(1.0) { power, _ in power * base }
        return count < 0 ? 1 / power : power
    }
}
