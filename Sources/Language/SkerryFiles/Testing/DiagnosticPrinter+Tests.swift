import SkerryDevice

extension DiagnosticPrinter {
    /// The greatest width of a column in a table of differences.
    private static let columnLimit = 40

    /// Prints a failure: the expected and the actual values, side by side, and the events that led there.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - file: The name of the file, as its reader wants to see it.
    ///   - text: The text of the file, to show its lines.
    /// - Returns: Lines of text.
    public func text(of failure: TestFailure, file: String, text: String) -> String {
        var result: String
        if failure.differences.isEmpty {
            result = self.text(of: [failure.problem], file: file, text: text)
        } else {
            let place = failure.problem.place
            result = styled("\(printable(file)):\(place.line):\(place.column): ", .bold)
            result += styled("error:", .red) + " " + styled("not as expected", .bold)
            result += " [\(failure.problem.code.name)]\n"
            result += table(failure.differences)
        }
        for line in failure.story { result += "   \(printable(line))\n" }
        return result
    }

    private func table(_ differences: [TestDifference]) -> String {
        func width(_ texts: [String], _ title: String) -> Int {
            texts.map { $0.count }.filter { $0 <= Self.columnLimit }.reduce(title.count, max)
        }
        let paths = width(differences.map { $0.path }, "what")
        let expectations = width(differences.map { $0.expected }, "expected")
        var result = "   line  \(padded("what", paths))  \(padded("expected", expectations))  got\n"
        for difference in differences {
            let path = printable(difference.path)
            let expected = printable(difference.expected)
            let got = printable(difference.got)
            result += "\(padded(String(difference.place.place.line), 7, right: true))  "
            if path.count <= paths, expected.count <= expectations {
                result += "\(padded(path, paths))  "
                result += "\(styled(padded(expected, expectations), .green))  \(styled(got, .red))\n"
            } else {
                let margin = String(repeating: " ", count: 11)
                result += "\(path)\n\(margin)expected  \(styled(expected, .green))\n"
                result += "\(margin)got       \(styled(got, .red))\n"
            }
        }
        return result
    }

    /// A text in a column.
    func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
        let padding = String(repeating: " ", count: max(0, width - text.count))
        return right ? padding + text : text + padding
    }
}
