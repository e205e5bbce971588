import SkerryValues

/// The port to everything that readers may ask of a running bridge; called from any thread.
///
/// A question is answered later, on another thread, because the caller must not wait for the bus.
///
/// See docs/decisions/0036-http-api.md.
package protocol HouseAnswers: Sendable {
    /// Asks a question.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - viewer: Who asks: what that one may not see is as if it were not there.
    ///   - then: Called exactly once with the answer, on any thread, and soon: it only hands the answer on. The answers to
    ///     ``HouseQuestion/devices`` and ``HouseQuestion/device(_:)`` come on the thread of the bridge, between
    ///     two events that it tells, so that a reader can go on with the events after it.
    func ask(
        _ question: HouseQuestion,
        for viewer: Viewer,
        then: @escaping @Sendable (HouseAnswer) -> Void
    )
}

/// The answer to a question about the house.
package enum HouseAnswer: Equatable, Sendable {
    /// A JSON object; for a recording its lines, for a compiled definition its bytes, and nothing for an event.
    case found([UInt8])
    /// The reason why there is none.
    case problem(HouseProblem)

    /// The mark that tells an answer from all others to the same question.
    package static func version(of bytes: [UInt8]) -> String { String(bytes.fingerprint, radix: 16) }
}

/// The reason why a question about the house has no answer.
package struct HouseProblem: Error, Hashable, Sendable {
    /// The sort of a problem, as far as HTTP tells them apart.
    package enum Sort: Hashable, Sendable, CaseIterable {
        /// There is no such thing.
        case notFound
        /// The question is wrong.
        case wrong
        /// It can't be done as things are.
        case conflict
        /// Something else is there than the one who asks has read.
        case outdated
        /// The question or its answer is too large.
        case tooMuch
        /// The bridge can't answer now.
        case unavailable
    }

    package var sort: Sort
    /// Its code for programs, such as `no-recording`; never changes.
    package var code: String
    /// A sentence for people: what is wrong, and what to do.
    package var detail: String
    /// The problems of a definition as a JSON array, as its check has them; nil if it is about no definition.
    package var problems: [UInt8]?
    /// The name of the setting that it is about; nil if it is about none.
    package var setting: String?

    package init(_ sort: Sort, code: String, detail: String, problems: [UInt8]? = nil, setting: String? = nil)
    {
        self.sort = sort
        self.code = code
        self.detail = detail
        self.problems = problems
        self.setting = setting
    }
}

extension HouseProblem {
    /// Too many questions wait, or the bridge is ending.
    package static let tooManyQuestions = HouseProblem(
        .unavailable,
        code: "busy",
        detail: "Too many questions wait for an answer, or the bridge is ending: try again soon."
    )

    /// There is no such device, or none that the viewer may see.
    static let noDevice = HouseProblem(
        .notFound,
        code: "no-device",
        detail: "Nothing was heard of this device."
    )

    /// The store refuses what it is given.
    static let notStored = HouseProblem(
        .unavailable,
        code: "not-stored",
        detail: "The bridge can't store anything now. Send the same again."
    )

    /// An event or a message is refused, for a reason without a full stop.
    static func refused(_ reason: String) -> HouseProblem {
        HouseProblem(.wrong, code: "refused", detail: reason + ".")
    }
}
