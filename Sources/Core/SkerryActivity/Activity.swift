public import SkerryValues

/// One run of a device as people follow it: its last revision, and the rules for the next one.
///
/// The device renders its content after each macrostep; the activity compares it with the last revision and returns
/// an update only if a person would see a difference. It goes from `active` to `stale` and back, and from either to
/// `ended`, after which nothing more is published.
public struct Activity: Sendable {
    /// The kind and the fields.
    public let plan: ActivityPlan
    /// The id, `<kind>/<device>/<run>`.
    public let id: String
    /// The epoch of the revisions, a number that the caller chose.
    public internal(set) var epoch: Int64
    /// The start of the run; may lie before its first revision.
    public internal(set) var startedAt: Timestamp
    /// The attributes, fixed at the start, in JSON form.
    public let attributes: ValueMap
    /// The last published revision, counted from 1.
    public internal(set) var rev: Int64 = 0
    /// The moment of the last revision.
    public internal(set) var revisedAt = Timestamp.distantPast
    /// The published phase.
    public internal(set) var phase = ActivityPhase.active
    /// The published state.
    public internal(set) var state: String
    /// The link that opens when it is tapped; the caller sets it when it publishes a revision.
    public var link: String?
    /// The relevance that readers know; nil while the plan's relevance holds for all runs.
    public private(set) var relevance: Double?
    /// The patch of the last revision; nil for the first one, and for one published by an earlier process.
    public internal(set) var lastPatch: ValueMap?
    /// The end of the run; nil while it goes on.
    public internal(set) var endedAt: Timestamp?
    /// The published fields, one for each field of the plan.
    var fields: [PublishedField]
    /// Published fields that the plan does not have any more; the next revision takes them away.
    var leftover = ValueMap()
    /// True if a number differs from what readers know by no more than its tolerance.
    public private(set) var isInexact = false
    /// True if the last revision had other values and nothing else new, so that the next of that kind may have to wait.
    public var toldValuesAlone = false
    /// The moment of the update for which fields wait that changed too soon after the last one; nil if none waits.
    public private(set) var throttledUntil: Timestamp?
    var fault = Fault.none

    /// Content that was not taken because it is longer than the plan's limit.
    public struct ContentTooLarge: Error, Equatable, Sendable {
        /// The length of the content in bytes of JSON.
        public var bytes: Int
        /// The limit of the plan.
        public var limit: Int

        /// Makes a fault.
        public init(bytes: Int, limit: Int) {
            self.bytes = bytes
            self.limit = limit
        }
    }

    enum Fault {
        case none
        case found(ContentTooLarge)
        case reported
    }

    /// The published content: the fields that have a value, in the plan's order.
    public var content: ValueMap {
        let content = Activity.content(of: fields, plan)
        return leftover.entries.isEmpty
            ? content : ValueMap(uniqueEntries: content.entries + leftover.entries)
    }
}

extension Activity {
    /// Begins a run and publishes its first revision.
    ///
    /// Content beyond the plan's limit is refused: the run begins with empty content, and `takeFault` returns the fault.
    ///
    /// See docs/decisions/0012-runs.md.
    ///
    /// - Parameters:
    ///   - plan: the kind and the fields.
    ///   - device: the name of the device.
    ///   - run: the number of this run of the device.
    ///   - epoch: a number that changes when revisions begin again.
    ///   - state: the state of the machine.
    ///   - attributes: the values that stay the same until the end.
    ///   - content: one value for each field of the plan.
    ///   - now: the moment of the first revision.
    ///   - startedAt: the start of the run, if that is not `now`.
    /// - Returns: the activity, and its first revision to publish.
    public static func start(
        _ plan: ActivityPlan,
        device: String,
        run: Int64,
        epoch: Int64,
        state: String,
        attributes: ValueMap,
        content: [ContentValue],
        at now: Timestamp,
        startedAt: Timestamp? = nil
    ) -> (activity: Activity, update: ActivityUpdate) {
        var activity = Activity(
            plan: plan,
            id: plan.kind + "/" + device + "/" + run.description,
            epoch: epoch,
            startedAt: startedAt ?? now,
            attributes: attributes.jsonForm,
            state: state,
            fields: [PublishedField](repeating: .absent, count: plan.fields.count)
        )
        let rendering = activity.rendering(of: content, exactly: true)
        if let rendering { activity.fields = rendering.fields }
        let update = activity.revision(
            .started,
            isNewState: true,
            at: now,
            patch: nil,
            content: rendering?.content ?? ValueMap()
        )
        assert(activity.rev == 1 && update.rev == 1, "a run begins with a later revision than the first")
        return (activity, update)
    }

