// A gateway that answers what a test wants.

import Foundation
import Synchronization

/// A web server that gives the same answer to each question until a test wants another one, or the one to an address.
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
                asked.withLock { $0.append("\(address) \(lines[lines.count - 1])") }
                let path = String(address.drop { $0 != " " }.dropFirst().prefix { $0 != "?" })
                let text = answers.withLock { $0[path] ?? $0[""] ?? "" }
                _ = Array(text.utf8).withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
                close(connection)
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

    func say(_ status: String, _ body: String, to path: String = "") {
        answers.withLock {
            $0[path] = """
                HTTP/1.1 \(status)\r
                Connection: close\r
                Content-Length: \(body.utf8.count)\r
                \r
                \(body)
                """
        }
    }
}
