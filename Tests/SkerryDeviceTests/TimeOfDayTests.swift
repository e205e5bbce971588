import SkerryDevice
import SkerryEngine
import SkerryExpressions
import SkerryFiles
import SkerryValues
import Testing

@Suite("Times of day")
struct TimeOfDayTests {
    /// The clocks of Berlin, as `CET-1CEST,M3.5.0,M10.5.0/3`, and its sun.
    static let berlin = Location(
        zone: TimeZoneRules(
            firstOffset: 3600,
            standardOffset: 3600,
            daylightSaving: TimeZoneRules.DaylightSaving(
                offset: 7200,
                start: TimeZoneRules.YearlyMoment(month: 3, week: 5, weekday: 0, seconds: 7200),
                end: TimeZoneRules.YearlyMoment(month: 10, week: 5, weekday: 0, seconds: 10_800)
            )
        ),
        coordinates: Location.Coordinates(latitude: 52.52, longitude: 13.405)
    )

    static func moment(_ text: String) throws -> Timestamp { try #require(RecordingTime.parse(text)) }

    static func next(_ time: String, after: String, at location: Location = berlin) throws -> Timestamp? {
        let reading = DefinitionReader.read(
            text: """
                skerry: 1
                kind: lamp
                sources: [{ topic: "{device}" }]
                machine: { states: { a: { at: { "\(time)": b } }, b: {} } }
                """
        )
        let transition = try #require(
            reading.draft?.machine.states[0].transitions.first,
            "\(reading.problems)"
        )
        guard case .at(let time) = transition.trigger else { return nil }
        return time.next(after: try moment(after), at: location)
    }

