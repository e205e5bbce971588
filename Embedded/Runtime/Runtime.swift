import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues

// The engine behind a few functions of C, for one thread: definitions go in once, then messages and time; what a gateway
// would publish comes out. skerry.h describes them.

/// What runs, between two calls.
private struct Runtime {
    var definitions: [Definition] = []
    var engine: Engine?
    var sink = MQTTSink()
    /// What is to be read, the oldest first, and how much of it was.
    var output: [(at: Timestamp, publication: Publication)] = []
    var taken = 0
    /// How machines moved in the last call, and how many of these were read.
    var moves: [(at: Timestamp, text: [UInt8])] = []
    var movesTaken = 0
    /// What a restart needs, and the devices that were forgotten since it was taken.
    var kept = KeptState()
    var forgotten: [(kind: String, device: String)] = []
    /// The bytes that the last output points to.
    var topic: [UInt8] = []
    var payload: [UInt8] = []

    /// Forgets an earlier run.
    mutating func forget() {
        engine = nil
        output = []
        taken = 0
        moves = []
        movesTaken = 0
        kept = KeptState()
        forgotten = []
    }

    mutating func take(_ effects: [Effect]) {
        if taken == output.count {
            output.removeAll(keepingCapacity: true)
            taken = 0
        }
        moves.removeAll(keepingCapacity: true)
        movesTaken = 0
        for effect in effects {
            if case .moved(let from, let to, _) = effect.what {
                moves.append((effect.at, Array("\(effect.kind)\0\(effect.device)\0\(from)\0\(to)".utf8)))
            }
            if case .forgotten = effect.what { forgotten.append((effect.kind, effect.device)) }
            for publication in sink.publications(of: effect) { output.append((effect.at, publication)) }
        }
    }
}

nonisolated(unsafe) private var runtime = Runtime()

/// Adds a compiled definition.
@_cdecl("skerry_add")
public func add(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    do throws(CompiledFault) {
        let copy = Array(UnsafeBufferPointer(start: bytes, count: count))
        runtime.definitions.append(try Definition.read(compiled: copy[...]))
        return 0
    } catch {
        return switch error {
        case .other: 1
        case .tooLarge: 2
        case .older: 3
        case .newer: 4
        case .damaged: 5
        }
    }
}

/// Begins with the definitions that were added, and without devices.
@_cdecl("skerry_begin")
public func begin(_ epoch: Int64) {
    runtime.forget()
    runtime.engine = Engine(definitions: runtime.definitions, epoch: epoch, foretells: false)
}

/// Goes on where an earlier run was kept; false if the bytes are not what was kept.
@_cdecl("skerry_resume")
public func resume(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ microseconds: Int64) -> Bool {
    let kept = Array(UnsafeBufferPointer(start: bytes, count: count))
    let now = Timestamp(microseconds: microseconds)
    runtime.forget()
    guard let resumed = try? runtime.kept.resume(kept[...], runtime.definitions, at: now) else {
        return false
    }
    runtime.engine = resumed.engine
    runtime.take(resumed.effects)
    // What was published last may have been lost with the power.
    resumed.engine.forEachDevice { kind, device in
        for publication in runtime.sink.retained(of: device, kind: kind) {
            runtime.output.append((resumed.engine.now, publication))
        }
    }
    return true
}

/// Hands out what a restart needs, if it has changed since the last call.
@_cdecl("skerry_keep")
public func keep(
    _ all: Bool,
    _ bytes: UnsafeMutablePointer<UnsafePointer<UInt8>?>,
    _ count: UnsafeMutablePointer<Int>
) -> Bool {
    guard var engine = runtime.engine.take() else { return false }
    defer { runtime.engine = engine }
    guard runtime.kept.take(&engine, forgotten: runtime.forgotten, all: all) else { return false }
    runtime.forgotten = []
    runtime.kept.bytes.withUnsafeBufferPointer { bytes.pointee = $0.baseAddress }
    count.pointee = runtime.kept.bytes.count
    return true
}

/// Handles a message, after all that was due before it.
@_cdecl("skerry_message")
public func message(
    _ topic: UnsafePointer<UInt8>,
    _ topicCount: Int,
    _ payload: UnsafePointer<UInt8>,
    _ payloadCount: Int,
    _ isRetained: Bool,
    _ microseconds: Int64
) {
    let message = Message(
        topic: Array(UnsafeBufferPointer(start: topic, count: topicCount))[...],
        payload: Array(UnsafeBufferPointer(start: payload, count: payloadCount))[...],
        isRetained: isRetained
    )
    let effects = runtime.engine?.handle(.message(message), at: Timestamp(microseconds: microseconds))
    runtime.take(effects ?? [])
}

/// The next moment at which time alone changes something.
@_cdecl("skerry_next_deadline")
public func nextDeadline() -> Int64 { runtime.engine?.nextDeadline?.microseconds ?? .max }

/// Lets time pass; what is due is handled.
@_cdecl("skerry_advance")
public func advance(_ microseconds: Int64) {
    let effects = runtime.engine?.handle(.timePassed, at: Timestamp(microseconds: microseconds))
    runtime.take(effects ?? [])
}

/// True while an activity is followed, or waits to be dismissed.
@_cdecl("skerry_is_pending")
public func isPending() -> Bool { runtime.engine?.hasPendingActivity ?? false }

/// Reads the oldest publication that was not read yet into the fields of `skerry_output`; false when there is none.
@_cdecl("skerry_read")
public func read(
    _ at: UnsafeMutablePointer<Int64>,
    _ topic: UnsafeMutablePointer<UnsafePointer<UInt8>?>,
    _ topicCount: UnsafeMutablePointer<Int>,
    _ payload: UnsafeMutablePointer<UnsafePointer<UInt8>?>,
    _ payloadCount: UnsafeMutablePointer<Int>,
    _ flags: UnsafeMutablePointer<UInt32>
) -> Bool {
    guard runtime.taken < runtime.output.count else { return false }
    let next = runtime.output[runtime.taken]
    runtime.taken += 1
    runtime.topic = Array(next.publication.topic.utf8)
    runtime.payload = next.publication.payload
    at.pointee = next.at.microseconds
    // The arrays stay until the next call, and an array's elements stay where they are while nobody changes it.
    runtime.topic.withUnsafeBufferPointer { topic.pointee = $0.baseAddress }
    runtime.payload.withUnsafeBufferPointer { payload.pointee = $0.baseAddress }
    topicCount.pointee = runtime.topic.count
    payloadCount.pointee = runtime.payload.count
    flags.pointee = UInt32(next.publication.quality.rawValue) | (next.publication.isRetained ? 4 : 0)
    return true
}

/// Reads the next move of a machine in the last call; false when there is none.
@_cdecl("skerry_read_move")
public func readMove(
    _ at: UnsafeMutablePointer<Int64>,
    _ text: UnsafeMutablePointer<UnsafePointer<UInt8>?>,
    _ count: UnsafeMutablePointer<Int>
) -> Bool {
    guard runtime.movesTaken < runtime.moves.count else { return false }
    let next = runtime.moves[runtime.movesTaken]
    runtime.movesTaken += 1
    at.pointee = next.at.microseconds
    runtime.payload = next.text
    runtime.payload.withUnsafeBufferPointer { text.pointee = $0.baseAddress }
    count.pointee = runtime.payload.count
    return true
}
