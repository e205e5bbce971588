/// The mappings of the definition language, the whole definition first.
///
/// Their tables, such as ``ActivityKeys``, are the only lists of the keys: `DefinitionBuilder` reads these and no others,
/// `LanguageSchema` prints them for editors, and `DefinitionWriter` writes what has a place in a draft.
package enum LanguagePart: String, Sendable, CaseIterable {
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
    case repetition
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
    package var mapping: LanguageMapping {
        switch self {
        case .definition: DefinitionKeys.definition.mapping
        case .setting: DefinitionKeys.setting.mapping
        case .source: SourceKeys.source.mapping
        case .signal: SourceKeys.signal.mapping
        case .signalForm: SourceKeys.signalForm.mapping
        case .validRange: SourceKeys.validRange.mapping
        case .recognition: SourceKeys.recognition.mapping
        case .timer: TimerKeys.timer.mapping
        case .learning: TimerKeys.learning.mapping
        case .machine: MachineKeys.machine.mapping
        case .state: MachineKeys.state.mapping
        case .transition: MachineKeys.transition.mapping
        case .waitingTransition: MachineKeys.waitingTransition.mapping
        case .silence: MachineKeys.silence.mapping
        case .action: ActionKeys.action.mapping
        case .guardedAction: ActionKeys.guardedAction.mapping
        case .start: ActionKeys.start.mapping
        case .pause: ActionKeys.pause.mapping
        case .extend: ActionKeys.extend.mapping
        case .send: ActionKeys.send.mapping
        case .publish: ActionKeys.publish.mapping
        case .activity: ActivityKeys.activity.mapping
        case .runKey: ActivityKeys.runKey.mapping
        case .attribute: ActivityKeys.attribute.mapping
        case .field: ActivityKeys.field.mapping
        case .alert: ActivityKeys.alert.mapping
        case .listedAlert: ActivityKeys.listedAlert.mapping
        case .island: IslandKeys.island.mapping
        case .compact: IslandKeys.compact.mapping
        case .expanded: IslandKeys.expanded.mapping
        case .region: IslandKeys.region.mapping
        case .cell: IslandKeys.cell.mapping
        case .drawnSymbol: IslandKeys.drawnSymbol.mapping
        case .drawnText: IslandKeys.drawnText.mapping
        case .drawnClock: IslandKeys.drawnClock.mapping
        case .drawnBar: IslandKeys.drawnBar.mapping
        case .button: IslandKeys.button.mapping
        case .test: TestKeys.test.mapping
        case .place: TestKeys.place.mapping
        case .step: TestKeys.step.mapping
        case .repetition: TestKeys.repetition.mapping
        case .given: TestKeys.given.mapping
        case .event: TestKeys.event.mapping
        case .expectation: TestKeys.expectation.mapping
        case .timerExpectation: TestKeys.timerExpectation.mapping
        }
    }
}
