import SkerryValues

/// A request to the bridge over MQTT, on `<prefix>/bridge/request/<name>`; the answer comes on `<prefix>/bridge/response/<name>`.
struct BridgeRequest {
    /// The requests that there are.
    enum Name: String, CaseIterable {
        /// Tells how the bridge is doing.
        case health
        /// Reads all definitions again.
        case reload
        /// Lists devices.
        case devices
        /// Forgets a device.
        case remove
        /// Gives a device another name for people.
        case rename
        /// Changes how much is logged.
        case logLevel = "log-level"
        /// Keeps messages for recordings, and returns those of a device.
        case record
        /// Checks the text of a definition.
        case check

        /// The member that a payload without braces gives.
        fileprivate var plainMember: String? {
            switch self {
            case .health, .reload, .rename: nil
            case .devices, .remove, .record: "device"
            case .logLevel: "level"
            case .check: "source"
            }
        }
    }

    /// The longest payload in bytes; that of a check has the text of a definition in it.
    static func limit(of name: Name?) -> Int { name == .check ? 160 * 1024 : 1024 }

    /// The longest transaction in bytes of JSON; a longer one is not given back.
    private static let transactionLimit = 256

    /// The name in the topic, of which there may be no request.
    let topicName: String
    /// The members of the payload.
    private(set) var members = ValueMap()
    /// The member of the payload that is given back in the answer.
    private(set) var transaction: Value?
    /// The reason why the payload can't be read.
    private(set) var fault: String?

    /// The request; nil if there is none of its name.
    var name: Name? { Name(rawValue: topicName) }

    /// Reads the payload of a request.
    ///
    /// - Parameters:
    ///   - name: The name in its topic.
    ///   - payload: Its payload: an object of JSON, or the most important member alone.
    init(_ name: String, payload: ArraySlice<UInt8>) {
        topicName = name
        guard payload.count <= Self.limit(of: self.name) else {
            fault = "a request has at most \(Self.limit(of: self.name)) bytes"
            return
        }
        if payload.first == UInt8(ascii: "{") {
            guard case .map(let members)? = try? JSONReader.value(of: Array(payload).span) else {
                fault = "the payload begins like an object of JSON and is none"
                return
            }
            self.members = members
            transaction = members["transaction"].flatMap { Self.isShort($0) ? $0 : nil }
            if members["transaction"] != nil, transaction == nil {
                fault = "a transaction has at most \(Self.transactionLimit) bytes"
            }
        } else if !payload.isEmpty, let member = self.name?.plainMember {
            members.set(member, to: .string(String(decoding: payload, as: UTF8.self)))
        }
    }

    /// The level before the name in the topic of a request, with a slash.
    static let topicStart = Array("request/".utf8)

    private static func isShort(_ value: Value) -> Bool {
        var writer = JSONWriter()
        writer.value(value)
        return writer.bytes.count <= transactionLimit
    }

    /// A member that is a text.
    func text(_ name: String) -> String? {
        if case .string(let text)? = members[name] { text } else { nil }
    }

    /// The device that a member names; nil when it is not `kind/name`.
    func device(_ member: String = "device") -> DeviceKey? {
        let parts = (text(member) ?? "").split(
            separator: "/",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        return DeviceKey(kind: String(parts[0]), name: String(parts[1]))
    }

    // MARK: The answer

    /// The publication of an answer with data.
    func response(_ sink: MQTTSink, data: (inout JSONWriter) -> Void) -> Publication {
        publication(sink) { writer in
            writer.member("status", "ok")
            writer.key("data")
            data(&writer)
        }
    }

    /// The publication of an answer that says what is wrong, and what to do.
    func response(_ sink: MQTTSink, error: String) -> Publication {
        publication(sink) { writer in
            writer.member("status", "error")
            writer.member("error", error)
        }
    }

    private func publication(_ sink: MQTTSink, _ members: (inout JSONWriter) -> Void) -> Publication {
        var writer = JSONWriter(capacity: 1024)
        writer.beginObject()
        members(&writer)
        if let transaction { writer.member("transaction", transaction) }
        writer.endObject()
        return Publication(
            topic: sink.responseTopic(topicName),
            payload: writer.bytes,
            contentType: "application/json"
        )
    }
}

/// The process around a bridge, as far as requests over MQTT need it.
public struct BridgeSurroundings: Sendable {
    /// Answers that need more than the bridge: checks and recordings.
    package var house: any HouseAnswers
    /// Reads all definitions again and puts them, or the reason why not, into the mailbox.
    package var reload: @Sendable () -> Void
    /// Sets the level of the log by its name; false if there is none of this name.
    package var setLogLevel: @Sendable (String) -> Bool
    /// Wakes the bus, after an answer was made on another thread.
    package var wake: @Sendable () -> Void

    package init(
        house: any HouseAnswers,
        reload: @escaping @Sendable () -> Void,
        setLogLevel: @escaping @Sendable (String) -> Bool,
        wake: @escaping @Sendable () -> Void
    ) {
        self.house = house
        self.reload = reload
        self.setLogLevel = setLogLevel
        self.wake = wake
    }
}
