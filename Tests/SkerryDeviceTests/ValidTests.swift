import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryValues
import Testing

@Suite("Signals of which not every value is possible")
struct ValidTests {
    private static let freezer = """
        sources:
          - topic: thing/{device}
            signals:
              warmest: { value: payload.temperature, valid: { min: -60, max: 60 } }
              open: payload.open
        machine:
          initial: cold
          states:
            cold: { always: { guard: warmest > -10, for: 5m, target: warm } }
            warm: { always: { guard: warmest < -12, target: cold } }
        activity:
          starts: [cold, warm]
          content: { warmest: warmest, open: open }
        """

    @Test(
        "A value that is not possible makes the signal unknown, and one that is makes it known again",
        arguments: [
            ("-60", "-60"), ("60", "60"), ("-60.1", "unset"), ("85", "unset"), ("null", "unset"),
            (#""n/a""#, "unset"),
            ("true", "unset"), ("1e300", "unset"), ("12", "12"),
        ]
    )
    func values(told: String, kept: String) throws {
        var scene = try Scene(Self.freezer)
        scene.send(#"{"temperature": -18, "open": false}"#)
        scene.send(#"{"temperature": \#(told)}"#)
        #expect(scene.signal("warmest") == kept)
        #expect(
            scene.content == (kept == "unset" ? #"{"open":false}"# : #"{"warmest":\#(kept),"open":false}"#)
        )
        #expect(scene.failedReadings == (kept == "unset" ? 1 : 0))
        scene.send(#"{"open": true}"#)
        #expect(scene.signal("warmest") == kept)
        scene.send(#"{"temperature": -17}"#)
        #expect(scene.signal("warmest") == "-17")
        #expect(scene.content == #"{"warmest":-17,"open":true}"#)
    }

    @Test("A bound that is not written is none")
    func oneBound() throws {
        var scene = try Scene(Self.freezer.replacing("{ min: -60, max: 60 }", with: "{ min: 1 }"))
        scene.send(#"{"temperature": 1790000000000000}"#)
        #expect(scene.signal("warmest") == "1790000000000000")
    }

    @Test("A guard that reads it does not hold while it is unknown")
    func guards() throws {
        var scene = try Scene(Self.freezer)
        scene.send(#"{"temperature": -5}"#)
        scene.wait(.minutes(4))
        scene.send(#"{"temperature": 85}"#)
        scene.wait(.hours(1))
        #expect(scene.state == "cold")
        scene.send(#"{"temperature": -5}"#)
        scene.wait(.minutes(5))
        #expect(scene.state == "warm")
    }

    @Test("What is not possible is told where people look")
    func unread() throws {
        var scene = try Scene(Self.freezer)
        scene.send(#"{"temperature": -18}"#)
        scene.send(#"{"temperature": 85}"#)
        scene.send(#"{"temperature": 85}"#)
        let told = scene.engine.unread.flatMap { $0 }.map(\.text)
        #expect(told == ["'payload.temperature' failed 2 times: the value is not within 'valid'"])
    }

    @Test(
        "What can't be meant is refused",
        arguments: [
            ("{ value: payload.t, valid: { min: 5, max: 1 } }", "'min' is greater than 'max'"),
            ("{ value: payload.t, valid: {} }", "'valid' has no bound"),
            ("{ value: payload.t }", "a signal needs the key 'valid'"),
            (
                "{ value: 'string(payload.t)', valid: { min: 0 } }",
                "'valid' is for numbers, and this is string"
            ),
            ("{ value: payload.t, valid: { min: low } }", "'min' can't be 'low'"),
        ]
    )
    func refused(signal: String, message: String) throws {
        let text =
            "skerry: 1\nkind: thing\nname: Thing\n"
            + Self.freezer.replacing(
                "{ value: payload.temperature, valid: { min: -60, max: 60 } }",
                with: signal
            )
        let compiled = CompiledFiles([DefinitionFile(path: "thing.yaml", bytes: Array(text.utf8))])
        #expect(
            compiled.report(DiagnosticPrinter()).contains(message),
            "\(compiled.report(DiagnosticPrinter()))"
        )
    }
}
