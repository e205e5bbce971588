import SkerryValues

/// A task of the bridge itself that waits for its moment, beside the deadlines of devices.
enum BridgeAlarm: Int, CaseIterable {
    /// The wall clock is looked at, because its right time may make something due.
    case look
    /// The health report is published.
    case health
    /// Changed lists of devices and definitions are published.
    case lists
    /// All announcements are sent again, because Home Assistant has started.
    case announcements
    /// Home Assistant is told which of the announced devices do nothing.
    case idleDevices

    /// Returns whether it is done when its moment comes, or waits for more than that.
    ///
    /// - Parameters:
    ///   - isOpen: Whether there is a connection.
    ///   - isBehind: Whether the store is older than what the broker has.
    /// - Returns: whether it is.
    func mayRing(isOpen: Bool, isBehind: Bool) -> Bool {
        if needsConnection, !isOpen { return false }
        // A report would replace the one at the broker that shows that the store is older, see `Bridge.meet`.
        return self != .health || !isBehind
    }

    /// True for what is published, which waits for a connection.
    private var needsConnection: Bool {
        switch self {
        case .look: false
        case .health, .lists, .announcements, .idleDevices: true
        }
    }
}

/// The moments of the bridge's own tasks, each nil while there is nothing to do.
struct BridgeAlarms {
    // As many as there are cases, whose raw values are the indices.
    private var moments = InlineArray<5, Timestamp?>(repeating: nil)

    subscript(alarm: BridgeAlarm) -> Timestamp? {
        get { moments[alarm.rawValue] }
        set { moments[alarm.rawValue] = newValue }
    }

    /// Returns whether the moment of a task has come.
    func isDue(_ alarm: BridgeAlarm, at now: Timestamp) -> Bool {
        self[alarm].map { $0 <= now } ?? false
    }

    /// Moves all moments that were set by a clock which has now been set itself; the next look at it was not.
    mutating func move(by length: Interval) {
        assert(moments.count == BridgeAlarm.allCases.count, "a task of the bridge has no moment")
        for alarm in BridgeAlarm.allCases where alarm != .look {
            self[alarm] = self[alarm].map { $0 + length }
        }
    }
}
