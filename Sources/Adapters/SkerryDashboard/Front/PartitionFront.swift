import Logging
import SkerryEngine
import SkerryGateway
import Synchronization

/// The partitions behind a front: where their gateways may be.
package struct PartitionPlaces: Sendable {
    /// The number of partitions.
    package var count: Int
    /// The computers that may have the active gateway of a partition.
    package var hosts: [String]
    /// The port of partition 0; each further one is ten higher.
    package var port: Int
    /// True if they are asked by TLS.
    package var isSecure: Bool

    /// Makes places.
    package init(count: Int, hosts: [String], port: Int, isSecure: Bool) {
        precondition(count > 0 && !hosts.isEmpty, "a front needs partitions")
        self.count = count
        self.hosts = hosts
        self.port = port
        self.isSecure = isSecure
    }

    /// The distance between the ports of two partitions: HTTP and HTTPS are usually on ports beside each other.
    package static let portStep = 10

    /// The address of a partition on one of the computers.
    func address(of number: Int, on host: Int) -> String {
        let place = HTTPAddress(host: hosts[host], port: port + Self.portStep * number)
        return "\(isSecure ? "https" : "http")://\(place)"
    }
}

/// Asks partitions, each at the gateway that answered last, and at the others when that fails.
final class PartitionFront: Sendable {
    let places: PartitionPlaces
    /// The field by which a gateway knows that the front asks, and for whom.
    static let keyField = "Skerry-Front"
    /// The bearer token of the administrator.
    private let admin: String
    private let key: String
    private let link: PartitionLink
    private let streams: PartitionLink
    let logger: Logger
    private let states: Mutex<[State]>

    /// The state of a partition, as far as it is known.
    private struct State {
        /// The computer that answered last.
        var host = 0
        /// True if none answered the last question.
        var isMissing = false
    }

    /// The answers to a question to several partitions, in their order; nil where there is none.
    typealias Answers = [Response?]

    init(_ places: PartitionPlaces, admin: AdminSecret, logger: Logger) throws(PartitionFault) {
        self.places = places
        self.logger = logger
        self.admin = admin.text
        key = Self.key(admin.text)
        link = try PartitionLink(forStreams: false)
        streams = try PartitionLink(forStreams: true)
        states = Mutex([State](repeating: State(), count: places.count))
    }

    /// The value of ``keyField``, which only those can make who have the admin token, and which does not reveal it.
    static func key(_ admin: String) -> String {
        SessionCookie.value(of: "front", Secret.digest(admin), key: admin)
    }

    /// All partitions.
    var all: [Int] { Array(0..<places.count) }

    /// The partition of a device.
    func partition(of device: String) -> Int { Partition.number(of: device, among: places.count) }

    /// The fields of a request for somebody, as far as partitions need them.
    func fields(of request: Request) -> HeaderFields {
        var fields: HeaderFields = [
            Self.keyField: key, "X-Forwarded-For": request.sender.address,
            "X-Forwarded-Proto": request.sender.isSecure ? "https" : "http",
        ]
        if let host = request.authority { fields.append("Host", host) }
        if !request.sender.base.isEmpty { fields.append("X-Ingress-Path", request.sender.base) }
        for name in Self.passedFields {
            for value in request.headers.values(name) where !value.isEmpty { fields.append(name, value) }
        }
        return fields
    }

    private static let passedFields = [
        "Authorization", "Cookie", "Content-Type", "If-Match", "Idempotency-Key", "Origin",
    ]

    /// The fields of a request of the front itself, by the right of the administrator.
    var ownFields: HeaderFields {
        [
            Self.keyField: key, "X-Forwarded-For": "127.0.0.1", "Authorization": "Bearer \(admin)",
            "Content-Type": "application/json",
        ]
    }

