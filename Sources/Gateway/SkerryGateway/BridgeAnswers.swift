package import SkerryActivity
package import SkerryValues

/// The answers of a running bridge to other threads: each function is a question, with the type of its answer.
///
/// They are called on the thread of the bus only, by way of the ``QuestionMailbox``. Whoever asks for a viewer hears nothing of
/// what that one may not see.
package protocol BridgeAnswers: AnyObject {
    /// The devices as the elements of an array that is still open, and the number of those that are left out of it.
    ///
    /// Messages wait while they are written, so this is the last question that is answered in its turn.
    func devices(for viewer: Viewer) -> (list: JSONWriter, left: Int)
    func explanation(of device: DeviceKey, for viewer: Viewer) throws(HouseProblem) -> DeviceExplanation
    /// The timeline of a device; nil if nothing is foretold of it.
    func timeline(of device: DeviceKey, for viewer: Viewer) -> ActivityTimeline?
    /// The bridge itself.
    func status() -> BridgeStatus
    /// Its numbers for Prometheus; those with labels only for somebody who sees everything, because they name kinds and people.
    func metrics(for viewer: Viewer) -> MetricsText
    /// The number of devices of each kind that has any.
    func deviceCounts(for viewer: Viewer) -> [String: Int]
    /// The runs that go on; of one kind, and of one device, if that is said.
    func currentRuns(kind: String?, device: String?, for viewer: Viewer) -> [CurrentRun]
    /// The names that people gave to devices; to those of one kind, and to one device, if that is said.
    func givenNames(kind: String?, device: String?, for viewer: Viewer) -> [DeviceKey: String]
    /// The messages that are kept of a device; nil if none are.
    func tape(of device: DeviceKey, for viewer: Viewer) throws(HouseProblem) -> MessageTape?
    func send(_ event: String, to device: DeviceKey, for viewer: Viewer) throws(HouseProblem)
    /// Takes a message of a device that came over HTTP, with the key of the request if it has one.
    ///
    /// The function is called once: after the commit that stores the message, or with the reason why it is not taken.
    func take(
        _ payload: [UInt8],
        of device: DeviceKey,
        key: String?,
        then: @escaping @Sendable (HouseProblem?) -> Void
    )
    /// Changes the announcements of devices, because people gave them other rooms.
    func announce(_ devices: [DeviceKey])
    /// Publishes what was made on another thread, such as the answer to a request.
    func announce(_ publication: Publication)
}

/// The explanation of a device by the bridge, to which others add what they know.
package struct DeviceExplanation: Sendable {
    /// The members of an object that is still open.
    package let members: JSONWriter
    /// The moment before which the viewer may see nothing of the device.
    package let since: Timestamp
}

/// The state of a running bridge, for those who ask.
package struct BridgeStatus: Sendable {
    package var version: String
    /// The moment of its start.
    package var startedAt: Timestamp
    /// The common beginning of its topics.
    package var prefix: String
    /// True while the broker is connected.
    package var isConnected: Bool
    /// The moment from which that is so.
    package var connectionSince: Timestamp
    /// Why there is no connection, and what to do; nil with one, and before the first attempt has failed.
    package var connectionFault: String?
    /// The messages taken in.
    package var messages: UInt64
    /// The revisions of activities.
    package var updates: UInt64
    /// Both by quarters of an hour, oldest first.
    package var quarters: [TrafficLog.Quarter]
    /// False while the store refuses what it is given.
    package var isStoring: Bool
    /// The health report as JSON.
    package var health: [UInt8]
    /// The time for which messages are kept.
    package var recordLength: Interval
}

/// A run that goes on.
package struct CurrentRun: Sendable {
    /// The id of its activity.
    package var id: String
    package var device: DeviceKey
    package var startedAt: Timestamp
    package var attributes: ValueMap
    /// The number of its revisions.
    package var revisions: Int64
}
