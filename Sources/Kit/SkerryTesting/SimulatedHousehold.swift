public import SkerryValues

/// Many simulated devices at once: their messages in the order of time.
///
/// Devices that publish at the same moment do so in the order in which they were given, so that the same household
/// always gives the same sequence.
public struct SimulatedHousehold: Sequence, IteratorProtocol, Sendable {
    /// The kinds in `devices/` that the simulated devices of tests, worlds and demonstrations are of.
    public static let kinds = ["dishwasher-plug", "printer-bambu", "sprinkler", "washer", "washer-plug"]

    private var devices: [SimulatedDevice]
    /// The next message of each device that has one: a binary heap, the earliest first.
    private var upcoming: [Upcoming] = []

    private struct Upcoming: Sendable {
        var message: SimulatedMessage
        var device: Int

        func precedes(_ other: Upcoming) -> Bool {
            (message.at, device) < (other.message.at, other.device)
        }
    }

    /// Merges devices.
    public init(_ devices: [SimulatedDevice]) {
        self.devices = devices
        for index in devices.indices {
            guard let message = self.devices[index].next() else { continue }
            upcoming.append(Upcoming(message: message, device: index))
            rise(from: upcoming.count - 1)
        }
    }

    /// Makes a household of a washer, a printer and a valve, or a fleet in which these three take turns.
    ///
    /// - Parameters:
    ///   - seed: decides everything that the devices do.
    ///   - start: when they are switched on; from the fourth device on, some within ten minutes of it.
    ///   - devices: how many there are.
    ///   - runs: after how many runs each of them ends; nil for never.
    public init(seed: UInt64, start: Timestamp, devices: Int = 3, runs: Int? = 1) {
        var random = SimulatedRandom(seed: seed)
        self.init(
            (0..<devices).map { index in
                let seed = random.next()
                let round = index / 3
                let suffix = round == 0 ? "" : "-\(round + 1)"
                let begin = round == 0 ? start : start + .milliseconds(random.number(in: 0...600_000))
                return switch index % 3 {
                case 0:
                    .washer(SimulatedWasher(name: "laundry" + suffix, seed: seed, start: begin, runs: runs))
                case 1:
                    .printer(
                        SimulatedPrinter(name: "workshop" + suffix, seed: seed, start: begin, runs: runs)
                    )
                default: .valve(SimulatedValve(name: "lawn" + suffix, seed: seed, start: begin, runs: runs))
                }
            }
        )
    }

    /// The next message of any device; nil when all of them have ended.
    public mutating func next() -> SimulatedMessage? {
        guard let first = upcoming.first else { return nil }
        if let following = devices[first.device].next() {
            upcoming[0].message = following
        } else {
            upcoming[0] = upcoming[upcoming.count - 1]
            upcoming.removeLast()
        }
        sink()
        return first.message
    }

    private mutating func rise(from position: Int) {
        var child = position
        while child > 0 {
            let parent = (child - 1) / 2
            guard upcoming[child].precedes(upcoming[parent]) else { return }
            upcoming.swapAt(child, parent)
            child = parent
        }
    }

    /// Lets the first one sink to where it belongs.
    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < upcoming.count {
                if upcoming[child].precedes(upcoming[least]) { least = child }
            }
            if least == parent { return }
            upcoming.swapAt(parent, least)
            parent = least
        }
    }
}
