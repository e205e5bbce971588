import SkerryActivity
public import SkerryMachine
public import SkerryValues

extension Device {
    /// The version of the format of images.
    ///
    /// A device is written in the oldest version that can say everything about it: version 3 added the key of the run
    /// and what belongs to it; version 4 the histories of signals, waits for times of day, changes that settle, the
    /// count of published messages, and what was learned from past runs; version 5 a relevance that changes, and the
    /// moments at which timers were resumed; version 6 silences that not every
    /// message breaks, waits that stand still, and the moments at which numbers become exact and the condition of an
    /// alert turns; version 7 that the last update told values alone; version 8 how far off the ends of past runs were
    /// foretold; version 9 for how long nobody listened since the last message; version 10 the time by which countdowns are
    /// late that stand still a second time, and since when no message can come.
    fileprivate static let imageVersion: UInt8 = 10

    /// True if the image has a newer version of the format than this Skerry can read.
    public static func isNewer(_ image: ArraySlice<UInt8>) -> Bool {
        guard let version = image.first, version > imageVersion else { return false }
        return (try? ImageReader(sealed: image)) != nil
    }

    /// The state that must outlive the process, in bytes that ``DefinitionLayout`` explains.
    public func image(in definition: Definition) -> [UInt8] {
        var writer = ImageWriter()
        let holding = definition.activity?.fingerprints(of: run.first?.holding ?? Marks()) ?? []
        let isPlain =
            memory.runKey == nil && memory.givenName == nil && memory.forgetting == nil && holding.isEmpty
        let histories = memory.histories.indices.filter { !memory.histories[$0].isEmpty }
        let relevance = run.first?.activity.relevance
        // The version itself says so, and so no image of a device that is not throttled has changed.
        let isThrottled = run.first?.activity.toldValuesAlone ?? false
        let isLate = machine.hasLateTimers || machine.isDeaf
        let isForgiven = isLate || machine.forgiven > .zero
        let isLearned = !memory.learning.isEmpty
        let isLatest = isForgiven || isLearned
        let isNewest =
            isLatest || isThrottled || run.first?.newsAt != nil || machine.waitsForPartialSilence
            || machine.heldSince != nil || run.first?.exactAt != nil || run.first?.alertCheck != nil
        let isRecent = isNewest || relevance != nil || machine.hasResumedTimers
        let isLater =
            isRecent || !histories.isEmpty || machine.hasRecurring || run.first?.settling != nil
            || memory.published != nil
        let version: UInt8 =
            if isLate { 10 } else if isForgiven { 9 } else if isLearned { 8 } else if isThrottled {
                7
            } else if isNewest { 6 } else if isRecent { 5 } else if isLater { 4 } else if isPlain { 2 } else {
                3
            }
        writer.tag(version)
        writer.list(memory.values) { $0.value($1) }
        writer.optional(memory.isAvailable) { $0.flag($1) }
        writer.list(definition.timers.indices.filter { memory.untoldTimers.contains($0) }) { $0.count($1) }
        writer.signed(lastRun)
        if isLater || !isPlain {
            memory.writeNames(to: &writer)
            writer.list(holding) { $0.unsigned($1) }
        }
        if isLater {
            memory.write(histories, of: definition, to: &writer)
            writer.optional(memory.published) { $1.write(to: &$0) }
            writer.list(memory.learning) { $1.write(to: &$0) }
            if isNewest { writer.optional(machine.heldSince) { $0.moment($1) } }
        }
        writer.list(run) { writer, run in
            run.activity.write(to: &writer)
            writer.optional(run.staleCheck) { $1.write(to: &$0) }
            writer.optional(run.dismissal) { $1.write(to: &$0) }
            writer.optional(run.foretold) { $0.moment($1) }
            if isLater { writer.optional(run.settling) { $1.write(to: &$0) } }
            if isRecent { writer.optional(relevance) { $0.double($1) } }
            if isNewest { writer.optional(run.newsAt) { $0.moment($1) } }
            if isNewest { writer.optional(run.exactAt) { $1.write(to: &$0) } }
            if isNewest { writer.optional(run.alertCheck) { $1.write(to: &$0) } }
            if isLatest { writer.flag(isThrottled) }
        }
        machine.write(to: &writer, chart: definition.chart)
        if isForgiven { writer.interval(machine.forgiven) }
        if isLate { writer.optional(machine.deafSince) { $0.moment($1) } }
        writer.seal()
        return writer.bytes
    }

