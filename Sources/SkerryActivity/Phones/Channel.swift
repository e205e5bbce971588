import SkerryValues

/// A broadcast channel on which phones follow one run.
struct Channel: Sendable {
    /// How far it has come.
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

    let environment: PushEnvironment
    /// Its number in the run, from 1: one more after each renewal.
    let number: Int
    var life = Life.wanted
    /// What APNs calls it.
    var id = ""
    /// Whether it was asked for: it may be there although no answer came.
    var isAsked = false
    /// When the first activity was started on it.
    var startedAt: Timestamp?
    /// When its last word was accepted.
    var endedAt: Timestamp?
    var shown = Shown()
    var line = Line()

    /// How long phones wait for it before they are reached by their tokens.
    static let patience = Interval.seconds(5)
    /// How long it stays after its last word, for phones that were away: no ended activity is shown longer.
    static let linger = ActivityDismissal.longest

    init(environment: PushEnvironment, number: Int) {
        self.environment = environment
        self.number = number
    }

    mutating func clockStepped(by length: Interval) {
        startedAt = startedAt.map { $0 + length }
        endedAt = endedAt.map { $0 + length }
        shown.clockStepped(by: length)
        line.clockStepped(by: length)
    }

    func write(to writer: inout ImageWriter) {
        writer.tag(environment.rawValue)
        writer.count(number)
        writer.tag(life.rawValue)
        writer.text(id)
        writer.optional(startedAt) { $0.moment($1) }
        writer.optional(endedAt) { $0.moment($1) }
        var shown = shown
        if line.flight != nil { shown.key = nil }
        shown.write(to: &writer)
        line.write(to: &writer)
        writer.flag(isAsked)
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
        line = try Line(from: &reader, version: version)
        isAsked = version > 1 ? try reader.flag() : true
    }
}
