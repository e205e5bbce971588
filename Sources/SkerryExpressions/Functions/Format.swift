import SkerryValues
func formatted(_ template: String, _ arguments: [Value], _ state: inout EvaluationState) -> Value { .error(.noSuchOverload) }
