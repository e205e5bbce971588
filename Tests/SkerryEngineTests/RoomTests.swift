import SkerryActivity
import SkerryDevice
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryEngine

/// Who makes room for new devices, and what values may take.
@Suite("Room for devices and values")
struct RoomTests {
    private static func door(_ kind: String = "door") throws -> Definition {
        try definition(
            """
            skerry: 1
            kind: \(kind)
            sources:
              - { topic: "\(kind)/{device}/word", payload: text, signals: { word: payload } }
              - { topic: "\(kind)/{device}/LWT", payload: text, available: payload == "online" }
              - { topic: "\(kind)/{device}/json", signals: { list: payload.list, unread: payload.unread } }
            context: { heap: "[]" }
            machine:
              initial: shut
              states:
                shut:
                  always: { guard: word == "open", target: open }
                  after: { 1h: late }
                  on: { pile: { actions: { assign: { heap: "[context.heap, context.heap]" } } } }
                open:
                  always: { guard: word == "shut", target: shut }
                  on: { dig: { actions: { assign: { heap: "[context.heap]" } } } }
                late: { always: { guard: size(list) > 5, target: shut } }
            activity: { starts: open, ends: shut, attributes: { list: list }, content: { state: state, heap: "[context.heap]" }, dismiss: immediate }
            """
        )
    }

