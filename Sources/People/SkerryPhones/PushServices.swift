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
