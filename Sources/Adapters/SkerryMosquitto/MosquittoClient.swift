import CMosquitto
import Glibc
import SkerryGateway
import SkerryValues
import Synchronization

/// The library's client: its settings and its calls, as Swift.
///
/// Used by one thread at a time: by the loop, or by an attempt to connect while the loop keeps its hands off.
final class MosquittoClient {
    let inbox: Inbox
    private let client: OpaquePointer
    private let options: MosquittoOptions
    private var hasConnectedBefore = false

    /// Makes a client, set up but not connected.
    init(_ options: MosquittoOptions) throws(BusFault) {
        _ = Self.library
        self.options = try options.readingSecrets()
        inbox = Inbox(payloadLimit: options.payloadLimit)
        // MQTT 5 says it by the time after which a session ends.
        let isClean = options.version == .v311 && options.sessionExpiry <= .zero
        guard let client = mosquitto_new(options.clientID, isClean, nil) else {
            throw BusFault(.configuration, "client id \"\(options.clientID)\" is not a valid MQTT client id")
        }
        self.client = client
        inbox.attach(to: client)
        // With threaded mode the library writes only when the loop asks it to: acknowledgements wait for the commit.
        mosquitto_threaded_set(client, true)
        let version = options.version == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        set(MOSQ_OPT_PROTOCOL_VERSION, Int(version))
        set(MOSQ_OPT_RECEIVE_MAXIMUM, min(max(options.receiveMaximum, 1), 65_535))
        set(MOSQ_OPT_SEND_MAXIMUM, min(max(options.publicationWindow, 1), 65_535))
        set(MOSQ_OPT_TCP_NODELAY, 1)
        if let tls = options.tls { try secure(tls) }
        if let will = options.will { try leave(will) }
        try identify()
    }

    deinit { mosquitto_destroy(client) }

    /// The socket to poll for; negative without a connection.
    var socket: Int32 { mosquitto_socket(client) }

    /// True if packets wait to be written.
    var wantsToWrite: Bool { mosquitto_want_write(client) }

    // Once for the process, whichever client comes first.
    private static let library: Int32 = mosquitto_lib_init()

    private func set(_ option: mosq_opt_t, _ value: Int) {
        mosquitto_int_option(client, option, Int32(value))
    }
}

// MARK: Setting up

extension MosquittoClient {
    /// The files of trusted authorities on Debian, Fedora and Alpine.
    ///
    /// The library has an option for that, but 2.0.11 loses it when it connects again.
    private static let systemAuthorities = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
    ]

    private func secure(_ tls: MosquittoOptions.TLS) throws(BusFault) {
        guard (tls.certificateFile == nil) == (tls.keyFile == nil) else {
            throw BusFault(.configuration, "a client certificate needs both its file and the file of its key")
        }
        let authorityFile = tls.authorityFile ?? Self.systemAuthorities.first { access($0, R_OK) == 0 }
        guard authorityFile != nil else {
            throw BusFault(
                .configuration,
                "this system has no list of trusted authorities: name a file of them"
            )
        }
        for file in [authorityFile, tls.certificateFile, tls.keyFile] {
            guard let file else { continue }
            var status = stat()
            guard access(file, R_OK) == 0, stat(file, &status) == 0 else {
                throw BusFault(.configuration, "cannot read \(file): \(errorText(errno))")
            }
            guard status.st_mode & S_IFMT != S_IFIFO else {
                throw BusFault(
                    .configuration,
                    "\(file) is a pipe: it is read again for each connection, so name a file"
                )
            }
        }
        for (file, what) in [
            (authorityFile, PEMFile.Content.certificate), (tls.certificateFile, .certificate),
            (tls.keyFile, .privateKey),
        ] {
            if let file { try PEMFile.require(what, in: file) }
        }
        // Without a callback OpenSSL would ask a terminal for the password of an encrypted key.
        let code = mosquitto_tls_set(client, authorityFile, nil, tls.certificateFile, tls.keyFile) {
            _,
            _,
            _,
            _ in 0
        }
        guard code == MOSQ_ERR_SUCCESS.rawValue else {
            throw BusFault(.configuration, "the TLS settings were refused: \(libraryText(code))")
        }
        mosquitto_tls_insecure_set(client, tls.isInsecure)
    }

    private func leave(_ will: Publication) throws(BusFault) {
        let code = withProperties(of: will) { properties in
            will.payload.withUnsafeBytes { bytes in
                let code = mosquitto_will_set_v5(
                    client,
                    will.topic,
                    Int32(bytes.count),
                    bytes.baseAddress,
                    Int32(will.quality.rawValue),
                    will.isRetained,
                    properties
                )
                // The library owns them from here on, unless it refused.
                if code == MOSQ_ERR_SUCCESS.rawValue { properties = nil }
                return code
            }
        }
        guard code == MOSQ_ERR_SUCCESS.rawValue else {
            throw BusFault(.configuration, "the Will on \"\(will.topic)\" was refused: \(libraryText(code))")
        }
    }

    /// Sets name and password, from their files as they are now.
    func identify() throws(BusFault) {
        let username = try options.username?.read()
        let password = try options.password?.read()
        guard username != nil || password == nil || options.version == .v5 else {
            throw BusFault(.configuration, "MQTT 3.1.1 has no password without a name: set mqtt.username")
        }
        let code = mosquitto_username_pw_set(client, username, password)
        guard code == MOSQ_ERR_SUCCESS.rawValue else {
            throw BusFault(.configuration, "the user name was refused: \(libraryText(code))")
        }
    }

    /// Runs a body with the properties of a publication, which earlier versions do not have, and frees them afterwards.
    private func withProperties(
        of publication: Publication,
        _ body: (inout OpaquePointer?) -> Int32
    ) -> Int32 {
        var properties: OpaquePointer?
        if options.version == .v311 { return body(&properties) }
        if let contentType = publication.contentType {
            mosquitto_property_add_string(&properties, Int32(MQTT_PROP_CONTENT_TYPE.rawValue), contentType)
        }
        if let expiry = publication.expiry {
            // Rounded up, because a message with 0 seconds would have expired at once.
            let seconds = UInt32(clamping: max(0, (expiry.microseconds - 1) / 1_000_000 + 1))
            mosquitto_property_add_int32(
                &properties,
                Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue),
                seconds
            )
        }
        defer { mosquitto_property_free_all(&properties) }
        return body(&properties)
    }
}

