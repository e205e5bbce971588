import SkerryActivity
package import SkerryDevice
import SkerryEngine
package import SkerryFiles
import SkerryGateway
import SkerryPhones
import SkerryValues

extension HouseSources {
    /// Begins a test activity on a phone: of one kind, or of the first in force that the phone can start.
    func test(on phone: String, kind: String?) -> HouseAnswer {
        guard hasPushes else {
            return .conflict(
                code: "no-pushes",
                "The bridge has no key for Apple's service: set push.apns.key."
            )
        }
        var contracts: [LiveActivityContract] = []
        for file in files() {
            guard let contract = file.definition?.contract else { continue }
            if kind?.hasSameCodePoints(as: contract.kind) ?? true { contracts.append(contract) }
        }
        guard !contracts.isEmpty else {
            let what = kind.map { "of the kind '\($0)'" } ?? "in force"
            return .problem(
                HouseProblem(.notFound, code: "no-kind", detail: "No definition \(what) has an activity.")
            )
        }
        do throws(StoreFault) {
            return HouseAnswer(try phones?.test(contracts, on: phone) ?? .unknownPhone, contracts)
        } catch {
            return .problem(
                HouseProblem(
                    .unavailable,
                    code: "not-stored",
                    detail: "The store refused the test: \(error.message)."
                )
            )
        }
    }
}

extension HouseAnswer {
    fileprivate init(_ outcome: PhoneTest, _ contracts: [LiveActivityContract]) {
        switch outcome {
        case .begun(let activity, let end):
            var writer = JSONWriter()
            writer.beginObject()
            writer.member("activity", activity)
            writer.member("end", end)
            writer.endObject()
            self = .found(writer.bytes)
        case .unknownPhone:
            self = .problem(
                HouseProblem(
                    .notFound,
                    code: "unknown-phone",
                    detail: "There is no such phone; GET /v1/phones tells which there are."
                )
            )
        case .disabled:
            self = .conflict(
                code: "activities-disabled",
                "Live Activities are switched off for the app: switch them on in the phone's Settings, under the app's name."
            )
        case .noToken:
            let types = contracts.prefix(3).map(\.attributesType).joined(separator: ", ")
            self = .conflict(
                code: "no-start-token",
                "The app has reported no push-to-start token for \(types): open it once, with the bridge in reach."
            )
        case .running:
            self = .conflict(
                code: "test-running",
                "A test on this phone has not ended yet: it takes a minute."
            )
        }
    }

    fileprivate static func conflict(code: String, _ detail: String) -> HouseAnswer {
        .problem(HouseProblem(.conflict, code: code, detail: detail))
    }
}

extension DefinitionTestRunner {
    /// Makes a runner for the tests of a definition that sees what a bridge publishes, with the default prefix.
    package init(_ definition: Definition) {
        self.init(definition) { effect in
            MQTTSink().publications(of: effect).map { publication in
                RecordedMessage(
                    at: effect.at,
                    topic: Array(publication.topic.utf8)[...],
                    payload: publication.payload[...],
                    qos: publication.quality.rawValue,
                    isRetained: publication.isRetained
                )
            }
        }
    }
}
