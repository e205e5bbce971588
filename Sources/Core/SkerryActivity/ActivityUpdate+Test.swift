public import SkerryValues

extension ActivityUpdate {
    /// The length of a test activity.
    public static let testLength = Interval.minutes(1)
    /// The device that a test activity is shown for; its topics would be those of a device with this name.
    public static let testDevice = "skerry-test"

    /// Makes the only revision of a test activity, which shows a person that a phone is reached.
    ///
    /// It has every field of the content, so that each place of the layout is filled: texts are `Test`, timers run to the
    /// end of the test, and a number fills half of its bar. It is less relevant than all others, so that nothing has to
    /// leave a phone for it.
    ///
    /// - Parameters:
    ///   - contract: The types of the kind that is shown.
    ///   - now: The time, which is also the number of the run.
    public init(testOf contract: LiveActivityContract, at now: Timestamp) {
        let end = now + Self.testLength
        self.init(
            kind: .started,
            id: "\(contract.kind)/\(Self.testDevice)/\(now.microseconds)",
            rev: 1,
            epoch: 0,
            at: now,
            startedAt: now,
            phase: .active,
            state: contract.states?.first ?? "test",
            attributes: ValueMap.test(of: contract.attributes, from: now, to: end),
            content: ValueMap.test(of: contract.content, from: now, to: end),
            patch: nil,
            isNewState: true,
            relevance: 0,
            staleness: .countdown(end: end),
            link: nil,
            dismissAt: nil,
            alert: nil
        )
    }
}

extension ValueMap {
    fileprivate static func test(
        of fields: [LiveActivityContract.Field],
        from start: Timestamp,
        to end: Timestamp
    ) -> ValueMap {
        var map = ValueMap()
        for field in fields {
            guard let value = Value.test(of: field, from: start, to: end) else { continue }
            map.set(field.name, to: value)
        }
        return map
    }
}

extension Value {
    /// A value for a field of a test; nil for what phones do not get.
    fileprivate static func test(
        of field: LiveActivityContract.Field,
        from start: Timestamp,
        to end: Timestamp
    ) -> Value? {
        let half = (field.whole ?? 100) / 2
        return switch field.type {
        case .any, .string: .string("Test")
        case .int: .int(Int64(exactly: half.rounded()) ?? 0)
        case .double: .double(half)
        case .bool: .bool(true)
        case .timestamp: .int(end.flooredSeconds)
        case .duration: .int((end - start).roundedSeconds)
        case .time:
            .map(
                ValueMap(uniqueEntries: [
                    Entry(key: .string("start"), value: .int(start.flooredSeconds)),
                    Entry(key: .string("end"), value: .int(end.flooredSeconds)),
                ])
            )
        case .structure: nil
        }
    }

    private typealias Entry = ValueMap.Entry
}
