import SkerryImport
import SkerryMachine
import SkerryValues
import Testing

@testable import SkerryConformance

/// Statements of the SCXML specification.
@Suite struct StandardCaseTests {
    @Test(arguments: StandardCase.data + StandardCase.system + StandardCase.states)
    func `the machine ends where the specification says`(_ one: StandardCase) throws {
        let reading = SCXMLReader.read(one.text)
        let document = try #require(reading.document, "\(reading.problems)")
        var host = try ChartTranslation.host(of: document)
        var machine = Machine()
        _ = machine.start(host: &host)
        let end = Timestamp(seconds: 60)
        while machine.fire(upTo: end, host: &host) != nil {}
        let states = machine.activeAtomicStates(in: host.chart).map { host.chart[$0].name }
        #expect(states == ["pass"])
    }
}
