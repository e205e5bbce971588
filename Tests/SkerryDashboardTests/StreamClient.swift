import Foundation
import SkerryDashboard
import SkerryValues
import Synchronization
import Testing

/// An event as a reader of the stream gets it.
struct ReceivedEvent: Sendable {
    var id: String?
    var name: String
    var data: String

    var json: Value { (try? JSONReader.value(of: Array(data.utf8).span)) ?? .null }
}

/// A reader of the stream, which speaks HTTP 1.0 so that nothing but the events comes.
final class StreamClient: Sendable {
    private let connection: RawConnection
    private let bytes = Mutex<[UInt8]>([])

    /// Opens a stream.
    init(
        _ server: RunningServer,
        _ target: String = "/v1/stream",
        _ fields: [String] = [],
        buffer: Int32? = nil
    ) throws {
        connection = try RawConnection(server.address, buffer: buffer)
        let lines = ["GET \(target) HTTP/1.0", "Host: \(server.address)"] + fields
        connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// The text up to a mark, without it; nil at the end of the stream.
    private func text(until mark: String) async -> String? {
        while true {
            let found: String? = bytes.withLock { bytes in
                guard let end = Self.place(of: Array(mark.utf8), in: bytes) else { return nil }
                defer { bytes.removeFirst(end + mark.utf8.count) }
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
            if let found { return found }
            let more = await connection.some()
            if more.isEmpty { return nil }
            bytes.withLock { $0 += more }
        }
    }

    /// The place of the first mark; byte by byte, because a general search takes long in a debug build.
    private static func place(of mark: [UInt8], in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBytes { bytes in
            var index = 0
            while index + mark.count <= bytes.count {
                if bytes[index] == mark[0], bytes[index..<index + mark.count].elementsEqual(mark) {
                    return index
                }
                index += 1
            }
            return nil
        }
    }

    /// The head of the answer; call it before any event.
    func head() async throws -> String { try #require(await text(until: "\r\n\r\n")) }

    /// The next event; nil at the end of the stream. Comments and other fields are passed over.
    func next() async -> ReceivedEvent? {
        while let block = await text(until: "\n\n") {
            var event = ReceivedEvent(name: "", data: "")
            for line in block.split(separator: "\n") {
                if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
                if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
                if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
            }
            if !event.name.isEmpty { return event }
        }
        return nil
    }

    /// Reads on until a sign of life comes; false if the stream ends before.
    func heartbeat() async -> Bool {
        while let block = await text(until: "\n\n") { if block.hasPrefix(":") { return true } }
        return false
    }

    /// The next events.
    func next(_ count: Int) async -> [ReceivedEvent] {
        var events: [ReceivedEvent] = []
        while events.count < count, let event = await next() { events.append(event) }
        return events
    }
}
