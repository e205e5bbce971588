import SkerryValues

/// The connection of a bridge to its broker, and what the session still holds from before it.
struct BridgeConnection {
    private(set) var isOpen = false
    /// The moment from which ``isOpen`` is as it is; nil for the start.
    private(set) var since: Timestamp?
    /// Why there is no connection, and what to do, as the log has it; nil with one, and before the first attempt has failed.
    private(set) var fault: String?
    /// Filters that definitions had while there was no connection; the session may still have them.
    private var abandoned: Set<String> = []

    /// Records that the broker took the connection.
    mutating func open(at now: Timestamp) {
        isOpen = true
        since = now
        fault = nil
    }

    /// Records that there is no connection, or that an attempt failed; ``since`` stays as it is for a further attempt.
    mutating func close(_ reason: String, at now: Timestamp) {
        if isOpen { since = now }
        isOpen = false
        fault = reason
    }

    /// Records filters that the definitions have no more: a connected bus knows its subscriptions, but a session outlives the
    /// definitions.
    mutating func abandon(_ filters: [String]) {
        if !isOpen { abandoned.formUnion(filters) }
    }

    /// The filters that the session may have and the bridge no longer wants, in order.
    func obsolete(beside filters: [String]) -> [String] { abandoned.subtracting(filters).sorted() }

    /// Records that the broker has left the filters of earlier definitions.
    mutating func leftObsolete() { abandoned = [] }
}
