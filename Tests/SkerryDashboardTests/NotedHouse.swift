import SkerryGateway
import Synchronization

/// A house that answers what a test tells it, and notes what it is asked.
final class NotedHouse: HouseAnswers {
    typealias Receiver = @Sendable (HouseAnswer) -> Void

    private struct State {
        var questions: [HouseQuestion] = []
        var viewers: [Viewer] = []
        var answer: @Sendable (HouseQuestion) -> HouseAnswer?
        var held: [Receiver] = []
    }

    private let state: Mutex<State>

    /// Makes a house.
    ///
    /// - Parameter answer: The answer to a question; nil to hold it back.
    init(_ answer: @escaping @Sendable (HouseQuestion) -> HouseAnswer? = NotedHouse.usual) {
        state = Mutex(State(answer: answer))
    }

    /// Objects that are as small as they can be.
    static let usual: @Sendable (HouseQuestion) -> HouseAnswer? = { question in
        switch question {
        case .devices: .found(Array(#"{"devices":[{"kind":"washer","device":"laundry"}]}"#.utf8))
        case .status: .found(Array(#"{"broker":{"connected":true},"store":true,"messages":3}"#.utf8))
        case .metrics: .found(Array(NotedHouse.metrics.utf8))
        case .event: .found([])
        case .recording: .found(Array("{}\n".utf8))
        default: .found(Array("{}".utf8))
        }
    }

    /// A number, and the classes of a histogram.
    private static let metrics = """
        # HELP skerry_messages_total Messages received.
        # TYPE skerry_messages_total counter
        skerry_messages_total 3
        # HELP skerry_commit_duration_seconds Time that the store took for a commit.
        # TYPE skerry_commit_duration_seconds histogram
        skerry_commit_duration_seconds_bucket{le="+Inf"} 2
        skerry_commit_duration_seconds_sum 0.5
        skerry_commit_duration_seconds_count 2

        """

    /// The questions so far.
    var questions: [HouseQuestion] { state.withLock { $0.questions } }

    /// Those in whose name the questions came.
    var viewers: [Viewer] { state.withLock { $0.viewers } }

    /// Answers another way from now on.
    func change(_ answer: @escaping @Sendable (HouseQuestion) -> HouseAnswer?) {
        state.withLock { $0.answer = answer }
    }

    /// Gives all answers that were held back.
    func release(_ answer: HouseAnswer) {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for receiver in held { receiver(answer) }
    }

    func ask(_ question: HouseQuestion, for viewer: Viewer, then: @escaping Receiver) {
        let make = state.withLock { state in
            state.questions.append(question)
            state.viewers.append(viewer)
            return state.answer
        }
        if let answer = make(question) { then(answer) } else { state.withLock { $0.held.append(then) } }
    }
}
