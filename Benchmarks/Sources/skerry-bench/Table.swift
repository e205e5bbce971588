/// The lines of the table, printed as they are measured.
enum Table {
    static func section(_ title: String) {
        say("\n\(title)")
    }

    /// Prints one figure.
    ///
    /// - Parameters:
    ///   - what: The subject of the measurement.
    ///   - figure: The figure as text.
    ///   - unit: The unit of the figure.
    ///   - target: The promised value, with words; nil where nothing was promised.
    static func row(_ what: String, _ figure: String, _ unit: String, target: Target? = nil) {
        var line = "  " + padded(what, 58) + padded(figure, 12, toTheRight: true) + " " + padded(unit, 18)
        if let target { line += (target.isMet ? "ok    " : "MISSED") + "  " + target.words }
        say(line)
    }

    /// Prints the names of several columns.
    static func header(_ names: [String]) {
        say("  " + padded("", 58) + names.map { padded($0, 10, toTheRight: true) }.joined())
    }

    /// Prints several figures in columns.
    static func row(_ what: String, _ figures: [Double]) {
        say("  " + padded(what, 58) + figures.map { padded(number($0), 10, toTheRight: true) }.joined())
    }

    /// The promised value of a figure.
    struct Target {
        var isMet: Bool
        var words: String

        static func atMost(_ limit: Double, _ figure: Double) -> Target {
            Target(isMet: figure <= limit, words: "at most \(number(limit))")
        }

        static func atLeast(_ limit: Double, _ figure: Double) -> Target {
            Target(isMet: figure >= limit, words: "at least \(number(limit))")
        }
    }

    /// A number for people: about three digits, with separators between thousands.
    static func number(_ value: Double) -> String {
        guard value.isFinite, value.magnitude < 1e15 else { return "-" }
        if value.magnitude >= 100 { return grouped(Int(value.rounded())) }
        let places = value.magnitude >= 10 ? 10.0 : 100.0
        let scaled = (value.magnitude * places).rounded()
        let whole = Int(scaled / places)
        let fraction = Int(scaled) - whole * Int(places)
        let digits = String(fraction)
        let zeros = String(repeating: "0", count: (places == 10 ? 1 : 2) - digits.count)
        return (value < 0 ? "-" : "") + "\(whole).\(zeros)\(digits)"
    }

    private static func grouped(_ value: Int) -> String {
        var digits = String(value.magnitude)
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return (value < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
    }

    private static func padded(_ text: String, _ width: Int, toTheRight: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - text.count))
        return toTheRight ? space + text : text + space
    }
}
