import SkerryGateway
import Synchronization

/// Something that another thread made for the server.
enum Arrival: Sendable {
    /// The answer to the request with a number.
    case answer(to: UInt64, Response)
    /// The state of the house for a viewer; the devices are the answer to a question, nil if there was none.
    case house(LogSnapshot, devices: [UInt8]?, for: Sight)
    /// A connection has more to send.
    case news(of: ObjectIdentifier)
    /// The explanation of a device for a viewer.
    case explanation(of: DeviceKey, HouseAnswer, for: Sight)
}

/// The way from other threads to that of the server.
final class ArrivalBox: Sendable {
    private let signal: WakeSignal
    private let arrivals = Mutex<[Arrival]>([])
    private let isRung = Atomic<Bool>(false)

    /// Makes an empty box, which wakes the server by a signal.
    init(_ signal: WakeSignal) { self.signal = signal }

    /// Hands something over.
    func put(_ arrival: Arrival) {
        arrivals.withLock { $0.append(arrival) }
        ring()
    }

    /// Wakes the server, unless that was done since it looked last.
    func ring() {
        if !isRung.exchange(true, ordering: .acquiringAndReleasing) { signal.ring() }
    }

    /// Everything that was handed over since the last time.
    func take() -> [Arrival] {
        // Before the look: whatever is put in after it rings once more.
        isRung.store(false, ordering: .sequentiallyConsistent)
        return arrivals.withLock { arrivals in
            defer { arrivals = [] }
            return arrivals
        }
    }
}
