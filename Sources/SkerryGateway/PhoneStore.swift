public import SkerryPhones
import SkerryValues
import Synchronization

/// The port to whatever keeps phones over a restart; asked from any thread.
public protocol PhoneStore: FailureStore {
    /// All phones that are kept.
    ///
    /// - Throws: ``StoreFault`` when they can't be read.
    func load() throws(StoreFault) -> [PhoneImage]

    /// Makes phones durable, all of them or none; returns once they are.
    ///
    /// - Parameters:
    ///   - images: The changed phones.
    ///   - removed: The ids of phones to forget; they go before the images come.
    /// - Throws: ``StoreFault`` if it could not; then nothing has changed.
    func commit(_ images: [PhoneImage], removed: [String]) throws(StoreFault)
}

/// Keeps phones until the process ends.
public final class MemoryPhoneStore: PhoneStore {
    private let phones = Mutex<[ExactText: PhoneImage]>([:])
    private let failed = Mutex<[DeliveryFailure]>([])

    /// Makes an empty store.
    public init() {}

    /// All phones.
    public func load() -> [PhoneImage] {
        phones.withLock { phones in phones.values.sorted { $0.id.precedesByCodePoints($1.id) } }
    }

    /// Keeps phones.
    public func commit(_ images: [PhoneImage], removed: [String]) {
        phones.withLock { phones in
            for id in removed { phones[ExactText(id)] = nil }
            for image in images { phones[ExactText(image.id)] = image }
        }
    }

    /// The last failures, oldest first.
    public func failures() -> [DeliveryFailure] { failed.withLock { $0 } }

    /// Adds failures.
    public func add(_ failures: [DeliveryFailure]) {
        failed.withLock { $0 = Array(($0 + failures).suffix(FailureLog.limit)) }
    }
}
