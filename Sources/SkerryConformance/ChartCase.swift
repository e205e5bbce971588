import SkerryImport
import SkerryMachine
import SkerryValues

/// A machine with the events of a case, played in virtual time.
struct ChartCase {
    /// Deadlines handled between two events; a case with more is given up.
    private static let deadlineLimit = 10_000

    private let chart: Statechart
    private var host: ChartHost
    private var machine = Machine()
    private var now = Timestamp(seconds: 0)
    private var sequence: UInt64 = 0

    private init(_ document: SCXMLDocument) throws(StatechartProblem) {
        (chart, host) = try ChartTranslation.chart(of: document)
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
        _ = machine.start(chart: chart, host: &host, at: now, sequence: &sequence)
        fireDue()
        if let difference = difference(from: script["initialConfiguration"], after: "the start") {
            return difference
        }
        for step in script["events"]?.elements ?? [] {
            if case .int(let wait)? = step["after"] {
                now = now + .milliseconds(wait)
                fireDue()
            }
            let name = step["event"]?["name"]?.word ?? ""
            let data = host.note(
                MachineEventDetails(
                    type: "external",
                    data: step["event"]?["data"].map { ScriptValue($0) } ?? .undefined
                )
            )
            _ = machine.handle(
                event: name,
                data: data,
                chart: chart,
                host: &host,
                at: now,
                sequence: &sequence
            )
            fireDue()
            if let difference = difference(from: step["nextConfiguration"], after: name) { return difference }
        }
        return nil
    }

    private mutating func fireDue() {
        var count = 0
        while count < Self.deadlineLimit,
            machine.fire(upTo: now, chart: chart, host: &host, sequence: &sequence) != nil
        { count += 1 }
    }

    private func difference(from expected: Value?, after event: String) -> String? {
        let wanted = (expected?.elements ?? []).compactMap { $0.word }.sorted()
        let active = machine.activeAtomicStates(in: chart).map { chart.states[Int($0.rawValue)].name }
            .sorted()
        if wanted == active { return nil }
        return "after \(event): expected \(wanted), got \(active)"
    }
}
