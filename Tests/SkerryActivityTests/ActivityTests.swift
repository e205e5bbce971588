import SkerryActivity
import SkerryValues
import Testing

@Suite struct ActivityTests {
    static let plan = ActivityPlan(
        kind: "washer",
        fields: [
            .init(name: "status"), .init(name: "cycle", tolerance: .time(.minutes(1))),
            .init(name: "power", tolerance: .number(5)),
        ]
    )
    static let noon = Timestamp(seconds: 1_700_000_000)

    private static func content(
        _ status: String = "Running",
        cycle: AnchoredTime = running(3600),
        power: Value = .int(100)
    ) -> [ContentValue] {
        [.value(.string(status)), .time(cycle), .value(power)]
    }

    private static func running(_ length: Int64, from start: Timestamp = noon) -> AnchoredTime {
        .running(start: start, end: noon + .seconds(length))
    }

    private static func start(
        _ content: [ContentValue] = content(),
        plan: ActivityPlan = plan
    ) -> (activity: Activity, update: ActivityUpdate) {
        var attributes = ValueMap()
        attributes.set("name", to: .string("Laundry"))
        attributes.set("program", to: .null)
        return Activity.start(
            plan,
            device: "laundry",
            run: 42,
            epoch: 1,
            state: "running",
            attributes: attributes,
            content: content,
            at: noon,
            startedAt: noon - .minutes(2)
        )
    }

