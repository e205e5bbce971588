#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif
public import SkerryExpressions
import Synchronization

/// The time zones of the system, by their names in the IANA database.
///
/// Each file is read once; a change of the files is seen by the next process, so that a zone gives the same answer
/// every time.
public final class SystemTimeZones: Sendable {
    /// The folder of the system's time zones.
    public static let systemFolder = "/usr/share/zoneinfo"

    /// The longest name that is looked for, in bytes.
    static let nameLimit = 64
    /// The largest file that is read; the largest of the database has 4 KiB.
    static let fileLimit = 65_536
    /// The number of zones that are remembered; others are read again each time, because names may come from messages.
    static let memoryLimit = 1000

    /// The zones of the system.
    public static let shared = SystemTimeZones()

    private let folder: String
    private let machine: String
    private let known = Mutex<[String: TimeZoneRules?]>([:])

    /// Makes the zones of a folder with TZif files; the zone of the machine is in files of another one.
    public init(folder: String = SystemTimeZones.systemFolder, machine: String = "/etc") {
        self.folder = folder
        self.machine = machine
    }

    /// The rules of a zone such as `Europe/Berlin`; nil when there is no such zone or its file is damaged.
    public func rules(_ name: String) -> TimeZoneRules? {
        guard Self.isPlain(name) else { return nil }
        return known.withLock { known in
            if let found = known[name] { return found }
            let bytes = try? FileBytes.read(folder + "/" + name, limit: Self.fileLimit)
            let rules = bytes.flatMap { bytes in
                bytes.count > Self.fileLimit ? nil : TimeZoneFile.rules(of: bytes)
            }
            if known.count < Self.memoryLimit { known[name] = .some(rules) }
            return rules
        }
    }

    /// The rules of the zone that the variable `TZ` names, which may begin with a colon; nil when there is no such zone.
    package func rules(ofVariable value: String) -> TimeZoneRules? {
        rules(value.hasPrefix(":") ? String(value.dropFirst()) : value)
    }

    /// The zone of this machine: that of the variable `TZ`, else that of `/etc/localtime`, whose name a copy has from `/etc/timezone`, else UTC.
    ///
    /// - Parameter name: The value of `TZ`, if there is one.
    /// - Returns: The rules of the zone, and its name, which is `UTC` where a file without a name tells the rules.
    package func local(_ name: String?) -> (TimeZoneRules, name: String) {
        if let name, let found = rules(ofVariable: name) {
            return (found, name.hasPrefix(":") ? String(name.dropFirst()) : name)
        }
        if let name = nameOfLocalTime, let found = rules(name) { return (found, name) }
        let bytes = try? FileBytes.read("\(machine)/localtime", limit: Self.fileLimit)
        guard let found = bytes.flatMap({ TimeZoneFile.rules(of: $0) }) else {
            return (TimeZoneRules(firstOffset: 0), "UTC")
        }
        // As in containers, which are given a copy of the file.
        let written = try? FileBytes.text("\(machine)/timezone", limit: Self.nameLimit)
            .split(separator: "\n").first
        return (found, written.map(String.init).flatMap { rules($0) == found ? $0 : nil } ?? "UTC")
    }

    /// The name of the zone to which `/etc/localtime` leads; nil where that is a file of its own.
    private var nameOfLocalTime: String? {
        guard let path = realpath("\(machine)/localtime", nil) else { return nil }
        defer { free(path) }
        let target = String(cString: path)
        return target.hasPrefix(folder + "/") ? String(target.dropFirst(folder.utf8.count + 1)) : nil
    }

    /// Returns whether a name is made of parts as the database has them, so that it stays within the folder.
    static func isPlain(_ name: String) -> Bool {
        guard name.utf8.count <= nameLimit else { return false }
        return name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
            part in
            !part.isEmpty && part.allSatisfy(isPlain)
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
