import Glibc

/// A plain MQTT client for tests, independent of the bus, so that tests do not judge the bus by itself.
///
/// It has no thread: it reads when asked to wait. Not for use by several threads at once.
public final class BrokerClient {
    /// A message as it came, with the flags that libmosquitto hides.
    public struct Message: Sendable, Equatable, CustomStringConvertible {
        /// The topic.
        public var topic: String
        /// The payload.
        public var payload: [UInt8]
        /// The retain flag as it came.
        public var isRetained: Bool
        /// True if the broker says it has sent this before.
        package var isDuplicate: Bool
        /// The QoS: 0 or 1.
        public var quality: Int
        /// The MQTT 5 content type.
        package var contentType: String?

        /// The payload as text.
        public var text: String { String(decoding: payload, as: UTF8.self) }

        /// Topic, payload and flags on one line.
        public var description: String {
            let flags = (isRetained ? " retained" : "") + (isDuplicate ? " again" : "")
            return "\(topic) = \(text) (QoS \(quality)\(flags))"
        }
    }

    /// A version of the protocol, as CONNECT has it.
    public enum Version: UInt8, Sendable {
        /// MQTT 3.1.1.
        case v311 = 4
        /// MQTT 5.
        case v5 = 5
    }

    /// A failure of the client.
    public struct Failure: Error, CustomStringConvertible {
        /// In words.
        public var description: String
    }

    /// All messages so far, in order of arrival.
    public private(set) var messages: [Message] = []
    /// True if the broker still had the session.
    public private(set) var isResumed = false
    /// Turns acknowledging off, for tests that want messages again.
    package var acknowledges = true

    private let socket: Int32
    private let version: Version
    private let patience: Int32
    private var buffer: [UInt8] = []
    private var taken = 0
    private var nextPacket: UInt16 = 0
    private var unacknowledged: Set<UInt16> = []
    private var grants: [UInt16: UInt8] = [:]
    private var isGreeted = false

    /// Connects to a broker and returns once it has taken the connection.
    ///
    /// - Parameters:
    ///   - host: the broker's address of IPv4.
    ///   - port: where the broker listens.
    ///   - clientID: the name of the session; empty to let the broker choose one.
    ///   - sessionSeconds: how long the broker keeps the session; zero starts with a clean one, too. With MQTT 3.1.1 it
    ///     keeps it for as long as it likes, unless this is zero.
    ///   - version: the version of the protocol.
    ///   - username: the user, if one is needed.
    ///   - password: the password of the user.
    ///   - patience: the time in milliseconds after which a wait without a byte from the broker fails.
    /// - Throws: ``Failure`` if no broker listens or it refuses.
    public init(
        host: String = "127.0.0.1",
        port: Int,
        clientID: String = "",
        sessionSeconds: UInt32 = 0,
        version: Version = .v5,
        username: String? = nil,
        password: String? = nil,
        patience: Int32 = 300_000
    ) throws(Failure) {
        guard let socket = connect(to: host, port: port) else {
            throw Failure(description: "no broker listens on port \(port) of \(host)")
        }
        self.socket = socket
        self.version = version
        self.patience = patience
        var flags: UInt8 = sessionSeconds == 0 ? 0x02 : 0
        if username != nil { flags |= 0x80 }
        if password != nil { flags |= 0x40 }
        var body = string("MQTT") + [version.rawValue, flags, 0, 0]
        if version == .v5 { body += [5, 0x11] + bigEndian(sessionSeconds) }
        body += string(clientID)
        if let username { body += string(username) }
        if let password { body += string(password) }
        try send(0x10, body)
        try read(until: { isGreeted }, "the broker's greeting")
    }

    deinit { close(socket) }

    /// Subscribes, and returns once the broker has granted it.
    ///
    /// - Parameters:
    ///   - filter: what to subscribe to.
    ///   - quality: the QoS to ask for.
    ///   - keepsRetainFlag: whether live messages keep the flag they were published with (Retain As Published, not in MQTT
    ///     3.1.1).
    /// - Throws: ``Failure`` if the broker refuses, or the connection is gone.
    public func subscribe(_ filter: String, quality: UInt8 = 1, keepsRetainFlag: Bool = false) throws(Failure)
    {
        let packet = takePacket()
        let options = quality | (keepsRetainFlag && version == .v5 ? 0x08 : 0)
        try send(0x82, bigEndian(packet) + noProperties + string(filter) + [options])
        try read(until: { grants[packet] != nil }, "a grant for \(filter)")
        guard let code = grants[packet], code < 0x80 else {
            throw Failure(description: "the broker refused \(filter)")
        }
    }

    /// Publishes; with QoS 1 it returns once the broker has it, unless `isWaiting` is false.
    public func publish(
        _ topic: String,
        _ payload: some Collection<UInt8>,
        quality: UInt8 = 1,
        isRetained: Bool = false,
        isWaiting: Bool = true
    ) throws(Failure) {
        var body = string(topic)
        var packet: UInt16 = 0
        if quality > 0 {
            packet = takePacket()
            unacknowledged.insert(packet)
            body += bigEndian(packet)
        }
        try send(0x30 | quality << 1 | (isRetained ? 1 : 0), body + noProperties + payload)
        if quality > 0, isWaiting { try flush() }
    }

    /// Publishes text; see the other one.
    public func publish(
        _ topic: String,
        _ text: String,
        quality: UInt8 = 1,
        isRetained: Bool = false,
        isWaiting: Bool = true
    ) throws(Failure) {
        try publish(topic, text.utf8, quality: quality, isRetained: isRetained, isWaiting: isWaiting)
    }

    /// Returns once the broker has all that was published with QoS 1.
    public func flush() throws(Failure) { try read(until: { unacknowledged.isEmpty }, "acknowledgements") }

