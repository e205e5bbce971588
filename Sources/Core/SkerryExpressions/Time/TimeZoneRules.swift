import SkerryValues

/// The offsets of a time zone as data: what a TZif file holds.
///
/// Reading the system's zones is the business of an outer layer.
public struct TimeZoneRules: Hashable, Sendable {
    /// From when on which offset applies.
    public struct Transition: Hashable, Sendable {
        /// Seconds since the Unix epoch.
        public var start: Int64
        /// Seconds east of UTC.
        public var offset: Int32

        /// Makes a transition.
        public init(start: Int64, offset: Int32) {
            self.start = start
            self.offset = offset
        }
    }

    /// Yearly changes that go on after the last transition.
    public struct DaylightSaving: Hashable, Sendable {
        /// Seconds east of UTC in summer.
        public var offset: Int32
        /// The start of summer time.
        public var start: YearlyMoment
        /// The end of summer time.
        public var end: YearlyMoment

        /// Makes a rule.
        public init(offset: Int32, start: YearlyMoment, end: YearlyMoment) {
            self.offset = offset
            self.start = start
            self.end = end
        }
    }

    /// A moment that comes every year, such as the last Sunday of March at two o'clock.
    public struct YearlyMoment: Hashable, Sendable {
        /// The month, 1 to 12.
        public var month: Int
        /// The number of the weekday within the month, 1 to 4, or 5 for the last one.
        public var week: Int
        /// The day of the week, 0 for Sunday to 6.
        public var weekday: Int
        /// Seconds after midnight in the time that applied before.
        public var seconds: Int64

        /// Makes a moment.
        public init(month: Int, week: Int, weekday: Int, seconds: Int64) {
            self.month = month
            self.week = week
            self.weekday = weekday
            self.seconds = seconds
        }
    }

    /// The offset before the first transition, in seconds east of UTC.
    public var firstOffset: Int32
    /// The changes of the offset, the earliest first.
    public var transitions: [Transition]
    /// The standard offset after the last transition; nil to keep the last one.
    public var standardOffset: Int32?
    /// The yearly changes after the last transition, if there are any.
    public var daylightSaving: DaylightSaving?

    /// Makes the rules of a zone.
    public init(
        firstOffset: Int32,
        transitions: [Transition] = [],
        standardOffset: Int32? = nil,
        daylightSaving: DaylightSaving? = nil
    ) {
        self.firstOffset = firstOffset
        self.transitions = transitions
        self.standardOffset = standardOffset
        self.daylightSaving = daylightSaving
    }

    /// The offset at a moment, in seconds east of UTC.
    public func offset(at seconds: Int64) -> Int32 {
        let next = transitions.partitioningIndex { $0.start > seconds }
        if next == transitions.count, let standardOffset {
            return recurringOffset(at: seconds, standard: standardOffset)
        }
        return next == 0 ? firstOffset : transitions[next - 1].offset
    }

    /// The offset at a local time, given in seconds as if it were UTC.
    ///
    /// Of a local time that comes twice the first one is meant; one that never comes has the offset before the change.
    func offset(ofLocal seconds: Int64) -> Int32 {
        let (before, after) = offsets(aroundLocal: seconds)
        let isAfter =
            offset(at: seconds - Int64(before)) != before && offset(at: seconds - Int64(after)) == after
        return isAfter ? after : before
    }

    /// The offsets before and after a local time: a day to either side, because no zone is that far from UTC.
    private func offsets(aroundLocal seconds: Int64) -> (before: Int32, after: Int32) {
        (offset(at: seconds - CivilTime.secondsPerDay), offset(at: seconds + CivilTime.secondsPerDay))
    }

    /// The moment of a local time, given in seconds as if it were UTC; both count from the Unix epoch.
    ///
    /// Of a local time that comes twice the first moment is meant. One that never comes, because the clock is set forward
    /// past it, stands for the first moment after the change.
    public func moment(ofLocal seconds: Int64) -> Int64 {
        let (before, after) = offsets(aroundLocal: seconds)
        // The change lies between the two readings of the local time, if it is in neither.
        var (low, high) = (seconds - Int64(after), seconds - Int64(before))
        if offset(at: high) == before { return high }
        if offset(at: low) == after { return low }
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offset(at: middle) == before { low = middle } else { high = middle }
        }
        return high
    }

    private func recurringOffset(at seconds: Int64, standard: Int32) -> Int32 {
        guard let daylightSaving else { return standard }
        // By standard time: near new year no zone changes its clocks.
        let year = CivilTime(seconds: seconds, offset: standard).year
        let start = daylightSaving.start.seconds(in: year) &- Int64(standard)
        let end = daylightSaving.end.seconds(in: year) &- Int64(daylightSaving.offset)
        // South of the equator, summer goes on over the end of the year.
        let isSummer =
            start < end ? start <= seconds && seconds < end : !(end <= seconds && seconds < start)
        return isSummer ? daylightSaving.offset : standard
    }
}

extension TimeZoneRules.YearlyMoment {
    /// The moment in a year, as if its local time were UTC.
    fileprivate func seconds(in year: Int64) -> Int64 {
        let first = CivilTime.days(year: year, month: Int64(month), day: 1)
        let skipped = (Int64(weekday) - CivilTime.weekday(ofDay: first) + 7) % 7
        var day = first + skipped + Int64(max(1, min(week, 5)) - 1) * 7
        let next =
            month == 12
            ? CivilTime.days(year: year + 1, month: 1, day: 1)
            : CivilTime.days(year: year, month: Int64(month) + 1, day: 1)
        // Week 5 is the last one, which may be the fourth.
        while day >= next { day -= 7 }
        return day * CivilTime.secondsPerDay &+ seconds
    }
}

/// The offset of a zone written as `UTC`, `+01:00` or `1:00`; nil for other names.
func fixedOffset(_ zone: String) -> Int32? {
    if zone == "UTC" || zone == "Z" || zone.isEmpty { return 0 }
    var bytes = Array(zone.utf8)[...]
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
        let hours = clockNumber(bytes[..<colon], below: 24),
        let minutes = clockNumber(bytes[(colon + 1)...], below: 60)
    else { return nil }
    return (isNegative ? -1 : 1) * (hours * 3600 + minutes * 60)
}

/// A number of one or two digits below a limit.
private func clockNumber(_ bytes: ArraySlice<UInt8>, below limit: Int32) -> Int32? {
    guard (1...2).contains(bytes.count) else { return nil }
    var number: Int32 = 0
    for byte in bytes {
        guard isDigit(byte) else { return nil }
        number = number * 10 + Int32(byte - UInt8(ascii: "0"))
    }
    return number < limit ? number : nil
}
