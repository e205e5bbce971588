package import SkerryGateway
package import SkerryPhones
import Synchronization

/// A store of phones in memory that refuses when it is told to, as a full disk does.
package final class FailingPhoneStore: PhoneStore {
    private let kept = MemoryPhoneStore()
    private let isRefusing = Mutex(false)

    /// Makes a store that takes everything.
    package init() {}

    /// True while it refuses whatever is to be written.
    package var refuses: Bool {
        get { isRefusing.withLock { $0 } }
        set { isRefusing.withLock { $0 = newValue } }
    }

    /// The phones that it has; it always answers.
    package func load() throws(StoreFault) -> [PhoneImage] { kept.load() }

    /// Stores phones, or throws a fault with advice.
    package func commit(_ images: [PhoneImage], removed: [String]) throws(StoreFault) {
        try refuse()
        kept.commit(images, removed: removed)
    }

    /// The deliveries that failed; it always answers.
    package func failures() throws(StoreFault) -> [DeliveryFailure] { kept.failures() }

    /// Stores deliveries that failed, or throws a fault with advice.
    package func add(_ failures: [DeliveryFailure]) throws(StoreFault) {
        try refuse()
        kept.add(failures)
    }

    private func refuse() throws(StoreFault) {
        if refuses { throw StoreFault("the disk is full: make room") }
    }
}
