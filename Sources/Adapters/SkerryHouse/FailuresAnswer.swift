import SkerryGateway
import SkerryValues

/// The failed deliveries to phones and recipients, as JSON.
enum FailuresAnswer {
    /// Reads the last failures, newest first.
    static func read(
        _ log: FailureLog?,
        _ service: String?,
        _ recipient: String?,
        _ limit: Int
    ) -> HouseAnswer {
        let failures: [DeliveryFailure]
        do throws(StoreFault) {
            failures = try log?.failures(of: service, to: recipient, limit: limit) ?? []
        } catch {
            return .problem(.noHistory("list of errors", error))
        }
        var writer = JSONWriter(capacity: 1024)
        writer.beginObject()
        writer.objects("errors", failures) { writer, failure in
            writer.member("at", failure.at)
            for (key, text) in [
                ("service", failure.service), ("recipient", failure.recipient),
                ("activity", failure.activity), ("text", failure.text),
            ] {
                writer.member(key, text)
            }
        }
        writer.endObject()
        return .found(writer.bytes)
    }
}
