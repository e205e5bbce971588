import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryMachine
import SkerryValues
import Testing

/// One device of a definition written in a test, and all that came of what it was told.
struct Scene {
    /// When every scene begins.
    static let start = Timestamp(seconds: 1_000_000)

    var engine: Engine
    var now = Scene.start
    var effects: [Effect] = []
    let definition: Definition

    /// Compiles a definition of the kind `thing` whose device is `a`; what is common to all need not be written.
    init(_ text: String, limits: DeviceLimits = DeviceLimits()) throws {
        definition = try Scene.definition(text, limits: limits)
        engine = Engine(definitions: [definition], epoch: 7)
    }

    static func definition(_ text: String, limits: DeviceLimits = DeviceLimits()) throws -> Definition {
        let whole = text.hasPrefix("skerry:") ? text : "skerry: 1\nkind: thing\n" + text
        let file = DefinitionFile(path: "thing.yaml", bytes: Array(whole.utf8))
        let compiled = CompiledFiles([file], limits: limits)
        return try #require(compiled.definitions.first, "\(compiled.report(DiagnosticPrinter()))")
    }

    /// A message of the device's first source, `thing/a`, or of another one.
    mutating func send(_ payload: String, to topic: String = "thing/a", retained: Bool = false) {
        send(Array(payload.utf8), to: topic, retained: retained)
    }

    mutating func send(_ payload: [UInt8], to topic: String = "thing/a", retained: Bool = false) {
        let message = Message(topic: ArraySlice(topic.utf8), payload: payload[...], isRetained: retained)
        effects += engine.handle(.message(message), at: now)
    }

    mutating func tell(_ event: String) {
        effects += engine.handle(.event(kind: "thing", device: "a", name: event), at: now)
    }

    mutating func wait(_ length: Interval) {
        now = now + length
        effects += engine.handle(.timePassed, at: now)
    }

    /// Ends the process now, and begins another one with the stored device after a length of time.
    mutating func restart(after length: Interval = .zero) throws {
        #expect(engine.brokenInvariant() == nil)
        let images = engine.takeImages(all: true)
        let layout = try #require(engine.imageLayouts().first)
        let next = Engine(definitions: [definition], epoch: 7, resumingAt: engine.sequence)
        let end = now + length
        var restoration = EngineRestoration(of: next, after: Downtime(start: now, end: end))
        for image in images {
            guard case .restored = restoration.restore(image, layout: layout, effects: &effects) else {
                Issue.record("\(image.name) is not restored")
                continue
            }
        }
        let finished = restoration.finish()
        engine = finished.engine
        effects += finished.effects
        now = end
    }

    /// Changes the definition, to one that says the same.
    mutating func edit(_ text: String) throws {
        effects += engine.change(to: [try Scene.definition(text)], at: now).effects
    }

    // MARK: Looking

    private var known: (device: Device, definition: Definition)? { engine.device(kind: "thing", named: "a") }

    var state: String { known.map { $0.device.stateName(in: $0.definition) } ?? "" }

    /// A signal as text; `unset` when it has no value.
    func signal(_ name: String) -> String {
        guard let known else { return "unset" }
        return Scene.text(known.device.signal(name, in: known.definition))
    }

    /// A variable as text; `unset` when it has no value.
    func variable(_ name: String) -> String {
        guard let known else { return "unset" }
        return Scene.text(known.device.variable(name, in: known.definition))
    }

    var failedReadings: UInt32 { known?.device.failedReadings ?? 0 }

    var isAvailable: Bool? { known?.device.isAvailable }

    var isFollowed: Bool { known?.device.activity != nil }

    /// A timer as text, with seconds since the start of the scene.
    func timer(_ name: String) -> String {
        guard let known, let id = definition.chart.timer(named: name) else { return "none" }
        func since(_ moment: Timestamp) -> String { seconds(moment - Scene.start) }
        func seconds(_ length: Interval) -> String { String(length.roundedSeconds) }
        return switch known.device.machine.timer(id) {
        case .stopped: "stopped"
        case .running(let start, let end): "\(since(start)) to \(since(end))"
        case .countingUp(let start): "since \(since(start))"
        case .paused(let remaining, let duration): "\(seconds(remaining)) of \(seconds(duration))"
        case .pausedCount(let elapsed): "held at \(seconds(elapsed))"
        case .elapsed(let start, let end): "elapsed \(since(start)) to \(since(end))"
        }
    }

    var updates: [ActivityUpdate] {
        effects.compactMap { if case .update(let update) = $0.what { update } else { nil } }
    }

    /// The content of the last update as JSON.
    var content: String { updates.last.map { Scene.text(.map($0.content)) } ?? "none" }

    /// All effects in short words, each with the seconds since the start of the scene; without the first state and
    /// without what is foretold.
    var story: [String] {
        effects.compactMap { effect in
            if case .moved("", _, _) = effect.what { return nil }
            if case .foretold = effect.what { return nil }
            return "\((effect.at - Scene.start).roundedSeconds) \(Scene.words(effect.what))"
        }
    }

    static func words(_ effect: DeviceEffect) -> String {
        switch effect {
        case .moved(let from, let to, let through): ([from] + through + [to]).joined(separator: " > ")
        case .update(let update):
            "\(update.rev) \(update.kind) \(update.state)" + (update.alert.map { " ! \($0.title)" } ?? "")
        case .dismissed: "dismissed"
        case .foretold(let timeline):
            timeline.map { String(decoding: $0.json(), as: UTF8.self) } ?? "foretells nothing"
        case .availability(let isAvailable): isAvailable ? "online" : "offline"
        case .publication(let message): "\(message.topic) \(String(decoding: message.payload, as: UTF8.self))"
        case .forgotten: "forgotten"
        case .refused(let refusal): "refused: \(refusal.message)"
        case .fault(let fault): "fault: \(fault.message)"
        }
    }

    static func text(_ value: Value) -> String {
        if case .error(let error) = value { return "\(error)" }
        if case .duration(let length) = value { return "\(length.interval.roundedSeconds)s" }
        var writer = JSONWriter()
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
