import ArgumentParser
import SkerryCommand
import SkerryDevice
import SkerrySimulation
import SkerryTesting

/// `skerry-simulate`, which `skerry simulate` runs: a bridge in simulated worlds with faults of all kinds.
@main
struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skerry simulate",
        abstract: "Run the bridge in worlds in which everything goes wrong.",
        discussion: """
            One seed makes a world: dozens of devices, a broker that loses, repeats, delays and reorders, a disk that \
            refuses to write, crashes, and a wall clock that is set. The bridge in it is the real one. Every step is \
            judged; after a quiet time, readers must see what they would have seen without any fault.

              skerry simulate --seeds 100             the worlds 0 to 99
              skerry simulate --seed 7                world 7 alone, with what went wrong in it
              skerry simulate --seed 7 --steps 40     only its first 40 steps, then quiet

            A world that fails is printed with its last events, and then shortened as far as it still fails.
            Exit status: 0 when all is well, 1 otherwise.
            """
    )

    static func main() {
        Terminal.openStandardStreams()
        main(nil)
    }

    @Option(help: "The first seed.")
    var seed: UInt64 = 0

    @Option(help: "How many seeds, one after the other.")
    var seeds: UInt64 = 1

    @Option(help: "How many steps with faults a world has.")
    var steps: Int = 300

    @Option(
        help: ArgumentHelp(
            "A kind of fault that may fire; may be given several times. Without it, all may: "
                + Fault.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            valueName: "kind"
        ),
        transform: { text in
            guard let fault = Fault(rawValue: text) else {
                throw ValidationError(
                    "--fault takes one of \(Fault.allCases.map(\.rawValue).joined(separator: ", "))"
                )
            }
            return fault
        }
    )
    var fault: [Fault] = []

    @Option(name: [.short, .long], help: "A file or folder of definitions; may be given several times.")
    var definitions: [String] = ["devices"]

    mutating func validate() throws {
        guard (1...1_000_000).contains(seeds) else { throw ValidationError("--seeds is 1 to 1000000") }
        guard (1...1_000_000).contains(steps) else { throw ValidationError("--steps is 1 to 1000000") }
    }

    func run() throws {
        let compiled =
            try DefinitionLoading.load(definitions).filter { SimulatedHousehold.kinds.contains($0.kind) }
            + World.ownDefinitions()
        let faults = fault.isEmpty ? Set(Fault.allCases) : Set(fault)
        var counts = FaultCounts()
        var (revisions, timerEnds) = (0, 0)
        for offset in 0..<seeds {
            let plan = WorldPlan(seed: seed &+ offset, steps: steps, faults: faults)
            let outcome = World.run(plan, definitions: compiled)
            counts.add(outcome.faults)
            revisions += outcome.revisions
            timerEnds += outcome.timerEnds
            if let violation = outcome.violation {
                if Terminal.errorIsTerminal { Terminal.complain("\r") }
                tell(violation, of: outcome, plan: plan, definitions: compiled)
                throw ExitCode.badInput
            }
            if Terminal.errorIsTerminal { Terminal.complain("\r\(offset + 1) of \(seeds) worlds") }
        }
        if Terminal.errorIsTerminal { Terminal.complain("\r") }
        let worlds = seeds == 1 ? "world \(seed)" : "worlds \(seed) to \(seed &+ seeds - 1)"
        print("\(worlds) passed: \(revisions) revisions, \(timerEnds) timers, and these faults fired:")
        print(counts.line)
    }

    private func tell(
        _ violation: Violation,
        of outcome: WorldOutcome,
        plan: WorldPlan,
        definitions: [Definition]
    ) {
        print("seed \(plan.seed) fails at step \(outcome.step): \(violation.judge): \(violation.message)")
        Terminal.complain("looking for a shorter one…\n")
        let short = Shrinking.shrink(plan, judge: violation.judge, definitions: definitions)
        let again = World.run(short, definitions: definitions)
        for event in again.lastEvents { print("  \(event)") }
        if let violation = again.violation {
            print("step \(again.step): \(violation.judge): \(violation.message)")
        }
        var command = "skerry simulate --seed \(short.seed) --steps \(short.steps)"
        if short.faults.count < Fault.allCases.count {
            for fault in Fault.allCases where short.faults.contains(fault) {
                command += " --fault \(fault.rawValue)"
            }
        }
        print("again: \(command)")
    }
}
