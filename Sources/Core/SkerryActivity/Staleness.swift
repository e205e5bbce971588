public import SkerryValues

/// The reason for which the content of a revision may become outdated while nothing is heard.
public enum Staleness: Hashable, Sendable {
    /// The first countdown of the content reaches zero, and what comes then is not known.
    case countdown(end: Timestamp)
    /// The device should have been heard by then.
    case silence(until: Timestamp)
    /// Nothing makes it outdated.
    case never

    /// The moment from which the content may be outdated; nil for never.
    ///
    /// It is two seconds after the end of a countdown: one that is stale at zero is drawn as if it were loading.
    public var date: Timestamp? {
        switch self {
        case .countdown(let end): end + Self.timeAtZero
        case .silence(let until): until
        case .never: nil
        }
    }

    /// The time for which a countdown stays at zero before it is stale.
    public static let timeAtZero = Interval.seconds(2)

    /// Moves it by a step of the wall clock.
    public mutating func move(by length: Interval) {
        switch self {
        case .countdown(let end): self = .countdown(end: end + length)
        case .silence(let until): self = .silence(until: until + length)
        case .never: break
        }
    }
}

extension Staleness {
    func write(to writer: inout ImageWriter) {
        switch self {
        case .never: writer.tag(0)
        case .silence(let until):
            writer.tag(1)
            writer.moment(until)
        case .countdown(let end):
            writer.tag(2)
            writer.moment(end)
        }
    }

    /// Reads it back; images of version 1 have any stale-date as the end of a silence.
    init(from reader: inout ImageReader) throws(ImageFault) {
        switch try reader.tag() {
        case 0: self = .never
        case 1: self = .silence(until: try reader.moment())
        case 2: self = .countdown(end: try reader.moment())
        default: throw .malformed
        }
    }
}
