import SkerryValues

struct Pattern: Sendable {
    struct Problem: Error { var message: String }
    init(_ text: String) throws(Problem) { throw Problem(message: "not yet") }
    func isFound(in text: Value, _ state: inout EvaluationState) -> Value { .error(.noSuchOverload) }
}
