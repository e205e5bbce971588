import SkerryMachine
import SkerryValues

/// What came with an event besides its name.
struct MachineEventDetails {
    /// `external`, `internal` or `platform`.
    var type: String
    var data = ScriptValue.undefined
    var sendID: String?
    /// Whether it was sent by the machine itself.
    var isOwn = false
}

/// Means the conditions and actions of the cases, which are texts and JSON.
struct ChartHost: MachineHost {
    static let session = "session"
    static let processor = "http://www.w3.org/TR/scxml/#SCXMLEventProcessor"

    var conditions: [String] = []
    var actions: [Value] = []
    var doneData: [Value] = []
    var states: [String: StateID] = [:]
    var scope = ScriptScope()
    /// What came with events, by number less one.
    private var details: [MachineEventDetails] = []
    private var initialized: Set<String> = []
    private var generatedIDs = 0

    mutating func declareSystem(name: String) {
        let location = ScriptValue.object([
            ScriptValue.Member(name: "location", value: .text("#_scxml_" + Self.session))
        ])
        scope.declare(system: "_sessionid", .text(Self.session))
        scope.declare(system: "_name", .text(name))
        scope.declare(system: "_x", .object([]))
        scope.declare(
            system: "_ioprocessors",
            .object(["scxml", Self.processor].map { ScriptValue.Member(name: $0, value: location) })
        )
    }

    /// Keeps what comes with an event; gives its number.
    mutating func note(_ event: MachineEventDetails) -> UInt32 {
        details.append(event)
        return UInt32(clamping: details.count)
    }

    mutating func newSendID() -> String {
        generatedIDs += 1
        return "send.\(generatedIDs)"
    }

    mutating func fail(in machine: inout Machine, _ error: String = "error.execution", sendID: String? = nil)
    {
        machine.raise(MachineEvent(error, data: note(MachineEventDetails(type: "platform", sendID: sendID))))
    }

    mutating func holds(_ condition: GuardID, in machine: inout Machine, on occasion: Occasion) -> Bool {
        do throws(ScriptError) {
            return try evaluate(conditions[Int(condition.rawValue)], machine, occasion).isTrue
        } catch {
            fail(in: &machine)
            return false
        }
    }

    func interval(_ expression: UInt16, in machine: inout Machine, on occasion: Occasion) -> Interval? { nil }

    mutating func doneData(_ expression: UInt16, in machine: inout Machine, on occasion: Occasion) -> UInt32 {
        let parts = doneData[Int(expression)]
        do throws(ScriptError) {
            let data = try payload(parts.elements, names: "", &machine, occasion)
            return note(MachineEventDetails(type: "platform", data: data))
        } catch {
            fail(in: &machine)
            return 0
        }
    }

    mutating func perform(
        _ action: UInt16,
        in machine: inout Machine,
        on occasion: Occasion,
        sequence: inout UInt64
    ) -> Bool {
        do throws(ScriptError) {
            return try run(actions[Int(action)], &machine, occasion, &sequence)
        } catch {
            fail(in: &machine)
            return false
        }
    }

    /// The value of an expression on an occasion.
    mutating func evaluate(
        _ text: String,
        _ machine: Machine,
        _ occasion: Occasion
    ) throws(ScriptError) -> ScriptValue {
        show(occasion)
        return try scope.evaluate(text) { states[$0].map(machine.isActive) ?? false }
    }

    /// Lets `_event` be the event of an occasion; it stays until the next one.
    private mutating func show(_ occasion: Occasion) {
        guard let event = occasion.event else { return }
        let isPlatform = event.name.hasPrefix("done.") || event.name.hasPrefix("error.")
        let details =
            event.data > 0
            ? details[Int(event.data) - 1] : MachineEventDetails(type: isPlatform ? "platform" : "external")
        var members = [
            ("name", ScriptValue.text(event.name)), ("type", .text(details.type)), ("data", details.data),
        ]
        members.append(("sendid", details.sendID.map { .text($0) } ?? .undefined))
        members.append(("origin", details.isOwn ? .text("#_scxml_" + Self.session) : .undefined))
        members.append(("origintype", details.isOwn ? .text(Self.processor) : .undefined))
        members.append(("invokeid", .undefined))
        scope.declare(system: "_event", .object(members.map { ScriptValue.Member(name: $0.0, value: $0.1) }))
    }

    /// Whether a variable is to be given its first value now; once for each.
    mutating func initializes(_ name: String) -> Bool { initialized.insert(name).inserted }
}
