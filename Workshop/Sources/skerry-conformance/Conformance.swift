import FoundationEssentials
import SkerryConformance
import SkerryFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// `skerry-conformance`: runs public cases of CEL and of statecharts.
@main
enum Conformance {
    private static let usage = """
        usage: skerry-conformance cel FILE
               skerry-conformance statecharts FILE

        Runs the cases of a file, prints each failure with what was expected and got, and closes with one line
        "N passed, M failed". Exit status: 0 when nothing failed, 1 otherwise, 2 for a file that can't be read.
          cel          one case of the CEL specification a line, as JSON
          statecharts  a JSON list of machines with events and the configurations that must follow; a script that a
                       machine loads is looked for beside the file, then among those that skerry-conformance knows

        """

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.contains("--help") || arguments.contains("-h") {
            print(usage, terminator: "")
            exit(0)
        }
        guard arguments.count == 2, let kind = arguments.first, let path = arguments.last,
            ["cel", "statecharts"].contains(kind)
        else { refuse(usage) }
        guard let data = FileManager.default.contents(atPath: path) else {
            refuse("skerry-conformance: \(path) can't be read\n")
        }
        do throws(ConformanceFile.Problem) {
            exit(report(try results(of: kind, path, [UInt8](data))) ? 0 : 1)
        } catch {
            let place = error.line > 0 ? "\(path):\(error.line)" : path
            refuse("skerry-conformance: \(place): \(error.reason)\n")
        }
    }

    private static func results(
        of kind: String,
        _ path: String,
        _ text: [UInt8]
    ) throws(ConformanceFile.Problem) -> [CaseResult] {
        if kind == "statecharts" {
            return try ConformanceFile.statecharts(in: text) { fileText($0, beside: path) }
        }
        let zones = SystemTimeZones()
        return try ConformanceFile.expressions(in: text) { zones.rules($0) }
    }

    /// The text of a file in the folder of the cases; nil for a name with a path, or of no file.
    private static func fileText(_ name: String, beside path: String) -> String? {
        let plain = name.hasPrefix("file:") ? String(name.dropFirst(5)) : name
        if plain.isEmpty || plain.contains("/") { return nil }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let place = (folder + [Substring(plain)]).joined(separator: "/")
        return FileManager.default.contents(atPath: place).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Prints the failures and the counts; true if nothing failed.
    private static func report(_ results: [CaseResult]) -> Bool {
        var failed = 0
        for result in results {
            guard let failure = result.failure else { continue }
            failed += 1
            print("\(result.title): \(failure)")
        }
        print("\(results.count - failed) passed, \(failed) failed")
        return failed == 0
    }

    private static func refuse(_ message: String) -> Never {
        _ = message.withCString { write(STDERR_FILENO, $0, message.utf8.count) }
        exit(2)
    }
}
