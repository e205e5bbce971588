public import SkerryPhones
import SkerryValues
import Synchronization

/// The port to whatever keeps phones, and browsers that were let in, over a restart; asked from any thread.
public protocol PhoneStore: FailureStore {
    /// All phones and browsers that are kept.
    ///
    /// - Throws: ``StoreFault`` when they can't be read.
    func load() throws(StoreFault) -> [PhoneImage]

    /// Makes phones and browsers durable, all of them or none; returns once they are.
    ///
    /// - Parameters:
    ///   - images: Those that have changed.
    ///   - removed: The ids of those to forget; they go before the images come.
    /// - Throws: ``StoreFault`` if it could not; then nothing has changed.
    func commit(_ images: [PhoneImage], removed: [String]) throws(StoreFault)
}

/// All that a store of phones keeps.
package struct StoredPhones: Hashable, Sendable {
    /// The phones and browsers, by their ids.
    package var images: [PhoneImage]
    /// The last failures, oldest first.
    package var failures: [DeliveryFailure]

    /// Makes it of its parts.
    package init(_ images: [PhoneImage] = [], failures: [DeliveryFailure] = []) {
        self.images = images
        self.failures = failures
    }
}

extension PhoneImage {
    private static let browserPrefix = "browser/"

    package static func id(ofBrowser id: String) -> String { browserPrefix + id }

    /// Makes the image of a browser that was let in.
    package init(ofBrowser id: String, bytes: [UInt8]) {
        self.init(id: Self.id(ofBrowser: id), bytes: bytes)
    }

    /// True for the image of a browser, which is nothing to the desk of the phones.
    package var isOfBrowser: Bool { id.utf8.starts(with: Self.browserPrefix.utf8) }
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
