import Glibc

/// The options of the command line.
struct BenchOptions {
    /// A part of the table.
    enum Part: String, CaseIterable {
        case layer0
        case replay
        case live
        case updates
        case restart
        case stream
        case store
        case partitions
        case phones
    }

    static let usage = """
        usage: skerry-bench [--only layer0|replay|live|updates|restart|stream|store|partitions|phones]... [--quick] [--name TEXT]

          --only PART   measure this part; may be given several times
          --quick       fewer rounds, rougher figures
          --name TEXT   of replay and live, only recordings whose name contains this

        Recordings come from SKERRY_RECORDINGS or ../shared/recordings; programs (skerry, relay, passthrough,
        and engines of others) from SKERRY_PROGRAMS. What is absent is passed over with a word.
        """

    var parts: [Part] = []
    var isQuick = false
    var name = ""
    var wantsHelp = false

    init(_ words: ArraySlice<String>) throws(BenchFailure) {
        var rest = words
        while let word = rest.popFirst() {
            switch word {
            case "--only":
                guard let name = rest.popFirst(), let part = Part(rawValue: name) else {
                    throw BenchFailure(
                        "--only takes one of: \(Part.allCases.map(\.rawValue).joined(separator: ", "))"
                    )
                }
                parts.append(part)
            case "--name":
                guard let text = rest.popFirst() else { throw BenchFailure("--name takes a text") }
                name = text
            case "--quick": isQuick = true
            case "--help", "-h": wantsHelp = true
            default: throw BenchFailure("unknown option \(word)")
            }
        }
    }

    func includes(_ part: Part) -> Bool { parts.isEmpty || parts.contains(part) }
}
