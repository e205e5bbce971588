import Glibc
import SkerryActivity
import SkerryGateway
import SkerryValues

/// Who asks.
enum Caller: Hashable, Sendable {
    /// Someone who can read the secret of the bridge.
    case admin
    /// A browser that was let in, in a role.
    case browser(String, Role)
    /// A phone that was paired.
    case phone(String)
    /// A program on this machine, such as a browser, that is no proxy for others.
    case local
    /// Somebody with a link to one device, made by the phone or browser with an id, or by somebody who sees everything.
    case guest(DeviceKey, invitedBy: String?)
    /// Anybody else.
    case stranger

    /// The role, which says what it may do.
    var role: Role {
        switch self {
        case .admin: .administrator
        case .browser(_, let role): role
        case .phone: .phone
        case .local: .local
        case .guest: .guest
        case .stranger: .stranger
        }
    }

    /// The id of a phone or a browser, by whose right it sees; nil for others.
    var account: String? {
        switch self {
        case .phone(let id), .browser(let id, _): id
        case .admin, .local, .guest, .stranger: nil
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
        // 0062: every account of Home Assistant comes this way, those of children and guests of the house, too.
        if request.sender.isIngress { return .local }
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
        if let browser = browsers.browser(id, at: phones.now) {
            let isIts = Secret.areEqual(Secret.digest(String(parts[1])), browser.credential)
            return isIts ? .browser(id, browser.role) : nil
        }
        guard let value = cookieValue(ofPhone: id) else { return nil }
        return Secret.areEqual(Array(cookie.utf8), Array(value.utf8)) ? .phone(id) : nil
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

    /// The value of the cookie of a phone; nil if there is no such phone.
    func cookieValue(ofPhone id: String) -> String? {
        phones.credential(of: id).map { SessionCookie.value(of: id, $0, key: adminKey) }
    }

    private func guest(_ text: String) -> Caller {
        guard let link = GuestLink(text: text, key: adminKey), isShown(link) else { return .stranger }
        return .guest(link.device, invitedBy: link.inviter)
    }

    /// Returns whether the activity with an id is still shown, also to the one who made the link.
    func isShown(_ link: GuestLink) -> Bool {
        guard let viewer = accounts.viewer(of: link.inviter) else { return false }
        let (kind, name) = (link.device.kind, link.device.name)
        return log.activity(kind: kind, device: name, for: viewer)?.id.hasSameCodePoints(
            as: link.activity
        ) ?? false
    }

    /// Makes sure that somebody asks who has a right.
    ///
    /// - Returns: who it is.
    @discardableResult
    func require(_ right: Right, _ request: Request) throws(Problem) -> Caller {
        let caller = caller(request)
        guard right.roles.contains(caller.role) else { throw .refused(caller.role, right) }
        return caller
    }

    /// Returns what somebody sees who may look.
    func viewer(_ request: Request) throws(Problem) -> Viewer { try viewer(require(.look, request)) }

    private func viewer(_ caller: Caller) throws(Problem) -> Viewer {
        // A phone or a browser may have been removed since then.
        guard let viewer = accounts.viewer(of: caller.account) else { throw .refused(.stranger, .look) }
        return viewer
    }

    /// Returns what somebody sees who has the right to ask a question; a guest asks about the device of the link alone.
    func viewer(_ caller: Caller, asking question: HouseQuestion) throws(Problem) -> Viewer {
        guard case .guest(let device, _) = caller else { return try viewer(caller) }
        switch question {
        case .timeline(device): return .unrestricted
        case .definition(let kind) where device.kind.hasSameCodePoints(as: kind): return .unrestricted
        default: throw .refused(.guest, .look)
        }
    }

    /// Returns what somebody sees of a device who may follow it; the device of a guest was judged by the link.
    func viewer(_ request: Request, of device: DeviceKey) throws(Problem) -> Viewer {
        if case .guest(device, _) = caller(request) { return .unrestricted }
        return try viewer(request)
    }

    /// Makes sure that nobody asks for a phone but itself, and those who may do it for all phones.
    func requirePhone(_ phone: String, _ request: Request) throws(Problem) -> Caller {
        let caller = caller(request)
        if caller.role == .phone, caller != .phone(phone) {
            throw .unauthorized(
                "this needs the token that the phone got when it was paired; pair it again if it was removed"
            )
        }
        return caller
    }
}

/// Those by whose right something is seen: phones and browsers.
struct Accounts: Sendable {
    let phones: any PhoneDirectory
    let browsers: BrowserDesk

    /// The right to see of a phone or a browser, or of everybody else if there is no id; nil if it was removed.
    func viewer(of id: String?) -> Viewer? {
        guard let id else { return .unrestricted }
        guard let browser = browsers.browser(id, at: phones.now) else { return phones.viewer(of: id) }
        if browser.role == .administrator { return .unrestricted }
        return phones.viewer(ofBrowser: id, person: browser.person)
    }

    /// A number that is another one after every change of what they may see.
    var version: UInt64 { phones.audienceVersion &+ browsers.version }

    /// Has a function called, from any thread, after each such change.
    func onChange(_ wake: @escaping @Sendable () -> Void) {
        phones.onAudienceChange(wake)
        browsers.onChange(wake)
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
    func cookie(_ name: String) -> String? {
        for field in headers.values("Cookie") {
            for pair in field.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                if pair.hasPrefix("\(name)=") { return String(pair.dropFirst(name.utf8.count + 1)) }
            }
        }
        return nil
    }
}
