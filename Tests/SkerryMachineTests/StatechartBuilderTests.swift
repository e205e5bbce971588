import SkerryTesting
import SkerryMachine
import SkerryValues
import Testing

@Suite struct StatechartBuilderTests {
    struct Broken: Sendable, CustomTestStringConvertible {
        var testDescription: String { "\(reason)" }
        var reason: StatechartProblem.Reason
        var state: UInt16?
        var transition: UInt16?
        var name = ""
        var build: @Sendable (inout StatechartBuilder) -> Void
    }

    static let broken = [
        Broken(reason: .tooManyStates) { builder in
            for number in 0..<256 { builder.addState("s\(number)") }
        },
        Broken(reason: .duplicateName, state: 2, name: "a") { builder in
            builder.addState("a")
            builder.addState("a")
        },
        Broken(reason: .duplicateName, state: 1) { $0.addState("") },
        Broken(reason: .parentNotOpen, state: 3) { builder in
            let a = builder.addState("a")
            builder.addState("b")
            builder.addState("a1", in: a)
        },
        Broken(reason: .parentNotOpen, state: 1) { $0.addState("a", in: StateID(rawValue: 9)) },
        Broken(reason: .parentCanNotHaveChildren, state: 2) { builder in
            let a = builder.addState("a", kind: .final)
            builder.addState("b", in: a)
        },
        Broken(reason: .noSuchState, state: 1, transition: 0, name: "b") { builder in
            let a = builder.addState("a")
            builder.addTransition(from: a, on: .always, to: ["b"])
        },
        Broken(reason: .noSuchState, state: 1, name: "x") { builder in
            let a = builder.addState("a", initial: ["x"])
            builder.addState("b", in: a)
        },
        Broken(reason: .noSuchState, transition: 0) { builder in
            builder.addTransition(from: StateID(rawValue: 40), on: .always)
        },
        Broken(reason: .targetNotInside, state: 1, name: "c") { builder in
            let a = builder.addState("a", initial: ["c"])
            builder.addState("b", in: a)
            builder.addState("c")
        },
        Broken(reason: .targetNotInside, state: 1, name: "a") { builder in
            let a = builder.addState("a", initial: ["a"])
            builder.addState("b", in: a)
        },
        Broken(reason: .initialWithoutChildren, state: 1) { $0.addState("a", initial: ["a"]) },
        Broken(reason: .historyWithoutDefault, state: 2) { builder in
            builder.addState("a")
            builder.addState("h", kind: .history(deep: false))
        },
        Broken(reason: .targetIsHistory, state: 1, name: "h2") { builder in
            builder.addState("h", kind: .history(deep: true), initial: ["h2"])
            builder.addState("h2", kind: .history(deep: true), initial: ["a"])
            builder.addState("a")
        },
        Broken(reason: .onlyHistoryChildren, state: 1) { builder in
            let a = builder.addState("a")
            builder.addState("h", in: a, kind: .history(deep: false), initial: ["h"])
        },
        Broken(reason: .emptyParallel, state: 1) { $0.addState("p", kind: .parallel) },
        Broken(reason: .targetsExcludeEachOther, state: 1, transition: 0, name: "b") { builder in
            let a = builder.addState("a")
            builder.addState("b")
            builder.addTransition(from: a, on: .always, to: ["a", "b"])
        },
        Broken(reason: .targetsExcludeEachOther, state: 3, transition: 0, name: "a1") { builder in
            let a = builder.addState("a")
            builder.addState("a1", in: a)
            let b = builder.addState("b")
            builder.addTransition(from: b, on: .always, to: ["a", "a1"])
        },
        Broken(reason: .transitionNotAllowed, state: 1, transition: 0) { builder in
            let a = builder.addState("a", kind: .final)
            builder.addTransition(from: a, on: .always)
        },
        Broken(reason: .sustainedWithoutGuard, state: 1, transition: 0) { builder in
            let a = builder.addState("a")
            builder.addTransition(from: a, on: .sustained(for: .seconds(1), dropout: .zero))
        },
        Broken(reason: .noEvents, state: 1, transition: 0) { builder in
            let a = builder.addState("a")
            builder.addTransition(from: a, on: .event([]))
        },
    ]

