import Foundation
import Synchronization
import Testing

/// The connections between a process and its server, which can be cut or held up after any byte.
final class Wire: Sendable {
    /// The ways of the bytes.
    enum Way: CaseIterable, Sendable { case toServer, toClient }

    private struct State {
        /// The bytes after which something happens, once.
        var limit: (way: Way, bytes: Int, gate: Gate?)?
        /// The bytes that passed since the limit was set.
        var passed: [Way: Int] = [:]
        var refuses = false
    }

    private let folder: String
    private let server: String
    private let listener: Int32
    private let state = Mutex(State())

    /// Makes a wire to the server whose socket is in a folder.
    init(to server: String) throws {
        self.server = server
        folder = "/tmp/skerry-wire-\(UInt32.random(in: 0...UInt32.max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let isListening =
            Self.withAddress(folder) { bind(listener, $0, $1) } == 0 && listen(listener, 16) == 0
        try #require(isListening, "no socket in \(folder)")
        Thread.detachNewThread { [listener, weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let self else { return }
                self.serve(client)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The URI of a database over this wire.
    func address(of database: String) -> String { database.replacing(server, with: folder) }

    /// Cuts the connection after so many bytes more, once.
    func cut(_ way: Way, after bytes: Int) { set((way, bytes, nil)) }

    /// Holds up at a gate what the client sends after so many bytes more.
    func hold(after bytes: Int, at gate: Gate) { set((.toServer, bytes, gate)) }

    /// Forgets what was to happen; returns the bytes that have passed meanwhile.
    @discardableResult
    func forget() -> [Way: Int] {
        state.withLock { state in
            defer { state.limit = nil }
            return state.passed
        }
    }

    /// Refuses new connections, or takes them again.
    func refuse(_ refuses: Bool) { state.withLock { $0.refuses = refuses } }

    private func set(_ limit: (Way, Int, Gate?)?) {
        state.withLock { state in
            state.limit = limit
            state.passed = [:]
        }
    }

    private func serve(_ client: Int32) {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let isConnected =
            !state.withLock { $0.refuses } && Self.withAddress(self.server) { connect(server, $0, $1) } == 0
        guard isConnected else {
            close(client)
            close(server)
            return
        }
        for (way, from, to) in [(Way.toServer, client, server), (.toClient, server, client)] {
            Thread.detachNewThread { [weak self] in
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while true {
                    let count = read(from, &buffer, buffer.count)
                    guard count > 0, let self, self.pass(buffer.prefix(count), way, to) else { break }
                }
                // The other thread notices; files stay open, or a new connection might get their numbers.
                shutdown(from, Int32(SHUT_RDWR))
                shutdown(to, Int32(SHUT_RDWR))
            }
        }
    }

    /// Passes bytes on; returns false if the connection was cut.
    private func pass(_ bytes: ArraySlice<UInt8>, _ way: Way, _ file: Int32) -> Bool {
        let (count, isOver, gate) = state.withLock { state -> (Int, Bool, Gate?) in
            let passed = state.passed[way, default: 0]
            guard let limit = state.limit, limit.way == way, passed + bytes.count > limit.bytes else {
                state.passed[way] = passed + bytes.count
                return (bytes.count, false, nil)
            }
            state.limit = nil
            return (limit.bytes - passed, true, limit.gate)
        }
        guard send(bytes.prefix(count), to: file) else { return false }
        if !isOver { return true }
        guard let gate else { return false }
        gate.pass()
        return send(bytes.dropFirst(count), to: file)
    }

    private func send(_ bytes: ArraySlice<UInt8>, to file: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func withAddress(
        _ folder: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(folder)/.s.PGSQL.5432".utf8) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