    /// Restores a device from its image.
    ///
    /// - Parameters:
    ///   - name: The name, unique among the devices of its definition.
    ///   - image: The bytes of ``image(in:)``.
    ///   - map: The map from the image's layout to the definition.
    ///   - definition: The definition from now on.
    /// - Throws: ``ImageFault`` for bytes that are no image.
    public init(
        name: String,
        image: ArraySlice<UInt8>,
        map: LayoutMap,
        in definition: Definition
    ) throws(ImageFault) {
        self.init(name: name, of: definition)
        var reader = try ImageReader(sealed: image)
        let head = try ImageHead(from: &reader)
        guard head.values.count == map.values.count else { throw .malformed }
        for (number, value) in head.values.enumerated() {
            if let place = map.values[number] { memory.values[place] = value }
        }
        // The limits may be smaller than those of the process that wrote the image.
        memory.forgetExcess(definition.limits)
        memory.isAvailable = head.isAvailable
        for number in head.untoldTimers where number < map.chart.timers.count {
            if let timer = map.chart.timers[Int(number)] { memory.untoldTimers.insert(Int(timer.rawValue)) }
        }
        lastRun = head.lastRun
        memory.runKey = head.runKey
        memory.givenName = head.givenName
        memory.forgetting = head.forgetting
        for stored in head.histories { memory.take(stored, map: map, in: definition) }
        memory.published = head.published
        memory.learning = head.learning.filter { $0.subject == definition.learner?.plan.subject }
        // Without an activity the run is read all the same: readers must get its end.
        let plan = definition.activity?.plan ?? ActivityPlan(kind: definition.kind, fields: [])
        run = try reader.list { reader throws(ImageFault) in
            try FollowedRun(
                from: &reader,
                version: head.version,
                plan: plan,
                fields: map.fields,
                names: map.fieldNames
            )
        }
        if !run.isEmpty, let activity = definition.activity {
            run[0].holding = activity.marks(of: head.holding)
        }
        machine = try Machine(from: &reader, map: map.chart, chart: definition.chart)
        machine.heldSince = head.heldSince
        if head.version > 8 { machine.forgiven = try reader.interval() }
        if head.version > 9 {
            let start = try reader.optional { reader throws(ImageFault) in try reader.moment() }
            if let start { machine.stopListening(since: start) }
        }
        guard run.count < 2, reader.rest == 0 else { throw .malformed }
        guard isPossible else { throw .contradictory }
        assert(memory.isMade(for: definition), "a restored device has no place for a value")
    }

    /// Takes over when signals were last reported, which is in no image, from the device before an edit.
    ///
    /// - Parameters:
    ///   - former: The device, with its former definition.
    ///   - map: The map from that definition to the present one.
    public mutating func takeMomentsOfReports(of former: Device, by map: LayoutMap) {
        for (number, moment) in former.memory.reportedAt.enumerated() {
            if let place = map.values[number] { memory.reportedAt[place] = moment }
        }
    }

    /// True if a device can have come into this state; a restored one may be in any that its bytes can say.
    private var isPossible: Bool {
        // Runs have numbers, and each is greater than the one before it.
        guard lastRun <= .max / 2, run.isEmpty || lastRun != .min && memory.forgetting == nil,
            run.allSatisfy({ $0.isPossible })
        else { return false }
        // Only what can't be reached stands still.
        guard machine.heldSince == nil ? !machine.hasHeldTimers : memory.isAvailable == false else {
            return false
        }
        // Each is armed with a number of its own, by which it is known when it comes.
        let deadlines = allDeadlines.sorted()
        return zip(deadlines, deadlines.dropFirst()).allSatisfy { $0 != $1 }
            && deadlines.allSatisfy { $0.sequence < .max / 2 }
    }

    /// All deadlines that it holds, also those that do not count now.
    var allDeadlines: [Deadline] {
        machine.allDeadlines + run.flatMap { $0.deadlines } + memory.histories.compactMap { $0.pending }
            + (memory.forgetting.map { [$0] } ?? [])
    }

