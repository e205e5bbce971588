package import SkerryExpressions
import SkerryValues

/// The result of one case.
package struct CaseResult: Sendable {
    /// The groups and the name of the case.
    package let title: String
    /// The expected and the actual result; nil when the case passed.
    package let failure: String?
}

/// The reader and runner of files of cases.
package enum ConformanceFile {
    /// The reason why a file can't be read as cases.
    package struct Problem: Error, Sendable {
        /// The line, from 1; 0 for the file as a whole.
        package let line: Int
        /// The mistake, without the line.
        package let reason: String
    }

    /// The limits of a file of cases: bytes, and the depth of JSON.
    private static let limits = JSONLimits(bytes: 1 << 28, depth: 256)

    /// Runs the CEL cases in a text with one JSON object in each line.
    package static func expressions(
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

    /// Runs the statechart cases in a JSON list.
    ///
    /// - Parameters:
    ///   - text: The list.
    ///   - file: A function that returns the text of a file named by a case, such as a script; nil when there is none.
    /// - Returns: The result of each case, in order.
    /// - Throws: The reason why the text is no list of cases.
    package static func statecharts(
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
