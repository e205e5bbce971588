import SkerryPhones
import Synchronization

@testable import SkerryGateway

/// A store that refuses when it is told to.
final class FailingPhoneStore: PhoneStore {
    private let kept = MemoryPhoneStore()
    private let isRefusing = Mutex(false)

    var refuses: Bool {
        get { isRefusing.withLock { $0 } }
        set { isRefusing.withLock { $0 = newValue } }
    }

    func load() throws(StoreFault) -> [PhoneImage] { kept.load() }

    func commit(_ images: [PhoneImage], removed: [String]) throws(StoreFault) {
        if refuses { throw StoreFault("the disk is full: make room") }
        kept.commit(images, removed: removed)
    }

    func failures() throws(StoreFault) -> [DeliveryFailure] { kept.failures() }

    func add(_ failures: [DeliveryFailure]) throws(StoreFault) {
        if refuses { throw StoreFault("the disk is full: make room") }
        kept.add(failures)
    }
}
