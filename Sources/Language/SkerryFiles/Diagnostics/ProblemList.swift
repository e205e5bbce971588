public import SkerryDevice
public import SkerryValues

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

extension DefinitionProblem {
    /// Writes the problem as an object, with its place.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("code", code.name)
        writer.member("severity", severity == .error ? "error" : "warning")
        writer.member("message", message)
        writer.member("help", remedy)
        writer.member("line", Int64(place.line))
        writer.member("column", Int64(place.column))
        writer.member("endColumn", Int64(place.column + max(1, length)))
        writer.endObject()
    }
}
