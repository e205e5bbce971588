import SkerryValues

/// The state of Apple's push services: two for each app, because the app's key decides what they take.
struct PushServices: Sendable {
    /// The services of an app, in the order of the environments.
    private struct Pair: Sendable {
        let app: String
        var services = [PushScheduler.Service](
            repeating: PushScheduler.Service(),
            count: PushEnvironment.allCases.count
        )
    }

    private var pairs: [Pair] = []

    /// Makes services without obstacles.
    init() {}

    /// The service of an app in an environment.
    subscript(app: String, environment: PushEnvironment) -> PushScheduler.Service {
        get {
            place(of: app).map { pairs[$0].services[Int(environment.rawValue)] } ?? PushScheduler.Service()
        }
        set {
            let place = place(of: app) ?? pairs.endIndex
            if place == pairs.endIndex { pairs.append(Pair(app: app)) }
            pairs[place].services[Int(environment.rawValue)] = newValue
            assert(self.place(of: app) == place, "an app has two states of one service")
        }
    }

    private func place(of app: String) -> Int? {
        pairs.firstIndex { $0.app.hasSameCodePoints(as: app) }
    }

    mutating func clockStepped(by length: Interval) {
        for place in pairs.indices {
            for index in pairs[place].services.indices {
                pairs[place].services[index].pushes.clockStepped(by: length)
                pairs[place].services[index].channels.clockStepped(by: length)
            }
        }
    }

    func write(to writer: inout ImageWriter) {
        writer.list(pairs) { writer, pair in
            writer.text(pair.app)
            writer.list(pair.services) { $1.write(to: &$0) }
        }
    }

    /// Reads them; before version 9 there was one app.
    init(from reader: inout ImageReader, version: UInt8) throws(ImageFault) {
        pairs =
            version > 8
            ? try reader.list { reader throws(ImageFault) in
                try Self.pair(of: try reader.text(), from: &reader)
            } : [try Self.pair(of: "", from: &reader)]
    }

    private static func pair(of app: String, from reader: inout ImageReader) throws(ImageFault) -> Pair {
        var pair = Pair(app: app)
        let services = try reader.list { reader throws(ImageFault) in
            try PushScheduler.Service(from: &reader)
        }
        guard services.count == pair.services.count else { throw .malformed }
        pair.services = services
        return pair
    }
}

extension PushScheduler {
    /// An obstacle to a service, or to a part of it.
    struct Obstacle: Sendable {
        /// Nothing is sent before.
        var until: Timestamp?
        var failures = 0
        var reason = ""

        /// The moment until which nothing is sent; nil without an obstacle.
        func holds(at now: Timestamp) -> Timestamp? { until.flatMap { $0 > now ? $0 : nil } }

        mutating func pause(for length: Interval, _ reason: String, at now: Timestamp) {
            assert(length > .zero, "a service pauses for no time: the same push would follow at once")
            failures = earlierFailures(at: now) + 1
            self.reason = reason
            // Pushes that were on their way together fail one after the other: the longest pause counts.
            until = max(until ?? now, now + length)
            assert(holds(at: now) == until, "a pause of a service is over as it begins")
        }

        mutating func clockStepped(by length: Interval) { until = until.map { $0 + length } }

        func write(to writer: inout ImageWriter) {
            writer.optional(until) { $0.moment($1) }
            writer.count(failures)
            writer.text(reason)
        }

        init() {}

        init(from reader: inout ImageReader) throws(ImageFault) {
            until = try reader.optional { reader throws(ImageFault) in try reader.moment() }
            failures = try reader.smallNumber()
            reason = try reader.text()
        }
    }
}
