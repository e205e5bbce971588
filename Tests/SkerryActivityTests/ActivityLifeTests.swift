import SkerryActivity
import SkerryValues
import Testing

@Suite struct ActivityLifeTests {
    static let noon = Timestamp(seconds: 1_700_000_000)

    private static func start(_ text: String = "On", limit: Int = 4096) -> Activity {
        Activity.start(
            ActivityPlan(kind: "lamp", fields: [.init(name: "text")], contentLimit: limit),
            device: "desk",
            run: 1,
            epoch: 9,
            state: "on",
            attributes: ValueMap(),
            content: content(text),
            at: noon
        ).activity
    }

    private static func content(_ text: String) -> [ContentValue] { [.value(.string(text))] }

    @Test func `goes stale and fresh again, once each`() {
        var activity = Self.start()
        let stale = activity.markStale(at: Self.noon)
        #expect(stale?.kind == .stale)
        #expect(
            text(stale?.diffJSON())
                == #"{"id":"lamp/desk/1","rev":2,"prev":1,"epoch":9,"at":1700000000,"patch":{"phase":"stale"}}"#
        )
        #expect(activity.markStale(at: Self.noon) == nil)
        let changed = activity.render(state: "dim", content: Self.content("On"), exactly: true, at: Self.noon)
        #expect(changed?.phase == .stale)
        #expect(changed?.kind == .changed)
        let fresh = activity.render(
            state: "dim",
            content: Self.content("On"),
            exactly: true,
            isStale: false,
            at: Self.noon
        )
        #expect(fresh?.kind == .fresh)
        #expect(fresh?.phase == .active)
        #expect(activity.rev == 4)
    }

    @Test func `one rendering can change phase and content together`() {
        var activity = Self.start()
        _ = activity.markStale(at: Self.noon)
        let update = activity.render(
            state: "on",
            content: Self.content("Brighter"),
            exactly: false,
            isStale: false,
            at: Self.noon
        )
        #expect(update?.kind == .fresh)
        #expect(update?.patch.map { text(.map($0)) } == #"{"phase":"active","content":{"text":"Brighter"}}"#)
        let silence = activity.render(
            state: "on",
            content: Self.content("Brighter"),
            exactly: false,
            isStale: true,
            at: Self.noon
        )
        #expect(silence?.kind == .stale)
    }

    @Test func `nothing follows the end`() {
        var activity = Self.start()
        let end = activity.end(state: "off", content: Self.content("Off"), at: Self.noon + .seconds(5))
        #expect(end?.kind == .ended)
        #expect(
            text(end?.snapshotJSON())
                == #"{"id":"lamp/desk/1","rev":2,"epoch":9,"at":1700000005,"phase":"ended","state":"off","#
                + #""attributes":{},"content":{"text":"Off"}}"#
        )
        #expect(activity.endedAt == Self.noon + .seconds(5))
        #expect(activity.end(state: "on", content: Self.content("On"), at: Self.noon) == nil)
        #expect(
            activity.render(state: "on", content: Self.content("On"), exactly: true, at: Self.noon) == nil
        )
        #expect(activity.markStale(at: Self.noon) == nil)
        #expect(activity.rev == 2)
    }

    @Test func `an ended activity is kept for four hours at most`() {
        let kept: [(dismissal: ActivityDismissal, length: Interval)] = [
            (.default, .hours(4)), (.immediate, .zero), (.after(.minutes(15)), .minutes(15)),
            (.after(.hours(5)), .hours(4)), (.after(.minutes(-1)), .zero),
        ]
        for (dismissal, length) in kept {
            var activity = Self.start()
            let end = activity.end(
                state: "off",
                content: Self.content(""),
                dismissal: dismissal,
                at: Self.noon
            )
            #expect(end?.dismissAt == Self.noon + length)
        }
    }

    @Test func `content beyond the limit is not taken and reported once`() {
        var activity = Self.start(limit: 20)
        let fits = String(repeating: "x", count: 9)
        #expect(
            activity.render(state: "on", content: Self.content(fits), exactly: false, at: Self.noon) != nil
        )
        #expect(activity.takeFault() == nil)
        let large = Self.content(fits + "x")
        #expect(activity.render(state: "on", content: large, exactly: false, at: Self.noon) == nil)
        #expect(activity.takeFault() == Activity.ContentTooLarge(bytes: 21, limit: 20))
        #expect(activity.render(state: "on", content: large, exactly: false, at: Self.noon) == nil)
        #expect(activity.takeFault() == nil)
        let moved = activity.render(state: "dim", content: large, exactly: true, at: Self.noon)
        #expect(moved?.patch.map { text(.map($0)) } == #"{"state":"dim"}"#)
        #expect(text(.map(activity.content)) == #"{"text":"xxxxxxxxx"}"#)
        #expect(
            activity.render(state: "dim", content: Self.content("x"), exactly: false, at: Self.noon) != nil
        )
        #expect(activity.end(state: "off", content: large, at: Self.noon)?.phase == .ended)
        #expect(activity.takeFault() == Activity.ContentTooLarge(bytes: 21, limit: 20))
    }

    @Test func `a run whose first content is too large begins with none`() {
        var activity = Self.start(String(repeating: "é", count: 2100))
        #expect(text(.map(activity.content)) == "{}")
        #expect(activity.takeFault() == Activity.ContentTooLarge(bytes: 4211, limit: 4096))
        #expect(activity.rev == 1)
    }

    @Test func `times at the ends of the range do no harm`() {
        let plan = ActivityPlan(kind: "k", fields: [.init(name: "t", tolerance: .time(.minutes(1)))])
        let times: [AnchoredTime] = [
            .running(start: .distantPast, end: .distantFuture), .countingUp(start: .distantFuture),
            .running(start: .distantFuture, end: .distantPast), .held(elapsed: Interval(microseconds: .min)),
            .paused(remaining: Interval(microseconds: .max), duration: Interval(microseconds: .min)),
        ]
        for first in times {
            for second in times {
                var activity = Activity.start(
                    plan,
                    device: "d",
                    run: .min,
                    epoch: .max,
                    state: "s",
                    attributes: ValueMap(),
                    content: [.time(first)],
                    at: .distantPast
                ).activity
                let update = activity.render(
                    state: "s",
                    content: [.time(second)],
                    exactly: false,
                    at: .distantFuture
                )
                #expect((update == nil) == (first == second))
                #expect(update.map { $0.snapshotJSON().count > 100 } != false)
            }
        }
    }

    @Test func `reports whether it is news, and until when it is valid`() {
        let plan = ActivityPlan(
            kind: "lamp",
            fields: [.init(name: "text"), .init(name: "off"), .init(name: "dim")],
            relevance: 70,
            silence: .minutes(10)
        )
        func content(_ text: String, off: Int64? = nil, dim: Int64? = nil) -> [ContentValue] {
            func time(_ end: Int64?) -> ContentValue {
                guard let end else { return .value(.null) }
                return .time(.running(start: Self.noon, end: Self.noon + .seconds(end)))
            }
            return [.value(.string(text)), time(off), time(dim)]
        }
        func seconds(_ update: ActivityUpdate?) -> Int64? {
            update?.staleness.date.map { ($0 - Self.noon).microseconds / 1_000_000 }
        }
        var (activity, update) = Activity.start(
            plan,
            device: "desk",
            run: 1,
            epoch: 9,
            state: "on",
            attributes: ValueMap(),
            content: content("On", off: 300, dim: 60),
            at: Self.noon,
            startedAt: Self.noon - .seconds(5)
        )
        #expect(update.isNewState)
        #expect(update.relevance == 70)
        #expect(update.startedAt == Self.noon - .seconds(5))
        #expect(seconds(update) == 62, "two seconds after the first countdown")

        func render(_ state: String, _ content: [ContentValue], after length: Int64) -> ActivityUpdate? {
            activity.render(state: state, content: content, exactly: true, at: Self.noon + .seconds(length))
        }
        let dimmed = render("on", content("Dim", off: 300, dim: 60), after: 60)
        #expect(dimmed?.isNewState == false)
        #expect(seconds(dimmed) == 302, "a countdown at zero tells nothing of the future")
        let endless = render("bright", content("Bright"), after: 100)
        #expect(endless?.isNewState == true)
        #expect(seconds(endless) == 1300, "twice the silence when nothing counts down")
        let stale = activity.markStale(at: Self.noon + .seconds(700))
        #expect(stale?.isNewState == true)
        #expect(stale?.staleness == .never)
        let ended = activity.end(
            state: "off",
            content: content("Off", off: 9000),
            at: Self.noon + .seconds(800)
        )
        #expect(ended?.staleness == .never, "nothing is expected after the end")

        update = dimmed ?? update
        update.alert = ActivityAlert(title: "Dim", body: "")
        #expect(update.isNewState, "an alert is news")
    }
}
