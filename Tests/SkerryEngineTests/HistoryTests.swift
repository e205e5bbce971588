import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryValues
import Testing

/// Histories that nobody thought of, judged by a reader that holds what was sent and patches it.
@Suite("Random histories")
struct HistoryTests {
    /// What somebody knows who listens.
    struct Listener {
        /// The last revision of each activity that is not dismissed, by its device.
        var held: [String: ActivityUpdate] = [:]
        var updates: UInt64 = 0
        var refused: UInt64 = 0
        var last = Timestamp.distantPast

        mutating func hear(_ effect: Effect) throws {
            try #require(effect.at >= last, "effects come in the order of time")
            last = effect.at
            let device = "\(effect.kind)/\(effect.device)"
            switch effect.what {
            case .update(let update):
                updates += 1
                try #require(update.at == effect.at && update.id.hasPrefix(device + "/"))
                try check(update, after: held[device])
                held[device] = update
            case .dismissed(let id):
                let ended = try #require(held[device])
                held[device] = nil
                try #require(ended.id == id && ended.dismissAt == effect.at)
            case .refused: refused += 1
            case .moved(let from, let to, let through): try #require(from != to || !through.isEmpty)
            case .foretold, .availability, .forgotten, .publication: break
            case .fault(let fault): Issue.record("\(fault.message)")
            }
        }

        private func check(_ update: ActivityUpdate, after last: ActivityUpdate?) throws {
            try #require((update.phase == .ended) == (update.dismissAt != nil))
            guard update.kind != .started, let last else {
                try #require(update.kind == .started && update.rev == 1 && update.patch == nil)
                try #require(last.map { $0.phase == .ended && $0.id != update.id } ?? true)
                return
            }
            try #require(last.id == update.id && last.phase != .ended)
            try #require(update.rev == last.rev + 1 && update.prev == last.rev && update.epoch == last.epoch)
            let before = try JSON.read(last.snapshotJSON())
            let after = try JSON.read(update.snapshotJSON())
            let patch = try JSON.member("patch", of: JSON.read(#require(update.diffJSON())))
            let mutable = try JSON.mutablePart(of: before)
            let expected = try JSON.mutablePart(of: after)
            try #require(MergePatch.apply(patch, to: mutable).isSameJSON(as: expected))
            let smallest = try #require(MergePatch.between(mutable, expected), "something changed")
            try #require(smallest.isSameJSON(as: patch), "no smaller patch would do")
            let attributes = try JSON.member("attributes", of: after)
            try #require(attributes.isSameJSON(as: JSON.member("attributes", of: before)))
        }
    }

    @Test(
        "600 of them: diffs lead from snapshot to snapshot, by smallest patches",
        arguments: 0..<8 as Range<UInt64>
    )
    func random(part: UInt64) throws {
        let definitions = try Traffic.definitions.map(definition)
        var updates: UInt64 = 0
        for seed in part * 75..<(part + 1) * 75 {
            var engine = Engine(definitions)
            var listener = Listener()
            var steps = Traffic.steps(seed: seed, count: 25)
            steps.append(.wait(until: steps[24].at + .hours(10)))
            for step in steps {
                for effect in engine.handle(step.input, at: step.at) { try listener.hear(effect) }
                try #require(engine.hasPendingActivity == !listener.held.isEmpty, "seed \(seed)")
                try #require(engine.now >= step.at && engine.nextDeadline.map { $0 > engine.now } ?? true)
            }
            try #require(listener.held.isEmpty, "seed \(seed): every run ends and goes away")
            try #require(engine.counters.updates == listener.updates)
            try #require(engine.counters.refused == listener.refused)
            updates += listener.updates
        }
        #expect(updates > 600, "the traffic does something")
    }
}

/// Values of JSON texts.
enum JSON {
    static func read(_ bytes: [UInt8]) throws -> Value { try JSONReader.value(of: bytes.span) }

    static func member(_ name: String, of value: Value) throws -> Value {
        guard case .map(let members) = value else { throw Absent(name: name) }
        for entry in members.entries where entry.key.isSameJSON(as: .string(name)) { return entry.value }
        throw Absent(name: name)
    }

    /// The part of a snapshot that diffs are about.
    static func mutablePart(of snapshot: Value) throws -> Value {
        var part = ValueMap()
        for name in ["phase", "state", "content"] { part.set(name, to: try member(name, of: snapshot)) }
        return .map(part)
    }

    struct Absent: Error {
        var name: String
    }
}
