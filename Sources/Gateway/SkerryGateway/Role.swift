/// Who asks, as far as it decides what is allowed.
///
/// The raw value is the word for it in answers.
package enum Role: String, CaseIterable, Sendable {
    /// Somebody who has not said who it is.
    case stranger = "none"
    /// Somebody with a link to one device.
    case guest
    /// A browser that only looks, such as a tablet on the wall.
    case viewer
    /// A browser of somebody who lives there.
    case member
    /// A phone that was paired.
    case phone
    /// A program on the machine of the bridge.
    case local
    /// Somebody with the admin token, or a browser that an administrator let in as one.
    case administrator = "admin"

    /// The roles that a browser can be given.
    package static let ofBrowsers: [Role] = [.viewer, .member, .administrator]

    /// True if it has proved who it is; a refusal is then final, and no sign in would help.
    package var isProven: Bool { self == .phone || Self.ofBrowsers.contains(self) }

    /// The name for people, with an article.
    package var title: String {
        switch self {
        case .stranger: "a stranger"
        case .guest: "a guest"
        case .viewer: "a viewer"
        case .member: "a member"
        case .phone: "a paired phone"
        case .local: "a program on the gateway"
        case .administrator: "an administrator"
        }
    }
}

/// The right that it takes to ask something: each question has one, as every address of the API, and this table says who has it.
///
/// The server refuses by it, the page hides by it what would be refused, and tests compare the table in docs/page.md and
/// the `security` of docs/openapi.yaml with it.
package enum Right: String, CaseIterable, Sendable {
    case enter, follow, look, act, author, rename, know, report, care, oversee, administer

    /// A row of the table: the words for people, and the roles that have the right.
    package var entry: (allows: String, roles: [Role]) {
        switch self {
        case .enter: ("open the page, sign in, and ask whether the bridge is well", Role.allCases)
        case .follow:
            (
                "follow the run that a link for a guest is about",
                [.guest, .viewer, .member, .phone, .local, .administrator]
            )
        case .look:
            (
                "see devices, activities, runs, definitions and the bridge",
                [.viewer, .member, .phone, .local, .administrator]
            )
        case .act:
            (
                "send events to devices, and make links for guests",
                [.member, .phone, .local, .administrator]
            )
        case .author:
            (
                "check and try definitions, and see what nobody has described yet",
                [.member, .phone, .local, .administrator]
            )
        case .rename: ("choose the names of devices", [.member, .administrator])
        case .know:
            ("see what is known of a phone, a phone only of itself", [.phone, .local, .administrator])
        case .report: ("report the tokens of a phone, a phone only its own", [.phone])
        case .care: ("test or remove a phone, a phone only itself", [.phone, .administrator])
        case .oversee: ("see phones, browsers, and what did not arrive", [.local, .administrator])
        case .administer:
            (
                "let phones and browsers in and end their sessions, choose the broker, add devices, and edit",
                [.administrator]
            )
        }
    }

    /// The roles that have it.
    package var roles: [Role] { entry.roles }
}
