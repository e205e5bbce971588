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

extension ChartHost {
    /// Performs an action; false if the rest of its block must be skipped.
    mutating func run(
        _ action: SCXMLAction,
        _ machine: inout Machine,
        _ occasion: Occasion
    ) -> Bool {
        do throws(ScriptError) {
            return try perform(action, &machine, occasion)
        } catch {
            fail(error, in: action.element.text, of: &machine)
            return false
        }
    }

    private mutating func run(
        all actions: [SCXMLAction],
        _ machine: inout Machine,
        _ occasion: Occasion
    ) -> Bool {
        for action in actions where !run(action, &machine, occasion) { return false }
        return true
    }

    private mutating func perform(
        _ action: SCXMLAction,
        _ machine: inout Machine,
        _ occasion: Occasion
    ) throws(ScriptError) -> Bool {
        switch action.kind {
        case .log(let text): _ = try value(text, machine, occasion)
        case .assign(let location, let text):
            try scope.assign(location.text, try value(text, machine, occasion))
        case .branches(let branches):
            for branch in branches {
                if let condition = branch.condition,
                    try !holds(condition.text, in: action, &machine, occasion)
                {
                    continue
                }
                return run(all: branch.actions, &machine, occasion)
            }
        case .forEach(let array, let item, let index, let body):
            let items = try items(of: array.text, machine, occasion)
            let names = [item.text, index?.text].compactMap { $0 }
            guard names.allSatisfy(ScriptParser.isName) else { throw ScriptError("no name of a variable") }
            if items.isEmpty { for name in names { scope.declareIfNeeded(name) } }
            for (place, item) in items.enumerated() {
                scope.declare(names[0], item)
                if names.count > 1 { scope.declare(names[1], .number(Double(place))) }
                guard run(all: body, &machine, occasion) else { return false }
            }
        case .raise(let event):
            let data = note(MachineEventDetails(type: "internal"))
            machine.raise(MachineEvent(event.text, data: data))
        case .cancel(let id): if let id = try text(id, machine, occasion) { machine.cancel(id) }
        case .send(let send): return try perform(send, &machine, occasion)
        case .script(.content(let script)):
            show(machine, occasion)
            try scope.run(script.text)
        case .script(.file(let name)): throw ScriptError("the file '\(name.text)' is not at hand")
        case .script: break
        case .unknown: throw ScriptError("'\(action.element.text)' is not understood")
        }
        return true
    }

    /// True if the condition of a branch holds; one with an error does not, and raises the event of the error.
    private mutating func holds(
        _ condition: String,
        in action: SCXMLAction,
        _ machine: inout Machine,
        _ occasion: Occasion
    ) throws(ScriptError) -> Bool {
        do throws(ScriptError) {
            return try evaluate(condition, machine, occasion).isTrue
        } catch {
            fail(error, in: action.element.text, of: &machine)
            return false
        }
    }

    private mutating func items(
        of array: String,
        _ machine: Machine,
        _ occasion: Occasion
    ) throws(ScriptError) -> [ScriptValue] {
        guard case .list(let items) = try evaluate(array, machine, occasion) else {
            throw ScriptError("'\(array)' is no list")
        }
        return items
    }

    /// The value of an element: an expression, or a text that is used literally if it is no expression.
    mutating func value(
        _ value: SCXMLValue,
        _ machine: Machine,
        _ occasion: Occasion
    ) throws(ScriptError) -> ScriptValue {
        switch value {
        case .none: return .undefined
        case .file(let name): throw ScriptError("the file '\(name.text)' is not at hand")
        case .expression(let text): return try evaluate(text.text, machine, occasion)
        case .content(let text):
            do throws(ScriptError) {
                return try evaluate(text.text, machine, occasion)
            } catch {
                return .text(text.text.split { $0.isWhitespace }.joined(separator: " "))
            }
        }
    }

    /// A literal text, or the value of an expression.
    private mutating func text(
        _ text: SCXMLText?,
        _ machine: Machine,
        _ occasion: Occasion
    ) throws(ScriptError) -> String? {
        switch text {
        case nil: nil
        case .literal(let text): text.text
        case .expression(let expression): try evaluate(expression.text, machine, occasion).text
        }
    }

    /// The data of an event: the content, or the names and parameters as an object.
    ///
    /// A `param` without a value is left out and raises an error; a name without a value makes the whole fail.
    mutating func payload(
        _ parameters: [SCXMLParameter],
        _ machine: inout Machine,
        _ occasion: Occasion
    ) throws(ScriptError) -> ScriptValue {
        var object = ScriptValue.object([])
        for parameter in parameters {
            guard let name = parameter.name?.text else {
                return try value(parameter.value, machine, occasion)
            }
            do throws(ScriptError) {
                object = object.setting([name], to: try value(parameter.value, machine, occasion)) ?? object
            } catch {
                if case .expression(let text) = parameter.value, text == parameter.name { throw error }
                fail(error, in: "param", of: &machine)
            }
        }
        return object == .object([]) ? .undefined : object
    }

    private mutating func perform(
        _ send: SCXMLSend,
        _ machine: inout Machine,
        _ occasion: Occasion
    ) throws(ScriptError) -> Bool {
        let name = try text(send.event, machine, occasion) ?? ""
        let target = try text(send.target, machine, occasion) ?? ""
        let type = try text(send.type, machine, occasion) ?? ""
        let wait = try text(send.delay, machine, occasion) ?? "0ms"
        var id = send.id?.text
        if let location = send.idLocation {
            id = newSendID()
            try scope.assign(location.text, .text(id ?? ""))
        }
        guard let delay = SCXMLSend.microseconds(wait) else { throw ScriptError("'\(wait)' is no delay") }
        let data = try payload(send.parameters, &machine, occasion)
        guard ["", "scxml", Self.processor].contains(type) else {
            fail(ScriptError("no processor of type '\(type)'"), in: "send", of: &machine, sendID: id)
            return false
        }
        switch target {
        case "#_internal":
            let details = MachineEventDetails(type: "internal", data: data, sendID: id)
            machine.raise(MachineEvent(name, data: note(details)))
        case "", "#_scxml_" + Self.session:
            let details = MachineEventDetails(type: "external", data: data, sendID: id, isOwn: true)
            let event = MachineEvent(name, data: note(details))
            let delay = Interval(microseconds: delay)
            machine.send(event, after: delay, id: id, on: &clock)
        case let other:
            let error = ScriptError("no session is at '\(other)'")
            if other.hasPrefix("#_") {
                fail(error, in: "send", of: &machine, event: "error.communication", sendID: id)
            } else {
                fail(error, in: "send", of: &machine, sendID: id)
                return false
            }
        }
        return true
    }
}
