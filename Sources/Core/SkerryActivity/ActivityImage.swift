public import SkerryValues

extension Activity {
    /// Writes the last revision; read back by ``init(from:plan:fields:names:)``.
    public func write(to writer: inout ImageWriter) {
        writer.text(id)
        writer.signed(epoch)
        writer.moment(startedAt)
        writer.map(attributes)
        writer.signed(rev)
        writer.moment(revisedAt)
        writer.tag(phase.rawValue)
        writer.text(state)
        writer.optional(link) { $0.text($1) }
        writer.optional(endedAt) { $0.moment($1) }
        writer.list(fields) { $1.write(to: &$0) }
        writer.map(leftover)
    }

    /// Reads an activity back, for a plan that may have replaced the one it was written with.
    ///
    /// - Parameters:
    ///   - reader: positioned at the activity.
    ///   - plan: the plan from now on.
    ///   - places: for each field of the plan its place in the former plan; nil for one that is new.
    ///   - names: the names of the former plan's fields.
    /// - Throws: ``ImageFault`` for bytes that were not written by an activity.
    public init(
        from reader: inout ImageReader,
        plan: ActivityPlan,
        fields places: [Int?],
        names: [String]
    ) throws(ImageFault) {
        assert(places.count == plan.fields.count, "a field of the plan has no place")
        self.plan = plan
        id = try reader.text()
        epoch = try reader.signed()
        startedAt = try reader.moment()
        attributes = try reader.map()
        rev = try reader.signed()
        revisedAt = try reader.moment()
        guard let phase = ActivityPhase(rawValue: try reader.tag()) else { throw .malformed }
        // Each revision adds one.
        guard rev > 0, rev < .max / 2 else { throw .contradictory }
        self.phase = phase
        state = try reader.text()
        link = try reader.optional { reader throws(ImageFault) in try reader.text() }
        endedAt = try reader.optional { reader throws(ImageFault) in try reader.moment() }
        let known = try reader.list { reader throws(ImageFault) in try PublishedField(from: &reader) }
        fields = places.map { place in
            guard let place, place < known.count else { return .absent }
            return known[place]
        }
        for entry in try reader.map().entries {
            guard case .string(let name) = entry.key else { continue }
            if let index = plan.fields.firstIndex(where: { $0.name.hasSameCodePoints(as: name) }) {
                // A field that an edit took away and another one brought back.
                fields[index] = .value(entry.value)
            } else {
                leftover.set(name, to: entry.value)
            }
        }
        // 0014: a field that is gone stays published until the next revision removes it.
        for (place, name) in names.enumerated() where place < known.count && !places.contains(place) {
            if let value = known[place].json { leftover.set(name, to: value) }
        }
    }
}

extension PublishedField {
    fileprivate func write(to writer: inout ImageWriter) {
        switch self {
        case .absent: writer.tag(0)
        case .value(let value):
            writer.tag(1)
            writer.value(value)
        case .time(.running(let start, let end)):
            writer.tag(2)
            writer.moment(start)
            writer.moment(end)
        case .time(.countingUp(let start)):
            writer.tag(3)
            writer.moment(start)
        case .time(.paused(let remaining, let duration)):
            writer.tag(4)
            writer.interval(remaining)
            writer.interval(duration)
        case .time(.held(let elapsed)):
            writer.tag(5)
            writer.interval(elapsed)
        case .time(.estimated(let start, let end, let tolerance)):
            writer.tag(6)
            writer.moment(start)
            writer.moment(end)
            writer.interval(tolerance)
        }
    }

    fileprivate init(from reader: inout ImageReader) throws(ImageFault) {
        switch try reader.tag() {
        case 0: self = .absent
        case 1: self = .value(try reader.value())
        case 2: self = .time(.running(start: try reader.moment(), end: try reader.moment()))
        case 3: self = .time(.countingUp(start: try reader.moment()))
        case 4: self = .time(.paused(remaining: try reader.interval(), duration: try reader.interval()))
        case 5: self = .time(.held(elapsed: try reader.interval()))
        case 6:
            self = .time(
                .estimated(
                    start: try reader.moment(),
                    end: try reader.moment(),
                    tolerance: try reader.interval()
                )
            )
        default: throw .malformed
        }
    }
}
