// What the programs of these tests have in common. They are compiled with the generated reporter and run as they are.

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor var failures = 0

/// Prints the place of an expectation that does not hold.
@MainActor func expect(_ isTrue: Bool, _ text: @autoclosure () -> String = "", line: Int = #line) {
    if isTrue { return }
    failures += 1
    print("line \(line): \(text())")
}

/// Prints the place of two values that differ.
@MainActor func expect<Value: Equatable>(_ found: Value, _ wanted: Value, line: Int = #line) {
    expect(found == wanted, "\(found) is not \(wanted)", line: line)
}

/// The body of a report, as the bridge reads it.
nonisolated struct Body: Decodable, Equatable, Sendable {
    struct Activity: Decodable, Equatable, Sendable {
        var instance: Int
        var token: String?
        var end: String?
    }

    struct Opened: Decodable, Equatable, Sendable {
        var device: String
        var at: Double
    }

    struct Shown: Decodable, Equatable, Sendable {
        var id: String
        var instance: Int
    }

    var confirmedAt: Double
    var bundleId: String?
    var environment: String?
    var iosVersion: String?
    var areActivitiesEnabled: Bool?
    var areNotificationsEnabled: Bool?
    var notificationToken: String?
    var widgets: SkerryReport.Widgets?
    var frequentUpdates: Bool?
    var hides: [String]?
    var opened: Opened?
    var pushToStart: [String: String]
    var activities: [String: Activity]
    var shows: [String: [Shown]]
}

/// A phone without a keychain.
@MainActor final class PlainPhone: SkerryPhone {
    var bundleID: String? = "org.example.home"
    var environment = "development"
    var systemVersion = "26.0"
    var name = "Ada's iPhone"
    var kept: SkerryPairing?
    var redrawn: [String] = []
    var isNotified: Bool?
    var placed: SkerryReport.Widgets?

    init(_ kept: SkerryPairing? = nil) { self.kept = kept }

    func pairing() -> SkerryPairing? { kept }

    func store(_ pairing: SkerryPairing?) -> Bool {
        kept = pairing
        return true
    }

    func redraw(_ kind: String) { redrawn.append(kind) }

    func redrawAll() { redrawn.append("all") }

    func widgets() async -> SkerryReport.Widgets? { placed }

    func allowsNotifications() async -> Bool? { isNotified }
}

/// A way to the bridge on which a test is the bridge.
@MainActor final class ScriptedTransport: SkerryTransport {
    /// A report on its way.
    struct Sent: Sendable {
        var number: Int
        var request: URLRequest
        var body: Body
        var notBefore: Double
    }

    var answered: (@MainActor (SkerryAnswer, _ number: Int) -> Void)?
    var stillRunning: Set<Int> = []
    var cancelled = 0
    private var sent: [Sent] = []
    private var waiting: CheckedContinuation<Sent, Never>?

    func send(_ request: URLRequest, body: URL, number: Int, notBefore: Date) {
        guard let data = try? Data(contentsOf: body),
            let read = try? JSONDecoder().decode(Body.self, from: data)
        else { return expect(false, "report \(number) has no body") }
        let moment = notBefore.timeIntervalSince1970
        let next = Sent(number: number, request: request, body: read, notBefore: moment)
        if let waiting {
            self.waiting = nil
            waiting.resume(returning: next)
        } else {
            sent.append(next)
        }
    }

    func running() async -> Set<Int> { stillRunning }

    func cancel() { cancelled += 1 }

    /// Returns the next report, without an answer to it.
    func next() async -> Sent {
        if !sent.isEmpty { return sent.removeFirst() }
        return await withCheckedContinuation { waiting = $0 }
    }

    /// Takes reports until one is as it should be, and returns that one.
    func report(removed: [String] = [], where isWanted: (Body) -> Bool) async -> Body {
        while true {
            let next = await next()
            answered?(.taken(removed: removed), next.number)
            if isWanted(next.body) { return next.body }
        }
    }
}

/// A folder of its own, removed at the end of the program.
@MainActor func newFolder() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString, isDirectory: true)
}

/// Opens a port of this machine, and returns the socket that listens there and its address.
nonisolated func listen() -> (socket: Int32, address: URL) {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            precondition(bind(server, $0, size) == 0 && listen(server, 8) == 0, "no server")
            precondition(getsockname(server, $0, &size) == 0, "no port")
        }
    }
    return (server, URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/")!)
}