    /// Reads until the messages so far satisfy a condition; the bound is for a broken test only.
    @discardableResult
    public func wait(
        for what: String,
        until condition: ([Message]) -> Bool
    ) throws(Failure) -> [Message] {
        try read(until: { condition(messages) }, what)
        return messages
    }

    /// Reads until there are at least so many messages.
    @discardableResult
    public func wait(forCount count: Int) throws(Failure) -> [Message] {
        try wait(for: "\(count) messages") { $0.count >= count }
    }

    /// Ends the connection in good order.
    public func disconnect() throws(Failure) {
        try send(0xE0, noProperties)
        shutdown(socket, Int32(SHUT_WR))
    }
}

// MARK: Packets

extension BrokerClient {
    /// The length of the properties, if this version has any.
    private var noProperties: [UInt8] { version == .v5 ? [0] : [] }

    private func takePacket() -> UInt16 {
        nextPacket = nextPacket == .max ? 1 : nextPacket + 1
        return nextPacket
    }

    private func send(_ kind: UInt8, _ body: [UInt8]) throws(Failure) {
        var packet = [kind]
        var length = body.count
        repeat {
            packet.append(UInt8(length % 128) | (length >= 128 ? 0x80 : 0))
            length /= 128
        } while length > 0
        packet += body
        var sent = 0
        while sent < packet.count {
            let count = packet.withUnsafeBytes { bytes in
                Glibc.send(
                    socket,
                    bytes.baseAddress.map { $0 + sent },
                    bytes.count - sent,
                    Int32(MSG_NOSIGNAL)
                )
            }
            guard count > 0 else { throw Failure(description: "cannot write to the broker") }
            sent += count
        }
    }

    private func read(until isDone: () -> Bool, _ what: String) throws(Failure) {
        while !isDone() {
            if let packet = takeFromBuffer() {
                try handle(packet.kind, packet.body)
                continue
            }
            var file = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&file, 1, patience) > 0 else {
                throw Failure(description: "waited in vain for \(what); came at last: \(messages.suffix(50))")
            }
            var part = [UInt8](repeating: 0, count: 65_536)
            let count = recv(socket, &part, part.count, 0)
            guard count > 0 else {
                throw Failure(
                    description:
                        "the broker closed the connection before \(what); came at last: \(messages.suffix(50))"
                )
            }
            buffer.removeFirst(taken)
            taken = 0
            buffer += part[..<count]
        }
    }

    private func takeFromBuffer() -> (kind: UInt8, body: ArraySlice<UInt8>)? {
        var position = taken + 1
        guard let length = variableInteger(buffer[...], &position), buffer.count >= position + length else {
            return nil
        }
        defer { taken = position + length }
        return (buffer[taken], buffer[position..<(position + length)])
    }

    private func handle(_ kind: UInt8, _ body: ArraySlice<UInt8>) throws(Failure) {
        let bytes = Array(body)
        switch kind >> 4 {
        case 2 where bytes.count >= 2:
            guard bytes[1] == 0 else { throw Failure(description: "refused with reason \(bytes[1])") }
            isGreeted = true
            isResumed = bytes[0] & 1 != 0
        case 3: try receive(kind, bytes)
        case 4 where bytes.count >= 2: unacknowledged.remove(UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        case 9 where bytes.count >= 3:
            grants[UInt16(bytes[0]) << 8 | UInt16(bytes[1])] = bytes[bytes.count - 1]
        case 14: throw Failure(description: "the broker disconnected us: reason \(bytes.first ?? 0)")
        default: break
        }
    }

    private func receive(_ kind: UInt8, _ bytes: [UInt8]) throws(Failure) {
        guard bytes.count >= 2 else { throw Failure(description: "a PUBLISH without topic") }
        var position = 2 + Int(bytes[0]) << 8 + Int(bytes[1])
        let topic = String(decoding: bytes[2..<position], as: UTF8.self)
        let quality = Int(kind >> 1 & 3)
        var packet: [UInt8] = []
        if quality > 0 {
            packet = Array(bytes[position..<(position + 2)])
            position += 2
        }
        let length = version == .v5 ? variableInteger(bytes[...], &position) ?? 0 : 0
        let properties = bytes[position..<(position + length)]
        messages.append(
            Message(
                topic: topic,
                payload: Array(bytes[(position + length)...]),
                isRetained: kind & 1 != 0,
                isDuplicate: kind & 8 != 0,
                quality: quality,
                contentType: contentType(in: properties)
            )
        )
        if quality == 1, acknowledges { try send(0x40, packet) }
    }

    private func contentType(in properties: ArraySlice<UInt8>) -> String? {
        var rest = properties
        while let identifier = rest.popFirst() {
            switch identifier {
            case 0x01: rest = rest.dropFirst()
            case 0x02: rest = rest.dropFirst(4)
            case 0x03, 0x08, 0x09:
                guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
                let length = Int(high) << 8 | Int(low)
                if identifier == 0x03 { return String(decoding: rest.prefix(length), as: UTF8.self) }
                rest = rest.dropFirst(length)
            default: return nil
            }
        }
        return nil
    }
}

private func string(_ text: String) -> [UInt8] { bigEndian(UInt16(clamping: text.utf8.count)) + text.utf8 }

private func bigEndian(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

private func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
}

/// Reads MQTT's variable byte integer; nil if it is not all there.
private func variableInteger(_ bytes: ArraySlice<UInt8>, _ position: inout Int) -> Int? {
    var value = 0
    var shift = 0
    while position < bytes.endIndex, shift <= 21 {
        let byte = bytes[position]
        position += 1
        value |= Int(byte & 0x7F) << shift
        if byte & 0x80 == 0 { return value }
        shift += 7
    }
    return nil
}
