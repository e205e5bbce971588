import SkerryPhones
import SkerryValues

/// Reads what a phone reports from JSON: strict about what it knows, blind to what it does not.
struct ReportReader {
    /// The largest number of types, and of activities, in one report.
    static let entryLimit = 64
    /// The longest token, in hexadecimal digits.
    static let tokenLimit = 512
    private static let typeLimit = 128
    private static let idLimit = 512
    private static let versionLimit = 32
    private static let bundleLimit = 155
    private static let highestInstance = 1000

    /// The moment before which no report comes, in 2015.
    ///
    /// A number of seconds since 2001, as `Date` counts, is smaller.
    private static let earliest = Timestamp(seconds: 1_420_070_400)

    /// Reads a report.
    ///
    /// - Parameters:
    ///   - body: The JSON.
    ///   - apps: The bundle ids that a phone may have; empty for any.
    ///   - now: Stands for a missing `confirmedAt`, and for one in the future: the phone's clock is wrong then.
    /// - Returns: the report.
    /// - Throws: a problem that tells the place.
    static func report(
        _ body: [UInt8],
        apps: [String] = [],
        at now: Timestamp
    ) throws(Problem) -> PhoneReport {
        let object = try JSONObject(body)
        var report = PhoneReport(confirmedAt: now)
        if let seconds = try object.number("confirmedAt") {
            report.confirmedAt = min(try moment(seconds, at: object.path("confirmedAt")), now)
        }
        if let name = try object.text("environment", limit: versionLimit) {
            guard let environment = PushEnvironment.allCases.first(where: { $0.name == name }) else {
                throw .wrongBody(
                    "unknown-value",
                    "it is neither production nor development",
                    at: "/environment"
                )
            }
            report.environment = environment
        }
        report.bundleID = try object.text("bundleId", limit: Self.bundleLimit)
        if let id = report.bundleID, !apps.isEmpty, !apps.contains(where: { $0.hasSameCodePoints(as: id) }) {
            throw .wrongBody(
                "unknown-app",
                "the bridge has no key for this app, only for \(apps.joined(separator: ", ")): set push.apps",
                at: object.path("bundleId")
            )
        }
        report.systemVersion = try object.text("iosVersion", limit: versionLimit)
        report.allowsFrequentUpdates = try object.truth("frequentUpdates")
        report.allowsActivities = try object.truth("areActivitiesEnabled")
        report.allowsNotifications = try object.truth("areNotificationsEnabled")
        report.notificationToken = try token("notificationToken", of: object)
        if let widgets = try object.object("widgets") {
            report.widgetToken = try token("token", of: widgets)
            report.widgetKinds = try choices("kinds", of: widgets)
        }
        report.hides = try choices("hides", of: object)
        report.hidBefore = try choices("hidBefore", of: object) ?? []
        report.opened = try opened(object, at: now)
        report.startTokens = try startTokens(object)
        report.activities = try activities(object)
        report.shows = try shows(object)
        return report
    }

    private static func moment(_ seconds: Double, at path: String) throws(Problem) -> Timestamp {
        // Beyond the year 5000 they are milliseconds.
        guard seconds >= Double(earliest.flooredSeconds), seconds < 1e11 else {
            throw .wrongBody(
                "unknown-value",
                "it is not in Unix seconds: write Int(Date().timeIntervalSince1970)",
                at: path
            )
        }
        return Timestamp(microseconds: Int64(seconds * 1_000_000))
    }

    /// Reads the kinds and devices whose cards the user does not want on the phone.
    private static func choices(_ member: String, of report: JSONObject) throws(Problem) -> [String]? {
        guard let values = try report.list(member, limit: entryLimit) else { return nil }
        var choices: [String] = []
        for (index, value) in values.enumerated() {
            let path = "\(report.path(member))/\(index)"
            guard case .string(let name) = value else {
                throw .wrongBody("wrong-type", "it must be text", at: path)
            }
            let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard name.utf8.count <= idLimit, parts.allSatisfy({ !$0.isEmpty }), hasNoControls(name) else {
                throw .wrongBody(
                    "unknown-value",
                    "it is no kind, such as washer, and no device, such as washer/laundry",
                    at: path
                )
            }
            choices.append(name)
        }
        return choices
    }

    /// Reads by the card of which device the user opened the app, and when.
    private static func opened(_ report: JSONObject, at now: Timestamp) throws(Problem) -> PhoneReport.Opened?
    {
        guard let object = try report.object("opened") else { return nil }
        guard let device = try object.text("device", limit: idLimit), let seconds = try object.number("at")
        else {
            throw .wrongBody("missing", "the device, such as washer/laundry, and the moment", at: "/opened")
        }
        return .init(device: device, at: min(try moment(seconds, at: object.path("at")), now))
    }

