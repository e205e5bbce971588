import SkerryExpressions

/// The parts of a definition, collected while its draft is compiled or its compiled form is read.
struct DefinitionParts {
    var kind = ""
    var name = ""
    var sources: [Source] = []
    var recognition: [Recognition] = []
    var signalNames: [String] = []
    var signalTypes: [ExpressionType] = []
    var readSignals = SignalSet()
    var signalForms: [SignalForm] = []
    var variableNames: [String] = []
    var timers: [TimerDefinition] = []
    var expressions: [WrittenExpression] = []
    var initialContext: [Program] = []
    var guards: [Program] = []
    var guardTexts: [String] = []
    var intervals: [Program] = []
    var hostActions: [HostAction] = []
    var titles: [TextTemplate?] = []
    var statePlaces: [Place] = []
    var transitionPlaces: [Place] = []
    var activity: ActivityDefinition?
    var island: Island?
    var migrations: [Migration] = []
    var limits = DeviceLimits()
    var fingerprint: UInt64 = 0
    var settings: [Setting] = []
    var settingChoices: [SettingValue] = []
    var givenName: String?
    /// The lengths of time that settings give.
    var lengthUses: [LengthUse] = []
    var timesOfDay: [TimeOfDay] = []
    /// The silences that transitions wait for and that not every message breaks.
    var silences: [SignalSilence] = []
    /// True if waits run on while the device is known to be unavailable.
    var runsUnavailable = false
    var location = Location.utc
}
