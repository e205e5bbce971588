import SkerryEngine
import SkerryValues
import Testing

@testable import SkerryActivity
@testable import SkerryDevice
@testable import SkerryMachine

/// Images whose bytes are whole, but which no device can have written.
@Suite("Images that contradict themselves")
struct ImpossibleImageTests {
    /// A washer at work that learns, with a countdown, a wait for silence and a run.
    private static func device() throws -> (device: Device, definition: Definition) {
        var scene = try SkerryDeviceTests.Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { power: payload.power, left: minutes(payload.left) }
                available: payload.there
            timers:
              cycle: { remaining: left, while: inState("on") }
              run: { count: up, while: inState("on"), learn: { curve: power } }
            machine:
              initial: "off"
              states:
                "off": { always: { guard: power > 10, target: "on" } }
                "on":
                  always: [{ guard: power < 5, target: "off" }, { quiet: 2h, target: "off" }]
                  on: { cycle.elapsed: "off" }
            activity:
              starts: "on"
              ends: "off"
              stale: 1h
              forget: 1h
              content: { cycle: timer.cycle, run: timer.run }
            """
        )
        scene.send(#"{"power": 900, "left": 60, "there": true}"#)
        scene.wait(.seconds(40))
        scene.send(#"{"power": 800}"#)
        return try #require(scene.engine.device(kind: "thing", named: "a"))
    }

    private static func read(_ device: Device, _ definition: Definition) throws -> Device {
        let map = LayoutMap(from: DefinitionLayout(of: definition), to: definition)
        return try Device(name: "a", image: device.image(in: definition)[...], map: map, in: definition)
    }

    /// What is wrong in an image.
    enum Fault: String, CaseIterable {
        case activeIsDismissed, endedIsNot, endedFallsSilent, noRunNumber, lastRunNumber, followedIsForgotten
        case stillWithoutReason, stillThoughThere, sameDeadline, lastDeadline, timerTwice
        case timerEndsFirst, timerWithoutEnd, pausedBelowZero, pausedLonger, countBelowZero
        case lastRevision, curveTooShort, curveTooSlow, curveTooGreat, estimateBelowZero

        func put(into device: inout Device) {
            let later = Deadline(at: Timestamp(seconds: 2_000_000_000), sequence: 900)
            let now = Timestamp(seconds: 1_000_000)
            switch self {
            case .activeIsDismissed: device.run[0].dismissal = later
            case .endedIsNot: device.run[0].activity.phase = .ended
            case .endedFallsSilent:
                device.run[0].activity.phase = .ended
                device.run[0].dismissal = later
            case .noRunNumber: device.lastRun = .min
            case .lastRunNumber: device.lastRun = .max
            case .followedIsForgotten: device.memory.forgetting = later
            case .stillWithoutReason: device.machine.runningTimers[0].deadline.at = .distantFuture
            case .stillThoughThere: device.machine.heldSince = now
            case .sameDeadline: device.run[0].exactAt = device.machine.runningTimers[0].deadline
            case .lastDeadline: device.run[0].exactAt = Deadline(at: later.at, sequence: .max)
            case .timerTwice: device.machine.runningTimers.append(device.machine.runningTimers[0])
            case .timerEndsFirst: set(.running(start: later.at, end: now), &device)
            case .timerWithoutEnd: set(.running(start: now, end: .distantFuture), &device)
            case .pausedBelowZero: set(.paused(remaining: .seconds(-1), duration: .seconds(5)), &device)
            case .pausedLonger: set(.paused(remaining: .seconds(6), duration: .seconds(5)), &device)
            case .countBelowZero: set(.pausedCount(elapsed: .seconds(-1)), &device)
            case .lastRevision: device.run[0].activity.rev = .max
            case .curveTooShort: set(slot: .seconds(15), [3000], covered: .seconds(40), &device)
            case .curveTooSlow: set(slot: Interval(microseconds: .max), [3000], covered: .seconds(1), &device)
            case .curveTooGreat: set(slot: .seconds(15), [1e308], covered: .seconds(15), &device)
            case .estimateBelowZero:
                device.memory.learning[0].present?.estimate = RunEstimate(
                    length: .seconds(-1),
                    tolerance: .zero,
                    like: 3,
                    compared: 3
                )
            }
        }

        private func set(_ state: TimerState, _ device: inout Device) {
            device.machine.runningTimers[0].state = state
        }

        private func set(slot: Interval, _ sums: [Double], covered: Interval, _ device: inout Device) {
            let curve = RunCurve(slot: slot, sums: sums, covered: covered, number: 3)
            device.memory.learning[0].present?.curve = curve
        }
    }

    @Test("are refused, and not taken for the state of a device", arguments: Fault.allCases)
    func refused(fault: Fault) throws {
        var (device, definition) = try Self.device()
        #expect(throws: Never.self) { try Self.read(device, definition) }
        fault.put(into: &device)
        #expect(throws: ImageFault.contradictory) { try Self.read(device, definition) }
    }

    @Test("numbers of deadlines that the store does not know are passed over, not used again")
    func laterNumbers() throws {
        let (device, definition) = try Self.device()
        let layout = DefinitionLayout(of: definition)
        let image = DeviceImage(
            kind: definition.kind,
            name: "a",
            layout: layout.id,
            bytes: device.image(in: definition)
        )
        let engine = Engine(definitions: [definition], epoch: 7)
        let now = Timestamp(seconds: 1_000_040)
        var restoration = EngineRestoration(of: engine, after: Downtime(start: now, end: now))
        var effects: [Effect] = []
        guard case .restored = restoration.restore(image, layout: layout, effects: &effects) else {
            Issue.record("the device is not restored")
            return
        }
        #expect(restoration.finish().engine.sequence >= device.nextSequence)
    }
}
