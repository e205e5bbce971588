import Glibc
import SkerryActivity
import SkerryGateway
import SkerryValues
import Synchronization

/// Who asks.
enum Caller: Hashable, Sendable {
    /// Someone who can read the secret of the bridge.
    case admin
    /// A phone that was paired.
    case phone(String)
    /// A program on this machine, such as a browser, that is no proxy for others.
    case local
    /// Somebody with a link to one device, made by the phone with an id, or by somebody who sees everything.
    case guest(DeviceKey, invitedBy: String?)
    /// Anybody else.
    case stranger

    /// The word for it in answers.
    var name: String {
        switch self {
        case .admin: "admin"
        case .phone: "phone"
        case .local: "local"
        case .guest: "guest"
        case .stranger: "none"
        }
    }

    /// True if it may see more than a link shows, and send events to devices.
    var mayLook: Bool {
        switch self {
        case .admin, .phone, .local: true
        case .guest, .stranger: false
        }
    }
}

extension RequestDesk {
    /// Finds out who asks: by a token, a cookie, a guest's link or the place of the sender.
    ///
    /// A token that is wrong makes a stranger of everybody. A cookie may be an old one, which says nothing.
    func caller(_ request: Request) -> Caller {
        if let token = request.bearer { return caller(token: token) }
        if let cookie = request.cookie(SessionCookie.name), let caller = caller(cookie: cookie) {
            return caller
        }
        if let secret = request.parameter("guest") { return guest(secret) }
        if request.isLocal { return .local }
        return request.cookie(SessionCookie.guestName).map(guest) ?? .stranger
    }

    /// Finds out whose token it is.
    func caller(token: String) -> Caller {
        let digest = Secret.digest(token)
        // All are compared, or the time would tell how many there are.
        var found = Secret.areEqual(digest, admin) ? Caller.admin : .stranger
        for phone in phones.phones() {
            if let credential = phones.credential(of: phone.id), Secret.areEqual(digest, credential) {
                found = .phone(phone.id)
            }
        }
        return found
    }

    private func caller(cookie: String) -> Caller? {
        let parts = cookie.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let id = String(parts[0])
        let caller = id == SessionCookie.adminID ? Caller.admin : .phone(id)
        guard let value = cookieValue(of: caller) else { return nil }
        return Secret.areEqual(Array(cookie.utf8), Array(value.utf8)) ? caller : nil
    }

    /// Returns whether the front of all partitions asks.
    ///
    /// - Throws: a problem if it has another admin token, because it could let nobody in.
    func isFront(_ headers: HeaderFields) throws(Problem) -> Bool {
        guard let key = headers[PartitionFront.keyField] else { return false }
        guard Secret.areEqual(Array(key.utf8), Array(PartitionFront.key(adminKey).utf8)) else {
            throw Problem(
                status: .forbidden,
                code: "wrong-front",
                detail:
                    "this partition has another admin token than the front: give all the same file (http.admin-token-file)"
            )
        }
        return true
    }

    /// The value of the cookie of an administrator or a phone; nil for others.
    func cookieValue(of caller: Caller) -> String? {
        switch caller {
        case .admin: SessionCookie.value(of: SessionCookie.adminID, admin, key: adminKey)
        case .phone(let id):
            phones.credential(of: id).map { SessionCookie.value(of: id, $0, key: adminKey) }
        case .local, .guest, .stranger: nil
        }
    }

    private func guest(_ secret: String) -> Caller {
        let found = guests.withLock { $0.find(secret) { isShown($0) } }
        return found.map { .guest($0.device, invitedBy: $0.inviter) } ?? .stranger
    }

    /// Returns whether the activity with an id is still shown, also to the phone that made the link.
    func isShown(_ invitation: Guests.Invitation) -> Bool {
        guard let viewer = viewer(ofPhone: invitation.inviter) else { return false }
        let (kind, name) = (invitation.device.kind, invitation.device.name)
        return log.activity(kind: kind, device: name, for: viewer)?.id.hasSameCodePoints(
            as: invitation.activity
        ) ?? false
    }

    /// The right to see of a phone, or of everybody else if there is no id; nil if the phone was removed.
    func viewer(ofPhone id: String?) -> Viewer? {
        id.map { phones.viewer(of: $0) } ?? .unrestricted
    }

    /// Makes sure that somebody asks who may look.
    ///
    /// - Returns: what that one sees.
    func requireLook(_ request: Request) throws(Problem) -> Viewer {
        let viewer: Viewer? =
            switch caller(request) {
            case .admin, .local: .unrestricted
            case .phone(let id): phones.viewer(of: id)
            case .guest, .stranger: nil
            }
        guard let viewer else {
            throw .unauthorized("this needs the token of a paired phone, or the admin token")
        }
        return viewer
    }

    /// Makes sure that somebody asks who may see what people follow of a device.
    ///
    /// - Returns: what that one sees; the device of a guest was judged by the link.
    func requireLook(_ request: Request, at device: DeviceKey) throws(Problem) -> Viewer {
        if case .guest(device, _) = caller(request) { return .unrestricted }
        return try requireLook(request)
    }

    /// Makes sure that an administrator asks.
    func requireAdmin(_ request: Request) throws(Problem) {
        guard caller(request) == .admin else {
            throw .unauthorized(
                "this needs the admin token of the bridge: the file that http.admin-token-file names"
            )
        }
    }

    /// Makes sure that an administrator asks, or a program on this machine.
    func requireAdminOrLocal(_ request: Request) throws(Problem) {
        if caller(request) != .local { try requireAdmin(request) }
    }

    /// Makes sure that a certain phone asks, or an administrator.
    func requirePhone(_ phone: String, _ request: Request) throws(Problem) -> Caller {
        let caller = caller(request)
        guard caller == .phone(phone) || caller == .admin else {
            throw .unauthorized(
                "this needs the token that the phone got when it was paired; pair it again if it was removed"
            )
        }
        return caller
    }
}

extension Request {
    /// True if a program on this machine asks for itself: it calls the bridge by an address of this machine, no proxy
    /// passed the request on, and no page of another site made a browser send it.
    fileprivate var isLocal: Bool {
        guard !sender.isForwarded, IPAddress.isLoopback(sender.address) else { return false }
        for field in ["X-Forwarded-For", "Forwarded", "X-Real-IP"] where headers[field] != nil {
            return false
        }
        if let site = headers["Sec-Fetch-Site"], !["same-origin", "none"].contains(site) { return false }
        guard let host = authority.flatMap({ HTTPAddress($0)?.host.lowercased() }) else { return false }
        return host == "localhost" || IPAddress.canonical(host).map(IPAddress.isLoopback) ?? false
    }

    /// The value of a cookie.
    fileprivate func cookie(_ name: String) -> String? {
        for field in headers.values("Cookie") {
            for pair in field.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                if pair.hasPrefix("\(name)=") { return String(pair.dropFirst(name.utf8.count + 1)) }
            }
        }
        return nil
    }
}
