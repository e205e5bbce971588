// A gateway that answers what a test wants.

import Foundation
import Synchronization

/// A web server that gives the same answer to each question, or to those of an address, until a test wants another one.
nonisolated final class Answering: Sendable {
    let address: URL
    private let answers = Mutex<[String: String]>([:])
    private let asked = Mutex<[String]>([])

    init() {
        let (server, address) = listen()
        self.address = address
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(server, nil, nil)
                var question = ""
                var part = [UInt8](repeating: 0, count: 4096)
                while !Self.isWhole(question) {
                    let count = read(connection, &part, part.count)
                    // It speaks no TLS, whose records begin with 22.
                    guard count > 0, part[0] != 22 else { break }
                    question += String(decoding: part.prefix(count), as: UTF8.self)
                }
                let lines = question.components(separatedBy: "\r\n")
                let address = lines[0].dropLast(" HTTP/1.1".count)
                let position = lines.compactMap { $0.wholeMatch(of: /(?i)last-event-id: (.*)/)?.1 }
                asked.withLock { $0.append("\(address) \(position.joined())\(lines[lines.count - 1])") }
                // The longest part that the address has; all have the empty one.
                let text = answers.withLock { answers in
                    let fitting = answers.filter { $0.key.isEmpty || address.contains($0.key) }
                    return fitting.max { $0.key.count < $1.key.count }?.value ?? ""
                }
                _ = Array(text.utf8).withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
                // A stream goes on for as long as the app wants it.
                if !text.contains("text/event-stream") { close(connection) }
            }
        }
    }

    /// Returns whether a question has come with its body.
    private static func isWhole(_ question: String) -> Bool {
        guard let end = question.firstRange(of: "\r\n\r\n") else { return false }
        let length = question.firstMatch(of: /(?i)content-length: (\d+)/).flatMap { Int($0.1) } ?? 0
        return question[end.upperBound...].utf8.count >= length
    }

    /// Returns the questions since this was last called: method, path and body.
    func questions() -> [String] {
        asked.withLock { asked in
            defer { asked = [] }
            return asked
        }
    }

    /// Gives this answer from now on, to all questions or to those with a part in their address.
    func say(_ status: String, _ body: String, to part: String = "") {
        answers.withLock { answers in
            if part.isEmpty { answers = [:] }
            answers[part] = """
                HTTP/1.1 \(status)\r
                Connection: close\r
                Content-Length: \(body.utf8.count)\r
                \r
                \(body)
                """
        }
    }

    /// Answers with a stream from now on, which tells these events and stays open.
    func stream(_ events: [String]) {
        answers.withLock { answers in
            answers["/v1/stream"] = """
                HTTP/1.1 200 OK\r
                Content-Type: text/event-stream\r
                \r
                retry: 3000

                \(events.joined(separator: "\n\n"))


                """
        }
    }
}
