import SkerryImport
import SkerryMachine
import SkerryValues

/// A machine with the events of a case, played in virtual time.
struct ChartCase {
    /// Deadlines handled between two events; a case with more is given up.
    private static let deadlineLimit = 10_000

    private var host: ChartHost
    private var machine = Machine()
    private var now = Timestamp(seconds: 0)

    private init(_ document: SCXMLDocument) throws(StatechartProblem) {
        host = try ChartTranslation.host(of: document)
    }

    /// Plays a case; nil when it passes, else what was expected and what came out.
    static func failure(of json: Value, file: @escaping (String) -> String?) -> String? {
        let document = ChartDocument(file: file).document(of: json["machine"] ?? .null)
        do throws(StatechartProblem) {
            var one = try ChartCase(document)
            return one.play(json["script"] ?? .null)
        } catch {
            return "expected a machine, got \(error.reason) '\(error.name)'"
        }
    }

    private mutating func play(_ script: Value) -> String? {
        _ = machine.start(host: &host)
        if let difference = difference(from: script["initialConfiguration"], after: "the start") {
            return difference
        }
        for step in script["events"]?.elements ?? [] {
            if case .int(let wait)? = step["after"] ?? step["delayBefore"] {
                now = now + .milliseconds(wait)
            }
            fireDue()
            host.clock.now = now
            let name = step["event"]?["name"]?.word ?? ""
            let data = host.note(
                MachineEventDetails(
                    type: "external",
                    data: step["event"]?["data"].map { ScriptValue($0) } ?? .undefined
                )
            )
            _ = machine.handle(event: name, data: data, host: &host)
            if let difference = difference(from: step["nextConfiguration"], after: name) { return difference }
        }
        return nil
    }

    private mutating func fireDue() {
        var count = 0
        while count < Self.deadlineLimit, fireNext() { count += 1 }
    }

    /// Handles the deadline that is due first; whether there was one.
    private mutating func fireNext() -> Bool {
        machine.fire(upTo: now, host: &host) != nil
    }

    /// How the configuration differs from what is expected; nil when it does not.
    ///
    /// What the machine sends itself without delay comes at the same moment, in macrosteps of its own. Cases look
    /// before it comes, or after some of it: what is expected must be so when the machine rests between two of these.
    private mutating func difference(from expected: Value?, after event: String) -> String? {
        let wanted = (expected?.elements ?? []).compactMap { $0.word }.sorted()
        var count = 0
        while wanted != active {
            count += 1
            guard count < Self.deadlineLimit, fireNext() else {
                return "after \(event): expected \(wanted), got \(active)"
            }
        }
        return nil
    }

    /// The names of the active states without children, sorted.
    private var active: [String] {
        machine.activeAtomicStates(in: host.chart).map { host.chart.states[Int($0.rawValue)].name }.sorted()
    }
}
