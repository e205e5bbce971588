import SkerryTesting
import SkerryMachine
import Testing

/// Random charts with everything in them.
private struct RandomChart {
    var random: SimulatedRandom
    var builder = StatechartBuilder()
    var names: [String] = []
    var sources: [StateID] = []

    init(seed: UInt64) { random = SimulatedRandom(seed: seed) }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func build() -> StatechartBuilder {
        addChildren(of: .root, depth: 0, isParallel: false)
        let events = ["e1", "e1", "e2", "e2", "e3", "e3", "r1", "r2"] + names.map { "done.state." + $0 }
        for number in UInt16(0)..<UInt16.random(in: 10...40, using: &random) {
            guard let source = sources.randomElement(using: &random) else { continue }
            var targets: [String] = []
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                if let name = names.randomElement(using: &random) { targets.append(name) }
            }
            var trial = builder
            let event = events.randomElement(using: &random) ?? "e1"
            let isEventless = chance(15)
            trial.addTransition(
                from: chance(5) ? .root : source,
                on: isEventless ? .always : .event([event]),
                if: isEventless || chance(30) ? named(UInt16.random(in: 0..<6, using: &random)) : nil,
                to: targets,
                actions: [.host(1000 + number)] + (chance(20) ? [.raise(chance(50) ? "r1" : "r2")] : []),
                isInternal: chance(30)
            )
            if trial.problems().isEmpty { builder = trial }
        }
        return builder
    }

    private mutating func addChildren(of parent: StateID, depth: Int, isParallel: Bool) {
        var first: String?
        for _ in 0..<Int.random(in: 2...3, using: &random) {
            let name = "s\(names.count)"
            let actions = UInt16(names.count)
            let roll = Int.random(in: 0..<100, using: &random)
            if roll < 12, let first, !isParallel || depth > 0 {
                names.append(name)
                builder.addState(
                    name,
                    in: parent,
                    kind: .history(deep: chance(50)),
                    initial: [first],
                    initialActions: [.host(300 + actions)]
                )
                continue
            }
            let isFinal = roll < 25 && !isParallel && first != nil && (depth > 0 || roll < 15)
            let regions = roll > 75 && depth < 3
            let holds = roll > 45 && depth < 3
            names.append(name)
            if first == nil { first = name }
            let state = builder.addState(
                name,
                in: parent,
                kind: isFinal ? .final : regions ? .parallel : .state,
                initialActions: !isFinal && !regions && holds ? [.host(400 + actions)] : [],
                entry: [[.host(100 + actions)]],
                exit: [[.host(200 + actions)] + (chance(8) ? [.raise("r2")] : [])]
            )
            if isFinal { continue }
            sources.append(state)
            if regions || holds { addChildren(of: state, depth: depth + 1, isParallel: regions) }
        }
    }
}

@Suite struct RandomChartTests {
    @Test func `random charts behave like the specification's algorithm`() throws {
        var compared = 0
        var moved = 0
        var parallel = 0
        for seed in UInt64(0)..<120 {
            var chartMaker = RandomChart(seed: seed)
            var builder = chartMaker.build()
            builder.limits.microsteps = 300
            guard builder.problems().isEmpty else { continue }
            let chart = try builder.build()
            var random = SimulatedRandom(seed: ~seed)
            var switches: [UInt16: Bool] = [:]
            for number in UInt16(0)..<6 { switches[number] = Int.random(in: 0..<3, using: &random) == 0 }
            var reference = ReferenceInterpreter(chart, switches: switches)
            var host = SwitchHost(chart)
            host.switches = switches
            var machine = Machine()
            reference.start()
            var outcome = machine.start(host: &host)
            for step in 0..<40 {
                // An endless loop puts the machine back, which the specification does not know.
                if outcome.fault != nil || reference.microsteps >= 300 { break }
                let active = machine.activeAtomicStates(in: chart).map { Int($0.rawValue) }
                #expect(active == reference.atomic, "seed \(seed), step \(step)")
                #expect(host.log == reference.log, "seed \(seed), step \(step)")
                #expect(machine.isFinished == !reference.running, "seed \(seed), step \(step)")
                if active != reference.atomic || host.log != reference.log { return }
                compared += 1
                if outcome.changed { moved += 1 }
                if active.count > 1 { parallel += 1 }
                let event = ["e1", "e2", "e3"].randomElement(using: &random) ?? ""
                if machine.isFinished { break }
                reference.microsteps = 0
                reference.handle(event)
                outcome = machine.handle(event: event, host: &host)
            }
        }
        #expect(compared > 1500 && moved > 400 && parallel > 400, "\(compared), \(moved), \(parallel)")
        print("random charts: \(compared) steps compared, \(moved) moved, \(parallel) in parallel states")
    }
}
