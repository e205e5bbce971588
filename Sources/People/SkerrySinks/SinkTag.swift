import SkerryActivity
import SkerryValues

/// Names of activities for services that take letters, digits, `_` and `-` only, and 64 of them at most.
enum SinkTag {
    /// The name of an activity: what can be read of its id, and a mark that tells all activities apart.
    ///
    /// A run has a name of its own, because its start is a part of the id.
    static func name(of activity: String) -> String {
        let limit = 64 - 1 - PlainName.markLength
        let name = "\(PlainName.plain(activity, limit: limit))-\(PlainName.mark(of: activity))"
        assert(name.utf8.count <= 64, "a name is longer than services take")
        return name
    }
}

extension JSONWriter {
    /// Writes the member `alert` with title and body, as Apple has it.
    mutating func alert(_ alert: ActivityAlert) {
        object("alert") { writer in
            writer.member("title", LiveActivityContract.cut(alert.title))
            writer.member("body", LiveActivityContract.cut(alert.body))
        }
    }

    /// Writes the member `sound` of a critical alert, as Apple and Home Assistant have it; an app that may not play one
    /// ignores it.
    mutating func criticalSound(_ alert: ActivityAlert) {
        object("sound") { writer in
            writer.member("name", alert.heardSound ?? "default")
            writer.member("critical", 1)
            writer.member("volume", 1)
        }
    }
}
