import SkerryValues

/// What one phone shows of one activity.
struct Showing: Sendable {
    /// The id of the activity.
    let activity: String
    /// The activities of this run that the phone shows: one; for a while two, the older one first, at a renewal.
    var cards: [Card] = []
    /// The number of the newest card; 0 before the first.
    var lastInstance = 0
    /// Whether its user removed it: nothing of this run is shown again.
    var isMuted = false
    /// When it came to its end on the phone without us: nothing of this run is started again.
    var overAt: Timestamp?
    var line = Line()

    init(activity: String) {
        self.activity = activity
    }

    func card(_ instance: Int) -> Int? { cards.firstIndex { $0.instance == instance } }

    /// Whether there is anything to remember when the process ends.
    var isWorthKeeping: Bool { lastInstance > 0 || isMuted }

    /// Takes note that a card is not on the phone any more.
    ///
    /// - Parameters:
    ///   - instance: The card.
    ///   - overAt: Since when, if that was not our doing and nothing of the run is to be started again.
    mutating func remove(_ instance: Int, overAt: Timestamp? = nil) {
        cards.removeAll { $0.instance == instance }
        if cards.isEmpty, let overAt { self.overAt = overAt }
    }

    mutating func clockStepped(by length: Interval) {
        for index in cards.indices {
            cards[index].startedAt = cards[index].startedAt + length
            cards[index].shown.clockStepped(by: length)
        }
        line.clockStepped(by: length)
    }

    func write(to writer: inout ImageWriter) {
        writer.text(activity)
        let flight = line.flight
        writer.list(cards) { writer, card in
            var card = card
            // Nobody will know what came of what is on its way: it is sent again, a start never is.
            if flight?.instance == card.instance { card.shown.key = nil }
            card.write(to: &writer)
        }
        writer.count(lastInstance)
        writer.flag(isMuted)
        writer.optional(overAt) { $0.moment($1) }
        line.write(to: &writer)
    }

    init(from reader: inout ImageReader) throws(ImageFault) {
        activity = try reader.text()
        cards = try reader.list { reader throws(ImageFault) in try Card(from: &reader) }
        lastInstance = try reader.smallNumber()
        isMuted = try reader.flag()
        overAt = try reader.optional { reader throws(ImageFault) in try reader.moment() }
        line = try Line(from: &reader)
        guard cards.count <= 2 else { throw .malformed }
    }
}

/// One Live Activity on one phone, as iOS knows it.
struct Card: Sendable {
    /// Its number in the run.
    let instance: Int
    /// When its start was sent.
    var startedAt: Timestamp
    /// Whether the start was accepted, or the phone told of it: it is there, for all that can be known.
    var isAccepted = false
    /// The token for updates.
    var token = TokenSlot()
    /// The channel that it listens on, instead of a token.
    var channel: String?
    var shown = Shown()

    init(instance: Int, startedAt: Timestamp) {
        self.instance = instance
        self.startedAt = startedAt
    }

    /// Whether it is certain that it is there, so that another one can go.
    var isConfirmed: Bool { token.token != nil || (channel != nil && isAccepted) }

    func write(to writer: inout ImageWriter) {
        writer.count(instance)
        writer.moment(startedAt)
        writer.flag(isAccepted)
        token.write(to: &writer)
        writer.optional(channel) { $0.text($1) }
        shown.write(to: &writer)
    }

    init(from reader: inout ImageReader) throws(ImageFault) {
        instance = try reader.smallNumber()
        startedAt = try reader.moment()
        isAccepted = try reader.flag()
        token = try TokenSlot(from: &reader)
        channel = try reader.optional { reader throws(ImageFault) in try reader.text() }
        shown = try Shown(from: &reader)
    }
}

extension ImageReader {
    /// Reads a number of things that come one after the other.
    mutating func smallNumber() throws(ImageFault) -> Int {
        let number = try unsigned()
        guard number < 1 << 31 else { throw .malformed }
        return Int(number)
    }
}
