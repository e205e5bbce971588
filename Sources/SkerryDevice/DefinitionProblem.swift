/// Something wrong with a definition.
public struct DefinitionProblem: Error, Hashable, Sendable {
    /// How bad a problem is.
    public enum Severity: UInt8, Sendable {
        /// The definition works, but hardly as meant.
        case warning
        /// The definition can't be used.
        case error
    }

    /// What kind of problem it is; stable over releases.
    public var code: ProblemCode
    /// Where it stands.
    public var place: Place
    /// How many characters it covers, at least 1.
    public var length: Int
    /// What is wrong, in one sentence without a full stop.
    public var message: String
    /// What would be right; nil when nobody can tell.
    public var remedy: String?
    /// How bad it is; what its code says unless more is known.
    public var severity: Severity

    /// Makes a problem.
    public init(
        _ code: ProblemCode,
        at place: Place,
        length: Int = 1,
        _ message: String,
        remedy: String? = nil
    ) {
        self.code = code
        self.place = place
        self.length = length
        self.message = message
        self.remedy = remedy
        severity = code.severity
    }

    /// Makes a problem that covers a whole text.
    public init(_ code: ProblemCode, _ source: SourceText, _ message: String, remedy: String? = nil) {
        self.init(code, at: source.place, length: max(1, source.text.count), message, remedy: remedy)
    }
}

/// The kinds of problems a definition can have; written `SK0101`.
public enum ProblemCode: UInt16, Sendable, CaseIterable {
    /// The file is not YAML.
    case notYAML = 1
    /// A key that the language does not know.
    case unknownKey = 2
    /// A key that must be there is missing.
    case missingKey = 3
    /// A value of another shape is expected, such as a list instead of a text.
    case wrongShape = 4
    /// A value is not among the allowed ones, or out of range.
    case badValue = 5
    /// A length of time is not written as one.
    case badDuration = 6
    /// The same name twice.
    case duplicateName = 7
    /// A version of the language that this Skerry does not know.
    case unknownVersion = 8
    /// A name that can't be used as one.
    case badName = 9

    /// A topic filter that MQTT does not allow, or without `{device}`.
    case badTopic = 101
    /// More signals, states or timers than a definition may have.
    case tooMany = 102

    /// An expression that can't be parsed.
    case badExpression = 201
    /// An expression with a name that nothing declares.
    case unknownName = 202
    /// An expression whose types do not fit.
    case wrongType = 203
    /// An expression whose evaluation can cost more than the limit.
    case tooCostly = 204

    /// A target or other mention of a state that does not exist.
    case unknownState = 301
    /// A timer that does not exist.
    case unknownTimer = 302
    /// A machine that SCXML does not allow.
    case badMachine = 303
    /// A context variable that does not exist.
    case unknownVariable = 304

    /// An activity that can't work.
    case badActivity = 401
    /// An island region that can't draw this.
    case badIsland = 402
    /// A link that does more than open something, or whose scheme comes from a device.
    case badLink = 403
    /// Attributes and content that can be larger than a phone takes.
    case tooLargeForPhones = 404

    /// A state that nothing leads to.
    case unreachableState = 501
    /// A timer that nothing starts.
    case timerNeverStarted = 502
    /// A timer that nothing reads.
    case timerNeverRead = 503
    /// A signal that nothing reads.
    case signalNeverRead = 504
    /// An activity that can start and never end.
    case activityNeverEnds = 505
    /// Something in a file of another format that can't be said in the language, or not quite the same.
    case notTranslated = 506
    /// Something that is read before it can have a value.
    case readBeforeSet = 507
    /// A signal that can never have a value.
    case signalNeverSet = 508
    /// A transition that is never taken.
    case transitionNeverTaken = 509
    /// Two guards of a state that can both hold.
    case guardsOverlap = 510
    /// A wait that is over before anybody can see it.
    case waitTooShort = 511
    /// States that lead to each other for ever, at one moment.
    case endlessLoop = 512
    /// States or timers that go round for ever without any message.
    case endlessTimerLoop = 513
    /// A countdown whose end moves with every message.
    case endKeepsMoving = 514
    /// Content that can be larger than it may be.
    case contentTooLarge = 515
    /// A text that does not fit where it is drawn.
    case textTooWide = 516
    /// An alert that is never given.
    case alertNeverGiven = 517
    /// A guard that asks for a message where a timer fires.
    case noMessageThen = 518
    /// A variable that nothing reads.
    case variableNeverRead = 519
    /// A test that sends to a topic that no source has.
    case topicOfNoSource = 520
    /// A text of the island that phones can't draw.
    case notDrawnOnPhones = 521
    /// A symbol of the island that no reader knows.
    case unknownSymbol = 522
    /// A title that is shown of a state that has none.
    case titleMissing = 523
    /// A value that is compared with a text here and with a number there.
    case mixedTypes = 524
    /// A text that shows braces around an expression.
    case bracesShown = 525

    /// Something that a test expects and that is not so.
    case testFailed = 601
    /// A step of a test that can't be done.
    case badTest = 602

    /// A file to import that is not of the format, or not right in it.
    case badImport = 701

    /// How bad problems of this kind are, unless more is known of one.
    public var severity: DefinitionProblem.Severity { rawValue / 100 == 5 ? .warning : .error }

    /// The code as printed, such as `SK0101`.
    public var name: String {
        var digits = String(rawValue)
        while digits.utf8.count < 4 { digits = "0" + digits }
        return "SK" + digits
    }
}
