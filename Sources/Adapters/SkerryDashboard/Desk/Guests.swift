import SkerryGateway

/// The links that show one device to a guest until its run is no longer shown; kept in memory only.
struct Guests {
    /// The number of links; a further one takes the place of the oldest.
    static let limit = 32

    /// The device and the run that a guest may see.
    struct Invitation: Hashable, Sendable {
        let device: DeviceKey
        /// The id of the activity.
        let activity: String
        /// The phone or the browser by whose right a guest sees it; nil for somebody who sees everything.
        let inviter: String?
    }

    private var invitations: [(digest: [UInt8], invitation: Invitation)] = []

    /// Makes a link.
    ///
    /// - Returns: its secret.
    mutating func invite(to invitation: Invitation) -> String {
        let secret = Secret.make()
        if invitations.count >= Self.limit { invitations.removeFirst() }
        invitations.append((Secret.digest(secret), invitation))
        return secret
    }

    /// The invitation of a secret; nil if it shows nothing, or no longer.
    mutating func find(_ secret: String, isShown: (Invitation) -> Bool) -> Invitation? {
        let digest = Secret.digest(secret)
        guard let found = invitations.firstIndex(where: { Secret.areEqual($0.digest, digest) }) else {
            return nil
        }
        if isShown(invitations[found].invitation) { return invitations[found].invitation }
        invitations.remove(at: found)
        return nil
    }
}
