import Foundation
import SkerryDevice
import SkerryFiles
import SkerryHouse
import SkerryMachine
import Testing

/// What tests reach of a machine.
@Suite("Coverage of machines")
struct MachineCoverageTests {
    static func coverage(_ file: CompiledFiles.File) throws -> MachineCoverage {
        let definition = try #require(file.definition)
        var reach = MachineReach(of: definition.chart)
        for outcome in DefinitionTestRunner(definition).run(file.source.reading.tests) {
            reach.formUnion(outcome.reach)
        }
        return MachineCoverage(definition, try #require(file.source.reading.draft), reach)
    }

    @Test("unreached parts are listed with their places, out of all reachable ones")
    func gaps() throws {
        let text =
            TestGivenTests.fan + """
                      - send: { fan/a: { speed: 1 } }
                      - wait: 5m

                """
        let file = DefinitionFile(path: "fan.yaml", bytes: Array(text.utf8))
        let coverage = try Self.coverage(try #require(CompiledFiles([file]).files.first))
        #expect(coverage.states.text == "5 of 7")
        #expect(coverage.transitions.text == "2 of 7")
        #expect(coverage.percent == 50)
        #expect(
            coverage.gaps.map { "\($0.place.line): \($0.text)" } == [
                "19: spinning → still (if speed == 0)",
                "20: spinning → hot (after 10m)",
                "22: state hot",
                "22: hot → back (on cool)",
                "26: dark → bright (on light)",
                "27: state bright",
                "27: bright → dark (after 1m)",
            ]
        )
        var total = MachineCoverage()
        #expect(total.percent == 100)
        total.add(coverage)
        total.add(coverage)
        #expect(total.states.text == "10 of 14")
    }

    @Test("the tests of devices/ reach every state and every transition")
    func devices() throws {
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let files = try CompiledFiles([package.appendingPathComponent("devices").path]).files
        #expect(files.count >= 5)
        for file in files {
            let coverage = try Self.coverage(file)
            #expect(coverage.gaps.map { "\($0.place.line): \($0.text)" } == [], "\(file.source.path)")
        }
    }
}
