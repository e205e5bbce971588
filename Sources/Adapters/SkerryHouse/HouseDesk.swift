import SkerryActivity
package import SkerryDevice
package import SkerryFiles
package import SkerryGateway
import SkerryValues

/// The surroundings of a desk: where it finds what it is asked for.
package struct HouseSources: Sendable {
    /// Questions to the running bridge.
    package var mailbox: QuestionMailbox
    /// Wakes the bridge, after a question was put into the mailbox.
    package var wake: @Sendable () -> Void
    /// The files of the definitions in force.
    package var files: @Sendable () -> [CompiledFiles.File]
    /// The files and folders that the definitions are read from.
    package var definitionPaths: [String]
    /// The limits of definitions that are checked or replayed.
    package var limits: DeviceLimits
    /// The language of texts that definitions have in several; nil for the first one of each.
    package var language: TextLanguage?
    /// The beginnings of topics that are other ones here than in definitions.
    package var topics: MovedTopics
    /// Returns the place whose clocks and whose sun definitions go by.
    package var location: @Sendable () -> Location
    /// The bridge's topics.
    package var sink: MQTTSink
    /// The runs that have ended.
    package var history: any RunHistory
    /// The failed deliveries to phones and recipients; nil where nothing is sent to any.
    package var failures: FailureLog?
    /// Makes a connection to the broker with a session of its own.
    package var makeBus: @Sendable () -> any Bus
    package var brokerAddress: String
    /// True if devices are kept over a restart.
    package var isStored: Bool
    /// Adds the numbers of the process and of its store to those of the bridge.
    package var measure: @Sendable (inout MetricsText) -> Void
    /// The phones of the house; nil where there can be none.
    package var phones: (any PhoneDirectory)?
    /// True if pushes are sent to phones.
    package var hasPushes: Bool
    /// The settings of single devices in force.
    package var settings: @Sendable () -> ChosenSettings
    /// The file of the settings that people choose on the page; nil where there is no place for one.
    package var devicesFile: DevicesFile?
    /// Has the bridge take what now stands in that file, before it returns; it is woken afterwards.
    package var readDevices: @Sendable () -> Void
    /// Has the bridge take the definitions as their files now are, before it returns; it is woken afterwards.
    package var readDefinitions: @Sendable () -> Void
    /// Reads the definitions that come with Skerry: those of a kind, or all.
    package var shelf: @Sendable (_ kind: String?) -> [CompiledFiles.File]
    /// Has the bridge use the one of a kind, before it returns; it is woken afterwards.
    package var adopt: @Sendable (_ kind: String) throws(HouseProblem) -> Void
    /// Has the bridge use it no longer.
    package var giveUp: @Sendable (_ kind: String) throws(HouseProblem) -> Void
    /// True if the bridge uses by itself those that it recognises devices by beyond doubt.
    package var adoptsByItself: Bool
    /// The found devices that somebody does not want to see.
    package var hidden: HiddenDevices
    /// The cards of devices on the page.
    package var cards: CardBook
    /// The broker, where another one can be chosen on the page.
    package var broker: BrokerChoice?
    /// Lets those who read, change and write a file of this process go one after the other, whichever desk they come to.
    let saving = SavingTurn()

    /// Makes the surroundings; the rest has defaults.
    package init(
        mailbox: QuestionMailbox,
        wake: @escaping @Sendable () -> Void,
        files: @escaping @Sendable () -> [CompiledFiles.File],
        history: any RunHistory,
        makeBus: @escaping @Sendable () -> any Bus
    ) {
        self.mailbox = mailbox
        self.wake = wake
        self.files = files
        self.history = history
        self.makeBus = makeBus
        definitionPaths = []
        limits = DeviceLimits()
        topics = MovedTopics()
        location = { .utc }
        sink = MQTTSink()
        brokerAddress = ""
        isStored = false
        measure = { _ in }
        hasPushes = false
        settings = { ChosenSettings() }
        readDevices = {}
        readDefinitions = {}
        shelf = { _ in [] }
        adopt = { kind throws(HouseProblem) in throw HouseProblem.noDefinition(kind) }
        giveUp = { kind throws(HouseProblem) in throw HouseProblem.noDefinition(kind) }
        adoptsByItself = false
        hidden = HiddenDevices(nil)
        cards = CardBook(nil)
    }
}

