package import SkerryValues

/// A notification in the Notification Center of a simulated phone.
public struct PhoneNotice: Hashable, Sendable {
    /// The headline.
    package let title: String
    /// The text below the headline.
    public let body: String
    /// True if it is heard.
    public let hasSound: Bool
    /// The urgency in Apple's words, such as `time-sensitive`.
    public let level: String
    /// The group that it belongs to.
    public let thread: String
    /// The link that a tap opens; nil for none.
    package let link: String?
    /// The name by which a later one replaces it; nil for none.
    package let collapseID: String?
    /// The moment of its arrival.
    package let at: Timestamp

    /// Reads the body of a push.
    init(_ body: [UInt8], collapseID: String?, at now: Timestamp) throws(SimulatedPhone.Refusal) {
        guard case .map(let root)? = try? JSONReader.value(of: body.span), case .map(let aps)? = root["aps"],
            case .map(let alert)? = aps["alert"], let title = Self.text(alert["title"]), !title.isEmpty
        else { throw .init("no alert with a title") }
        level = Self.text(aps["interruption-level"]) ?? "active"
        guard ["passive", "active", "time-sensitive", "critical"].contains(level) else {
            throw .init("an unknown interruption-level")
        }
        self.title = title
        self.body = Self.text(alert["body"]) ?? ""
        hasSound = aps["sound"] != nil
        thread = Self.text(aps["thread-id"]) ?? ""
        link = Self.text(root["link"])
        self.collapseID = collapseID
        at = now
    }

    private static func text(_ value: Value?) -> String? {
        if case .string(let text)? = value { text } else { nil }
    }
}

extension SimulatedPhone {
    /// Takes an ordinary notification, which replaces an earlier one of the same name.
    package mutating func notify(_ body: [UInt8], collapseID: String?, at now: Timestamp) -> Outcome {
        do throws(Refusal) {
            let notice = try PhoneNotice(body, collapseID: collapseID, at: now)
            notices.removeAll { $0.collapseID != nil && $0.collapseID == collapseID }
            notices.append(notice)
            note("\(notice.title): \(notice.body)", nil, at: now)
            return .notified
        } catch {
            return drop(error.text, nil, at: now)
        }
    }
    /// Takes a push that has the widgets of the app ask for their timelines.
    package mutating func redrawWidgets(_ body: [UInt8], at now: Timestamp) -> Outcome {
        guard case .map(let root)? = try? JSONReader.value(of: body.span), case .map(let aps)? = root["aps"],
            case .bool(true)? = aps["content-changed"]
        else { return drop("a push for widgets without content-changed", nil, at: now) }
        redraws += 1
        return .redrawn
    }
}
