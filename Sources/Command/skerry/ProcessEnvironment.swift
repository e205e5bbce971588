import Glibc

/// The environment that this process was started with.
enum ProcessEnvironment {
    /// The variables by their names; of two with one name the first, as `getenv` has it.
    static let variables: [String: String] = {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let parts = String(cString: entry).split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            if parts.count == 2, variables[String(parts[0])] == nil {
                variables[String(parts[0])] = String(parts[1])
            }
            next += 1
        }
        return variables
    }()
}
