import SkerryDevice
package import SkerryValues

/// The events of a test that come from outside of the machine, with their times: the part that a simulated device
/// and a person can play to a broker.
package struct TestScript: Sendable {
    /// One thing that happens.
    package struct Entry: Sendable {
        /// The kinds of things.
        package enum What: Sendable {
            /// The device sends a message; a retained one describes the past.
            case message(TestMessage, isRetained: Bool)
            /// Somebody sends an event to a device; without a name to the only one there is.
            case event(String, device: String?)
        }

        /// The moment, counted from the beginning of the test.
        package var after: Interval
        /// The thing.
        package var what: What
    }

    /// The things that happen, in order.
    package private(set) var entries: [Entry] = []
    /// The length of the test, with the time that passes after the last entry.
    package private(set) var length = Interval.zero
    /// True if the test begins in a situation that it only describes, and that no message brings about.
    package private(set) var isGiven = false
    /// True if the bridge connects in the middle of the test, which neither a device nor a person brings about.
    package private(set) var reconnects = false

    /// Reads the steps of a test; expectations are left out.
    package init(_ test: TestDraft) {
        for step in test.steps {
            switch step.kind {
            case .given: isGiven = true
            case .send(let messages, let isRetained):
                entries += messages.map { Entry(after: length, what: .message($0, isRetained: isRetained)) }
            case .wait(let wait): length = length + wait.interval
            case .at(let moment): length = max(length, moment - DefinitionTestRunner.start)
            case .event(let name, _) where name.text.hasSameCodePoints(as: Definition.connected):
                reconnects = true
            case .event(let name, let device):
                entries.append(Entry(after: length, what: .event(name.text, device: device?.text)))
            case .expect: break
            }
        }
    }
}
