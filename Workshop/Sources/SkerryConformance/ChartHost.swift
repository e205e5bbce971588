import SkerryDevice
import SkerryImport
import SkerryMachine
import SkerryValues

/// The parts of an event besides its name.
struct MachineEventDetails {
    /// `external`, `internal` or `platform`.
    var type: String
    var data = ScriptValue.undefined
    var sendID: String?
    /// True if the machine sent the event itself.
    var isOwn = false
}

/// The conditions and actions of a document, by their numbers in its chart.
struct ChartScript {
    enum Action {
        case data(SCXMLData)
        case content(SCXMLAction)
    }

    var conditions: [String] = []
    var actions: [Action] = []
    var doneData: [[SCXMLParameter]] = []
    var scope = ScriptScope()
}

/// A host that evaluates the conditions and actions of a document as SCXML and ECMAScript define them.
struct ChartHost: MachineHost {
    static let session = "session"
    static let processor = "http://www.w3.org/TR/scxml/#SCXMLEventProcessor"

    let chart: Statechart
    var clock = MachineClock(now: Timestamp(seconds: 0))
    var scope: ScriptScope
    private let script: ChartScript
    /// The details of events; the number in an event is the index plus 1.
    private var details: [MachineEventDetails] = []
    private var initialized: Set<String> = []
    private var generatedIDs = 0

    init(_ chart: Statechart, _ script: ChartScript) {
        self.chart = chart
        self.script = script
        scope = script.scope
    }

    /// Stores the details of an event and returns their number.
    mutating func note(_ event: MachineEventDetails) -> UInt32 {
        details.append(event)
        return UInt32(clamping: details.count)
    }

    mutating func newSendID() -> String {
        generatedIDs += 1
        return "send.\(generatedIDs)"
    }

    /// Raises the event of an error, with the data that SCION includes.
    mutating func fail(
        _ error: ScriptError,
        in element: String,
        of machine: inout Machine,
        event: String = "error.execution",
        sendID: String? = nil
    ) {
        let members: [(String, ScriptValue)] = [
            ("tagname", .text(element)), ("line", .number(0)), ("column", .number(Double(error.offset))),
            ("reason", .text(error.message)),
        ]
        let data = ScriptValue.object(members.map { ScriptValue.Member(name: $0.0, value: $0.1) })
        let details = MachineEventDetails(type: "platform", data: data, sendID: sendID)
        machine.raise(MachineEvent(event, data: note(details)))
    }

    mutating func holds(_ condition: GuardID, in machine: inout Machine, on occasion: Occasion) -> Bool {
        do throws(ScriptError) {
            return try evaluate(script.conditions[Int(condition.rawValue)], machine, occasion).isTrue
        } catch {
            fail(error, in: "transition", of: &machine)
            return false
        }
    }

    func interval(_ expression: UInt16, in machine: inout Machine, on occasion: Occasion) -> Interval? { nil }

    mutating func doneData(_ expression: UInt16, in machine: inout Machine, on occasion: Occasion) -> UInt32 {
        do throws(ScriptError) {
            let data = try payload(script.doneData[Int(expression)], &machine, occasion)
            return note(MachineEventDetails(type: "platform", data: data))
        } catch {
            fail(error, in: "donedata", of: &machine)
            return 0
        }
    }

    mutating func perform(_ action: UInt16, in machine: inout Machine, on occasion: Occasion) -> Bool {
        switch script.actions[Int(action)] {
        case .content(let action): return run(action, &machine, occasion)
        case .data(let item):
            guard initialized.insert(item.id.text).inserted else { return true }
            do throws(ScriptError) {
                try scope.initialize(item.id.text, try value(item.value, machine, occasion))
                return true
            } catch {
                fail(error, in: "data", of: &machine)
                return false
            }
        }
    }

    /// The value of an expression on an occasion.
    mutating func evaluate(
        _ text: String,
        _ machine: Machine,
        _ occasion: Occasion
    ) throws(ScriptError) -> ScriptValue {
        show(machine, occasion)
        return try scope.evaluate(text)
    }

    /// Sets `_event` to the event of an occasion, if there is one, and the states that `In` finds active.
    mutating func show(_ machine: Machine, _ occasion: Occasion) {
        scope.activeStates = machine.configuration.map { chart[$0].name }
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
}

extension ScriptScope {
    /// Declares the system variables of a session.
    mutating func declareSystem(name: String) {
        let location = ScriptValue.object([
            ScriptValue.Member(name: "location", value: .text("#_scxml_" + ChartHost.session))
        ])
        declare(system: "_sessionid", .text(ChartHost.session))
        declare(system: "_name", .text(name))
        declare(system: "_x", .object([]))
        declare(
            system: "_ioprocessors",
            .object(["scxml", ChartHost.processor].map { ScriptValue.Member(name: $0, value: location) })
        )
    }
}
