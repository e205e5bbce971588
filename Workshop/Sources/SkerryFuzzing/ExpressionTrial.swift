import SkerryExpressions
import SkerryValues

/// The names that expressions may use in a trial, with their values.
struct ExpressionScene: ValueSource {
    private static let payloadKind: UInt8 = 2
    /// The most bytes plus elements in any value of the scene.
    static let bulk = 40

    private(set) var scope = Scope()
    private var signals: [Value] = []
    private let payload: Value

    init() {
        let text = #"{"a":{"b":7,"n":null},"list":["x","y"],"odd name":true}"#
        payload = (try? JSONReader.value(of: Array(text.utf8).span)) ?? .null
        signal("power", .double, .double(3.5))
        signal("operation", .string, .string("Run"))
        signal("program", .dyn, .error(.unset))
        signal("count", .int, .int(4))
        signal("raw", .bytes, .bytes([0xC3, 0xBF, 0xFF]))
        signal("numbers", .list(.int), .list([.int(1), .int(2), .int(3)]))
        signal("timer.cycle", .duration, .duration(CalendarDuration(seconds: 90, nanoseconds: 0)))
        signal("now", .timestamp, .timestamp(CalendarTimestamp(seconds: 1_700_000_000, nanoseconds: 0)))
        let isRunning = Reference(kind: 1, index: UInt16(signals.count))
        signals.append(.bool(true))
        scope.declareCall(
            "inState",
            parameter: .text,
            choices: [CallChoice("running", as: isRunning, type: .bool)]
        )
        scope.declarePayload("payload", type: .dyn, kind: Self.payloadKind)
    }

    private mutating func signal(_ name: String, _ type: ExpressionType, _ value: Value) {
        scope.declare(name, type: type, as: Reference(kind: 1, index: UInt16(signals.count)))
        signals.append(value)
    }

    func scope(defersChecks: Bool) -> Scope {
        var scope = scope
        scope.defersChecks = defersChecks
        return scope
    }

    func load(_ reference: Reference, _ context: borrowing PathTable) -> Value {
        guard reference.kind == Self.payloadKind else { return signals[Int(reference.index)] }
        return payload.value(at: context.paths[Int(reference.index)])
    }
}

extension Value {
    /// The value at a path; `noSuchKey` when there is none.
    func value(at path: [PathStep]) -> Value {
        var value = self
        for step in path {
            switch (step, value) {
            case (.key(let name), .map(let map)): value = map[name] ?? .error(.noSuchKey)
            case (.index(let index), .list(let elements)) where elements.indices.contains(index):
                value = elements[index]
            case (.shape, _): value = value.shape
            default: return .error(.noSuchKey)
            }
        }
        return value
    }
}

/// A trial that compiles and evaluates a text.
enum ExpressionTrial {
    private static let scene = ExpressionScene()
    /// The largest estimate with which an evaluation is tried; estimates can be astronomical.
    private static let largestEstimate: Int64 = 20_000

    static func brokenPromise(_ text: String) -> String? {
        for defersChecks in [false, true] {
            let scope = scene.scope(defersChecks: defersChecks)
            var paths = PathTable()
            do throws(ExpressionProblem) {
                let program = try Program.compile(text, in: scope, paths: &paths)
                if let broken = brokenPromise(of: program, paths, isChecked: !defersChecks) { return broken }
            } catch {
                if let broken = brokenPromise(of: error, in: text) { return broken }
            }
            do throws(ExpressionProblem) {
                let template = try TextTemplate.compile(text, in: scope, paths: &paths)
                _ = template.render(from: scene, paths, costLimit: 500)
            } catch {
                if let broken = brokenPromise(of: error, in: text) { return broken }
            }
        }
        return nil
    }

    private static func brokenPromise(of program: Program, _ paths: PathTable, isChecked: Bool) -> String? {
        let estimate = program.estimatedCost { _ in ExpressionScene.bulk }
        if estimate < 1 { return "an evaluation is estimated to cost less than one unit" }
        let limit = Int32(estimate <= largestEstimate ? estimate : 2000)
        switch program.evaluate(from: scene, paths, costLimit: limit) {
        case .error(.costExceeded) where estimate <= largestEstimate: return "it costs more than estimated"
        case .error(.noSuchOverload) where isChecked && program.isFullyTyped:
            return "all types are known, and yet it fails by a type"
        default: return nil
        }
    }

    private static func brokenPromise(of problem: ExpressionProblem, in text: String) -> String? {
        if problem.findings.isEmpty { return "refused without a reason" }
        for finding in problem.findings {
            let end = finding.offset + finding.length
            guard finding.offset >= 0, finding.length >= 0, end <= text.utf8.count else {
                return "a finding outside of the text"
            }
        }
        return nil
    }
}
