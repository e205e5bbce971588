import Glibc
import SkerryDevice
import SkerryFiles

/// `skerry-bench`: measures Skerry and prints a table; no figure makes it fail.
@main
enum Bench {
    static func main() {
        let options: BenchOptions
        do throws(BenchFailure) {
            options = try BenchOptions(CommandLine.arguments.dropFirst())
        } catch {
            complain("skerry-bench: \(error.description)\n\(BenchOptions.usage)")
            exit(64)
        }
        if options.wantsHelp {
            say(BenchOptions.usage)
            return
        }
        do throws(BenchFailure) {
            let house = try House(options)
            say(
                "Times are processor time of one core, the best of several rounds; targets in the last column."
            )
            if options.includes(.layer0) { try LayerZero(house).run() }
            if options.includes(.replay) { try ReplayRuns(house).run() }
            if options.includes(.live) { try LiveRuns(house).run() }
            if options.includes(.updates) { try UpdateRuns(house).run() }
            if options.includes(.restart) { try RestartRuns(house).run() }
            if options.includes(.stream) { try StreamRuns(house).run() }
            if options.includes(.store) { try StoreRuns(house).run() }
            if options.includes(.partitions) { try PartitionRuns(house).run() }
            if options.includes(.phones) { try PhoneRuns(house).run() }
        } catch {
            complain("skerry-bench: \(error.description)")
            exit(1)
        }
    }
}

/// The reason why a measurement is impossible.
struct BenchFailure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// Prints a message on standard error.
func complain(_ text: String) { write(text, to: STDERR_FILENO) }

/// Prints a line of the table at once, even into a pipe.
func say(_ text: String) { write(text, to: STDOUT_FILENO) }

private func write(_ line: String, to descriptor: Int32) {
    let bytes = Array((line + "\n").utf8)
    var written = 0
    while written < bytes.count {
        let count = bytes.withUnsafeBytes {
            Glibc.write(descriptor, $0.baseAddress.map { $0 + written }, bytes.count - written)
        }
        guard count > 0 else { return }
        written += count
    }
}
