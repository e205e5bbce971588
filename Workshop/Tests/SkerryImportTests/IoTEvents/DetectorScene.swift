import Foundation
import SkerryEngine
import SkerryFiles
import SkerryImport
import SkerryMachine
import SkerryValues
import Testing

@testable import SkerryDevice

/// A detector model twice: imported, in the engine, and in the reference interpreter.
struct DetectorScene {
    static let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Examples")

    let definition: Definition
    let yaml: String
    private(set) var engine: Engine
    private(set) var reference: ReferenceDetector
    private(set) var faults: [String] = []

    /// Imports a model, writes the definition and reads it again.
    init(_ json: String) throws {
        let imported = DetectorTranslation.definition(from: json, kind: "thing", file: "model.json")
        let errors = imported.problems.filter { $0.severity == .error }
        yaml = try #require(imported.yaml, "\(errors)\n\(json)")
        #expect(errors.isEmpty)
        let file = DefinitionFile(path: "thing.yaml", bytes: Array(yaml.utf8))
        let compiled = CompiledFiles([file])
        definition = try #require(
            compiled.definitions.first,
            "\(compiled.report(DiagnosticPrinter()))\n\(yaml)"
        )
        engine = Engine(definitions: [definition], epoch: 7)
        reference = ReferenceDetector(try #require(DetectorModelReader.read(json).models.first))
    }

    /// Imports one of the examples.
    init(example: String) throws {
        let file = Self.examples.appendingPathComponent("\(example).json")
        try self.init(String(decoding: Data(contentsOf: file), as: UTF8.self))
    }

    mutating func send(_ payload: String, to input: String) throws {
        // Other messages are not the model's business.
        guard definition.sources.contains(where: { $0.filter.subscription == "iotevents/\(input)/+" }) else {
            return
        }
        let topic = Array("iotevents/\(input)/a".utf8)
        let message = Message(topic: topic[...], payload: ArraySlice(payload.utf8), isRetained: false)
        note(engine.handle(.message(message), at: Timestamp(seconds: reference.now)))
        reference.receive(try JSONReader.value(of: Array(payload.utf8).span), from: input)
    }

    mutating func wait(_ seconds: Int64) {
        reference.advance(to: reference.now + seconds)
        note(engine.handle(.timePassed, at: Timestamp(seconds: reference.now)))
    }

    private mutating func note(_ effects: [Effect]) {
        for effect in effects {
            switch effect.what {
            case .fault(let fault): faults.append(fault.message)
            case .refused(let refusal): faults.append(refusal.message)
            default: break
            }
        }
    }

    // MARK: Looking

    private var known: (device: Device, definition: Definition)? { engine.device(kind: "thing", named: "a") }

    var state: String { known.map { $0.device.stateName(in: $0.definition) } ?? "" }

    /// A variable as text; `unset` when it has no value.
    func variable(_ name: String) -> String {
        guard let known, let index = definition.variableNames.firstIndex(of: name) else { return "unset" }
        return Self.text(known.device.memory.values[definition.signalNames.count + index])
    }

    /// What is different in the engine from the reference; nil when nothing is.
    var difference: String? {
        if let fault = faults.first { return fault }
        if state != reference.state ?? "" { return "state \(state), not \(reference.state ?? "none")" }
        for name in reference.model.variableNames {
            let expected = reference.variables[name].map { Self.text($0) } ?? "unset"
            if variable(name) != expected { return "\(name) is \(variable(name)), not \(expected)" }
        }
        for name in reference.model.timerNames {
            let timer = reference.timers[name]
            let expected = timer?.deadline.map { "until \($0)" } ?? (timer?.isOver == true ? "over" : "off")
            if self.timer(name) != expected { return "\(name) is \(self.timer(name)), not \(expected)" }
        }
        return nil
    }

    func timer(_ name: String) -> String {
        guard let known, let id = definition.chart.timer(named: name) else { return "off" }
        return switch known.device.machine.timer(id) {
        case .running(_, let end): "until \(end.flooredSeconds)"
        case .elapsed: "over"
        default: "off"
        }
    }

    /// A value with its type.
    static func text(_ value: Value) -> String {
        switch value {
        case .error: return "unset"
        case .double(let number): return "\(number)"
        default:
            var writer = JSONWriter()
            writer.value(value)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
    }
}

extension DetectorModel {
    private var actions: [DetectorAction] {
        states.flatMap { $0.onEnter + $0.onInput + $0.transitions + $0.onExit }.flatMap(\.actions)
    }

    /// The variables that something sets.
    var variableNames: Set<String> {
        Set(actions.compactMap { if case .setVariable(let name, _) = $0.kind { name } else { nil } })
    }

    /// The timers that something sets.
    var timerNames: Set<String> {
        Set(actions.compactMap { if case .setTimer(let name, _) = $0.kind { name } else { nil } })
    }
}
