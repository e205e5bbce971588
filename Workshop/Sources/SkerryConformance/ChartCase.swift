import SkerryImport
import SkerryMachine
import SkerryValues

/// A machine with the events of a case, played in virtual time.
struct ChartCase {
    /// The most deadlines handled between two events; a case with more fails.
    private static let deadlineLimit = 10_000

    private var host: ChartHost
    private var machine = Machine()
    private var now = Timestamp(seconds: 0)

    private init(_ document: SCXMLDocument) throws(StatechartProblem) {
        host = try ChartTranslation.host(of: document)
    }

    /// Runs a case; nil when it passes, otherwise the expected and the actual result.
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

    /// Handles the first deadline; false if there was none.
    private mutating func fireNext() -> Bool {
        machine.fire(upTo: now, host: &host) != nil
    }

    /// The difference between the configuration and the expected one; nil when there is none.
    ///
    /// Events that the machine sends itself without delay are handled at the same moment, in further macrosteps. Cases
    /// compare before or between these macrosteps, so the expected configuration only has to appear after one of them.
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

    /// The sorted names of the active states without children.
    private var active: [String] {
        machine.activeAtomicStates(in: host.chart).map { host.chart.states[Int($0.rawValue)].name }.sorted()
    }
}
