import SkerryDevice

/// The problems found in one file, each once, and not more of them than anybody reads.
struct ProblemList {
    /// The number of problems kept for one file; further ones are mostly consequences.
    static let limit = 100

    /// The problems in the order they were found.
    private(set) var problems: [DefinitionProblem] = []
    private var seen: Set<DefinitionProblem> = []

    /// Adds a problem unless it is there already or there are too many.
    mutating func report(_ problem: DefinitionProblem) {
        guard problems.count < ProblemList.limit, seen.insert(problem).inserted else { return }
        problems.append(problem)
    }
}