    @Test func `the first revision is a snapshot that follows nothing`() {
        let (activity, update) = Self.start()
        #expect(
            text(update.snapshotJSON())
                == #"{"id":"washer/laundry/42","rev":1,"epoch":1,"at":1700000000,"phase":"active","state":"running","#
                + #""attributes":{"name":"Laundry"},"#
                + #""content":{"status":"Running","cycle":{"start":1700000000,"end":1700003600},"power":100}}"#
        )
        #expect(update.diffJSON() == nil)
        #expect(update.kind == .started)
        #expect(update.prev == 0)
        #expect(activity.startedAt == Self.noon - .minutes(2))
    }

    @Test func `a change of state is a diff of the changed fields`() {
        var (activity, _) = Self.start()
        let pause = activity.render(
            state: "paused",
            content: Self.content(
                "Paused",
                cycle: .paused(remaining: .seconds(1200), duration: .seconds(3600))
            ),
            exactly: true,
            at: Self.noon + .milliseconds(2_400_250)
        )
        #expect(
            text(pause?.diffJSON())
                == #"{"id":"washer/laundry/42","rev":2,"prev":1,"epoch":1,"at":1700002400.25,"patch":{"state":"paused","#
                + #""content":{"status":"Paused","cycle":{"remaining":1200,"duration":3600,"start":null,"end":null}}}}"#
        )
        let resumed = Self.noon + .minutes(10)
        let cycle = AnchoredTime.running(start: resumed, end: resumed + .hours(1))
        let resume = activity.render(
            state: "running",
            content: Self.content(cycle: cycle),
            exactly: true,
            at: resumed
        )
        #expect(
            text(resume?.diffJSON())
                == #"{"id":"washer/laundry/42","rev":3,"prev":2,"epoch":1,"at":1700000600,"patch":{"state":"running","#
                + #""content":{"status":"Running","#
                + #""cycle":{"start":1700000600,"end":1700004200,"remaining":null,"duration":null}}}}"#
        )
    }

    @Test func `within the tolerance of the published value there is no update`() {
        var (activity, _) = Self.start()
        for (length, power) in [(3630, 104), (3660, 105), (3540, 95), (3600, 100)] as [(Int64, Int64)] {
            let content = Self.content(cycle: Self.running(length), power: .int(power))
            #expect(activity.render(state: "running", content: content, exactly: false, at: Self.noon) == nil)
        }
        let longer = Self.content(cycle: Self.running(3661), power: .int(103))
        let moved = activity.render(state: "running", content: longer, exactly: false, at: Self.noon)
        #expect(moved?.patch.map { text(.map($0)) } == #"{"content":{"cycle":{"end":1700003661}}}"#)
        #expect(activity.rev == 2)
        let stronger = Self.content(cycle: Self.running(3700), power: .double(105.5))
        let changed = activity.render(state: "running", content: stronger, exactly: false, at: Self.noon)
        #expect(changed?.patch.map { text(.map($0)) } == #"{"content":{"power":105.5}}"#)
    }

    @Test func `a change of state shows every field at its exact value`() {
        var (activity, _) = Self.start()
        let content = Self.content(cycle: Self.running(3610), power: .int(101))
        let update = activity.render(state: "rinsing", content: content, exactly: true, at: Self.noon)
        #expect(
            update?.patch.map { text(.map($0)) }
                == #"{"state":"rinsing","content":{"cycle":{"end":1700003610},"power":101}}"#
        )
        let same = activity.render(state: "rinsing", content: content, exactly: true, at: Self.noon)
        #expect(same == nil)
    }

    @Test func `a change of the state alone is published`() {
        var (activity, _) = Self.start()
        let update = activity.render(state: "rinsing", content: Self.content(), exactly: true, at: Self.noon)
        #expect(update?.patch.map { text(.map($0)) } == #"{"state":"rinsing"}"#)
    }

    @Test func `the start stays when only the estimate of the end changes`() {
        var (activity, _) = Self.start()
        let jitter = Self.running(4000, from: Self.noon + .seconds(20))
        let update = activity.render(
            state: "running",
            content: Self.content(cycle: jitter),
            exactly: false,
            at: Self.noon
        )
        #expect(update?.patch.map { text(.map($0)) } == #"{"content":{"cycle":{"end":1700004000}}}"#)
        let other = Self.running(4010, from: Self.noon + .seconds(61))
        let restart = activity.render(
            state: "running",
            content: Self.content(cycle: other),
            exactly: false,
            at: Self.noon
        )
        #expect(
            restart?.patch.map { text(.map($0)) }
                == #"{"content":{"cycle":{"start":1700000061,"end":1700004010}}}"#
        )
    }

    @Test func `fractions of a second are not published`() {
        let plan = ActivityPlan(kind: "k", fields: [.init(name: "up"), .init(name: "left")])
        func content(_ milliseconds: Int64) -> [ContentValue] {
            let shift = Interval.milliseconds(milliseconds)
            return [
                .time(.countingUp(start: Self.noon + shift)),
                .time(.paused(remaining: .minutes(1) + shift, duration: .minutes(2))),
            ]
        }
        var (activity, update) = Self.start(content(-500), plan: plan)
        #expect(
            text(.map(update.content))
                == #"{"up":{"start":1700000000},"left":{"remaining":60,"duration":120}}"#
        )
        #expect(
            activity.render(state: "running", content: content(499), exactly: false, at: Self.noon) == nil
        )
        #expect(activity.render(state: "running", content: content(499), exactly: true, at: Self.noon) == nil)
        let next = activity.render(state: "running", content: content(500), exactly: false, at: Self.noon)
        #expect(
            next?.patch.map { text(.map($0)) }
                == #"{"content":{"up":{"start":1700000001},"left":{"remaining":61}}}"#
        )
    }

    @Test func `values with the same JSON are the same`() {
        let plan = ActivityPlan(kind: "k", fields: [.init(name: "v")])
        let same: [[Value]] = [
            [.int(1), .double(1), .uint(1)], [.int(0), .double(-0.0)],
            [.null, .error(.unset), .double(.nan), .optional([])], [.string("int"), .type("int")],
            [.map(ValueMap()), .map(ValueMap(uniqueEntries: [.init(key: .string("a"), value: .null)]))],
            [.string("AQ=="), .bytes([1])], [.uint(.max), .uint(.max), .optional([.uint(.max)])],
            [.list([.null, .int(1)]), .list([.error(.unset), .double(1)])],
            [
                .map(ValueMap(uniqueEntries: [.init(key: .string("1"), value: .int(2))])),
                .map(ValueMap(uniqueEntries: [.init(key: .int(1), value: .uint(2))])),
            ],
            [
                .int(90), .duration(CalendarDuration(.seconds(90))),
                .timestamp(CalendarTimestamp(Timestamp(seconds: 90))),
            ],
        ]
        for values in same {
            for first in values {
                var (activity, _) = Self.start([.value(first)], plan: plan)
                for value in values {
                    let update = activity.render(
                        state: "running",
                        content: [.value(value)],
                        exactly: true,
                        at: Self.noon
                    )
                    #expect(update == nil, "\(first) and \(value)")
                }
                let other = [ContentValue.value(.string("other"))]
                #expect(
                    activity.render(state: "running", content: other, exactly: false, at: Self.noon) != nil
                )
            }
        }
    }

    @Test func `a field without a value is left out and deleted`() {
        var (activity, _) = Self.start()
        let without = Self.content(power: .error(.unset))
        let update = activity.render(state: "running", content: without, exactly: false, at: Self.noon)
        #expect(update?.patch.map { text(.map($0)) } == #"{"content":{"power":null}}"#)
        #expect(activity.content["power"] == nil)
        let back = activity.render(state: "running", content: Self.content(), exactly: false, at: Self.noon)
        #expect(back?.patch.map { text(.map($0)) } == #"{"content":{"power":100}}"#)
    }
}
