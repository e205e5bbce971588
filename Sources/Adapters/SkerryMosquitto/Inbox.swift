import CMosquitto
import Glibc
import SkerryGateway
import SkerryValues

/// The records of the library's callbacks, until the loop reads them.
///
/// A callback only notes; the handler is never called from inside the library, where publishing and
/// disconnecting have traps of their own. Used by one thread at a time: by the one that calls the library.
final class Inbox {
    /// The answer to CONNECT.
    struct Greeting {
        var code: Int32
        var isResumed: Bool
        var reason: String
    }

    /// The answer to SUBSCRIBE.
    struct Grant {
        var packet: Int32
        var codes: [Int32]
    }

    /// The answer to a publication.
    struct Acknowledgement {
        var packet: Int32
        var code: Int32
    }

    let payloadLimit: Int
    var batch = MessageBatch()
    var acknowledgements: [Acknowledgement] = []
    var grants: [Grant] = []
    var greeting: Greeting?
    /// The reason of a disconnect: one of MQTT 5 if positive and sent by the broker, or the library's.
    var disconnectCode: Int32?
    /// The errors that the library logged while connecting, a line each; they have more about TLS than its codes.
    private(set) var loggedError = ""
    /// The number of callbacks, to distinguish a read that found a packet from one that did not.
    var callbackCount = 0

    init(payloadLimit: Int) {
        self.payloadLimit = payloadLimit
    }

    /// Registers the callbacks; the inbox must outlive the client.
    func attach(to client: OpaquePointer) {
        mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
        mosquitto_connect_v5_callback_set(client, onConnect)
        mosquitto_disconnect_v5_callback_set(client, onDisconnect)
        mosquitto_message_v5_callback_set(client, onMessage)
        mosquitto_publish_v5_callback_set(client, onPublish)
        mosquitto_subscribe_v5_callback_set(client, onSubscribe)
    }

    /// Takes note of errors the library logs, or stops doing so.
    ///
    /// Only while connecting: with a log callback the library formats a line for every packet.
    func listen(_ isListening: Bool, to client: OpaquePointer) {
        mosquitto_log_callback_set(client, isListening ? onLog : nil)
    }

    /// Forgets the errors that were logged.
    func forgetErrors() { loggedError = "" }

    fileprivate func note(_ error: String) {
        guard loggedError.utf8.count < 4096 else { return }
        loggedError += (loggedError.isEmpty ? "" : "\n") + error
    }

    /// Forgets the records of an ended connection.
    func forgetConnection() {
        greeting = nil
        disconnectCode = nil
        grants.removeAll()
    }

    fileprivate func take(_ message: mosquitto_message) {
        guard let topic = message.topic else { return }
        let length = Int(message.payloadlen)
        guard length <= payloadLimit else {
            batch.oversizedCount += 1
            return
        }
        batch.append(
            topic: UnsafeRawBufferPointer(start: topic, count: strlen(topic)),
            payload: UnsafeRawBufferPointer(start: message.payload, count: length),
            isRetained: message.retain,
            quality: QualityOfService(rawValue: UInt8(truncatingIfNeeded: message.qos)) ?? .atMostOnce,
            packet: UInt16(truncatingIfNeeded: message.mid),
            arrival: timeSinceBoot()
        )
    }
}

// Free functions, because a closure may inherit the isolation of the place it is written at, and the library
// calls from a thread that no actor knows.

private func inbox(at pointer: UnsafeMutableRawPointer?) -> Inbox? {
    guard let pointer else { return nil }
    let inbox = Unmanaged<Inbox>.fromOpaque(pointer).takeUnretainedValue()
    inbox.callbackCount &+= 1
    return inbox
}

private func onMessage(
    _: OpaquePointer?,
    _ pointer: UnsafeMutableRawPointer?,
    _ message: UnsafePointer<mosquitto_message>?,
    _: OpaquePointer?
) {
    guard let message else { return }
    inbox(at: pointer)?.take(message.pointee)
}

private func onPublish(
    _: OpaquePointer?,
    _ pointer: UnsafeMutableRawPointer?,
    _ packet: Int32,
    _ code: Int32,
    _: OpaquePointer?
) {
    inbox(at: pointer)?.acknowledgements.append(.init(packet: packet, code: code))
}

private func onConnect(
    _: OpaquePointer?,
    _ pointer: UnsafeMutableRawPointer?,
    _ code: Int32,
    _ flags: Int32,
    _ properties: OpaquePointer?
) {
    var text: UnsafeMutablePointer<CChar>?
    _ = mosquitto_property_read_string(properties, Int32(MQTT_PROP_REASON_STRING.rawValue), &text, false)
    let reason = text.map { String(cString: $0) } ?? ""
    free(text)
    // The lowest bit of CONNACK's flags says that the broker still has the session.
    inbox(at: pointer)?.greeting = .init(code: code, isResumed: flags & 1 != 0, reason: reason)
}

private func onDisconnect(
    _: OpaquePointer?,
    _ pointer: UnsafeMutableRawPointer?,
    _ code: Int32,
    _: OpaquePointer?
) {
    inbox(at: pointer)?.disconnectCode = code
}

private func onSubscribe(
    _: OpaquePointer?,
    _ pointer: UnsafeMutableRawPointer?,
    _ packet: Int32,
    _ count: Int32,
    _ granted: UnsafePointer<Int32>?,
    _: OpaquePointer?
) {
    let codes = Array(UnsafeBufferPointer(start: granted, count: Int(count)))
    inbox(at: pointer)?.grants.append(.init(packet: packet, codes: codes))
}

private func onLog(
    _: OpaquePointer?,
    _ pointer: UnsafeMutableRawPointer?,
    _ level: Int32,
    _ text: UnsafePointer<CChar>?
) {
    guard level == MOSQ_LOG_ERR, let text else { return }
    inbox(at: pointer)?.note(String(cString: text))
}

/// The time since boot, sleep of the machine included; no step of the wall clock touches it.
@inline(__always)
func timeSinceBoot() -> Interval {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Interval(microseconds: Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1000)
}
