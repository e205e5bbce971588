import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryValues
import Testing

/// What devices foretell, compared with what comes when they only say again what they said.
@Suite("Timelines")
struct TimelineTests {
    /// Something that readers see of one activity; nil when it goes.
    struct Sight {
        var at: Timestamp
        var update: ActivityUpdate?

        func looksLike(_ entry: ActivityTimeline.Entry) -> Bool {
            guard let update, entry.phase != nil else { return update == nil && entry.phase == nil }
            return update.phase == entry.phase && update.state == entry.state
                && Value.map(update.content).isSameJSON(as: .map(entry.content))
        }
    }

    /// The timelines of all devices that are heard of.
    static func timelines(of engine: Engine) -> [ActivityTimeline] {
        var names: [(kind: String, name: String)] = []
        engine.forEachDevice { kind, device in names.append((kind, device.name)) }
        return names.compactMap { kind, name in
            guard let known = engine.device(kind: kind, named: name), known.device.activity?.phase != .stale
            else { return nil }
            return engine.timeline(kind: kind, device: name)
        }
    }

    /// What is seen of each activity while devices are never silent and say nothing new.
    static func live(_ engine: Engine, for length: Interval) -> [String: [Sight]] {
        var engine = engine
        var sights: [String: [Sight]] = [:]
        let end = engine.now + length
        while engine.now < end {
            var effects: [Effect] = []
            for device in ["a", "b", "c"] {
                for room in ["hall", "bath"] {
                    let step = Step.say("home/\(room)/\(device)/state", "{}", at: engine.now)
                    effects += engine.handle(step.input, at: step.at)
                }
            }
            effects += engine.handle(.timePassed, at: engine.now + .seconds(20))
            for effect in effects {
                switch effect.what {
                case .update(let update):
                    sights[update.id, default: []].append(Sight(at: update.at, update: update))
                case .dismissed(let id): sights[id, default: []].append(Sight(at: effect.at))
                case .foretold, .moved, .availability, .forgotten, .publication, .refused, .fault: break
                }
            }
        }
        return sights
    }

    /// What is not as foretold.
    static func difference(_ timeline: ActivityTimeline, _ sights: [Sight]) -> String? {
        for entry in timeline.entries.dropFirst() {
            guard let seen = sights.last(where: { $0.at <= entry.date }), seen.looksLike(entry) else {
                return "\(entry) does not come"
            }
        }
        let end: Timestamp =
            switch timeline.policy {
            case .atEnd: timeline.entries.last?.date ?? .distantPast
            case .after(let moment): moment
            case .never: .distantFuture
            }
        for (place, sight) in sights.enumerated() {
            let shown = sight.at + ActivityTimeline.shortestStep
            if shown >= end || place + 1 < sights.count && sights[place + 1].at <= shown { continue }
            let entry = timeline.entries.last { $0.date <= shown }
            if entry.map({ sight.looksLike($0) }) != true { return "\(sight) was not foretold" }
        }
        return nil
    }

    @Test("A wait that moves with the wall clock moves the forecast that readers have")
    func afterStep() throws {
        let kettle = try definition(
            """
            skerry: 1
            kind: kettle
            sources:
              - { topic: "k/{device}", signals: { on: payload.on } }
            machine:
              initial: off
              states:
                off: { always: { guard: on, target: hot } }
                hot: { after: { 20m: warm } }
                warm: { after: { 20m: off } }
            activity: { starts: hot, ends: off, content: { status: state } }
            """
        )
        var engine = Engine([kettle])
        _ = engine.handle(Playground.message("k/a", #"{"on":true}"#), at: second(0))
        let told = engine.clockSet(by: .hours(1), at: second(3600)).compactMap { effect -> Timestamp? in
            if case .foretold(let timeline?) = effect.what { timeline.entries[1].date } else { nil }
        }
        #expect(told == [second(3600 + 1200)])
    }

    @Test(
        "forecasts come true, and nothing else happens, in 400 histories",
        arguments: 0..<4 as Range<UInt64>
    )
    func foretold(part: UInt64) throws {
        let definitions = try Traffic.definitions.map(definition)
        var entries = 0
        for seed in part * 100..<(part + 1) * 100 {
            var engine = Engine(definitions)
            _ = engine.take(Traffic.steps(seed: seed, count: Int(5 + seed % 25)))
            let timelines = Self.timelines(of: engine)
            let sights = Self.live(engine, for: .hours(1))
            for timeline in timelines {
                entries += timeline.entries.count - 1
                if let difference = Self.difference(timeline, sights[timeline.id] ?? []) {
                    Issue.record("seed \(seed), \(timeline.id): \(difference)")
                }
            }
        }
        #expect(entries > 40, "there is something to foretell")
    }

    @Test("a forecast comes true within a minute or is published again", arguments: 0..<4 as Range<UInt64>)
    func promises(part: UInt64) throws {
        let definitions = try Traffic.definitions.map(definition)
        var promises = 0
        for seed in part * 100..<(part + 1) * 100 {
            var engine = Engine(definitions)
            var steps = Traffic.steps(seed: seed, count: 60)
            steps.append(.wait(until: steps[59].at + .hours(10)))
            var due: [String: Timestamp] = [:]
            for step in steps {
                for effect in engine.handle(step.input, at: step.at) {
                    let device = "\(effect.kind)/\(effect.device)"
                    switch effect.what {
                    case .update: due[device] = due[device].map { _ in effect.at }
                    case .dismissed: due[device] = due[device].map { _ in .distantPast }
                    case .foretold(let timeline):
                        promises += 1
                        due[device] = timeline?.entries[1].date
                        #expect(timeline?.foretells ?? true)
                    case .moved, .availability, .forgotten, .publication, .refused, .fault: break
                    }
                }
                for (device, date) in due where date + .minutes(1) < step.at {
                    Issue.record(
                        "seed \(seed): \(device) should have changed at \((date - second(0)).inSeconds)"
                    )
                }
            }
        }
        #expect(promises > 1000)
    }
}
