import SkerryActivity
import SkerryValues

/// Names of activities for services that take letters, digits, `_` and `-` only, and 64 of them at most.
enum SinkTag {
    /// The name of an activity: what can be read of its id, and a mark that tells all activities apart.
    ///
    /// A run has a name of its own, because its start is a part of the id.
    static func name(of activity: String) -> String {
        let limit = 64 - 1 - PlainName.markLength
        return "\(PlainName.plain(activity, limit: limit))-\(PlainName.mark(of: activity))"
    }
}

extension JSONWriter {
    /// Writes a member that is a text.
    mutating func member(_ name: String, _ text: String) {
        key(name)
        string(text)
    }

    /// Writes a member that is a whole number.
    mutating func member(_ name: String, _ number: Int64) {
        key(name)
        int(number)
    }

    /// Writes the member `alert` with title and body, as Apple has it.
    mutating func alert(_ alert: ActivityAlert) {
        key("alert")
        beginObject()
        member("title", LiveActivityContract.cut(alert.title))
        member("body", LiveActivityContract.cut(alert.body))
        endObject()
    }

    /// Writes the sound of a critical alert, as Apple and Home Assistant have it; an app that may not play one ignores it.
    mutating func criticalSound(_ alert: ActivityAlert) {
        beginObject()
        member("name", alert.heardSound ?? "default")
        member("critical", 1)
        member("volume", 1)
        endObject()
    }

    /// Writes a member that is true.
    mutating func mark(_ name: String) {
        key(name)
        bool(true)
    }
}
