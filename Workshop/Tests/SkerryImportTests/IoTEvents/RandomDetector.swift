import SkerryTesting

/// Small detector models and messages, made at random.
struct RandomDetector {
    var random: SimulatedRandom
    private var timers = ["t", "u"]

    init(seed: UInt64) {
        random = SimulatedRandom(seed: seed)
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func several(_ most: Int, _ make: (inout RandomDetector) -> String) -> String {
        var texts: [String] = []
        for _ in 0..<Int.random(in: 0...most, using: &random) { texts.append(make(&self)) }
        return "[\(texts.joined(separator: ", "))]"
    }

    // MARK: Models

    /// A model as JSON.
    mutating func model() -> String {
        let states = ["a", "b", "c"].map { state($0) }
        let method = chance(50) ? "BATCH" : "SERIAL"
        return """
            { "detectorModelDefinition": { "states": [\(states.joined(separator: ",\n"))],
              "initialStateName": "a" }, "evaluationMethod": "\(method)", "key": "id" }
            """
    }

    private mutating func state(_ name: String) -> String {
        let enter = several(2) { $0.event(transition: false) }
        let input = several(3) { $0.event(transition: false) }
        let transitions = several(3) { $0.event(transition: true) }
        let exit = several(2) { $0.event(transition: false) }
        return """
            { "stateName": "\(name)", "onEnter": { "events": \(enter) }, "onExit": { "events": \(exit) },
              "onInput": { "events": \(input), "transitionEvents": \(transitions) } }
            """
    }

    private mutating func event(transition: Bool) -> String {
        let actions = several(2) { $0.action() }
        let next = transition ? ", \"nextState\": \"\(pick(["a", "b", "c"]))\"" : ""
        let condition = transition || chance(80) ? ", \"condition\": \(quoted(truth(3)))" : ""
        return "{ \"eventName\": \"e\", \"actions\": \(actions)\(condition)\(next) }"
    }

    private mutating func action() -> String {
        let timer = pick(timers)
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1:
            return set("n", chance(80) ? number(2) : "'n${\(number(1))}'")
        case 2: return set("m", number(2))
        case 3: return set("flag", truth(2))
        case 4: return set("text", "'x${\(number(1))}' + $input.A.cmd")
        case 5, 6:
            return
                "{\"setTimer\": {\"timerName\": \"\(timer)\", \"seconds\": \(Int.random(in: 1...4, using: &random))}}"
        case 7:
            return
                "{\"setTimer\": {\"timerName\": \"\(timer)\", \"durationExpression\": \(quoted(number(1)))}}"
        case 8: return "{\"resetTimer\": {\"timerName\": \"\(timer)\"}}"
        default: return "{\"clearTimer\": {\"timerName\": \"\(timer)\"}}"
        }
    }

    private func set(_ name: String, _ value: String) -> String {
        "{\"setVariable\": {\"variableName\": \"\(name)\", \"value\": \(quoted(value))}}"
    }

    private func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    // MARK: Expressions

    private mutating func truth(_ depth: Int) -> String {
        if depth > 0, chance(60) {
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: return "\(truth(depth - 1)) && \(truth(depth - 1))"
            case 2: return "\(truth(depth - 1)) || \(truth(depth - 1))"
            case 3: return "(\(truth(depth - 1)) || \(truth(depth - 1)))"
            case 4: return "!(\(truth(depth - 1)))"
            default: return "(\(truth(depth - 1))) == \(pick(["true", "false"]))"
            }
        }
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1, 2: return "timeout(\"\(pick(timers))\")"
        case 3, 4, 5, 6:
            return "\(number(1)) \(pick(["<", "<=", "==", "!=", ">=", ">"])) \(number(1))"
        case 7: return "$variable.flag"
        case 8:
            return
                "isUndefined(\(pick(["$variable.n", "$input.A.v", "$input.B.v", "$input.A.in[1].x", number(1)])))"
        case 9: return "isNull($input.A.v)"
        case 10: return "currentInput(\"\(pick(["A", "B"]))\")"
        case 11: return "triggerType(\"\(pick(["Message", "Timer"]))\")"
        case 12: return "\(pick(["contains", "startsWith", "endsWith"]))($input.A.cmd, \"o\")"
        default: return pick(["true", "false", "$input.B.flag", "$input.A.cmd == \"on\""])
        }
    }

    private mutating func number(_ depth: Int) -> String {
        if depth > 0, chance(50) {
            switch Int.random(in: 0..<7, using: &random) {
            case 0, 1: return "(\(number(depth - 1)) + \(number(depth - 1)))"
            case 2: return "(\(number(depth - 1)) - \(number(depth - 1)))"
            case 3: return "(\(number(depth - 1)) * \(number(depth - 1)))"
            case 4: return "(\(number(depth - 1)) / \(number(depth - 1)))"
            case 5: return "-\(number(depth - 1))"
            default: return "bitor(\(number(depth - 1)), \(number(depth - 1)))"
            }
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return "\(Int.random(in: 0...4, using: &random))"
        case 1: return pick(["0.5", "1.5", "2.0"])
        case 2: return "$variable.m"
        case 3: return "$variable.n"
        case 4: return "$input.B.v"
        default: return "$input.A.v"
        }
    }

    // MARK: Messages

    /// The payload of a message.
    mutating func payload() -> String {
        var members: [String] = []
        if chance(80) {
            members.append("\"v\": \(pick(["0", "1", "2", "3", "0.5", "2.0", "null", "\"x\""]))")
        }
        if chance(50) { members.append("\"flag\": \(pick(["true", "false"]))") }
        if chance(50) { members.append("\"cmd\": \(pick(["\"on\"", "\"off\"", "1"]))") }
        if chance(30) { members.append("\"in\": [0, { \"x\": 1 }]") }
        return "{ \(members.joined(separator: ", ")) }"
    }
}
