/// An error or a warning about a definition.
public struct DefinitionProblem: Error, Hashable, Sendable {
    /// The severity of a problem.
    public enum Severity: UInt8, Sendable {
        /// The definition works, but probably not as it was meant.
        case warning
        /// The definition can't be used.
        case error
    }

    /// The kind of problem; codes stay the same from release to release.
    public var code: ProblemCode
    /// The place of the first affected character.
    public var place: Place
    /// The number of affected characters, at least 1.
    public var length: Int
    /// The problem, in one sentence without a full stop.
    public var message: String
    /// The way to correct the definition; nil when there is no suggestion.
    public var remedy: String?
    /// The severity; by default that of the code.
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

    /// Makes a problem that affects a whole text.
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
    /// A definition to be extended that does not exist, can't be read, or extends this one.
    case badBase = 11
    /// A compiled definition that can't be read: it is damaged, or of another version of the format.
    case badCompiled = 12

    /// A topic filter that MQTT does not allow, or without `{device}` in a source without `device:`.
    case badTopic = 101
    /// More signals, states or timers than a definition may have.
    case tooMany = 102
    /// A source that names its devices twice, not at all, or by something that is no name.
    case badDevice = 103

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
    /// A message to be published on a topic that can't be one, or that the definition itself reads.
    case badPublication = 305

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
    /// A feature in a file of another format that the language can't express, or not in quite the same way.
    case notTranslated = 506
    /// A value that is read before it can exist.
    case readBeforeSet = 507
    /// A signal that can never have a value.
    case signalNeverSet = 508
    /// A transition that is never taken.
    case transitionNeverTaken = 509
    /// Two guards of a state that can both hold.
    case guardsOverlap = 510
    /// A wait that ends before anybody can see it.
    case waitTooShort = 511
    /// States that lead to each other without end, at one moment.
    case endlessLoop = 512
    /// States or timers that repeat without end and without any message.
    case endlessTimerLoop = 513
    /// A countdown whose end moves with every message.
    case endKeepsMoving = 514
    /// Content that can exceed its limit.
    case contentTooLarge = 515
    /// A text that does not fit into its region.
    case textTooWide = 516
    /// An alert that is never given.
    case alertNeverGiven = 517
    /// A guard that requires a message, on a transition that a timer triggers.
    case noMessageThen = 518
    /// A variable that nothing reads.
    case variableNeverRead = 519
    /// A test that sends to a topic that matches no source.
    case topicOfNoSource = 520
    /// A text of the island that phones can't draw.
    case notDrawnOnPhones = 521
    /// A symbol of the island that no reader knows.
    case unknownSymbol = 522
    /// Content that shows the title of a state without one.
    case titleMissing = 523
    /// A value of unknown type that is compared with a text in one place and with a number in another.
    case mixedTypes = 524
    /// A text that shows braces around an expression.
    case bracesShown = 525
    /// An event that nothing raises, with a name like that of one that the definition raises itself.
    case eventNeverRaised = 526
    /// A text that lacks a language in which others are written.
    case languageMissing = 527
    /// A card on the Lock Screen, or an expanded island, that iOS cuts.
    case cardTooTall = 528
    /// A setting that nothing reads.
    case settingNeverRead = 530
    /// A state that time leads to and that is left again at once, because what the last message said leads back.
    case leftAtOnce = 533
    /// A state that silence leads to and that no message leaves.
    case silenceForGood = 534
    /// A link with a scheme that no known app opens.
    case linkOpensNothing = 535
    /// An action that has no effect.
    case actionInVain = 536
    /// A condition that never holds, of something other than a transition.
    case conditionNeverHolds = 537

    /// An expectation of a test that was not met.
    case testFailed = 601
    /// A step of a test that can't be carried out.
    case badTest = 602

    /// A file that can't be imported: it has another format, or a mistake.
    case badImport = 701

    /// The severity of problems of this kind, unless a problem has its own.
    public var severity: DefinitionProblem.Severity { rawValue / 100 == 5 ? .warning : .error }

    /// The code as printed, such as `SK0101`.
    public var name: String {
        var digits = String(rawValue)
        while digits.utf8.count < 4 { digits = "0" + digits }
        return "SK" + digits
    }
}
