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

/// A question to a partition.
struct FrontQuestion: Sendable {
    var method = "GET"
    /// The path and the query.
    var target: String
    var fields: HeaderFields
    var body: [UInt8] = []

    var isReading: Bool { ["GET", "HEAD"].contains(method) }
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

    var all: [Int] { Array(0..<places.count) }

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

    /// A request as partitions are asked it; the body does not count for one to read something.
    func question(_ request: Request, _ method: String = "GET") -> FrontQuestion {
        let fields = fields(of: request)
        return FrontQuestion(method: method, target: request.target, fields: fields, body: request.body)
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

    /// A question of the front itself, by the right of the administrator.
    func ownQuestion(_ method: String, _ target: String, _ body: [UInt8] = []) -> FrontQuestion {
        FrontQuestion(method: method, target: target, fields: ownFields, body: body)
    }

    /// Asks a partition.
    ///
    /// Reading is tried at one gateway after another; anything else only until it may have arrived.
    func ask(
        _ number: Int,
        _ question: FrontQuestion,
        attempt: Int = 0,
        then: @escaping @Sendable (Response?) -> Void
    ) {
        let host = host(of: number, attempt)
        link.send(
            PartitionRequest(
                question: question,
                address: places.address(of: number, on: host)
            ) { [self] result in
                switch result {
                case .success(let response):
                    answered(number, host)
                    then(response)
                case .failure(let fault):
                    guard fault.isUnsent || question.isReading, attempt + 1 < places.hosts.count else {
                        lost(number, fault)
                        return then(nil)
                    }
                    ask(number, question, attempt: attempt + 1, then: then)
                }
            }
        )
    }

    /// Asks several partitions the same.
    func ask(
        _ numbers: [Int],
        _ question: FrontQuestion,
        then: @escaping @Sendable (Answers) -> Void
    ) {
        ask(numbers, each: { _ in question }, then: then)
    }

    /// Asks several partitions, each its own question.
    func ask(
        _ numbers: [Int],
        each question: (Int) -> FrontQuestion,
        then: @escaping @Sendable (Answers) -> Void
    ) {
        let answers = AnswerTray(count: numbers.count, then)
        for (place, number) in numbers.enumerated() {
            ask(number, question(number)) { answers.put($0, at: place) }
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
        ask(number, question(request, request.plainMethod)) { [self] answer in
            let isFinal = answer.map { ![.unauthorized, .forbidden].contains($0.status) } ?? false
            if isFinal { return then(answer) }
            askAny(request, from: number + 1, refusal: number == 0 ? answer : refusal, then: then)
        }
    }

    /// Opens the stream of a partition at the gateway that answered last, or another one after failed attempts.
    ///
    /// At its end, `then` gets the refusal, if it was one.
    func open(
        _ number: Int,
        _ question: FrontQuestion,
        attempt: Int,
        take: @escaping @Sendable (UnsafeRawBufferPointer) -> PieceOutcome,
        then: @escaping @Sendable (Response?) -> Void
    ) {
        let host = host(of: number, attempt)
        streams.send(
            PartitionRequest(
                question: question,
                address: places.address(of: number, on: host),
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