// MARK: Talking

extension MosquittoClient {
    /// Resolves, connects and queues CONNECT; blocks for as long as the system takes.
    ///
    /// - Returns: the library's code and the system's.
    func connect() -> (code: Int32, system: Int32) {
        inbox.forgetErrors()
        inbox.listen(true, to: client)
        errno = 0
        // The library keeps the address and the properties of the first time.
        let code = hasConnectedBefore ? mosquitto_reconnect(client) : connectFirst()
        return (code, errno)
    }

    private func connectFirst() -> Int32 {
        hasConnectedBefore = true
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if options.version == .v5 { addLimits(to: &properties) }
        let keepAlive = Int32(clamping: options.keepAlive.roundedSeconds)
        return mosquitto_connect_bind_v5(
            client,
            options.host,
            Int32(options.port),
            keepAlive,
            nil,
            properties
        )
    }

    private func addLimits(to properties: inout OpaquePointer?) {
        let expiry = UInt32(clamping: max(0, options.sessionExpiry.roundedSeconds))
        mosquitto_property_add_int32(
            &properties,
            Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue),
            expiry
        )
        if options.maximumPacketSize > 0 {
            mosquitto_property_add_int32(
                &properties,
                Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue),
                UInt32(clamping: options.maximumPacketSize)
            )
        }
    }

    /// Ends the log of the handshake, so that the library need not format log lines.
    func stopListening() { inbox.listen(false, to: client) }

    /// Reads about one packet into the inbox.
    ///
    /// - Returns: the library's code, and whether the socket had nothing more.
    @inline(__always)
    func readPacket() -> (code: Int32, isDry: Bool) {
        let before = inbox.callbackCount
        errno = 0
        let code = mosquitto_loop_read(client, 1)
        // The library writes to a socket pair of its own after some packets, which also sets errno: only a call that
        // found no packet is meaningful.
        return (code, errno == EAGAIN && inbox.callbackCount == before)
    }

    /// Writes what is queued, acknowledgements first, until all is written or the socket takes no more.
    ///
    /// The library writes packet by packet. Corked, the packets of one batch leave together, and neither we nor the
    /// broker have to handle a segment for each of them.
    func write(isCorked: Bool) -> Int32 {
        let socket = socket
        guard isCorked, socket >= 0 else { return mosquitto_loop_write(client, 1) }
        cork(socket, 1)
        let code = mosquitto_loop_write(client, 1)
        // After a failure the library has closed the socket.
        if self.socket == socket { cork(socket, 0) }
        return code
    }

    private func cork(_ socket: Int32, _ value: Int32) {
        var value = value
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Keeps the connection alive; due about once a second.
    func keepAlive() -> Int32 { mosquitto_loop_misc(client) }

    /// Queues a publication.
    ///
    /// - Returns: the library's code and the packet id.
    func publish(_ publication: Publication) -> (code: Int32, packet: Int32) {
        var packet: Int32 = 0
        let code = withProperties(of: publication) { properties in
            publication.payload.withUnsafeBytes { bytes in
                mosquitto_publish_v5(
                    client,
                    &packet,
                    publication.topic,
                    Int32(clamping: bytes.count),
                    bytes.baseAddress,
                    Int32(publication.quality.rawValue),
                    publication.isRetained,
                    properties
                )
            }
        }
        return (code, packet)
    }

    /// Queues a SUBSCRIBE, with QoS 1 for what devices publish.
    ///
    /// Retain As Published stays off, so that the retain flag always means a retained message. The broker sends
    /// retained messages only for a subscription that is new to the session: for a resumed one, messages of the
    /// meantime are in its queue already.
    func subscribe(to filters: [String], _ choice: RetainedChoice) -> (code: Int32, packet: Int32) {
        var packet: Int32 = 0
        let choices = options.version == .v5 ? choice.options : 0
        let code = withCStrings(filters) { pointers in
            mosquitto_subscribe_multiple(
                client,
                &packet,
                Int32(filters.count),
                pointers,
                choice.quality,
                Int32(choices),
                nil
            )
        }
        return (code, packet)
    }

    /// Queues an UNSUBSCRIBE.
    func unsubscribe(from filters: [String]) -> Int32 {
        var packet: Int32 = 0
        return withCStrings(filters) { pointers in
            mosquitto_unsubscribe_multiple(client, &packet, Int32(filters.count), pointers, nil)
        }
    }

    /// Queues a DISCONNECT, after which the broker publishes no Will.
    func disconnect() { mosquitto_disconnect(client) }

    /// Ends the connection at once, so that nothing queued leaves; the broker publishes the Will.
    func drop() {
        let socket = socket
        // Not closed: the library does that with its own socket.
        if socket >= 0 { _ = shutdown(socket, Int32(SHUT_RDWR)) }
    }

    private func withCStrings(
        _ strings: [String],
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Int32
    ) -> Int32 {
        var pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeMutableBufferPointer { body(UnsafePointer($0.baseAddress)) }
    }
}