    @Test(arguments: broken)
    func `reports the mistake and its place`(_ broken: Broken) throws {
        var builder = StatechartBuilder()
        broken.build(&builder)
        let problem = try #require(builder.problems().first)
        #expect(problem.reason == broken.reason)
        #expect(problem.state?.rawValue == broken.state)
        #expect(problem.transition?.rawValue == broken.transition)
        #expect(problem.name == broken.name)
        #expect(throws: problem) { try builder.build() }
    }

    @Test func `tells of all problems at once`() {
        var builder = StatechartBuilder()
        let a = builder.addState("a")
        builder.addState("p", kind: .parallel)
        builder.addTransition(from: a, on: .always, to: ["x"])
        builder.addTransition(from: a, on: .always, to: ["y"])
        #expect(builder.problems().map(\.reason) == [.emptyParallel, .noSuchState, .noSuchState])
    }

    @Test func `255 states and the root fit`() throws {
        var builder = StatechartBuilder()
        for number in 1..<255 { builder.addState("s\(number)") }
        let last = builder.addState("last")
        builder.addTransition(from: StateID(rawValue: 1), on: .event(["go"]), to: ["last"])
        var world = try Playground(builder)
        world.start()
        world.send("go")
        #expect(world.machine.isActive(last))
        #expect(world.active == ["last"])
        #expect(world.machine.enteredAt(last) == moment(0))
    }

    @Test func `names are found`() throws {
        var builder = StatechartBuilder()
        let a = builder.addState("a")
        let timer = builder.addTimer("t")
        #expect(builder.addTimer("t") == timer)
        let chart = try builder.build()
        #expect(chart.state(named: "a") == a)
        #expect(chart.state(named: "b") == nil)
        #expect(chart.timer(named: "t") == timer)
        #expect(chart.timer(named: "u") == nil)
    }

    @Test(arguments: [
        ("foo", "foo", true), ("foo", "foo.bar", true), ("foo", "foobar", false), ("foo", "fo", false),
        ("foo.bar", "foo.bar.baz", true), ("foo.bar", "foo", false), ("*", "anything.at.all", true),
        ("foo.*", "foo", true), ("foo.*", "foo.bar", true), ("foo.", "foo.bar", true),
        ("foo.*", "foobar", false),
        ("FOO", "foo", false), ("a*", "ab", false), (".*", ".x", false), ("\u{e9}", "e\u{301}", false),
    ])
    func `descriptors match whole tokens from the left`(
        descriptor: String,
        event: String,
        matches: Bool
    ) throws {
        var world = try Playground { builder in
            let a = builder.addState("a")
            builder.addTransition(from: a, on: .event(["unlikely", descriptor]), actions: does(1))
        }
        world.start()
        world.send(event)
        #expect(world.last.changed == matches)
    }
}

private func does(_ number: UInt16) -> [Statechart.Action] { [.host(number)] }

@Suite struct StateSetTests {
    @Test func `agrees with a set of numbers`() {
        for seed in UInt64(0)..<30 {
            var random = SimulatedRandom(seed: seed)
            var set = StateSet()
            var model: Set<UInt16> = []
            for _ in 0..<300 {
                let number = UInt16.random(in: 0..<256, using: &random)
                let state = StateID(rawValue: number)
                if Bool.random(using: &random) {
                    #expect(set.insert(state) == model.insert(number).inserted)
                } else {
                    set.remove(state)
                    model.remove(number)
                }
                #expect(set.contains(state) == model.contains(number))
                #expect(set.rank(of: state) == model.count { $0 < number })
            }
            #expect(set.map(\.rawValue) == model.sorted())
            #expect(set.count == model.count)
            #expect(set.first?.rawValue == model.min())
            #expect(set.last?.rawValue == model.max())
            var other = StateSet()
            for number in UInt16(100)..<200 { other.insert(StateID(rawValue: number)) }
            let hundreds = Set(UInt16(100)..<200)
            #expect(set.intersection(other).map(\.rawValue) == model.intersection(hundreds).sorted())
            #expect(set.subtracting(other).map(\.rawValue) == model.subtracting(hundreds).sorted())
            #expect(set.intersects(other) == !model.isDisjoint(with: hundreds))
            #expect(set.isSubset(of: other) == model.isSubset(of: hundreds))
        }
        #expect(StateSet().isEmpty)
        #expect(StateSet().first == nil)
        #expect(StateSet().last == nil)
    }
}
