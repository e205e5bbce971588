import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryImport
import SkerryValues
import Testing

/// A device of an imported definition, read from the YAML that was written, with a clock of its own.
struct ImportedMachine {
    private let definition: Definition
    private var engine: Engine
    private var now = Timestamp(seconds: 0)

    /// Compiles the YAML of an import and starts a device with a message that is no event.
    init(_ imported: ImportedDefinition) throws {
        let yaml = try #require(imported.yaml)
        let reading = DefinitionReader.read(text: yaml)
        try #require(reading.problems.isEmpty, "\(reading.problems) in\n\(yaml)")
        var limits = DeviceLimits()
        limits.microsteps = 1000
        let compilation = Definition.compile(try #require(reading.draft), limits: limits)
        definition = try #require(compilation.definition, "\(compilation.problems) in\n\(yaml)")
        engine = Engine(definitions: [definition], epoch: 1)
        say("{}", isRetained: true)
    }

    private mutating func say(_ payload: String, isRetained: Bool = false) {
        let message = Message(
            topic: Array("\(definition.kind)/one/event".utf8)[...],
            payload: Array(payload.utf8)[...],
            isRetained: isRetained
        )
        _ = engine.handle(.message(message), at: now)
        _ = engine.handle(.timePassed, at: now)
    }

    /// Lets time pass.
    mutating func wait(milliseconds: Int64) {
        now = now + .milliseconds(milliseconds)
        _ = engine.handle(.timePassed, at: now)
    }

    /// Sends an event, as text or as JSON as the source wants it.
    mutating func send(_ event: String, data: String = "null") {
        let isText = definition.sources.first?.payload == .text
        say(isText ? event : "{\"event\": \"\(event)\", \"data\": \(data)}")
    }

    /// The innermost active states, sorted.
    var states: [String] {
        guard let found = engine.device(kind: definition.kind, named: "one") else { return [] }
        return found.device.stateName(in: found.definition).split(separator: ",")
            .map { $0.split { $0 == " " }.joined() }.sorted()
    }
}

/// The problems of an import, each as `line:column message`.
func places(_ imported: ImportedDefinition) -> [String] {
    imported.problems.map { "\($0.place.line):\($0.place.column) \($0.message)" }
}
