import Glibc

/// Moments and lengths of time for people, in seconds and in the time zone of this machine.
enum PrintedTime {
    /// A moment as a time of day, with the day when it is not today's.
    static func moment(_ seconds: Double, at now: Double) -> String {
        let day = format(seconds, "%Y-%m-%d")
        let time = format(seconds, "%H:%M:%S")
        return day == format(now, "%Y-%m-%d") ? time : "\(day) \(time)"
    }

    /// The distance of a moment from now: `in 5m`, `2h1m ago`, `now`.
    static func distance(_ seconds: Double, from now: Double) -> String {
        switch seconds - now {
        case ..<(-0.5): "\(length(now - seconds)) ago"
        case 0.5...: "in \(length(seconds - now))"
        default: "now"
        }
    }

    /// A length of time, at most its two largest units.
    static func length(_ seconds: Double) -> String {
        let whole = seconds.rounded().whole
        let parts = [
            (whole / 86_400, "d"), (whole / 3600 % 24, "h"), (whole / 60 % 60, "m"), (whole % 60, "s"),
        ]
        let first = parts.firstIndex { $0.0 > 0 } ?? 3
        return parts[first..<min(first + 2, 4)].filter { $0.0 > 0 || first == 3 }.map { "\($0.0)\($0.1)" }
            .joined()
    }

    /// A moment in a format of strftime(3); `?` for one beyond every calendar.
    static func format(_ seconds: Double, _ format: String) -> String {
        var time = seconds.rounded(.down).whole
        var parts = tm()
        guard seconds.magnitude < 1e15, localtime_r(&time, &parts) != nil else { return "?" }
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, format, &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
