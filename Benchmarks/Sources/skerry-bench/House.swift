import Glibc
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryTesting
import SkerryValues
import WasherLoad

/// The material of the measurements: definitions, recordings, a simulated fleet.
struct House {
    let options: BenchOptions
    let definitions: [Definition]
    /// The folder of the package.
    let root: String

    init(_ options: BenchOptions) throws(BenchFailure) {
        self.options = options
        // …/Benchmarks/Sources/skerry-bench/House.swift
        root = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()
        let compiled: CompiledFiles
        do throws(FileError) {
            compiled = try CompiledFiles([root + "/devices"])
        } catch {
            throw BenchFailure("\(error)")
        }
        definitions = compiled.definitions
        guard !definitions.isEmpty else { throw BenchFailure("no definitions in \(root)/devices") }
    }

    /// The definition of a kind.
    func definition(_ kind: String) throws(BenchFailure) -> Definition {
        guard let found = definitions.first(where: { $0.kind == kind }) else {
            throw BenchFailure("no definition of \(kind) in \(root)/devices")
        }
        return found
    }

    /// A recording, parsed; nil, with a line in the table, when it can't be read.
    func recording(_ name: String) -> [TimedMessage]? {
        guard let path = recordingPath(name) else { return nil }
        var messages: [TimedMessage] = []
        do throws(FileError) {
            let reader = try RecordingReader(path: path)
            while let message = try reader.next() {
                // A copy of the bytes, so that messages do not keep the chunks of the file in memory.
                messages.append(
                    TimedMessage(
                        at: message.at,
                        message: Message(
                            topic: ArraySlice(Array(message.topic)),
                            payload: ArraySlice(Array(message.payload)),
                            isRetained: message.isRetained
                        )
                    )
                )
            }
        } catch {
            say("  \(name): \(error)")
            return nil
        }
        return messages.inOneArena
    }

    /// The path of a recording; nil, with a line in the table, when there is no file.
    func recordingPath(_ name: String) -> String? {
        let folder = environment("SKERRY_RECORDINGS") ?? root + "/../shared/recordings"
        let path = "\(folder)/\(name)"
        if access(path, R_OK) == 0 { return path }
        say("  \(name): not there, passed over (SKERRY_RECORDINGS, ../shared/recordings)")
        return nil
    }

    /// The first messages of washing machines.
    func messages(of washers: WasherLoad, _ count: Int) -> [TimedMessage] {
        (0..<count)
            .map { index in
                TimedMessage(
                    at: Timestamp(seconds: 1_772_323_200),
                    message: Message(
                        topic: ArraySlice(washers.topic(index)),
                        payload: ArraySlice(washers.payload(index)),
                        isRetained: false
                    )
                )
            }
            .inOneArena
    }

    /// The first messages of a simulated fleet of a thousand devices.
    func fleet(_ count: Int) -> [TimedMessage] {
        let start = Timestamp(seconds: 1_772_323_200)
        return SimulatedHousehold(seed: 1, start: start, devices: 1000).prefix(count)
            .map { simulated in
                TimedMessage(
                    at: simulated.at,
                    message: Message(
                        topic: ArraySlice(simulated.topic),
                        payload: ArraySlice(simulated.payload),
                        isRetained: false
                    )
                )
            }
            .inOneArena
    }
}

/// A message and the moment of its arrival.
struct TimedMessage {
    var at: Timestamp
    var message: Message
}

extension [TimedMessage] {
    /// The same messages with all bytes in one allocation, as a reader or a batch provides them.
    var inOneArena: [TimedMessage] {
        var arena: [UInt8] = []
        for timed in self { arena += timed.message.topic + timed.message.payload }
        var place = 0
        return map { timed in
            let topicEnd = place + timed.message.topic.count
            let end = topicEnd + timed.message.payload.count
            defer { place = end }
            return TimedMessage(
                at: timed.at,
                message: Message(
                    topic: arena[place..<topicEnd],
                    payload: arena[topicEnd..<end],
                    isRetained: timed.message.isRetained
                )
            )
        }
    }
}

func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
