import SkerryValues

/// A moment as a calendar and a clock on the wall show it (proleptic Gregorian).
package struct CivilTime {
    static let secondsPerDay: Int64 = 86_400

    /// The year; 0 is the one before the year 1.
    package var year: Int64
    /// 1 to 12.
    package var month: Int64
    /// 1 to 31.
    package var day: Int64
    /// Seconds since midnight.
    package var secondOfDay: Int64
    /// 0 for Sunday to 6.
    var weekday: Int64
    /// 0 for the first of January.
    var dayOfYear: Int64

    /// Makes the calendar of a moment in seconds since 1970, with an offset in seconds east of UTC.
    package init(seconds: Int64, offset: Int32) {
        // Beyond any date that has a meaning, and small enough for the sums below.
        let local = max(-(1 << 60), min(1 << 60, seconds)) + Int64(offset)
        let dayNumber = local.floorDivided(by: CivilTime.secondsPerDay)
        secondOfDay = local - dayNumber * CivilTime.secondsPerDay
        weekday = CivilTime.weekday(ofDay: dayNumber)
        // Years counted from March put the leap day at their end; 146,097 days are 400 years.
        let shifted = dayNumber + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let marchDay = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * marchDay + 2) / 153
        day = marchDay - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        dayOfYear = dayNumber - CivilTime.days(year: year, month: 1, day: 1)
        assert((1...12).contains(month) && (1...31).contains(day), "a date is in no month")
        assert((0..<366).contains(dayOfYear) && (0...6).contains(weekday), "a day is in no year or week")
    }

    /// Days from 1970-01-01 to a date.
    package static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year.floorDivided(by: 400)
        let yearOfEra = year - era * 400
        let marchDay = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + marchDay - 719_468
    }

    /// 0 for Sunday to 6; 1970-01-01 was a Thursday.
    static func weekday(ofDay day: Int64) -> Int64 { day - (day + 4).floorDivided(by: 7) * 7 + 4 }

    /// The number of days of a month, 28 to 31.
    package static func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}

extension Function {
    /// `getHours` and its kin, of a timestamp in a zone, or of a duration.
    func timeField(of value: Value, zone: String?, _ code: Code) -> Value {
        switch value {
        case .duration(let length):
            return zone == nil ? timeField(of: length) : .error(.noSuchOverload)
        case .timestamp(let moment):
            guard let zone else { return timeField(of: moment, offset: 0) }
            if let offset = fixedOffset(zone) { return timeField(of: moment, offset: offset) }
            guard let rules = code.timeZone(zone) else { return .error(.invalidArgument) }
            return timeField(of: moment, offset: rules.offset(at: moment.seconds))
        default: return .error(.noSuchOverload)
        }
    }

    private func timeField(of length: CalendarDuration) -> Value {
        switch self {
        case .getHours: .int(length.seconds / 3600)
        case .getMinutes: .int(length.seconds / 60)
        case .getSeconds: .int(length.seconds)
        case .getMilliseconds: .int(Int64(length.nanoseconds / 1_000_000))
        default: .error(.noSuchOverload)
        }
    }

    private func timeField(of moment: CalendarTimestamp, offset: Int32) -> Value {
        let civil = CivilTime(seconds: moment.seconds, offset: offset)
        switch self {
        case .getFullYear: return .int(civil.year)
        case .getMonth: return .int(civil.month - 1)
        case .getDayOfYear: return .int(civil.dayOfYear)
        case .getDayOfMonth: return .int(civil.day - 1)
        case .getDate: return .int(civil.day)
        case .getDayOfWeek: return .int(civil.weekday)
        case .getHours: return .int(civil.secondOfDay / 3600)
        case .getMinutes: return .int(civil.secondOfDay / 60 % 60)
        case .getSeconds: return .int(civil.secondOfDay % 60)
        case .getMilliseconds: return .int(Int64(moment.nanoseconds / 1_000_000))
        case .getClock:
            return .string(padded(civil.secondOfDay / 3600, 2) + ":" + padded(civil.secondOfDay / 60 % 60, 2))
        default: return .error(.noSuchOverload)
        }
    }
}
