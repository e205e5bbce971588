public import SkerryExpressions
import SkerryValues

/// How one case went.
public struct CaseResult: Sendable {
    /// The case, by its groups and its name.
    public let title: String
    /// What is expected and what came out; nil when the case passed.
    public let failure: String?
}

/// Reads files of cases and runs them.
public enum ConformanceFile {
    /// Why a file can't be read as cases.
    public struct Problem: Error, Sendable {
        /// The line, from 1; 0 for the file as a whole.
        public let line: Int
        /// What is wrong.
        public let reason: String
    }

    /// The largest JSON text that is read, in bytes, and how deep it may be.
    private static let limits = JSONLimits(bytes: 1 << 28, depth: 256)

    /// Runs the cases of CEL in a text with one JSON object a line.
    public static func expressions(
        in text: [UInt8],
        timeZone: @escaping @Sendable (String) -> TimeZoneRules?
    ) throws(Problem) -> [CaseResult] {
        var results: [CaseResult] = []
        var number = 0
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { continue }
            let one: ExpressionCase
            do throws(JSONRefusal) {
                one = try ExpressionCase(line: Array(line), timeZone: timeZone)
            } catch {
                throw Problem(line: number, reason: error.problem.summary)
            }
            let failure = one.failure()
            results.append(
                CaseResult(
                    title: one.title,
                    failure: failure.map { "\(one.expression): expected \(one.expectation), got \($0)" }
                )
            )
        }
        return results
    }

    /// Runs the cases of statecharts in a JSON list.
    ///
    /// - Parameters:
    ///   - text: the list.
    ///   - file: the text of a file that a case names, such as a script; nil when it is not at hand.
    /// - Returns: how each case went, in their order.
    /// - Throws: why the text is no list of cases.
    public static func statecharts(
        in text: [UInt8],
        file: @escaping (String) -> String? = { _ in nil }
    ) throws(Problem) -> [CaseResult] {
        let json: Value
        do throws(JSONRefusal) {
            json = try JSONReader.value(of: text.span, limits: limits)
        } catch {
            throw Problem(line: 0, reason: error.problem.summary)
        }
        guard case .list(let cases) = json else { throw Problem(line: 0, reason: "not a list of cases") }
        return cases.map { json in
            let title = [json["group"]?.word, json["name"]?.word].compactMap { $0 }.joined(separator: "/")
            return CaseResult(title: title, failure: ChartCase.failure(of: json, file: file))
        }
    }
}