    /// Compares the device's content with the last revision; nil if a person would see no difference.
    ///
    /// Fields stay as published within their tolerance, unless `exactly` is set: then each takes its exact value. Values
    /// that are throttled give no revision of their own before ``throttledUntil``; a revision for another reason has them.
    /// Content beyond the plan's limit is refused: the previous one stays, state and phase still change, and
    /// `takeFault` returns the fault. An activity that has ended returns nil.
    ///
    /// - Parameters:
    ///   - state: the state of the machine.
    ///   - content: one value for each field of the plan.
    ///   - exactly: whether the state of the machine changed.
    ///   - isStale: whether the device has been silent for too long; nil when nothing is new about that.
    ///   - isDue: whether throttled values have waited for long enough.
    ///   - now: when the device was rendered.
    /// - Returns: the revision to publish, or nil.
    public mutating func render(
        state: String,
        content: [ContentValue],
        exactly: Bool,
        isStale: Bool? = nil,
        isDue: Bool = false,
        at now: Timestamp
    ) -> ActivityUpdate? {
        guard phase != .ended else { return nil }
        var next = phase
        if let isStale { next = isStale ? .stale : .active }
        // What gives a revision anyway has all that is new. A clock that was set back to before the last one tells no time.
        let mayWait =
            toldValuesAlone && !exactly && !isDue && next == phase && leftover.entries.isEmpty
            && now >= revisedAt
        return publish(
            next,
            state: state,
            rendering(of: content, exactly: exactly, throttledAt: mayWait ? now : nil),
            at: now
        )
    }

    /// The end of the countdown that readers have in a field; nil if they have none there.
    public func shownEnd(ofField index: Int) -> Timestamp? {
        switch fields[index] {
        case .time(.running(_, let end)), .time(.estimated(_, let end, _)): end
        default: nil
        }
    }

    /// Marks the activity as stale, because the device has been silent for too long; nil if it is stale already, or has
    /// ended.
    public mutating func markStale(at now: Timestamp) -> ActivityUpdate? {
        guard phase == .active else { return nil }
        let update = publish(.stale, state: state, nil, at: now)
        assert(phase == .stale && update != nil, "an activity gets stale without a word")
        return update
    }

    /// Publishes the content again as a revision of its own, for an alert that comes without a change; nil after the end.
    public mutating func repeatRevision(at now: Timestamp) -> ActivityUpdate? {
        guard phase != .ended else { return nil }
        return revision(.changed, isNewState: false, at: now, patch: ValueMap(), content: content)
    }

    /// Ends the run with its exact content; nil when it has ended before.
    ///
    /// - Parameters:
    ///   - state: the state of the machine.
    ///   - content: one value for each field of the plan.
    ///   - dismissal: how long readers keep the ended activity.
    ///   - now: when it ended.
    /// - Returns: the last revision to publish, or nil.
    public mutating func end(
        state: String,
        content: [ContentValue],
        dismissal: ActivityDismissal = .default,
        at now: Timestamp
    ) -> ActivityUpdate? {
        guard phase != .ended else { return nil }
        var update = publish(.ended, state: state, rendering(of: content, exactly: true), at: now)
        endedAt = now
        assert(phase == .ended && update != nil, "a run ends without a word")
        update?.dismissAt = now + dismissal.delay
        return update
    }

    /// Ends the run with the content that readers have; nil when it has ended before.
    public mutating func endAsIs(at now: Timestamp) -> ActivityUpdate? {
        guard phase != .ended else { return nil }
        endedAt = now
        let update = publish(.ended, state: state, nil, at: now)
        assert(phase == .ended && update != nil, "a run ends without a word")
        return update
    }

    /// Gives a revision the relevance of its moment, beside what it tells: a change of it alone is no revision.
    ///
    /// - Parameters:
    ///   - relevance: The relevance; nil if the plan's holds.
    ///   - update: The last revision, before it is published.
    public mutating func tell(relevance: Double?, with update: inout ActivityUpdate) {
        assert(update.rev == rev, "a relevance is told with a revision that is not the last one")
        if relevance != self.relevance, update.patch != nil {
            update.patch?.set("relevance", to: relevance.map { .double($0) } ?? .null)
            lastPatch = update.patch
        }
        take(relevance: relevance)
        update.relevance = relevance ?? plan.relevance
        update.showsRelevance = relevance != nil
    }

