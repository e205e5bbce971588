import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryMachine
import SkerryValues

/// A plain engine that gets the same inputs as the bridge at the same times, and must give the same effects.
///
/// See docs/decisions/0029-three-engines.md.
struct Twin {
    /// The engine; its images are taken before each input, so that a device without one was changed by the input.
    var engine: Engine
    var clock: SystemClock
    /// The engine right after the clock was set, which the bridge commits separately.
    private var stepped: Engine?
    /// The definitions that take effect with the next wake.
    var mail: [[Definition]] = []
    /// The prefix of the topics of commands.
    static let commandStart = "skerry/"

    /// Restores a twin from a disk, as a new process does; the effects are appended to `effects`.
    init(
        _ state: StoredState,
        definitions: [Definition],
        foretells: Bool,
        clock: SystemClock,
        effects: inout [Effect]
    ) {
        self.clock = clock
        if let past = state.progress?.past { self.clock.start(after: past) }
        let now = self.clock.now
        engine = Engine(
            definitions: definitions,
            epoch: state.nextEpoch(at: now, boot: self.clock.boot),
            foretells: foretells,
            resumingAt: state.progress?.sequence ?? 0,
            newestLostRun: state.progress?.newestLostRun ?? .min
        )
        guard let progress = state.progress else { return }
        let downtime = Downtime(start: progress.aliveAt, end: now)
        let origin = progress.origin(in: self.clock.boot)
        engine.restore(state, after: downtime, since: origin, effects: &effects)
    }

    /// Reads the wall clock and moves all deadlines if it was set.
    private mutating func look(_ effects: inout [Effect]) {
        switch clock.look() {
        case .steady: break
        case .found(let length):
            effects += engine.clockSet(by: length, since: engine.origin, at: clock.now)
            stepped = engine
        case .stepped(let length):
            effects += engine.clockSet(by: length, at: clock.now)
            stepped = engine
        }
    }

    /// The engine right after the clock was set; nil if it was not since the last call.
    mutating func takeStepped() -> Engine? {
        defer { stepped = nil }
        return stepped
    }

    /// Handles the deadlines that are due.
    mutating func wake() -> [Effect] {
        _ = engine.takeImages(all: true)
        var effects: [Effect] = []
        look(&effects)
        for definitions in mail { effects += engine.change(to: definitions, at: clock.now).effects }
        mail = []
        return effects + engine.handle(.timePassed, at: clock.now)
    }

    /// Handles messages.
    mutating func take(_ batch: [Delivery]) -> [Effect] {
        _ = engine.takeImages(all: true)
        var effects: [Effect] = []
        look(&effects)
        for delivery in batch {
            let topic = String(decoding: delivery.topic, as: UTF8.self)
            guard topic.hasPrefix(Self.commandStart) else {
                let message = Message(
                    topic: delivery.topic[...],
                    payload: delivery.payload[...],
                    isRetained: delivery.isRetained
                )
                effects += engine.handle(.message(message), at: clock.now)
                continue
            }
            let levels = topic.split(separator: "/").map { String($0) }
            guard levels.count == 4, levels[3] == "event",
                engine.device(kind: levels[1], named: levels[2]) != nil
            else { continue }
            let name = String(decoding: delivery.payload, as: UTF8.self)
            let event = Input.event(kind: levels[1], device: levels[2], name: name)
            effects += engine.handle(event, at: clock.now)
        }
        return effects
    }
}

extension Engine {
    /// Restores the devices on a disk, and handles the deadlines that passed meanwhile.
    mutating func restore(
        _ state: StoredState,
        after downtime: Downtime,
        since origin: TimeOrigin?,
        effects: inout [Effect]
    ) {
        var restoration = EngineRestoration(of: self, after: downtime)
        for image in state.devices {
            guard let layout = state.layouts.first(where: { $0.id == image.layout }) else { continue }
            _ = restoration.restore(image, layout: layout, effects: &effects)
        }
        let late: [Effect]
        (self, late) = restoration.finish(since: origin)
        effects += late
    }
}

extension Effect {
    /// The effect in a line; different effects have different lines.
    var line: String {
        let head = "\(at.microseconds) \(kind)/\(device)"
        switch what {
        case .moved(let from, let to, let through):
            return "\(head) \(([from] + through + [to]).joined(separator: " → "))"
        case .update(let update):
            let diff = update.diffJSON().map { String(decoding: $0, as: UTF8.self) } ?? ""
            return "\(head) \(String(decoding: update.snapshotJSON(), as: UTF8.self)) \(diff)"
        case .dismissed(let id): return "\(head) dismissed \(id)"
        case .foretold(let timeline):
            let json = timeline.map { String(decoding: $0.json(), as: UTF8.self) }
            return "\(head) foretold \(json ?? "nothing")"
        case .availability(let isAvailable): return "\(head) \(isAvailable ? "online" : "offline")"
        case .publication(let message):
            return "\(head) publishes \(message.topic) \(String(decoding: message.payload, as: UTF8.self))"
        case .forgotten(let told): return "\(head) forgotten\(told ? ", also whether it can be reached" : "")"
        case .refused(let refusal): return "\(head) refused: \(refusal.message)"
        case .fault(let fault): return "\(head) fault: \(fault.message)"
        }
    }
}
