import SkerryActivity
import SkerryValues

/// A broadcast channel on which phones follow one run.
struct BroadcastChannel: Sendable {
    /// The stage of its life.
    enum Life: UInt8, Sendable {
        /// It is to be created.
        case wanted
        /// It can be published to.
        case open
        /// Its last word was accepted.
        case ended
        /// There is none: phones go by their tokens.
        case refused
    }

    /// The bundle id of its app; empty for the usual one.
    let app: String
    let environment: PushEnvironment
    /// Its number in the run, from 1: one more after each renewal.
    let number: Int
    var life = Life.wanted
    /// Its id at APNs.
    var id = ""
    /// True if its creation was requested: it may exist although no answer came.
    var isAsked = false
    /// The moment of the first start on it.
    var startedAt: Timestamp?
    /// The moment at which its last push was accepted.
    var endedAt: Timestamp?
    var shown = Shown()
    /// The revision that was sent again because a phone reported an older one.
    var repeatedRev: Int64 = 0
    var lane = PushLane()

    /// The time that phones wait for it before they are reached by their tokens.
    static let patience = Interval.seconds(5)
    /// The time that it is kept after its last push, for phones that were offline: no ended activity is shown longer.
    static let linger = ActivityDismissal.longest

    init(app: String, environment: PushEnvironment, number: Int) {
        assert(number > 0, "the channels of a run are counted from 1")
        self.app = app
        self.environment = environment
        self.number = number
    }

    mutating func clockStepped(by length: Interval) {
        startedAt = startedAt.map { $0 + length }
        endedAt = endedAt.map { $0 + length }
        shown.clockStepped(by: length)
        lane.clockStepped(by: length)
    }

    func write(to writer: inout ImageWriter) {
        writer.tag(environment.rawValue)
        writer.count(number)
        writer.tag(life.rawValue)
        writer.text(id)
        writer.optional(startedAt) { $0.moment($1) }
        writer.optional(endedAt) { $0.moment($1) }
        var shown = shown
        // The next process will not learn the result of a push in flight, so that goes again.
        if lane.flight != nil { shown.key = nil }
        shown.write(to: &writer)
        lane.write(to: &writer)
        writer.flag(isAsked)
        writer.text(app)
        writer.signed(repeatedRev)
    }

    init(from reader: inout ImageReader, version: UInt8) throws(ImageFault) {
        environment = try reader.environment()
        number = try reader.smallNumber()
        guard let life = Life(rawValue: try reader.tag()) else { throw .malformed }
        self.life = life
        id = try reader.text()
        startedAt = try reader.optional { reader throws(ImageFault) in try reader.moment() }
        endedAt = try reader.optional { reader throws(ImageFault) in try reader.moment() }
        shown = try Shown(from: &reader)
        lane = try PushLane(from: &reader, version: version)
        // Earlier versions did not note it: a channel that may exist has to be looked for.
        isAsked = version > 1 ? try reader.flag() : true
        app = version > 8 ? try reader.text() : ""
        repeatedRev = version > 9 ? try reader.signed() : 0
    }
}
