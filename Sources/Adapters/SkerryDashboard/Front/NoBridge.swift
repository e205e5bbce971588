import SkerryActivity
import SkerryGateway
import SkerryPhones
import SkerryValues

/// The bridge of a front, which has none: no phones and no answers of its own.
struct NoBridge: PhoneDirectory, HouseAnswers {
    let audienceVersion: UInt64 = 0
    let bundleIDs: [String] = []
    var now: Timestamp { SystemClock().now }

    func phones() -> [PhoneSummary] { [] }

    func credential(of phone: String) -> [UInt8]? { nil }

    func viewer(of phone: String) -> Viewer? { nil }

    func viewer(ofBrowser id: String, person: String?) -> Viewer { .unrestricted }

    func onAudienceChange(_ wake: @escaping @Sendable () -> Void) {}

    func pair(_ phone: NewPhone, at now: Timestamp) throws(StoreFault) {}

    func report(_ report: PhoneReport, of phone: String, at now: Timestamp) throws(StoreFault) -> Bool {
        false
    }

    func assign(_ person: String?, to phone: String) throws(StoreFault) -> Bool { false }

    func unpair(_ phone: String, at now: Timestamp) throws(StoreFault) -> Bool { false }

    func test(_ contracts: [LiveActivityContract], on phone: String) throws(StoreFault) -> PhoneTest {
        .unknownPhone
    }

    func ask(_ question: HouseQuestion, for viewer: Viewer, then: @escaping @Sendable (HouseAnswer) -> Void) {
        then(
            .problem(
                HouseProblem(.unavailable, code: "no-answer", detail: "The front has no bridge of its own.")
            )
        )
    }
}