    @Test(
        "the next time by the clock, with days of the week and both changes of a year",
        arguments: [
            ("22:00", "2026-01-01T20:59:59Z", "2026-01-01T21:00:00Z"),
            ("22:00", "2026-01-01T21:00:00Z", "2026-01-02T21:00:00Z"),
            ("0:00", "2026-06-30T22:00:00Z", "2026-07-01T22:00:00Z"),
            ("06:30:15", "2026-07-01T04:30:14.5Z", "2026-07-01T04:30:15Z"),
            ("sat,sun 08:30", "2026-11-20T12:00:00Z", "2026-11-21T07:30:00Z"),
            ("mon-fri 06:00", "2026-11-20T12:00:00Z", "2026-11-23T05:00:00Z"),
            ("fri-mon 06:00", "2026-11-23T12:00:00Z", "2026-11-27T05:00:00Z"),
            ("thu 08:00", "2026-11-19T07:00:00Z", "2026-11-26T07:00:00Z"),
            // 2026-03-29: 02:00 to 03:00 does not come, so its times come at 03:00.
            ("02:30", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z"),
            ("02:30", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"),
            ("03:00", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z"),
            ("01:59:59", "2026-03-28T12:00:00Z", "2026-03-29T00:59:59Z"),
            // 2026-10-25: 02:00 to 03:00 comes twice, and counts once.
            ("02:30", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"),
            ("02:30", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"),
            ("03:00", "2026-10-24T12:00:00Z", "2026-10-25T02:00:00Z"),
            ("sun 02:30", "2026-10-25T00:45:00Z", "2026-11-01T01:30:00Z"),
        ]
    )
    func clock(time: String, after: String, expected: String) throws {
        #expect(try Self.next(time, after: after) == Self.moment(expected))
    }

    /// The expected times are those of astral 3.2, another implementation.
    @Test(
        "sunrise and sunset everywhere on earth",
        arguments: [
            ("sunrise", 52.52, 13.405, "2026-06-20T12:00:00Z", "2026-06-21T02:43:28Z"),
            ("sunset", 52.52, 13.405, "2026-06-21T12:00:00Z", "2026-06-21T19:32:55Z"),
            ("sunrise", 52.52, 13.405, "2026-12-21T00:00:00Z", "2026-12-21T07:15:17Z"),
            ("sunset", 52.52, 13.405, "2026-12-21T00:00:00Z", "2026-12-21T14:53:35Z"),
            ("sunrise", -36.85, 174.76, "2026-03-01T12:00:00Z", "2026-03-01T18:06:57Z"),
            ("sunset", -36.85, 174.76, "2026-03-01T00:00:00Z", "2026-03-01T07:00:08Z"),
            ("sunrise", 21.31, -157.86, "2026-11-22T12:00:00Z", "2026-11-22T16:47:01Z"),
            ("sunset", -13.83, -171.77, "2026-08-01T00:00:00Z", "2026-08-01T05:18:32Z"),
            ("sunrise", 69.65, 18.96, "2026-03-20T00:00:00Z", "2026-03-20T04:44:22Z"),
            ("sunset", -0.18, -78.47, "2026-09-23T12:00:00Z", "2026-09-23T23:09:16Z"),
            ("sunset - 30m", 52.52, 13.405, "2026-12-21T00:00:00Z", "2026-12-21T14:23:35Z"),
            ("sunrise+1h", 52.52, 13.405, "2026-12-21T00:00:00Z", "2026-12-21T08:15:17Z"),
        ]
    )
    func sun(time: String, latitude: Double, longitude: Double, after: String, expected: String) throws {
        var place = Self.berlin
        place.coordinates = Location.Coordinates(latitude: latitude, longitude: longitude)
        let found = try #require(try Self.next(time, after: after, at: place))
        #expect((found - (try Self.moment(expected))).magnitude <= .seconds(60), "\(found)")
    }

    @Test func `where the sun stays below the horizon, the next sunrise is weeks away`() throws {
        var place = Self.berlin
        place.coordinates = Location.Coordinates(latitude: 69.65, longitude: 18.96)
        let found = try #require(try Self.next("sunrise", after: "2026-12-01T00:00:00Z", at: place))
        #expect(found > (try Self.moment("2027-01-10T00:00:00Z")))
        #expect(found < (try Self.moment("2027-01-20T00:00:00Z")))
        place.coordinates = nil
        #expect(try Self.next("sunrise", after: "2026-12-01T00:00:00Z", at: place) == nil)
    }

    @Test(
        "what is no time of day is told, with what to write",
        arguments: [
            ("24:00", "from 00:00 to 23:59"), ("22:60", "from 00:00 to 23:59"),
            ("22:0", "from 00:00 to 23:59"),
            ("xmas 22:00", "'xmas' where a day of the week belongs"), ("mon-tue-wed 1:00", "day of the week"),
            ("sunset + 13h", "'+13h' after the sun"), ("sunset 30m", "'30m' after the sun"),
            ("22:00 + 1h", "'+1h' after the time"), ("noon", "has no time"), ("sat", "has no time"),
        ]
    )
    func refused(text: String, message: String) {
        let problems = DefinitionReader.read(
            text: "skerry: 1\nkind: a\nmachine: { states: { a: { at: { \"\(text)\": a } } } }\n"
        ).problems
        let found = problems.first { $0.message.contains(message) }
        #expect(found?.remedy != nil, "\(problems)")
    }

    // MARK: Machines

    static let lamp = """
        skerry: 1
        kind: lamp
        sources: [{ topic: "lamp/{device}", signals: { on: payload.on } }]
        context: { days: 0 }
        machine:
          at: { "12:00": { actions: { assign: { days: context.days + 1 } } } }
          states:
            day: { at: { "22:00": { guard: on, target: night } } }
            night: { at: { "07:00": day } }
        activity: { starts: night, ends: day, content: { days: context.days } }
        """

    static func lamp(at location: Location = berlin) throws -> Definition {
        try Scene.definition(lamp).located(at: location)
    }

    private static func say(_ engine: inout Engine, _ text: String, at time: String) throws -> [Effect] {
        let message = Message(
            topic: Array("lamp/a".utf8)[...],
            payload: Array(text.utf8)[...],
            isRetained: false
        )
        return engine.handle(.message(message), at: try moment(time))
    }

    private static func moves(_ effects: [Effect]) -> [String] {
        effects.compactMap { effect in
            guard case .moved(let from, let to, _) = effect.what, !from.isEmpty else { return nil }
            return "\(RecordingTime.text(effect.at)) \(from) > \(to)"
        }
    }

    private static func variable(_ engine: Engine) throws -> Value {
        let known = try #require(engine.device(kind: "lamp", named: "a"))
        return known.device.variable("days", in: known.definition)
    }

    @Test func `each day again, and a guard that does not hold waits for the next day`() throws {
        var engine = Engine(definitions: [try Self.lamp()], epoch: 7)
        _ = try Self.say(&engine, #"{"on":false}"#, at: "2026-11-20T12:00:00Z")
        #expect(engine.nextDeadline == (try Self.moment("2026-11-20T21:00:00Z")))
        var effects = engine.handle(.timePassed, at: try Self.moment("2026-11-21T12:00:00Z"))
        #expect(Self.moves(effects) == [])
        _ = try Self.say(&engine, #"{"on":true}"#, at: "2026-11-21T12:30:00Z")
        effects = engine.handle(.timePassed, at: try Self.moment("2026-11-23T12:00:00Z"))
        #expect(
            Self.moves(effects) == [
                "2026-11-21 21:00:00 day > night", "2026-11-22 06:00:00 night > day",
                "2026-11-22 21:00:00 day > night", "2026-11-23 06:00:00 night > day",
            ]
        )
        #expect(Scene.text(try Self.variable(engine)) == "3")
        #expect(engine.brokenInvariant() == nil)
    }

    @Test(
        "over a restart: what passed is made up for in order, up to eight days back, also at another place",
        arguments: [
            ("2026-11-20T20:00:00Z", "2026-11-20T20:59:00Z", berlin, [], "2026-11-20T21:00:00Z"),
            (
                "2026-11-20T20:00:00Z", "2026-11-21T05:00:00Z", berlin, ["2026-11-20 21:00:00 day > night"],
                "2026-11-21T06:00:00Z"
            ),
            (
                "2026-11-20T20:00:00Z", "2026-11-22T20:00:00Z", berlin,
                [
                    "2026-11-20 21:00:00 day > night", "2026-11-21 06:00:00 night > day",
                    "2026-11-21 21:00:00 day > night", "2026-11-22 06:00:00 night > day",
                ], "2026-11-22T21:00:00Z"
            ),
            ("2026-11-20T20:00:00Z", "2026-11-20T20:30:00Z", .utc, [], "2026-11-20T22:00:00Z"),
        ] as [(String, String, Location, [String], String)]
    )
    func restart(stop: String, start: String, place: Location, moves: [String], next: String) throws {
        var engine = Engine(definitions: [try Self.lamp()], epoch: 7)
        _ = try Self.say(&engine, #"{"on":true}"#, at: stop)
        let restored = try Self.restart(&engine, at: place, stop, start)
        #expect(Self.moves(restored.effects) == moves)
        #expect(restored.engine.nextDeadline == (try Self.moment(next)))
        #expect(restored.engine.brokenInvariant() == nil)
    }

    @Test func `a downtime of a year is made up for by its last eight days`() throws {
        var engine = Engine(definitions: [try Self.lamp()], epoch: 7)
        _ = try Self.say(&engine, #"{"on":true}"#, at: "2025-11-20T20:00:00Z")
        let restored = try Self.restart(
            &engine,
            at: Self.berlin,
            "2025-11-20T20:00:00Z",
            "2026-11-20T20:00:00Z"
        )
        #expect(Self.moves(restored.effects).count == 16)
        #expect(Scene.text(try Self.variable(restored.engine)) == "8")
    }

    private static func restart(
        _ engine: inout Engine,
        at place: Location,
        _ stop: String,
        _ start: String
    ) throws -> (engine: Engine, effects: [Effect]) {
        let images = engine.takeImages(all: true)
        let layout = try #require(engine.imageLayouts().first)
        let next = Engine(definitions: [try lamp(at: place)], epoch: 7, resumingAt: engine.sequence)
        let downtime = Downtime(start: try moment(stop), end: try moment(start))
        var restoration = EngineRestoration(of: next, after: downtime)
        var effects: [Effect] = []
        for image in images {
            guard case .restored = restoration.restore(image, layout: layout, effects: &effects) else {
                Issue.record("\(image.name) is not restored")
                continue
            }
        }
        let finished = restoration.finish()
        return (finished.engine, effects + finished.effects)
    }

    @Test func `a clock that is set moves no time of day, and repeats none`() throws {
        var engine = Engine(definitions: [try Self.lamp()], epoch: 7)
        _ = try Self.say(&engine, #"{"on":true}"#, at: "2026-11-20T20:59:50Z")
        var effects = engine.clockSet(by: .seconds(-30), at: try Self.moment("2026-11-20T20:59:20Z"))
        #expect(engine.nextDeadline == (try Self.moment("2026-11-20T21:00:00Z")))
        effects += engine.handle(.timePassed, at: try Self.moment("2026-11-20T21:00:01Z"))
        effects += engine.clockSet(by: .seconds(-2), at: try Self.moment("2026-11-20T20:59:59Z"))
        effects += engine.handle(.timePassed, at: try Self.moment("2026-11-20T21:10:00Z"))
        #expect(Self.moves(effects) == ["2026-11-20 21:00:00 day > night"])
        _ = engine.clockSet(by: .hours(-24 * 3650), at: try Self.moment("2016-11-22T21:10:00Z"))
        #expect(engine.nextDeadline == (try Self.moment("2016-11-23T06:00:00Z")))
        #expect(engine.brokenInvariant() == nil)
    }

    @Test func `the place changes nothing for a definition that waits for no time of day`() throws {
        let plain = try Scene.definition("machine: { states: { a: {} } }\nsources: [{ topic: \"{device}\" }]")
        #expect(plain.located(at: Self.berlin) === plain)
        let lamp = try Scene.definition(Self.lamp)
        let located = lamp.located(at: Self.berlin)
        #expect(located !== lamp && lamp.located(at: Self.berlin, since: located) === located)
        #expect(located.located(at: Self.berlin) === located)
        #expect(!lamp.needsCoordinates)
    }
}