    /// The number that no deadline of it has, and none after it.
    public var nextSequence: UInt64 { allDeadlines.map { $0.sequence + 1 }.max() ?? 0 }

    /// Checks that the device can be restored from its own image.
    ///
    /// - Parameters:
    ///   - map: The map of the definition's layout to itself.
    ///   - definition: The definition of the device.
    /// - Returns: The difference after restoring, in words; nil if there is none.
    public func brokenImage(map: LayoutMap, in definition: Definition) -> String? {
        let bytes = image(in: definition)
        guard let copy = try? Device(name: name, image: bytes[...], map: map, in: definition) else {
            return "its image can't be read back"
        }
        if copy.image(in: definition) != bytes { return "its image reads back as another device" }
        if copy.nextDeadline != nextDeadline { return "its image has another deadline" }
        return nil
    }

    /// Ends the run in an image, for a device whose definition is gone.
    ///
    /// - Parameters:
    ///   - image: The bytes of ``image(in:)``.
    ///   - layout: The layout of the image.
    ///   - epoch: The epoch for the revision of the end.
    ///   - now: The moment of the end.
    /// - Returns: The effects for readers.
    /// - Throws: ``ImageFault`` for bytes that are no image.
    public static func end(
        of image: ArraySlice<UInt8>,
        layout: DefinitionLayout,
        epoch: Int64,
        at now: Timestamp
    ) throws(ImageFault) -> DeviceEnd {
        var reader = try ImageReader(sealed: image)
        let head = try ImageHead(from: &reader)
        var runs = try FollowedRun.list(from: &reader, version: head.version, fields: layout.fields)
        for index in runs.indices { runs[index].activity.begin(epoch: epoch) }
        return DeviceEnd(
            effects: runs.end(at: now),
            toldAvailability: head.isAvailable != nil,
            lastRun: head.lastRun
        )
    }

    /// The transitions in an image that the device already waited for, by their numbers in the present definition.
    ///
    /// - Parameters:
    ///   - image: The bytes of ``image(in:)``.
    ///   - map: The map from the image's layout to the present definition.
    /// - Returns: The transitions; nil when the definition is the same, so that there is nothing new to wait for.
    /// - Throws: ``ImageFault`` for bytes that are no image.
    public static func armedTransitions(
        of image: ArraySlice<UInt8>,
        map: LayoutMap
    ) throws(ImageFault) -> [TransitionID]? {
        if map.isIdentity { return nil }
        var reader = try ImageReader(sealed: image)
        let head = try ImageHead(from: &reader)
        _ = try FollowedRun.list(from: &reader, version: head.version, fields: map.fieldNames)
        return try Machine.armedTransitions(from: &reader, map: map.chart, sources: map.sources)
    }

    /// The states that the device was in, by their numbers in the layout.
    static func activeStates(
        of image: ArraySlice<UInt8>,
        layout: DefinitionLayout
    ) throws(ImageFault) -> [Int] {
        var reader = try ImageReader(sealed: image)
        let head = try ImageHead(from: &reader)
        _ = try FollowedRun.list(from: &reader, version: head.version, fields: layout.fields)
        let states = try reader.list { reader throws(ImageFault) in try reader.unsigned() }
        guard states.allSatisfy({ $0 < layout.states.count }) else { throw .malformed }
        return states.map { Int($0) }
    }
}

/// The effects of the end of a device.
public struct DeviceEnd: Sendable {
    /// The end of its activity, dismissed at once; empty without an activity.
    public var effects: [DeviceEffect]
    /// True if its availability was published, and readers must forget it.
    public var toldAvailability: Bool
    /// The number of its last run; see ``Device/lastRun``.
    public var lastRun: Int64
}

extension [FollowedRun] {
    /// Ends the run with its present content and dismisses it at once.
    mutating func end(at now: Timestamp) -> [DeviceEffect] {
        guard let followed = first else { return [] }
        var activity = followed.activity
        var effects: [DeviceEffect] = []
        if var update = activity.endAsIs(at: now) {
            update.dismissAt = now
            effects.append(.update(update))
        }
        assert(activity.phase == .ended, "a run goes away before its end")
        if followed.foretold != nil { effects.append(.foretold(nil)) }
        effects.append(.dismissed(id: activity.id))
        self = []
        return effects
    }
}