/// The desk that answers questions about the house: by the bridge, from files and the store, or by work on a thread of its
/// own.
package final class HouseDesk: HouseAnswers {
    let sources: HouseSources
    let workbench = Workbench()
    /// For replays, which may take seconds; other questions don't wait behind them.
    private let replays = Workbench()
    private let moves = MoveLog()
    private let surveys: TopicSurveys
    private let finder: DeviceFinder

    /// Makes a desk.
    ///
    /// - Parameters:
    ///   - sources: Where it finds what it is asked for.
    ///   - clock: The time, for the survey of topics.
    package init(_ sources: HouseSources, clock: some GatewayClock) {
        self.sources = sources
        surveys = TopicSurveys(sources, clock: clock)
        finder = DeviceFinder(sources, clock: clock)
    }

    /// Takes note of an event of the bridge; called on the bridge's thread.
    package func watch(_ event: BridgeEvent) { moves.take(event) }

    private typealias Then = @Sendable (HouseAnswer) -> Void

    /// Asks a question.
    package func ask(
        _ question: HouseQuestion,
        for viewer: Viewer,
        then: @escaping @Sendable (HouseAnswer) -> Void
    ) {
        switch question {
        case .devices: tell(then) { .devices($0.devices(for: viewer)) }
        case .device(let device): explain(device, viewer, then)
        case .timeline(let device):
            tell(then) {
                $0.timeline(of: device, for: viewer).map { .found($0.json()) } ?? .problem(.noTimeline)
            }
        case .status:
            let phones = sources.phones?.phones().count ?? 0
            tell(then) { [sources] in .status($0.status(), sources, phones: phones, viewer) }
        case .metrics: tell(then) { [sources] in .metrics($0.metrics(for: viewer), sources) }
        case .event(let device, let name): send(name, to: device, viewer, then)
        case .message(let device, let payload, let key):
            askBridge(then) {
                $0.take(payload, of: device, key: key) { then($0.map { .problem($0) } ?? .found([])) }
            }
        case .definitions:
            tell(then) { [sources] in .definitions(sources.files(), $0.deviceCounts(for: viewer)) }
        case .definition(let kind): then(sources.files().definition(kind: kind))
        case .runs(let kind, let device, let before, let limit):
            let wanted = RunsAnswer(kind: kind, device: device, before: before, limit: limit, viewer: viewer)
            askRuns(wanted, then)
        case .failures(let service, let recipient, let limit):
            work(then) { [sources] in FailuresAnswer.read(sources.failures, service, recipient, limit) }
        case .recording(let device):
            askTape(device, viewer, then) { tape in
                tape.map { .found($0.lines) } ?? .problem(.noRecording(of: device))
            }
        // Nothing says whose a topic is that no definition reads.
        case .unreadTopics where !viewer.seesEverything: then(.found(TopicSurvey.nothing))
        case .unreadTopics: surveys.ask(then)
        case .found where !viewer.seesEverything: then(.found(DeviceFinder.nothing))
        case .found: finder.answer(then)
        case .shelvedDefinition(let kind):
            work(then) { [sources] in sources.shelf(kind).definition(kind: kind) }
        case .proposal where !viewer.seesEverything: then(.problem(.notHeard))
        case .proposal(let kind, let filter):
            work(then) { [finder] in finder.proposal(kind: kind, filter: filter) }
        case .decide(let decision, let device, let name):
            work(then) { [sources] in FoundDecisions(sources).take(decision, about: device, name: name) }
        case .check(let source): check(source, then) { $0.answer }
        case .compile(let source): check(source, then) { $0.compiled }
        case .saveDefinition, .addDefinition, .removeDefinition:
            work(then) { [sources] in DefinitionSaving(sources).answer(to: question) }
        case .chooseSettings(let device, let settings, let name):
            choose(settings, name, of: device, viewer, then)
        case .cards: askCards(viewer, then)
        case .arrange(let cards): work(then) { [sources] in sources.arrange(cards) }
        case .broker, .chooseBroker, .giveUpBroker: askBroker(question, then)
        case .test(let phone, let kind): work(then) { [sources] in sources.test(on: phone, kind: kind) }
        case .replay(let request): askReplay(request, viewer, then)
        }
    }

    private func send(_ event: String, to device: DeviceKey, _ viewer: Viewer, _ then: @escaping Then) {
        tell(then) { bridge throws(HouseProblem) in
            try bridge.send(event, to: device, for: viewer)
            return .found([])
        }
    }

    private func askBroker(_ question: HouseQuestion, _ then: @escaping Then) {
        let saving = BrokerSaving(sources.broker)
        let isPut = workbench.put {
            switch question {
            case .chooseBroker(let broker): saving.choose(broker, then)
            case .giveUpBroker: saving.giveUp(then)
            default: then(saving.answer)
            }
        }
        if !isPut { then(.problem(.tooManyQuestions)) }
    }

    private func askCards(_ viewer: Viewer, _ then: @escaping Then) {
        if viewer.seesEverything { return then(sources.cards.answer { _ in true }) }
        // A card tells that there is a device.
        tell(then) { [sources] in
            let seen = HouseAnswer.devices($0.devices(for: viewer)).devices
            return sources.cards.answer { seen.contains($0) }
        }
    }

    private func explain(_ device: DeviceKey, _ viewer: Viewer, _ then: @escaping Then) {
        tell(then) { [moves, sources] bridge throws(HouseProblem) in
            .explanation(try bridge.explanation(of: device, for: viewer), of: device, moves, sources)
        }
    }

    /// Chooses the settings and the name of a device that is there, and explains it as it is with them.
    private func choose(
        _ settings: [GivenSetting]?,
        _ name: String?,
        of device: DeviceKey,
        _ viewer: Viewer,
        _ then: @escaping Then
    ) {
        askBridge(then) { [self] bridge throws(HouseProblem) in
            // Only the bridge knows whether the viewer sees the device; writing would keep its thread from messages.
            _ = try bridge.explanation(of: device, for: viewer)
            let isPut = workbench.put { [self] in
                do throws(HouseProblem) {
                    try SettingsSaving(sources).save(settings, name, of: device)
                    explain(device, viewer, then)
                } catch {
                    then(.problem(error))
                }
            }
            if !isPut { throw .tooManyQuestions }
        }
    }

    /// Asks the bridge on its thread.
    ///
    /// - Parameters:
    ///   - then: Told why there is no answer: the problem that the question throws, or that the bridge can't be asked.
    ///   - question: Asks it, and sees to it that the answer gets on.
    private func askBridge(
        _ then: @escaping Then,
        _ question: @escaping @Sendable (any BridgeAnswers) throws(HouseProblem) -> Void
    ) {
        let isPut = sources.mailbox.put { bridge in
            guard let bridge else { return then(.problem(.tooManyQuestions)) }
            do throws(HouseProblem) {
                try question(bridge)
            } catch {
                then(.problem(error))
            }
        }
        guard isPut else { return then(.problem(.tooManyQuestions)) }
        sources.wake()
    }

    /// Asks the bridge, and makes the answer on its thread.
    private func tell(
        _ then: @escaping Then,
        _ answer: @escaping @Sendable (any BridgeAnswers) throws(HouseProblem) -> HouseAnswer
    ) {
        askBridge(then) { bridge throws(HouseProblem) in then(try answer(bridge)) }
    }

    /// Does some work on the thread of a bench, otherwise on the desk's own.
    private func work(
        _ then: @escaping Then,
        on bench: Workbench? = nil,
        _ body: @escaping @Sendable () -> HouseAnswer
    ) {
        if !(bench ?? workbench).put({ then(body()) }) { then(.problem(.tooManyQuestions)) }
    }

    private func check(
        _ source: String,
        _ then: @escaping Then,
        _ answer: @escaping @Sendable (SourceCheck) -> HouseAnswer
    ) {
        work(then) { [sources] in answer(SourceCheck(source, by: sources, beside: sources.files())) }
    }

    /// Asks the bridge for the messages of a device, nil if it keeps none, and makes an answer of them on the thread of replays.
    private func askTape(
        _ device: DeviceKey,
        _ viewer: Viewer,
        _ then: @escaping Then,
        _ answer: @escaping @Sendable (MessageTape?) -> HouseAnswer
    ) {
        askBridge(then) { [self] bridge throws(HouseProblem) in
            let tape = try bridge.tape(of: device, for: viewer)
            work(then, on: replays) { answer(tape) }
        }
    }

    private func askRuns(_ wanted: RunsAnswer, _ then: @escaping Then) {
        askBridge(then) { [self] in
            var answer = wanted
            answer.current = $0.currentRuns(kind: wanted.kind, device: wanted.device, for: wanted.viewer)
            answer.names = $0.givenNames(kind: wanted.kind, device: wanted.device, for: wanted.viewer)
            work(then) { [history = sources.history, answer] in answer.read(from: history) }
        }
    }

    private func askReplay(_ request: ReplayRequest, _ viewer: Viewer, _ then: @escaping Then) {
        let names = request.device?.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let device = names.flatMap { $0.count == 2 ? DeviceKey(kind: "\($0[0])", name: "\($0[1])") : nil }
        let wish: ReplayWish
        do throws(HouseProblem) {
            wish = try ReplayWish(request, device: device, sources)
        } catch {
            return then(.problem(error))
        }
        if let recording = request.recording {
            guard recording.utf8.count <= ReplayLimits.bytes else {
                return then(.problem(.recordingTooLarge))
            }
            work(then, on: replays) { wish.answer(Array(recording.utf8)) }
        } else if let device {
            askTape(device, viewer, then) { wish.answer($0?.lines) }
        } else {
            then(.problem(.noRecordingGiven))
        }
    }
}

