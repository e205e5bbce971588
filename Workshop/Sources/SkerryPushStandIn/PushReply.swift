public import SkerryPush
import SkerryPushTesting
public import SkerryValues

/// What the stand-in does when a request comes.
public enum PushReply: Hashable, Sendable {
    /// It answers.
    case answer(APNSResponse)
    /// It never answers.
    case silence
    /// It ends the connection at once.
    case reset
    /// It does not look at the request: RST_STREAM with REFUSED_STREAM.
    case refuse
    /// GOAWAY with a reason, and no answer to the request.
    case goAway(String)

    /// A status with a reason in JSON, and for 410 since when.
    public static func reason(_ status: Int, _ reason: String, since: Timestamp? = nil) -> PushReply {
        .raw(status, body: PushRefusal(status, reason, since: since).body)
    }

    /// A status with any body.
    public static func raw(_ status: Int, retryAfter: Int? = nil, body: String = "") -> PushReply {
        .answer(APNSResponse(status: status, retryAfter: retryAfter, body: Array(body.utf8)))
    }
}