    /// Takes the relevance over that an earlier process published.
    public mutating func take(relevance: Double?) { self.relevance = relevance }

    /// Moves the start, because the wall clock was set; published times change with the next rendering.
    public mutating func moveStart(to moment: Timestamp) { startedAt = moment }

    /// Continues in another epoch, because revisions may have been published that are unknown here.
    ///
    /// The last revision keeps its number; its snapshot has to be published again.
    public mutating func begin(epoch: Int64) { self.epoch = epoch }

    /// The snapshot of the last revision, byte for byte as it was published.
    public func snapshotJSON() -> [UInt8] { lastRevision.snapshotJSON() }

    /// The last revision, as an update for a reader that does not know the activity.
    public var lastRevision: ActivityUpdate {
        lastUpdate(.changed, isNewState: false, patch: nil, content: content)
    }

    /// Returns the last fault, once: the next one is returned only after content that fits.
    public mutating func takeFault() -> ContentTooLarge? {
        guard case .found(let found) = fault else { return nil }
        fault = .reported
        return found
    }
}

extension Activity {
    /// Content that readers do not know yet.
    private struct Rendering {
        var fields: [PublishedField]
        var content: ValueMap
        /// The smallest merge patch that makes it of the published content.
        var patch: ValueMap
        /// True if no field came, went or became another kind of time.
        var isValuesAlone: Bool
    }

    /// The rendering of `content`, or nil when all fields stay as they are, wait, or the content is too large.
    ///
    /// Throttled fields may have to wait at `moment`; without one none has to.
    private mutating func rendering(
        of content: [ContentValue],
        exactly: Bool,
        throttledAt moment: Timestamp? = nil
    ) -> Rendering? {
        precondition(content.count == plan.fields.count, "one value for each field")
        assert(fields.count == plan.fields.count, "an activity has the fields of another plan")
        var changed: [PublishedField]?
        var patch: [ValueMap.Entry] = []
        var deleted: [ValueMap.Entry] = []
        isInexact = false
        throttledUntil = nil
        var (waits, isValuesAlone) = (moment != nil, true)
        for index in content.indices {
            let field = plan.fields[index]
            let tolerance = exactly ? .none : field.tolerance
            guard let next = fields[index].next(content[index], tolerance: tolerance) else {
                if case .number = tolerance, fields[index].differs(from: content[index]) { isInexact = true }
                continue
            }
            if changed == nil {
                changed = fields
                patch.reserveCapacity(fields.count)
            }
            changed?[index] = next
            if !next.isMove(of: fields[index]) { isValuesAlone = false }
            if let moment, waits {
                waits = isValuesAlone && throttle(field, at: moment, shown: shownEnd(ofField: index))
            }
            guard let change = MergePatch.change(from: fields[index].json, to: next.json) else { continue }
            let entry = ValueMap.Entry(key: .string(field.name), value: change)
            if case .null = change { deleted.append(entry) } else { patch.append(entry) }
        }
        assert(!exactly || !isInexact, "an exact number differs from what is told")
        assert(throttledUntil == nil || moment != nil, "values wait that may be told now")
        guard let changed, !waits else { return nil }
        throttledUntil = nil
        let content = Activity.content(of: changed, plan)
        if let bytes = Value.map(content).jsonLength(beyond: plan.contentLimit) {
            // Once, until content fits again: a device that stays too large would report it with every message.
            if case .none = fault { fault = .found(ContentTooLarge(bytes: bytes, limit: plan.contentLimit)) }
            return nil
        }
        fault = .none
        // At the end, as in a patch that `MergePatch` makes of whole contents.
        patch += deleted
        return Rendering(
            fields: changed,
            content: content,
            patch: ValueMap(uniqueEntries: patch),
            isValuesAlone: isValuesAlone
        )
    }

    /// Returns whether a new value has to wait, and notes until when: a countdown no longer than until readers have it at zero.
    private mutating func throttle(
        _ field: ActivityPlan.Field,
        at now: Timestamp,
        shown end: Timestamp?
    ) -> Bool {
        let due = min(revisedAt + field.throttle, end ?? .distantFuture)
        guard due > now else { return false }
        throttledUntil = min(due, throttledUntil ?? due)
        return true
    }