extension HouseSources {
    /// Has the page show devices in another way, and answers with that.
    fileprivate func arrange(_ changed: [DeviceCard]) -> HouseAnswer {
        do throws(FileError) {
            let moved = try cards.replace(changed)
            if !moved.isEmpty, mailbox.put({ $0?.announce(moved) }) { wake() }
            return cards.answer { _ in true }
        } catch {
            return .problem(HouseProblem(.unavailable, code: "not-written", detail: "\(error)."))
        }
    }
}

extension HouseProblem {
    /// Reads or writes a file for a question; a fault of the file system becomes a problem of the answer.
    package static func told<Done>(_ body: () throws(FileError) -> Done) throws(HouseProblem) -> Done {
        do throws(FileError) {
            return try body()
        } catch {
            throw HouseProblem(.unavailable, code: "not-written", detail: "\(error).")
        }
    }

    /// A list of the store that can't be read.
    static func noHistory(_ list: String, _ fault: StoreFault) -> HouseProblem {
        let detail = "The \(list) can't be read: \(fault.message)."
        return HouseProblem(.unavailable, code: "no-history", detail: detail)
    }

    /// A replay names neither lines nor a device.
    fileprivate static let noRecordingGiven = HouseProblem(
        .wrong,
        code: "no-recording-given",
        detail: "Give the lines of a recording, or a device as \"kind/name\"."
    )

    /// The bridge keeps no messages of a device.
    fileprivate static func noRecording(of device: DeviceKey) -> HouseProblem {
        HouseProblem(
            .notFound,
            code: "no-recording",
            detail: "The bridge keeps no messages of \(device): the setting record.hours says how long it "
                + "keeps them."
        )
    }

    /// A recording is longer than a replay takes.
    static let recordingTooLarge = HouseProblem(
        .tooMuch,
        code: "recording-too-large",
        detail: "A recording may have \(ReplayLimits.bytes >> 20) MiB: cut it, or use 'skerry replay'."
    )
}
