import SkerryValues

/// Questions and requests on their way to their answers: how many are still answered, and who waits for what.
struct Requests {
    /// The number of questions over MQTT answered in a batch: an answer takes longer than a message, and all messages wait for
    /// it.
    static var batchLimit: Int { 16 }
    /// The number of questions of other threads answered in a turn.
    static var turnLimit: Int { 4 }
    /// The number of devices that an answer lists; messages wait while they are written.
    static var devicesLimit: Int { 2000 }
    /// The number of waiting publications up to which an answer is added: it must not displace diffs.
    static var waitingLimit: Int { 100 }
    /// The number of requests to read definitions again that may wait.
    static var reloadLimit: Int { 16 }

    /// Changed definitions.
    let definitions: DefinitionMailbox
    /// The questions of other threads.
    private let questions: QuestionMailbox
    /// The process around the bridge; nil if there is none that could do anything.
    let surroundings: BridgeSurroundings?
    /// The number of further questions of this batch that will be answered.
    private var left = 0
    /// The number of further questions of other threads that will be answered in this turn.
    private var leftInTurn = 0
    /// Requests to read definitions again that wait for their answer.
    private var reloads: [BridgeRequest] = []
    /// Those who sent a message over HTTP, and wait for its commit.
    private var unconfirmed: [@Sendable (HouseProblem?) -> Void] = []

    init(_ ports: BridgePorts) {
        definitions = ports.definitions
        questions = ports.questions
        surroundings = ports.surroundings
    }

    // MARK: Questions over MQTT

    /// Begins a batch of messages, in which a number of questions will be answered.
    mutating func beginBatch() { left = Self.batchLimit }

    /// Counts a question.
    ///
    /// - Parameter waiting: The number of publications that wait for the broker.
    /// - Returns: false if too many were asked in this batch, or too much waits.
    mutating func admit(waiting: Int) -> Bool {
        guard left > 0, waiting < Self.waitingLimit else { return false }
        left -= 1
        assert((0..<Self.batchLimit).contains(left))
        return true
    }

    // MARK: Questions of other threads

    /// True if a question of another thread waits.
    var areWaiting: Bool { !questions.isEmpty }

    /// Begins a turn, in which a number of questions will be answered.
    mutating func beginTurn() { leftInTurn = Self.turnLimit }

    /// Answers no further question in this turn; `Bridge.sleepLimit` is zero while any wait.
    mutating func endTurn() { leftInTurn = 0 }

    /// Takes the question out that has waited longest; nil if the turn is over.
    mutating func next() -> QuestionMailbox.Question? {
        guard leftInTurn > 0 else { return nil }
        leftInTurn -= 1
        assert((0..<Self.turnLimit).contains(leftInTurn))
        return questions.take()
    }

    /// Lets somebody wait for the next commit.
    mutating func awaitCommit(_ then: @escaping @Sendable (HouseProblem?) -> Void) {
        unconfirmed.append(then)
    }

    /// Tells those who sent a message over HTTP whether it is stored.
    mutating func confirm(_ isStored: Bool) {
        for then in unconfirmed { then(isStored ? nil : .notStored) }
        unconfirmed = []
    }

    /// Takes no question any more, and tells those that wait.
    func close() { questions.close() }

    // MARK: Requests that others answer

    /// Lets a request wait for definitions to be read again.
    ///
    /// - Returns: The reason why it is refused; nil if it waits.
    mutating func reload(for request: BridgeRequest) -> String? {
        guard let surroundings else { return Self.alone }
        guard reloads.count < Self.reloadLimit else { return "too many requests wait" }
        reloads.append(request)
        assert(reloads.count <= Self.reloadLimit)
        surroundings.reload()
        return nil
    }

    /// Takes the requests out that wait for definitions to be read again.
    mutating func takeReloads() -> [BridgeRequest] {
        defer { reloads = [] }
        return reloads
    }

    /// Asks the house; its answer comes back as a question of another thread, which is published.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - request: The request that it answers.
    ///   - sink: The topics of the answer.
    ///   - data: Writes the data of the answer, from what was found.
    /// - Returns: The reason why it is refused; nil if an answer will come.
    func ask(
        _ question: HouseQuestion,
        for request: BridgeRequest,
        sink: MQTTSink,
        data: @escaping @Sendable (_ found: [UInt8], inout JSONWriter) -> Void
    ) -> String? {
        guard let surroundings else { return Self.alone }
        surroundings.house.ask(question, for: .unrestricted) { [questions] answer in
            let response =
                switch answer {
                case .found(let bytes): request.response(sink) { data(bytes, &$0) }
                case .problem(let problem): request.response(sink, error: problem.detail)
                }
            if questions.put({ $0?.announce(response) }) { surroundings.wake() }
        }
        return nil
    }

    /// The reason to refuse a request that needs the process around the bridge.
    static var alone: String { "this bridge runs without the program that could do this" }
}
