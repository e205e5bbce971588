import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryValues
import Testing

/// Makes definitions and messages for tests, and words of effects.
enum Playground {
    static let start = Timestamp(seconds: 1_000_000)

    static func definition(_ text: String) throws -> Definition {
        let file = DefinitionFile(path: "thing.yaml", bytes: Array(("skerry: 1\n" + text).utf8))
        let compiled = CompiledFiles([file])
        return try #require(compiled.definitions.first, "\(compiled.report(DiagnosticPrinter()))")
    }

    /// A kind whose devices count nothing and go back and forth with their payload.
    static func lamp(_ kind: String, topics: [String]) throws -> Definition {
        let sources = topics.map {
            "  - { topic: \"\($0)\", payload: text, signals: { word: payload } }"
        }
        return try definition(
            """
            kind: \(kind)
            sources:
            \(sources.joined(separator: "\n"))
            machine:
              initial: dark
              states:
                dark: { always: { guard: word == "on", target: lit } }
                lit: { always: { guard: word == "off", target: dark } }
            """
        )
    }

    static func message(_ topic: String, _ payload: String, retained: Bool = false) -> Input {
        .message(
            Message(topic: ArraySlice(topic.utf8), payload: ArraySlice(payload.utf8), isRetained: retained)
        )
    }

    /// An effect as text, complete.
    static func words(_ effect: Effect) -> String {
        let what =
            switch effect.what {
            case .moved(let from, let to, _): "\(from)>\(to)"
            case .update(let update):
                String(decoding: update.snapshotJSON() + (update.diffJSON() ?? []), as: UTF8.self)
                    + (update.alert.map { $0.title } ?? "")
            case .dismissed(let id): "dismissed \(id)"
            case .foretold(let timeline):
                "foretold " + (timeline.map { String(decoding: $0.json(), as: UTF8.self) } ?? "nothing")
            case .availability(let isAvailable): "available \(isAvailable)"
            case .publication(let message): "publishes \(message.topic)"
            case .forgotten(let told): "forgotten \(told)"
            case .refused(let refusal): "refused \(refusal.message)"
            case .fault(let fault): "fault \(fault.message)"
            }
        return "\((effect.at - start).microseconds) \(effect.kind)/\(effect.device) \(what)"
    }
}
