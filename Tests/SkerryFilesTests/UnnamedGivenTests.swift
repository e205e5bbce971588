import SkerryFiles
import SkerryHouse
import Testing

/// `given` without a device, in a definition whose messages name their devices.
@Suite("The device that is given without a name")
struct UnnamedGivenTests {
    @Test(
        "it is the one that the test's messages speak of",
        arguments: [
            "topic: \"tele/{device}/SENSOR\", when: payload.power != null",
            "topic: \"tele/+/SENSOR\", device: \"{payload.id}\"",
            "topic: \"tele/+/SENSOR\", each: \"[payload]\", device: \"{item.id}\"",
        ]
    )
    func onlyOne(source: String) throws {
        let text = """
            skerry: 1
            kind: plug
            sources: [{ \(source), signals: { power: payload.power } }]
            machine: { states: { off: { always: { guard: power > 5, target: on } }, on: {} } }
            tests:
              - name: given without a name
                steps:
                  - given: { state: on, signals: { power: 9 } }
                  - send: { tele/cellar/SENSOR: { power: 3, id: cellar } }
                  - expect: { state: on, signals: { power: 3 } }
                  - expect: { device: cellar, state: on }
            """
        let files = CompiledFiles([DefinitionFile(path: "plug.yaml", bytes: Array(text.utf8))])
        let definition = try #require(files.definitions.first, "\(files.report(DiagnosticPrinter()))")
        let outcomes = DefinitionTestRunner(definition).run(files.files[0].source.reading.tests)
        #expect(outcomes.allSatisfy { $0.hasPassed }, "\(outcomes.flatMap { $0.failures })")
    }
}