extension DeviceMemory {
    /// Writes the key of the run, the name that people gave, and when it is forgotten.
    fileprivate func writeNames(to writer: inout ImageWriter) {
        writer.optional(runKey) { $0.text($1) }
        writer.optional(givenName) { $0.text($1) }
        writer.optional(forgetting) { $1.write(to: &$0) }
    }

    /// Writes the histories with these numbers.
    fileprivate func write(_ numbers: [Int], of definition: Definition, to writer: inout ImageWriter) {
        writer.list(numbers) { writer, number in
            let form = definition.signalForms[number]
            histories[number].write(to: &writer, signal: form.signal, kind: form.kind)
        }
    }
}

/// The first part of an image, which can be read without a definition.
private struct ImageHead {
    var version: UInt8
    var values: [Value]
    var isAvailable: Bool?
    var untoldTimers: [UInt64]
    var lastRun: Int64
    var runKey: String?
    var givenName: String?
    var forgetting: Deadline?
    var holding: [UInt64] = []
    var histories: [StoredHistory] = []
    var published: PublicationMeter?
    var learning: [Learning] = []
    var heldSince: Timestamp?

    init(from reader: inout ImageReader) throws(ImageFault) {
        version = try reader.tag()
        guard (2...Device.imageVersion).contains(version) else { throw .unknownVersion(version) }
        values = try reader.list { reader throws(ImageFault) in try reader.value() }
        isAvailable = try reader.optional { reader throws(ImageFault) in try reader.flag() }
        untoldTimers = try reader.list { reader throws(ImageFault) in try reader.unsigned() }
        lastRun = try reader.signed()
        guard version > 2 else { return }
        runKey = try reader.optional { reader throws(ImageFault) in try reader.text() }
        givenName = try reader.optional { reader throws(ImageFault) in try reader.text() }
        forgetting = try reader.optional { reader throws(ImageFault) in try Deadline(from: &reader) }
        holding = try reader.list { reader throws(ImageFault) in try reader.unsigned() }
        guard version > 3 else { return }
        histories = try reader.list { reader throws(ImageFault) in try StoredHistory(from: &reader) }
        published = try reader.optional { reader throws(ImageFault) in try PublicationMeter(from: &reader) }
        let version = version
        learning = try reader.list { reader throws(ImageFault) in
            try Learning(from: &reader, version: version)
        }
        guard learning.count < 2 else { throw .malformed }
        guard version > 5 else { return }
        heldSince = try reader.optional { reader throws(ImageFault) in try reader.moment() }
    }
}

extension FollowedRun {
    /// Reads the runs of an image without its definition.
    fileprivate static func list(
        from reader: inout ImageReader,
        version: UInt8,
        fields: [String]
    ) throws(ImageFault) -> [FollowedRun] {
        let plan = ActivityPlan(kind: "", fields: fields.map { ActivityPlan.Field(name: $0) })
        return try reader.list { reader throws(ImageFault) in
            try FollowedRun(
                from: &reader,
                version: version,
                plan: plan,
                fields: fields.indices.map { $0 },
                names: fields
            )
        }
    }

    fileprivate init(
        from reader: inout ImageReader,
        version: UInt8,
        plan: ActivityPlan,
        fields: [Int?],
        names: [String]
    ) throws(ImageFault) {
        activity = try Activity(from: &reader, plan: plan, fields: fields, names: names)
        staleCheck = try reader.optional { reader throws(ImageFault) in try Deadline(from: &reader) }
        dismissal = try reader.optional { reader throws(ImageFault) in try Deadline(from: &reader) }
        foretold = try reader.optional { reader throws(ImageFault) in try reader.moment() }
        guard version > 3 else { return }
        settling = try reader.optional { reader throws(ImageFault) in try Settling(from: &reader) }
        guard version > 4 else { return }
        activity.take(relevance: try reader.optional { reader throws(ImageFault) in try reader.double() })
        guard version > 5 else { return }
        newsAt = try reader.optional { reader throws(ImageFault) in try reader.moment() }
        exactAt = try reader.optional { reader throws(ImageFault) in try Deadline(from: &reader) }
        alertCheck = try reader.optional { reader throws(ImageFault) in try Deadline(from: &reader) }
        activity.toldValuesAlone = version > 7 ? try reader.flag() : version > 6
    }
}