    private mutating func publish(
        _ phase: ActivityPhase,
        state: String,
        _ rendering: Rendering?,
        at now: Timestamp
    ) -> ActivityUpdate? {
        let isNewPhase = phase != self.phase
        let isNewState = isNewPhase || !state.hasSameCodePoints(as: self.state)
        guard isNewState || rendering != nil || !leftover.entries.isEmpty else { return nil }
        var patch: [ValueMap.Entry] = []
        patch.reserveCapacity(3)
        if isNewPhase { patch.append(ValueMap.Entry(key: .string("phase"), value: .string(phase.name))) }
        if !state.hasSameCodePoints(as: self.state) {
            patch.append(ValueMap.Entry(key: .string("state"), value: .string(state)))
        }
        var changes = rendering?.patch.entries ?? []
        for entry in leftover.entries { changes.append(ValueMap.Entry(key: entry.key, value: .null)) }
        if !changes.isEmpty {
            let value = Value.map(ValueMap(uniqueEntries: changes))
            patch.append(ValueMap.Entry(key: .string("content"), value: value))
        }
        assert(self.phase != .ended, "an activity goes on after its end")
        let kind = ActivityUpdate.Kind(from: self.phase, to: phase)
        self.phase = phase
        self.state = state
        if let rendering { fields = rendering.fields }
        leftover = ValueMap()
        // A field may change its kind, as a timer that an edit made of a value, and look the same to readers.
        guard !patch.isEmpty else { return nil }
        let update = revision(
            kind,
            isNewState: isNewState,
            at: now,
            patch: ValueMap(uniqueEntries: patch),
            content: rendering?.content ?? content
        )
        toldValuesAlone = plan.isThrottled && !isNewState && rendering?.isValuesAlone == true
        return update
    }

    private mutating func revision(
        _ kind: ActivityUpdate.Kind,
        isNewState: Bool,
        at now: Timestamp,
        patch: ValueMap?,
        content: ValueMap
    ) -> ActivityUpdate {
        assert((patch == nil) == (kind == .started), "a revision without a patch is not the first one")
        assert(
            (kind == .ended) == (phase == .ended),
            "a revision tells of another phase than the present one"
        )
        rev += 1
        revisedAt = now
        toldValuesAlone = false
        lastPatch = patch
        return lastUpdate(kind, isNewState: isNewState, patch: patch, content: content)
    }

    private func lastUpdate(
        _ kind: ActivityUpdate.Kind,
        isNewState: Bool,
        patch: ValueMap?,
        content: ValueMap
    ) -> ActivityUpdate {
        ActivityUpdate(
            kind: kind,
            id: id,
            rev: rev,
            epoch: epoch,
            at: revisedAt,
            startedAt: startedAt,
            phase: phase,
            state: state,
            attributes: attributes,
            content: content,
            patch: patch,
            isNewState: isNewState,
            relevance: relevance ?? plan.relevance,
            showsRelevance: relevance != nil,
            staleness: staleness,
            link: link,
            isLinkContent: plan.isLinkContent
        )
    }

    /// The reason for which the last revision may become outdated.
    private var staleness: Staleness {
        guard phase != .ended else { return .never }
        var earliest: Timestamp?
        for field in fields {
            // One that is over is not waited for, or the content would be outdated as soon as it is published.
            guard case .time(.running(_, let end)) = field, end > revisedAt else { continue }
            earliest = min(end, earliest ?? .distantFuture)
        }
        if let earliest { return .countdown(end: earliest) }
        guard phase == .active, let silence = plan.silence, silence > .zero else { return .never }
        // Twice: after the first the device is marked as stale, with a revision of its own.
        return .silence(until: revisedAt + silence + silence)
    }

    private static func content(of fields: [PublishedField], _ plan: ActivityPlan) -> ValueMap {
        var entries: [ValueMap.Entry] = []
        entries.reserveCapacity(fields.count)
        for index in fields.indices { entries.add(fields[index], plan.fields[index]) }
        return ValueMap(uniqueEntries: entries)
    }
}

extension [ValueMap.Entry] {
    /// Adds a field of the content; one that is left out adds nothing.
    fileprivate mutating func add(_ published: PublishedField, _ field: ActivityPlan.Field) {
        guard let value = published.json else { return }
        append(ValueMap.Entry(key: .string(field.name), value: value))
    }
}

extension ActivityUpdate.Kind {
    /// The kind of update for a change of phase.
    fileprivate init(from old: ActivityPhase, to new: ActivityPhase) {
        switch (old, new) {
        case (.active, .active), (.stale, .stale): self = .changed
        case (.active, .stale): self = .stale
        case (.stale, .active): self = .fresh
        case (_, .ended), (.ended, _): self = .ended
        }
    }
}