    @Test("A new device replaces the one without a run that was silent longest")
    func replacement() throws {
        var engine = Engine([try Self.door()], limits: limits(devices: 3, newDevices: 100))
        _ = engine.say("door/shown/word", "open")
        _ = engine.say("door/shown/word", "shut", at: 1)
        _ = engine.say("door/a/LWT", "online", at: 2)
        _ = engine.say("door/b/word", "-", at: 3)
        _ = engine.say("door/a/word", "-", at: 4)
        #expect(engine.say("door/c/word", "-", at: 5) == ["5 door/b forgotten", "5 door/c  > shut"])
        #expect(
            engine.say("door/d/word", "-", at: 6) == [
                "6 door/a forgotten and its availability", "6 door/d  > shut",
            ]
        )
        #expect(engine.deviceCount == 3 && engine.counters.replaced == 2 && engine.counters.beyondLimit == 0)
        // Its topic is known, but belongs to a device that is gone: it begins anew in the place of another.
        #expect(
            engine.say("door/b/word", "open", at: 7).prefix(2) == ["7 door/c forgotten", "7 door/b  > open"]
        )
        #expect(engine.signal("word", of: "d", kind: "door") == #""-""#)
        #expect(engine.device(kind: "door", named: "a") == nil)
        #expect(engine.say("door/shown/word", "open", at: 8).first == "8 door/shown shut > open")
    }

    /// The cache of topics is emptied when the count of devices at a place begins again, after 65,536.
    @Test("Two names that replace each other 70,000 times do no harm")
    func manyReplacements() throws {
        var engine = Engine([try Self.door()], limits: limits(devices: 1, newDevices: 100_000_000))
        for number in 0..<70_000 {
            let topic = number % 2 == 0 ? "door/a/word" : "door/b/word"
            _ = engine.handle(Playground.message(topic, "-"), at: second(0))
        }
        #expect(engine.counters.replaced == 69_999 && engine.deviceCount == 1)
        #expect(engine.brokenInvariant() == nil)
    }

    @Test("Deadlines of a removed device do not fire, those of the new one do")
    func deadlines() throws {
        var engine = Engine([try Self.door()], limits: limits(devices: 1, newDevices: 100))
        _ = engine.say("door/a/word", "-")
        _ = engine.say("door/b/word", "-", at: 1800)
        #expect(engine.take([.wait(until: second(3601))]) == [])
        #expect(engine.take([.wait(until: second(5400))]) == ["5400 door/b shut > late"])
    }

    @Test("When all devices have had a run, a new one is counted and not used; the others go on")
    func full() throws {
        var engine = Engine([try Self.door()], limits: limits(devices: 2, newDevices: 100))
        for name in ["a", "b"] { _ = engine.say("door/\(name)/word", "open") }
        #expect(engine.say("door/c/word", "open") == [])
        #expect(engine.counters.beyondLimit == 1)
        let nobody = engine.forget(kind: "door", device: "x", at: second(1))
        #expect(nobody == nil)
        let told = engine.forget(kind: "door", device: "a", at: second(1)) ?? []
        let lines = told.map(\.line)
        #expect(lines.first?.contains(#""phase":"ended""#) == true)
        #expect(lines.last == "1 door/a forgotten")
        #expect(engine.say("door/c/word", "open", at: 2).first == "2 door/c  > open")
        #expect(engine.say("door/b/word", "shut", at: 3).first == "3 door/b open > shut")
        #expect(engine.deviceCount == 2)
    }

    @Test("A device that comes back after it was forgotten has runs with other ids")
    func nextRun() throws {
        var engine = Engine([try Self.door()])
        _ = engine.say("door/a/word", "open")
        let id = engine.device(kind: "door", named: "a")?.device.activity?.id
        _ = engine.forget(kind: "door", device: "a", at: second(0))
        _ = engine.say("door/a/word", "open")
        let next = engine.device(kind: "door", named: "a")?.device.activity?.id
        #expect(id != nil && next != nil && id != next)
        _ = engine.say("door/new/word", "-")
        #expect(engine.device(kind: "door", named: "new")?.device.wasShown == false)
    }

    @Test(
        "Up to the limit devices are replaced at once; further ones are spread over the minute"
    )
    func rate() throws {
        var engine = Engine([try Self.door()], limits: limits(devices: 5, newDevices: 60))
        for number in 0..<200 { _ = engine.say("door/\(number)/word", "-") }
        #expect(engine.counters.replaced == 60 && engine.counters.beyondLimit == 135)
        for number in 200..<210 { _ = engine.say("door/\(number)/word", "-", at: 3) }
        #expect(engine.counters.replaced == 63)
        for number in 210..<400 { _ = engine.say("door/\(number)/word", "-", at: 1000) }
        #expect(engine.counters.replaced == 123)
        _ = engine.clockSet(by: .hours(-5), at: second(-17000))
        for number in 400..<500 { _ = engine.say("door/\(number)/word", "-", at: -16990) }
        #expect(engine.counters.replaced > 123, "a clock that is set back locks nobody out")
    }

    @Test("A name that is too long makes no device")
    func longName() throws {
        var limits = EngineLimits()
        limits.nameBytes = 10
        var engine = Engine([try Self.door()], limits: limits)
        for _ in 0..<2 { #expect(engine.say("door/12345678901/word", "open") == []) }
        #expect(engine.deviceCount == 0 && engine.counters.beyondLimit == 2)
        #expect(engine.say("door/1234567890/word", "open") != [])
    }

    @Test("A random household, compared with a list", arguments: 0..<20 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var random = SimulatedRandom(seed: seed)
        let limit = 1 + Int.random(in: 0..<6, using: &random)
        let definitions = [try Self.door("door"), try Self.door("gate")]
        var bounds = limits(devices: limit, topics: seed % 2 == 0 ? 3 : 1000, newDevices: 1_000_000)
        bounds.topics = seed % 2 == 0 ? 3 : 1000
        var engine = Engine(definitions, limits: bounds)
        /// The unshown, the one heard of last at the end, and the others.
        var unseen: [String] = []
        var shown: [String] = []
        for number in 0..<600 {
            if number % 8 == 0 { #expect(engine.brokenInvariant() == nil, "step \(number)") }
            let kind = random.pick(["door", "gate"])
            let name = random.pick(["a", "b", "c", "d", "e", "f", "g", "h"])
            let key = "\(kind)/\(name)"
            let time = Double(number)
            if random.chance(1, of: 12) {
                let isThere = unseen.contains(key) || shown.contains(key)
                let effects = engine.forget(kind: kind, device: name, at: second(time))
                #expect((effects != nil) == isThere)
                unseen.removeAll { $0 == key }
                shown.removeAll { $0 == key }
                continue
            }
            if random.chance(1, of: 60) {
                let change = engine.change(
                    to: [definitions[0], try Self.door("gate")],
                    at: second(time)
                )
                #expect(change.ended.isEmpty)
            }
            let opens = random.chance(1, of: 25)
            _ = engine.say("\(key)/word", opens ? "open" : "shut", at: time)
            if shown.contains(key) { continue }
            if let place = unseen.firstIndex(of: key) {
                unseen.remove(at: place)
            } else if unseen.count + shown.count == limit {
                if unseen.isEmpty { continue }
                unseen.removeFirst()
            }
            if opens { shown.append(key) } else { unseen.append(key) }
            var names: [String] = []
            engine.forEachDevice { kind, device in names.append("\(kind)/\(device.name)") }
            try #require(names.sorted() == (unseen + shown).sorted(), "step \(number)")
        }
        #expect(engine.counters.replaced > 0 || limit > 5)
    }

    // MARK: Values

    private func list(_ count: Int) -> String {
        #"{"list":["# + Array(repeating: "[1]", count: count).joined(separator: ",") + "]}"
    }

    @Test("A value that is too large is counted and reported, and the previous one stays")
    func largeValue() throws {
        var engine = Engine([try Self.door()])
        _ = engine.say("door/a/json", #"{"list":[7]}"#)
        let told = engine.say("door/a/json", list(60_000), at: 1)
        #expect(
            told == [
                "1 door/a fault: the value of 'list' is larger than 65536 bytes; the previous value stays"
            ]
        )
        #expect(engine.signal("list", of: "a", kind: "door") == "[7]")
        #expect(engine.counters.refusedValues == 1 && engine.storage == 56)
        _ = engine.say("door/a/json", list(500), at: 2)
        #expect(engine.storage == 32 + 500 * (24 + 32 + 24))
        _ = engine.say("door/a/json", #"{"list":1}"#, at: 3)
        #expect(engine.storage == 0)
    }

    @Test("The values of a situation count as those of messages do")
    func situation() throws {
        var engine = Engine([try Self.door()])
        var situation = Situation()
        situation.signals = [.init(0, .string(String(repeating: "x", count: 100)))]
        _ = engine.begin(situation, device: "a", kind: "door", at: second(0))
        #expect(engine.storage > 100 && engine.brokenInvariant() == nil)
    }

    @Test("A value that no expression reads is kept only while it is small")
    func unread() throws {
        var engine = Engine([try Self.door()])
        _ = engine.say("door/a/json", #"{"unread":"a short text of some words"}"#)
        #expect(engine.signal("unread", of: "a", kind: "door") == #""a short text of some words""#)
        _ = engine.say("door/a/json", #"{"unread":"\#(String(repeating: "x", count: 300))"}"#, at: 1)
        #expect(engine.signal("unread", of: "a", kind: "door") == "unset")
        #expect(engine.storage == 0 && engine.counters.refusedValues == 0)
    }

    @Test(
        "All devices together store no more than the limit, even after a thousand large messages of junk"
    )
    func allValues() throws {
        var bounds = limits()
        bounds.valueBytes = 1_000_000
        var engine = Engine([try Self.door()], limits: bounds)
        for number in 0..<100 { _ = engine.say("door/\(number)/json", list(800), at: Double(number)) }
        #expect(engine.storage <= 1_000_000 && engine.storage > 900_000)
        #expect(engine.counters.refusedValues > 80)
        let images = engine.takeImages(all: true).reduce(0) { $0 + $1.bytes.count }
        #expect(images < 1_000_000)
        // What is forgotten makes room again.
        for number in 0..<50 { _ = engine.forget(kind: "door", device: "\(number)", at: second(100)) }
        #expect(engine.storage == 0)
    }

    @Test("A variable that grows by an action stops at the limit")
    func growingVariable() throws {
        var engine = Engine([try Self.door()])
        _ = engine.say("door/a/word", "-")
        for number in 1...40 {
            let pile = Input.event(kind: "door", device: "a", name: "pile")
            _ = engine.handle(pile, at: second(Double(number)))
        }
        #expect(engine.storage <= 65_536 && engine.counters.refusedValues > 20)
    }

    @Test("A value that is nested ever deeper stops at the limit, so that its device can be restored")
    func deepVariable() throws {
        let door = try Self.door()
        var engine = Engine([door])
        _ = engine.say("door/a/word", "open")
        for number in 1...520 {
            let dig = Input.event(kind: "door", device: "a", name: "dig")
            let told = engine.handle(dig, at: second(Double(number))).map(\.line)
            let isRefused = told.contains { $0.contains("'heap' is nested deeper than 512 levels") }
            #expect(isRefused == (number > 511), "\(told)")
        }
        let content = engine.device(kind: "door", named: "a")?.device.activity?.content
        #expect(content?["state"] != nil && content?["heap"] == nil)
        let image = try #require(engine.takeImages(all: true).last)
        let layout = engine.imageLayouts()[0]
        var restoration = EngineRestoration(
            of: Engine([door]),
            after: Downtime(start: second(600), end: second(601))
        )
        var effects: [Effect] = []
        guard case .restored = restoration.restore(image, layout: layout, effects: &effects) else {
            Issue.record("the image is refused")
            return
        }
    }

    @Test("Attributes are left out that are too long for an activity")
    func attributes() throws {
        var engine = Engine([try Self.door()])
        _ = engine.say("door/a/json", #"{"list":["\#(String(repeating: "x", count: 5000))"]}"#)
        let told = engine.say("door/a/word", "open", at: 1)
        #expect(told.contains { $0.contains("the value of 'list' is left out") })
        #expect(engine.device(kind: "door", named: "a")?.device.activity?.attributes.entries.isEmpty == true)
    }

    @Test("Values of a store that are larger than today's limit are forgotten at the start")
    func restored() throws {
        let door = try Self.door()
        var before = Engine([door])
        _ = before.say("door/a/json", list(500))
        _ = before.say("door/a/word", "a word of more than fifteen bytes")
        let images = before.takeImages(all: true)
        let layout = before.imageLayouts()[0]
        var bounds = limits()
        bounds.valueBytes = 10_000
        var engine = Engine([door], limits: bounds)
        var effects: [Effect] = []
        let downtime = Downtime(start: second(1), end: second(2))
        var restoration = EngineRestoration(of: engine, after: downtime)
        for image in images { _ = restoration.restore(image, layout: layout, effects: &effects) }
        engine = restoration.finish().engine
        #expect(engine.storage == 0 && engine.counters.refusedValues == 2)
        #expect(engine.signal("list", of: "a", kind: "door") == "unset")
        #expect(engine.takeImages(all: false).count == 1, "what is forgotten leaves the store, too")
    }

    @Test("After a restart, devices are ordered by their last messages")
    func restoredOrder() throws {
        let door = try Self.door()
        var before = Engine([door])
        for (second, name) in ["b", "c", "a"].enumerated() {
            _ = before.say("door/\(name)/word", "-", at: Double(second))
        }
        let images = before.takeImages(all: true).sorted { $0.name < $1.name }
        let layout = before.imageLayouts()[0]
        var engine = Engine([door], limits: limits(devices: 3, newDevices: 10))
        var effects: [Effect] = []
        let downtime = Downtime(start: second(5), end: second(6))
        var restoration = EngineRestoration(of: engine, after: downtime)
        for image in images { _ = restoration.restore(image, layout: layout, effects: &effects) }
        engine = restoration.finish().engine
        for name in ["x", "y"] { _ = engine.say("door/\(name)/word", "-", at: 7) }
        #expect(engine.device(kind: "door", named: "a") != nil)
        #expect(engine.device(kind: "door", named: "b") == nil)
    }
}
