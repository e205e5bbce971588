import SkerryGateway
import Testing

@Suite struct WakeSignalTests {
    @Test("a wake is taken once, a stop stays")
    func signal() {
        let signal = WakeSignal()
        #expect(!signal.takeWake())
        signal.wake()
        signal.wake()
        #expect(signal.takeWake())
        #expect(!signal.takeWake())
        #expect(!signal.isStopping)
        signal.stop()
        #expect(signal.isStopping && !signal.takeWake())
    }
}
