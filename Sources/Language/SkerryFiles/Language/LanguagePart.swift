/// The mappings of the definition language, the whole definition first.
///
/// This is the only list of the keys: `DefinitionBuilder` accepts these and no others, and `LanguageSchema` prints
/// them for editors.
public enum LanguagePart: String, Sendable, CaseIterable {
    case definition
    case setting
    case source
    case signal
    case signalForm = "signal-form"
    case validRange = "valid-range"
    case recognition
    case timer
    case learning
    case machine
    case state
    case transition
    case waitingTransition = "waiting-transition"
    case silence
    case action
    case guardedAction = "guarded-action"
    case start
    case pause
    case extend
    case send
    case publish
    case activity
    case runKey = "run-key"
    case attribute
    case field
    case alert
    case listedAlert = "listed-alert"
    case island
    case compact
    case expanded
    case region
    case cell
    case drawnSymbol = "drawn-symbol"
    case drawnText = "drawn-text"
    case drawnClock = "drawn-clock"
    case drawnBar = "drawn-bar"
    case button
    case test
    case place
    case step
    case given
    case event
    case expectation
    case timerExpectation = "timer-expectation"

    /// The words that are values of one of its keys.
    func words(_ key: String) -> [String] {
        guard case .word(let words) = mapping.keys.first(where: { $0.name == key })?.value else { return [] }
        return words
    }

    /// Its keys and their purposes.
    public var mapping: LanguageMapping {
        switch self {
        case .definition: Self.definitionMapping
        case .setting: Self.settingMapping
        case .source: Self.sourceMapping
        case .signal: Self.signalMapping
        case .signalForm: Self.signalFormMapping
        case .validRange: Self.validRangeMapping
        case .recognition: Self.recognitionMapping
        case .timer: Self.timerMapping
        case .learning: Self.learningMapping
        case .machine: Self.machineMapping
        case .state: Self.stateMapping
        case .transition: Self.transitionMapping
        case .waitingTransition: Self.waitingTransitionMapping
        case .silence: Self.silenceMapping
        case .action: Self.actionMapping
        case .guardedAction: Self.guardedActionMapping
        case .start: Self.startMapping
        case .pause: Self.pauseMapping
        case .extend: Self.extendMapping
        case .send: Self.sendMapping
        case .publish: Self.publishMapping
        case .activity: Self.activityMapping
        case .runKey: Self.runKeyMapping
        case .attribute: Self.attributeMapping
        case .field: Self.fieldMapping
        case .alert: Self.alertMapping
        case .listedAlert: Self.listedAlertMapping
        case .island: Self.islandMapping
        case .compact: Self.compactMapping
        case .expanded: Self.expandedMapping
        case .region: Self.regionMapping
        case .cell: Self.cellMapping
        case .drawnSymbol: Self.drawnSymbolMapping
        case .drawnText: Self.drawnTextMapping
        case .drawnClock: Self.drawnClockMapping
        case .drawnBar: Self.drawnBarMapping
        case .button: Self.buttonMapping
        case .test: Self.testMapping
        case .place: Self.placeMapping
        case .step: Self.stepMapping
        case .given: Self.givenMapping
        case .event: Self.eventMapping
        case .expectation: Self.expectationMapping
        case .timerExpectation: Self.timerExpectationMapping
        }
    }
}
