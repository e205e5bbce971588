package import SkerryPush
import SkerryPushTesting
package import SkerryValues

/// The reaction of the stand-in to a request.
package enum PushReply: Hashable, Sendable {
    /// An answer with a status and a body.
    case answer(APNSResponse)
    /// No answer.
    case silence
    /// The end of the connection at once, by a FIN.
    case close
    /// The end of the connection at once, by an RST.
    case reset
    /// RST_STREAM with REFUSED_STREAM: the request was not processed.
    case refuse
    /// GOAWAY with a reason, and no answer to the request, which is the last that was looked at, or comes after that.
    case goAway(String, isTaken: Bool = false)

    /// A status with a reason in JSON, and for 410 the moment since when the token is invalid.
    package static func reason(_ status: Int, _ reason: String, since: Timestamp? = nil) -> PushReply {
        .raw(status, body: PushRefusal(status, reason, since: since).body)
    }

    /// A status with any body.
    package static func raw(_ status: Int, retryAfter: Int? = nil, body: String = "") -> PushReply {
        .answer(APNSResponse(status: status, retryAfter: retryAfter, body: Array(body.utf8)))
    }
}
