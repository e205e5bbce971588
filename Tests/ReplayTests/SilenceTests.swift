import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryMachine
import SkerryTesting
import SkerryValues
import Testing

/// All definitions in `devices/` against a silence in the middle of a run: what their own tests send is sent in part, nothing is
/// heard for days, and then the same is sent again.
@Suite("Silence in the middle of a run")
struct SilenceTests {
    private static let files = (try? CompiledFiles([Files.definitions])).map(\.files) ?? []

    /// The kinds that give up a run when nothing is heard.
    static let kinds = files.compactMap(\.definition).filter { !silentStates(of: $0).isEmpty }.map(\.kind)

    /// The states that silence leads to.
    private static func silentStates(of definition: Definition) -> Set<String> {
        var names: Set<String> = []
        for transition in definition.chart.transitions {
            guard case .quiet = transition.trigger else { continue }
            for target in transition.targets {
                names.insert(definition.chart.states[Int(target.rawValue)].name)
            }
        }
        return names
    }

    @Test("is over when the device says again what it said", arguments: kinds)
    func leadsBack(kind: String) throws {
        let file = try #require(Self.files.first { $0.definition?.kind == kind })
        let definition = try #require(file.definition)
        let silent = Self.silentStates(of: definition)
        var silences = 0
        var brokenByOne = 0
        for test in file.source.reading.tests {
            let script = TestScript(test)
            guard !script.isGiven else { continue }
            for last in script.entries.indices {
                var scene = Scene(definition, in: test)
                scene.play(script.entries[...last])
                let active = scene.shown
                scene.wait(.hours(60))
                let gone = active.filter {
                    !scene.shown.contains($0) && silent.contains(scene.states[$0] ?? "")
                }
                guard !gone.isEmpty else { continue }
                silences += 1
                var one = scene
                one.play(script.entries[last...last])
                if gone.isSubset(of: one.begun) { brokenByOne += 1 }
                scene.play(script.entries[...last])
                #expect(
                    gone.isSubset(of: scene.begun),
                    "\(kind), '\(test.name.text)', after \(last + 1) messages: \(scene.states)"
                )
            }
        }
        #expect(silences > 0, "no test of \(kind) reaches a silence in the middle of a run")
        #expect(brokenByOne > 0, "no single message leads \(kind) back")
    }
}

extension SilenceTests {
    /// Devices of one definition, with what is shown of them.
    private struct Scene {
        /// The innermost states of the devices.
        var states: [String: String] = [:]
        /// The devices with an activity that has not ended.
        var shown: Set<String> = []
        /// The devices of which an activity was shown since the last playing began.
        var begun: Set<String> = []

        private var engine: Engine
        private var now = DefinitionTestRunner.start
        private var wasSilent = false

        init(_ definition: Definition, in test: TestDraft) {
            engine = Engine(definitions: [definition.located(at: test.location)], epoch: 1, foretells: false)
            take(engine.handle(.timePassed, at: now))
        }

        /// Sends messages with the time between; after a silence none is retained any more.
        mutating func play(_ entries: ArraySlice<TestScript.Entry>) {
            begun = []
            let origin = wasSilent ? now - (entries.first?.after ?? .zero) : DefinitionTestRunner.start
            for entry in entries {
                advance(to: origin + entry.after)
                guard case .message(let message, let isRetained) = entry.what else { continue }
                let sent = Message(
                    topic: Array(message.topic.text.utf8)[...],
                    payload: message.payload[...],
                    isRetained: isRetained && !wasSilent
                )
                take(engine.handle(.message(sent), at: now))
            }
            advance(to: now + .minutes(5))
        }

        /// Lets time pass in which nothing is heard.
        mutating func wait(_ length: Interval) {
            wasSilent = true
            advance(to: now + length)
        }

        private mutating func advance(to moment: Timestamp) {
            while let due = engine.nextDeadline, due <= moment { take(engine.handle(.timePassed, at: due)) }
            now = moment
            take(engine.handle(.timePassed, at: now))
        }

        private mutating func take(_ effects: [Effect]) {
            for effect in effects {
                switch effect.what {
                case .moved(_, let to): states[effect.device] = to
                case .update(let update):
                    if update.phase == .ended {
                        shown.remove(effect.device)
                    } else {
                        shown.insert(effect.device)
                        begun.insert(effect.device)
                    }
                default: break
                }
            }
        }
    }
}