    private static func startTokens(_ report: JSONObject) throws(Problem) -> [PhoneReport.StartToken] {
        var tokens: [PhoneReport.StartToken] = []
        guard let members = try report.object("pushToStart") else { return [] }
        try members.check(limit: entryLimit)
        for entry in members.entries {
            guard isType(entry.key) else { throw noType(at: members.path(entry.key)) }
            guard let token = try token(entry.key, of: members) else { continue }
            tokens.append(PhoneReport.StartToken(type: entry.key, token: token))
        }
        return tokens
    }

    private static func activities(_ report: JSONObject) throws(Problem) -> [PhoneReport.Activity] {
        var activities: [PhoneReport.Activity] = []
        guard let members = try report.object("activities") else { return [] }
        try members.check(limit: entryLimit)
        for entry in members.entries {
            let path = members.path(entry.key)
            guard isID(entry.key) else { throw noID(at: path) }
            guard let object = try members.object(entry.key) else {
                throw .wrongBody("wrong-type", "it is no object; {\"token\": null} removes a token", at: path)
            }
            var activity = PhoneReport.Activity(id: entry.key, token: try token("token", of: object))
            if let instance = try instance(of: object) { activity.instance = instance }
            activity.isSilent = try object.truth("muted")
            if let name = try object.text("end", limit: versionLimit) {
                guard let end = PhoneReport.End.allCases.first(where: { $0.name == name }) else {
                    throw .wrongBody(
                        "unknown-value",
                        "it is neither dismissed nor ended",
                        at: object.path("end")
                    )
                }
                activity.end = end
            }
            activities.append(activity)
        }
        return activities
    }

    /// Reads the activities that the phone shows: for each type, all of them.
    private static func shows(_ report: JSONObject) throws(Problem) -> [PhoneReport.Shown] {
        guard let members = try report.object("shows") else { return [] }
        try members.check(limit: entryLimit)
        var shows: [PhoneReport.Shown] = []
        for entry in members.entries {
            guard isType(entry.key) else { throw noType(at: members.path(entry.key)) }
            guard let list = try members.objects(entry.key, limit: entryLimit) else { continue }
            var activities: [PhoneReport.Shown.Instance] = []
            for object in list {
                guard let id = try object.text("id", limit: idLimit), isID(id) else {
                    throw noID(at: object.path("id"))
                }
                let (instance, rev) = (try instance(of: object) ?? 1, try revision(of: object))
                activities.append(.init(id: id, instance: instance, rev: rev))
            }
            shows.append(PhoneReport.Shown(type: entry.key, activities: activities))
        }
        return shows
    }

    /// Which showing of a run an object tells of; nil when it does not say.
    private static func instance(of object: JSONObject) throws(Problem) -> Int? {
        guard let number = try object.number("instance") else { return nil }
        guard let instance = Int(exactly: number), (1...highestInstance).contains(instance) else {
            throw .wrongBody(
                "unknown-value",
                "it is no whole number from 1 to \(highestInstance)",
                at: object.path("instance")
            )
        }
        return instance
    }

    /// The revision that an object tells of; nil when it does not say.
    private static func revision(of object: JSONObject) throws(Problem) -> Int64? {
        guard let number = try object.number("rev") else { return nil }
        guard let revision = Int64(exactly: number), revision >= 0 else {
            throw .wrongBody("unknown-value", "it is no whole number from 0", at: object.path("rev"))
        }
        return revision
    }

    private static func noType(at path: String) -> Problem {
        .wrongBody("unknown-value", "it is no name of a Swift type, such as WasherPlugAttributes", at: path)
    }

    private static func noID(at path: String) -> Problem {
        .wrongBody("unknown-value", "it is no id of an activity, such as washer/laundry/1790000000", at: path)
    }

    /// The token of a member: nil when there is no such member, removed when it is null.
    private static func token(_ key: String, of object: JSONObject) throws(Problem) -> ReportedToken? {
        if object.isNull(key) { return .removed }
        guard let text = try object.text(key, limit: tokenLimit) else { return nil }
        let isHexadecimal = text.utf8.allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
        guard text.utf8.count >= 8, text.utf8.count % 2 == 0, isHexadecimal else {
            throw .wrongBody(
                "unknown-value",
                "it is no token in hexadecimal digits: write token.map { String(format: \"%02x\", $0) }.joined()",
                at: object.path(key)
            )
        }
        return .known(text.lowercased())
    }

    private static func isType(_ name: String) -> Bool {
        name.utf8.count <= typeLimit && name.first?.isNumber == false
            && name.unicodeScalars.allSatisfy { $0 == "_" || $0 == "." || $0.properties.isXIDContinue }
    }

    private static func isID(_ id: String) -> Bool {
        id.utf8.count <= idLimit && id.split(separator: "/", omittingEmptySubsequences: false).count >= 3
            && hasNoControls(id)
    }

    private static func hasNoControls(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