/// The retained messages that the broker sends for a subscription.
enum RetainedChoice {
    /// All of filters that the session has not had before.
    case ofNewFilters
    case all
    /// All, including this client's own, and its future publications.
    case own
    /// None, and nothing that this client publishes.
    case ofOthers

    /// The quality asked for with it.
    fileprivate var quality: Int32 {
        switch self {
        case .ofNewFilters, .all: 1
        case .own, .ofOthers: 0
        }
    }

    fileprivate var options: UInt32 {
        switch self {
        case .ofNewFilters: MQTT_SUB_OPT_NO_LOCAL.rawValue | MQTT_SUB_OPT_SEND_RETAIN_NEW.rawValue
        case .all: MQTT_SUB_OPT_NO_LOCAL.rawValue | MQTT_SUB_OPT_SEND_RETAIN_ALWAYS.rawValue
        case .own: MQTT_SUB_OPT_SEND_RETAIN_ALWAYS.rawValue
        case .ofOthers: MQTT_SUB_OPT_NO_LOCAL.rawValue | MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue
        }
    }
}

/// One attempt to connect, on a thread of its own, because name lookup and connecting block.
///
/// `@unchecked Sendable`: `client` and `outcome` belong to the thread of the attempt until it stores `done`, and
/// to the loop after it has loaded it (release and acquire). An attempt that the loop has abandoned keeps the client alive
/// until it returns, and then lets it go.
final class ConnectAttempt: @unchecked Sendable {
    private let client: MosquittoClient
    private let isDone = Atomic<Bool>(false)
    private var outcome: (code: Int32, system: Int32) = (0, 0)

    /// Starts; `signal` is raised at the end.
    ///
    /// - Returns: nil if there is no thread to be had.
    init?(_ client: MosquittoClient, _ signal: WakeSignal) {
        self.client = client
        let isStarted = runOnThread(named: "skerry-connect") { [self] in
            outcome = self.client.connect()
            isDone.store(true, ordering: .releasing)
            signal.ring()
        }
        guard isStarted else { return nil }
    }

    /// The library's code and the system's, once it has ended.
    var result: (code: Int32, system: Int32)? { isDone.load(ordering: .acquiring) ? outcome : nil }
}
