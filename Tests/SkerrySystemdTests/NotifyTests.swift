import Glibc
import SkerryGateway
import SkerryTesting
import SkerryValues
import Synchronization
import Testing

@testable import SkerrySystemd

@Suite("Notices to the service manager")
struct NotifyTests {
    /// A handler that does nothing, and lets a test look on while it is awake.
    final class Sleeper: BusHandler {
        var due: Interval?
        var onWake: () -> Void = {}
        var wakes = 0

        var sleepLimit: Interval? { due }
        func wake() {
            wakes += 1
            onWake()
        }
        func handle(_ batch: MessageBatch) -> BatchOutcome { .committed }
        func subscriptionPlan() -> SubscriptionPlan { SubscriptionPlan(filters: []) }
        func subscribed(_ outcomes: [SubscriptionOutcome]) {}
        func disconnected(_ fault: BusFault) {}
    }

    /// A service and its manager.
    struct Scene {
        let clock = StepClock(Timestamp(seconds: 1_772_355_600))
        let sleeper = Sleeper()
        let listener: NotifyListener
        let handler: NotifyingHandler<Sleeper, StepClock>

        init(watchdog: String?, isAbstract: Bool = false) throws {
            listener = try NotifyListener(isAbstract: isAbstract)
            var environment = ["NOTIFY_SOCKET": listener.name]
            environment["WATCHDOG_USEC"] = watchdog
            let socket = try #require(try NotifySocket(environment: environment))
            handler = NotifyingHandler(sleeper, socket: socket, clock: clock, broker: "broker.local:1883") {
                Issue.record("\($0.message)")
            }
        }

        /// Goes on as a bus does: sleeps as long as it may, then wakes the handler.
        func round() {
            guard let limit = handler.sleepLimit else { return }
            if limit > .zero { clock.move(by: limit) }
            handler.wake()
        }
    }

    @Test(
        "ready at the first wake, then a sign of life at each half of the watchdog",
        arguments: [true, false]
    )
    func signs(isAbstract: Bool) throws {
        let scene = try Scene(watchdog: "30000000", isAbstract: isAbstract)
        #expect(scene.listener.waiting().isEmpty, "nothing runs yet")
        scene.round()
        #expect(scene.listener.waiting() == ["READY=1"])
        let start = scene.clock.now
        for _ in 0..<4 { scene.round() }
        #expect(scene.listener.waiting() == Array(repeating: "WATCHDOG=1", count: 4))
        #expect(scene.clock.now - start == .seconds(60))
    }

    @Test("the handler's own wakes add no signs of life, and still reach it")
    func ownWakes() throws {
        let scene = try Scene(watchdog: "30000000")
        scene.sleeper.due = .seconds(1)
        for _ in 0..<61 { scene.round() }
        #expect(scene.sleeper.wakes == 61)
        #expect(scene.listener.waiting() == ["READY=1"] + Array(repeating: "WATCHDOG=1", count: 4))
    }

    @Test("without a watchdog it is ready, and then sleeps as long as the handler allows")
    func noWatchdog() throws {
        let scene = try Scene(watchdog: nil)
        scene.round()
        #expect(scene.listener.waiting() == ["READY=1"])
        #expect(scene.handler.sleepLimit == nil)
    }

    @Test("a handler that does not return sends no signs of life, however long it takes")
    func stuck() throws {
        let scene = try Scene(watchdog: "30000000")
        scene.round()
        _ = scene.listener.waiting()
        var heard: [String] = ["not looked"]
        scene.sleeper.onWake = {
            scene.clock.move(by: .hours(1))
            heard = scene.listener.waiting()
        }
        scene.round()
        #expect(heard.isEmpty, "the sign of life came before the work")
        #expect(scene.listener.waiting() == ["WATCHDOG=1"], "it came back after all")
    }

    @Test("the connection is reported; words of a broker can't become assignments")
    func status() throws {
        let scene = try Scene(watchdog: nil)
        scene.handler.connected(BusSession(isResumed: false))
        scene.handler.disconnected(BusFault(.refused, "it said:\nWATCHDOG=trigger"))
        scene.handler.disconnected(BusFault(.refused, String(repeating: "ä", count: 5000)))
        let told = scene.listener.waiting()
        #expect(
            told.prefix(2) == [
                "STATUS=connected to broker.local:1883", "STATUS=not connected: it said: WATCHDOG=trigger",
            ]
        )
        #expect(told.last?.count == 507, "500 characters after STATUS=")
    }

    @Test("a missing service manager is reported once, and the work goes on")
    func deaf() throws {
        let complaints = Mutex<[String]>([])
        let sleeper = Sleeper()
        let socket = try #require(try NotifySocket(environment: ["NOTIFY_SOCKET": "/nowhere/socket"]))
        let clock = StepClock(Timestamp(seconds: 0))
        let handler = NotifyingHandler(sleeper, socket: socket, clock: clock, broker: "b") { fault in
            complaints.withLock { $0.append(fault.message) }
        }
        handler.wake()
        handler.connected(BusSession(isResumed: true))
        #expect(sleeper.wakes == 1)
        let expected = ["the service manager refuses 'READY=1': No such file or directory"]
        #expect(complaints.withLock { $0 } == expected)
    }

    @Test(
        "the socket and the watchdog from the environment",
        arguments: [
            ([:], nil, nil),
            (["NOTIFY_SOCKET": ""], nil, nil),
            (["WATCHDOG_USEC": "1000"], nil, nil),
            (["NOTIFY_SOCKET": "vsock:2:1234"], nil, "is neither a path"),
            (["NOTIFY_SOCKET": "@"], nil, "too short"),
            (["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 107)], nil, "too long"),
            (["NOTIFY_SOCKET": "/a", "WATCHDOG_USEC": "soon"], nil, "WATCHDOG_USEC: 'soon' is not a number"),
            (["NOTIFY_SOCKET": "/a", "WATCHDOG_USEC": "0"], nil, "WATCHDOG_USEC: '0' is not a number"),
            (["NOTIFY_SOCKET": "/a", "WATCHDOG_USEC": "5", "WATCHDOG_PID": "1"], 0, nil),
            (["NOTIFY_SOCKET": "/a", "WATCHDOG_USEC": "5", "WATCHDOG_PID": "\(getpid())"], 5, nil),
            (["NOTIFY_SOCKET": "/a", "WATCHDOG_USEC": "5"], 5, nil),
            (["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 106)], 0, nil),
        ] as [([String: String], Int64?, String?)]
    )
    func environment(variables: [String: String], watchdog: Int64?, fault: String?) {
        do throws(NotifyFault) {
            let socket = try NotifySocket(environment: variables)
            #expect(fault == nil)
            #expect((socket == nil) == (watchdog == nil))
            if let socket { #expect((socket.watchdog?.microseconds ?? 0) == watchdog) }
        } catch {
            #expect(error.message.contains(fault ?? "no fault at all"))
        }
    }
}
