package import SkerryGateway
package import SkerryValues

/// The options of a connection to a broker.
public struct MosquittoOptions: Sendable {
    /// The source of a name or a password.
    package enum Secret: Sendable, Equatable {
        /// The text itself.
        case text(String)
        /// A file whose content, without line ends at its end, is the text.
        ///
        /// A regular file is read again for every connection; a pipe is read once.
        case file(String)
    }

    /// A secure connection.
    package struct TLS: Sendable, Equatable {
        /// PEM file of the authorities to trust; nil for those that the system trusts.
        package var authorityFile: String?
        /// PEM file of this client's certificate; needs ``keyFile``.
        package var certificateFile: String?
        /// PEM file of this client's private key, not encrypted.
        package var keyFile: String?
        /// Takes certificates of other host names, as `mosquitto_sub --insecure` does; the chain must still hold.
        package var isInsecure: Bool

        /// Makes the settings of a secure connection.
        package init(
            authorityFile: String? = nil,
            certificateFile: String? = nil,
            keyFile: String? = nil,
            isInsecure: Bool = false
        ) {
            self.authorityFile = authorityFile
            self.certificateFile = certificateFile
            self.keyFile = keyFile
            self.isInsecure = isInsecure
        }
    }

    /// A version of the protocol.
    public enum Version: String, Sendable, CaseIterable {
        /// MQTT 5.
        case v5 = "5"
        /// MQTT 3.1.1, for brokers without MQTT 5: retained messages come again with each connection, the broker decides
        /// how long a session lasts, and other clients that write to the handler's own topics are not noticed.
        case v311 = "3.1.1"
    }

    /// The version of the protocol.
    public var version = Version.v5
    /// The host name or address of the broker.
    public var host: String
    /// The TCP port; 1883 is the usual one, 8883 with TLS.
    public var port: Int
    /// The client id, the name of the session at the broker.
    ///
    /// Two clients with one id throw each other out.
    public var clientID: String
    /// The user name; nil for none.
    package var username: Secret?
    /// The password; nil for none.
    package var password: Secret?
    /// The settings of a secure connection; nil for plain TCP.
    package var tls: TLS?
    /// Published by the broker when the connection ends without a farewell.
    package var will: Publication?
    /// Silence after which the connection is tested; at least 5 s, or zero for never.
    package var keepAlive = Interval.seconds(30)
    /// The time that the broker keeps the session and its messages while the client is away.
    package var sessionExpiry = Interval.hours(7 * 24)
    /// Messages that the broker may send before the first is acknowledged (Receive Maximum).
    package var receiveMaximum = 500
    /// The largest packet that the broker may send (Maximum Packet Size); it drops larger ones.
    package var maximumPacketSize = 320 * 1024
    /// The largest payload taken in; larger ones are counted in ``MessageBatch/oversizedCount`` and left out.
    package var payloadLimit = 256 * 1024
    /// Messages in one batch; a full batch is handled before more is read.
    package var batchLimit = 512
    /// Bytes in one batch, in the same sense.
    package var batchByteLimit = 1 << 20
    /// Publications under way; more wait with the handler.
    ///
    /// The library walks its list for every acknowledgement, so a large window makes it slow.
    package var publicationWindow = 100
    /// The pause after the first failed attempt; it doubles with each further one, and is shortened by up to half
    /// by chance.
    package var firstRetry = Interval.milliseconds(250)
    /// The longest pause between attempts.
    package var longestRetry = Interval.seconds(30)
    /// The time limit for the broker's answer after the TCP connection.
    package var greetingLimit = Interval.seconds(10)
    /// The time limit for the remaining publications in ``MosquittoBus/stop()``.
    package var stopLimit = Interval.seconds(5)

    /// Makes options; everything else has a default.
    public init(host: String = "localhost", port: Int = 1883, clientID: String) {
        self.host = host
        self.port = port
        self.clientID = clientID
    }

    /// The address, for messages.
    package var address: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

extension MosquittoOptions {
    /// A bus for a survey of topics: beside the bridge's own, with a session that ends with it.
    package var surveyBus: MosquittoBus {
        var options = self
        options.clientID = "\(clientID)-survey-\(UInt32.random(in: .min ... .max))"
        // The bridge's own would call it offline when this connection breaks.
        options.will = nil
        options.sessionExpiry = .zero
        options.stopLimit = .seconds(1)
        return MosquittoBus(options)
    }
}
