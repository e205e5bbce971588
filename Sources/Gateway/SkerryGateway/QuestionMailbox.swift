import Synchronization

/// Hands questions of other threads over to a running bridge.
///
/// The bridge looks into it when it is woken, so call ``Bus/wake()`` after adding something. It answers a few questions in
/// each turn, so that messages do not wait for them.
public final class QuestionMailbox: Sendable {
    /// The number of questions that may wait; further ones are refused.
    package static let capacity = 64

    /// Asks a bridge and hands its answer on; called once, on the thread of the bus, with nil if the bridge has ended.
    package typealias Question = @Sendable (_ bridge: (any BridgeAnswers)?) -> Void

    private struct State {
        var questions: [Question] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Makes an empty mailbox.
    public init() {}

    /// Puts a question in.
    ///
    /// - Returns: false if too many questions wait, or the bridge has ended; the question is not called.
    package func put(_ question: @escaping Question) -> Bool {
        state.withLock { state in
            guard !state.isClosed, state.questions.count < Self.capacity else { return false }
            state.questions.append(question)
            assert(state.questions.count <= Self.capacity)
            return true
        }
    }

    /// True if no question waits.
    var isEmpty: Bool { state.withLock { $0.questions.isEmpty } }

    /// Takes the question out that has waited longest.
    func take() -> Question? {
        state.withLock { $0.questions.isEmpty ? nil : $0.questions.removeFirst() }
    }

    /// Takes no question any more, and tells those that wait.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.questions = [] }
            return state.questions
        }
        assert(isEmpty)
        for question in waiting { question(nil) }
    }
}
