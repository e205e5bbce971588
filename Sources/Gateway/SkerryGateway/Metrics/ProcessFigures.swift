import Glibc

/// The figures of the system about this process, under the names that Prometheus has for it.
///
/// See https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics.
package struct ProcessFigures: Sendable {
    /// The version of Skerry.
    private let version: String

    package init(version: String) { self.version = version }

    /// Adds the figures of now.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isActive: Whether this process has the devices.
    package func write(to text: inout MetricsText, isActive: Bool) {
        text.add(.build, [(labels: [version], number: 1)])
        text.add(.isActive, isActive)
        text.add(.clockIsSynchronized, SystemClock.kernelIsSynchronized())
        if let words = Self.words(of: "/proc/self/stat", after: ")"), words.count > 21 {
            // The words of proc(5), which counts from 1, begin here with the third.
            let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
            let (user, system) = (Double(words[11]) ?? 0, Double(words[12]) ?? 0)
            text.add(.processorTime, (user + system) / ticks)
            if let boot = Self.bootTime, let start = Double(words[19]) {
                text.add(.processStart, boot + start / ticks)
            }
            if let bytes = Int(words[20]) { text.add(.virtualMemory, bytes) }
            if let pages = Int(words[21]) { text.add(.residentMemory, pages * Int(getpagesize())) }
        }
        if let count = Self.openFiles { text.add(.openFiles, count) }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            text.add(.fileLimit, limit.rlim_cur)
        }
    }

    /// The number of entries of the folder of open files, without the one that is open for counting.
    private static var openFiles: Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Two of them are the folder and the one above it.
        return count - 3
    }

    /// The time of the boot in Unix seconds.
    private static var bootTime: Double? {
        guard let words = words(of: "/proc/stat", after: "\nbtime") else { return nil }
        return words.first.flatMap { Double($0) }
    }

    /// The words of a file behind a text in it; nil if it can't be read.
    private static func words(of path: String, after mark: String) -> [Substring]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while bytes.count < 1 << 20, case let byte = fgetc(file), byte != EOF {
            bytes.append(UInt8(truncatingIfNeeded: byte))
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let place = text.ranges(of: mark).last else { return nil }
        return text[place.upperBound...].split { $0 == " " || $0 == "\n" }
    }
}