    /// Asks a partition.
    ///
    /// Reading is tried at one gateway after another; anything else only until it may have arrived.
    func ask(
        _ number: Int,
        _ method: String,
        _ target: String,
        _ fields: HeaderFields,
        _ body: [UInt8] = [],
        attempt: Int = 0,
        then: @escaping @Sendable (Response?) -> Void
    ) {
        let host = host(of: number, attempt)
        let isReading = ["GET", "HEAD"].contains(method)
        link.send(
            PartitionRequest(
                method: method,
                address: places.address(of: number, on: host) + target,
                fields: fields,
                body: body
            ) { [self] result in
                switch result {
                case .success(let response):
                    answered(number, host)
                    then(response)
                case .failure(let fault):
                    guard fault.isUnsent || isReading, attempt + 1 < places.hosts.count else {
                        lost(number, fault)
                        return then(nil)
                    }
                    ask(number, method, target, fields, body, attempt: attempt + 1, then: then)
                }
            }
        )
    }

    /// Asks several partitions the same.
    func ask(
        _ numbers: [Int],
        _ method: String,
        _ target: @Sendable (Int) -> String,
        _ fields: HeaderFields,
        _ body: [UInt8] = [],
        then: @escaping @Sendable (Answers) -> Void
    ) {
        let answers = AnswerTray(count: numbers.count, then)
        for (place, number) in numbers.enumerated() {
            ask(number, method, target(number), fields, body) { answers.put($0, at: place) }
        }
    }

    /// Asks partitions one after another until one grants the request; that of partition 0 counts if none does.
    func askAny(
        _ request: Request,
        from number: Int = 0,
        refusal: Response? = nil,
        then: @escaping @Sendable (Response?) -> Void
    ) {
        guard number < places.count else { return then(refusal) }
        ask(number, request.plainMethod, request.target, fields(of: request), request.body) { [self] answer in
            let isFinal = answer.map { ![.unauthorized, .forbidden].contains($0.status) } ?? false
            if isFinal { return then(answer) }
            askAny(request, from: number + 1, refusal: number == 0 ? answer : refusal, then: then)
        }
    }

    /// Opens the stream of a partition at the gateway that answered last, or another one after failed attempts.
    func open(
        _ number: Int,
        _ target: String,
        _ fields: HeaderFields,
        attempt: Int,
        take: @escaping @Sendable (UnsafeRawBufferPointer) -> PieceOutcome,
        then: @escaping @Sendable (_ refusal: Response?) -> Void
    ) {
        let host = host(of: number, attempt)
        streams.send(
            PartitionRequest(
                method: "GET",
                address: places.address(of: number, on: host) + target,
                fields: fields,
                notBefore: .now + .seconds(attempt == 0 ? 0 : 1),
                take: { [self] piece in
                    answered(number, host)
                    return take(piece)
                },
                then: { result in
                    guard case .success(let response) = result, response.status != .ok else {
                        return then(nil)
                    }
                    then(response)
                }
            )
        )
    }

    private func host(of number: Int, _ attempt: Int) -> Int {
        states.withLock { ($0[number].host + attempt) % places.hosts.count }
    }

    private func answered(_ number: Int, _ host: Int) {
        let wasMissing = states.withLock { states in
            defer { states[number] = State(host: host) }
            return states[number].isMissing
        }
        if wasMissing {
            logger.notice(
                .partitionAnswers,
                "partition \(number) answers at \(places.address(of: number, on: host))"
            )
        }
    }

    private func lost(_ number: Int, _ fault: PartitionFault) {
        let isNews = states.withLock { states in
            defer { states[number].isMissing = true }
            return !states[number].isMissing
        }
        guard isNews else { return }
        let addresses = places.hosts.indices.map { places.address(of: number, on: $0) }.joined(
            separator: ", "
        )
        logger.warning(
            .partitionSilent,
            "partition \(number) does not answer at \(addresses): \(fault.message)"
        )
    }
}

/// The place where the answers of several partitions come together.
private final class AnswerTray: Sendable {
    private let answers: Mutex<(all: PartitionFront.Answers, missing: Int)>
    private let then: @Sendable (PartitionFront.Answers) -> Void

    init(count: Int, _ then: @escaping @Sendable (PartitionFront.Answers) -> Void) {
        answers = Mutex(([Response?](repeating: nil, count: count), count))
        self.then = then
    }

    func put(_ answer: Response?, at place: Int) {
        let all = answers.withLock { answers -> PartitionFront.Answers? in
            answers.all[place] = answer
            answers.missing -= 1
            return answers.missing == 0 ? answers.all : nil
        }
        if let all { then(all) }
    }
}
