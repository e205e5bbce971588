import SkerryDevice
import SkerryFiles

/// The lines of a file, to check the places of problems.
struct PlaceCheck {
    /// The characters of each line; lines end where YAML ends them.
    private let widths: [Int]

    init(_ text: String) {
        var widths: [Int] = []
        var line = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            switch scalar {
            case "\n" where previous == "\r": continue
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}":
                widths.append(String(line).count)
                line = String.UnicodeScalarView()
            default: line.append(scalar)
            }
        }
        widths.append(String(line).count)
        self.widths = widths
    }

    /// The first mistake in a list of problems; nil when their places exist and are in order.
    func brokenPromise(of problems: [DefinitionProblem]) -> String? {
        for problem in problems {
            let place = problem.place
            guard widths.indices.contains(place.line - 1),
                (1...widths[place.line - 1] + 1).contains(place.column)
            else { return "the place \(place.line):\(place.column) is not in the file: \(problem.message)" }
            if problem.length < 1 { return "a problem of no length: \(problem.message)" }
            if problem.message.isEmpty { return "a problem that says nothing" }
        }
        return problems.map(\.place) == problems.map(\.place).sorted() ? nil : "the problems are not in order"
    }

    static func brokenPromise(ofSettings text: String) -> String? {
        PlaceCheck(text).brokenPromise(of: SettingsFile(text).problems)
    }
}
