/// The place of a bridge at its broker: a client id, by which it has a session, and a prefix, below which it retains messages.
struct BridgeClaim: Sendable {
    let options: BridgeOptions
    /// The mark of its store.
    let owner: String
    /// True if the store is older than such marks.
    let isUnmarked: Bool
    /// True if no process has had the store before, nor one in whose place it is.
    let isNew: Bool

    /// Makes the claim of a bridge whose store has the progress of an earlier process, or is new.
    init(_ options: BridgeOptions, _ progress: StoreProgress?) {
        self.options = options
        owner = progress?.owner ?? options.newOwner
        isUnmarked = progress != nil && progress?.owner == nil
        isNew = progress == nil && !options.succeeds
    }

    /// Returns whether a bridge was this one or its earlier process.
    func isOwn(_ other: BridgeSignature) -> Bool {
        guard let mark = other.owner else { return isUnmarked }
        return mark == owner || options.succeeds && other.client == options.clientID && !isElsewhere(other)
    }

    /// Returns the reason for which the place is not this bridge's; nil if it may take it.
    func refusal(_ signature: BridgeSignature?, isOnline: Bool) -> String? {
        let other = signature.flatMap { isOwn($0) ? nil : $0 }
        if let other, let reason = refusal(ofNamesake: other) { return reason }
        guard isTaken(signature, isOnline: isOnline) else { return nil }
        return
            "\(other?.name ?? "another bridge") is online (\(options.sink.stateTopic)): give this one a prefix of "
            + "its own (--prefix), end the other, or take over its retained messages (--take-over)"
    }

    /// The reason for which the session of another store's bridge is not this one's; nil for a bridge with another client id.
    ///
    /// The broker would hand over what the other one has not acknowledged, and end its connection.
    func refusal(ofNamesake other: BridgeSignature) -> String? {
        guard other.owner != nil, !isOwn(other), other.client == options.clientID else { return nil }
        return
            "a bridge with this client id ('\(options.clientID)') and prefix has another store"
            + "\(isElsewhere(other) ? ", on another machine" : ""), and its session holds what that one needs: give this one its "
            + "own (--client-id, --prefix), or take its place if it is gone (--take-over)"
    }

    /// Returns whether another bridge is online with this prefix.
    func isTaken(_ signature: BridgeSignature?, isOnline: Bool) -> Bool {
        // Each bridge signs before it says that it is online. A broker that crashes may forget the signature, and then get once more
        // what it has not acknowledged: the `online` of this bridge's own process, if there was one, or else a stranger's.
        isOnline && (signature.map { !isOwn($0) } ?? isNew)
    }

    private func isElsewhere(_ other: BridgeSignature) -> Bool {
        guard let there = other.machine, let here = options.machine else { return false }
        return there != here
    }
}
