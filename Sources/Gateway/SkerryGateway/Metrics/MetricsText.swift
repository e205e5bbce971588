import SkerryValues

/// Lengths in classes up to a bound, as Prometheus counts them.
struct Histogram {
    /// The upper bounds with the number of lengths up to each, in ascending order.
    var buckets: [(bound: Double, count: UInt64)] = []
    /// The number of all.
    var count: UInt64 = 0
    var sum: Double
}

/// Numbers in the text format of Prometheus, version 0.0.4.
package struct MetricsText: Sendable {
    /// The text so far.
    package private(set) var text = ""

    /// Makes an empty text.
    package init() {}

    package mutating func add(_ family: MetricFamily, _ number: some BinaryInteger) {
        assert(family.labels.isEmpty, "a number lacks the labels that are declared")
        begin(family)
        add(family.name, number: "\(number)")
    }

    package mutating func add(_ family: MetricFamily, _ number: Double) {
        begin(family)
        add(family.name, number: "\(number)")
    }

    /// Adds a family with one number: 1 if it is true, else 0.
    package mutating func add(_ family: MetricFamily, _ truth: Bool) { add(family, truth ? 1 : 0) }

    /// Adds a family with a number for each of the values of its labels; nothing if there are none.
    package mutating func add(
        _ family: MetricFamily,
        _ samples: [(labels: [String], number: some BinaryInteger)]
    ) {
        if samples.isEmpty { return }
        begin(family)
        for sample in samples {
            let labels = zip(family.labels, sample.labels).map { "\($0)=\"\(Self.escaped($1))\"" }
            add("\(family.name){\(labels.joined(separator: ","))}", number: "\(sample.number)")
        }
    }

    /// Adds a family with lengths in classes.
    mutating func add(_ family: MetricFamily, _ histogram: Histogram) {
        assert(family.kind == .histogram, "a number has classes that is declared without")
        begin(family)
        for (bound, count) in histogram.buckets {
            add("\(family.name)_bucket{le=\"\(bound)\"}", number: "\(count)")
        }
        // The format wants a class without a bound, and in it all that were counted.
        add("\(family.name)_bucket{le=\"+Inf\"}", number: "\(histogram.count)")
        add("\(family.name)_sum", number: "\(histogram.sum)")
        add("\(family.name)_count", number: "\(histogram.count)")
    }

    private mutating func begin(_ family: MetricFamily) {
        text += "# HELP \(family.name) \(family.help)\n# TYPE \(family.name) \(family.kind.rawValue)\n"
    }

    private mutating func add(_ name: String, number: String) { text += "\(name) \(number)\n" }

    /// The value of a label within its quotes.
    private static func escaped(_ text: String) -> String {
        text.rewritten { scalar in
            switch scalar {
            case "\\", "\"": "\\\(scalar)"
            case "\n": "\\n"
            default: nil
            }
        }
    }
}
