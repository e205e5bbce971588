package import SkerryActivity
package import SkerryValues

extension PushScheduler {
    /// The version of the bytes of all images.
    private static let version: UInt8 = 11

    static func phoneImage(_ id: String) -> String { "phone/\(id)" }
    static func activityImage(_ id: String) -> String { "activity/\(id)" }
    private static let serviceImage = "services"

    /// Returns the changes that must be made durable before the next push leaves.
    ///
    /// - Returns: the changed images, and the ids to delete; an id is never in both.
    public mutating func takeChanges() -> (images: [PhoneImage], removed: [String]) {
        var images: [PhoneImage] = []
        for id in changes.phones {
            guard let place = phone(id) else { continue }
            images.append(image(Self.phoneImage(id)) { phones[place].write(to: &$0) })
        }
        for id in changes.activities {
            guard let place = activity(id) else { continue }
            images.append(image(Self.activityImage(id)) { activities[place].write(to: &$0) })
        }
        if changes.areServicesTouched {
            images.append(
                image(Self.serviceImage) { services.write(to: &$0) }
            )
        }
        let expected = changes.phones.count + changes.activities.count + (changes.areServicesTouched ? 1 : 0)
        assert(images.count == expected, "a phone or an activity has changed that is not there")
        let removed = changes.removed.filter { id in !images.contains { $0.id.hasSameCodePoints(as: id) } }
        changes = Changes()
        return (images, removed)
    }

    /// Restores a scheduler with its phones from their durable images.
    ///
    /// Pushes that were in flight are rendered and sent again, except for starts: their result is unknown until the
    /// phone reports which activities it shows.
    ///
    /// - Parameters:
    ///   - images: All images that were not removed, in any order.
    ///   - settings: The settings from now on.
    ///   - audience: Who gets which activities from now on.
    ///   - quiet: The hours in which nothing sounds from now on.
    /// - Returns: the scheduler, and the images that can't be read, with the reason; they are left out.
    package static func restored(
        from images: [PhoneImage],
        settings: PushSchedulerSettings = PushSchedulerSettings(),
        audience: AudiencePolicy = AudiencePolicy(),
        quiet: QuietHours = QuietHours()
    ) -> (scheduler: PushScheduler, refused: [(id: String, fault: ImageFault)]) {
        var scheduler = PushScheduler(settings: settings, audience: audience, quiet: quiet)
        var refused: [(id: String, fault: ImageFault)] = []
        for image in images {
            do throws(ImageFault) {
                try scheduler.restore(image)
            } catch {
                refused.append((image.id, error))
            }
        }
        scheduler.phones.sort { left, right in
            left.pairedAt == right.pairedAt
                ? left.id.precedesByCodePoints(right.id) : left.pairedAt < right.pairedAt
        }
        for index in scheduler.phones.indices {
            let known = scheduler.phones[index].activities.filter { scheduler.activity($0.activity) != nil }
            scheduler.phones[index].activities = known
        }
        assert(
            scheduler.phones.count + scheduler.activities.count + refused.count <= images.count,
            "an image was restored twice"
        )
        // A phone has each activity that it may see, but only those with something to remember were stored.
        for activity in scheduler.activities.indices { scheduler.follow(activity) }
        scheduler.planAnew()
        scheduler.changes = Changes()
        return (scheduler, refused)
    }

    private mutating func restore(_ image: PhoneImage) throws(ImageFault) {
        var reader = try ImageReader(sealed: image.bytes[...])
        let version = try reader.tag()
        guard (1...Self.version).contains(version) else { throw .unknownVersion(version) }
        if image.id.hasSameCodePoints(as: Self.serviceImage) {
            let services = try PushServices(from: &reader, version: version)
            guard reader.rest == 0 else { throw .malformed }
            self.services = services
            return
        }
        if image.id.utf8.starts(with: "phone/".utf8) {
            let phone = try Phone(from: &reader, version: version)
            guard reader.rest == 0, image.id.hasSameCodePoints(as: Self.phoneImage(phone.id)) else {
                throw .malformed
            }
            if self.phone(phone.id) == nil { phones.append(phone) }
        } else {
            let activity = try FollowedActivity(from: &reader, version: version)
            guard reader.rest == 0, image.id.hasSameCodePoints(as: Self.activityImage(activity.id)) else {
                throw .malformed
            }
            if self.activity(activity.id) == nil { add(activity) }
        }
    }

    private func image(_ id: String, _ write: (inout ImageWriter) -> Void) -> PhoneImage {
        var writer = ImageWriter(capacity: 1024)
        writer.tag(Self.version)
        write(&writer)
        writer.seal()
        return PhoneImage(id: id, bytes: writer.bytes)
    }
}

extension Phone {
    func write(to writer: inout ImageWriter) {
        writer.text(id)
        writer.text(name)
        writer.data(credential)
        writer.moment(pairedAt)
        writer.moment(heardAt)
        writer.optional(environment) { $0.tag($1.rawValue) }
        writer.optional(systemVersion) { $0.text($1) }
        writer.optional(allowsFrequentUpdates) { $0.flag($1) }
        writer.list(startTokens) {
            $0.text($1.type)
            $1.slot.write(to: &$0)
        }
        writer.list(activities.filter { $0.isWorthKeeping }) { $1.write(to: &$0) }
        immediate.write(to: &writer)
        starts.write(to: &writer)
        writer.list(decisions.decisions) { writer, decision in
            writer.moment(decision.at)
            writer.text(decision.activity)
            writer.tag(decision.kind.rawValue)
            writer.text(decision.text)
            writer.optional(decision.until) { $0.moment($1) }
        }
        writer.optional(leftAt) { $0.moment($1) }
        writer.optional(allowsActivities) { $0.flag($1) }
        writer.optional(person) { $0.text($1) }
        writeNotifications(to: &writer)
    }

    /// Writes what versions 7 to 9 added.
    func writeNotifications(to writer: inout ImageWriter) {
        writer.optional(allowsNotifications) { $0.flag($1) }
        notificationToken.write(to: &writer)
        writer.list(Push.Event.allCases) { counts[$1].write(to: &$0) }
        writer.list(hides) { $0.text($1) }
        writer.optional(openedAt) { $0.moment($1) }
        writeWidgets(to: &writer)
    }

    /// Writes what version 9 added.
    func writeWidgets(to writer: inout ImageWriter) {
        widgets.write(to: &writer)
        writer.optional(bundleID) { $0.text($1) }
    }

    init(from reader: inout ImageReader, version: UInt8) throws(ImageFault) {
        self.init(
            id: try reader.text(),
            name: try reader.text(),
            credential: try reader.data(),
            pairedAt: try reader.moment()
        )
        heardAt = try reader.moment()
        environment = try reader.optional { reader throws(ImageFault) in try reader.environment() }
        systemVersion = try reader.optional { reader throws(ImageFault) in try reader.text() }
        allowsFrequentUpdates = try reader.optional { reader throws(ImageFault) in try reader.flag() }
        startTokens = try reader.list { reader throws(ImageFault) in
            StartToken(type: try reader.text(), slot: try TokenSlot(from: &reader, version: version))
        }
        activities = try reader.list { reader throws(ImageFault) in
            try PhoneActivity(from: &reader, version: version)
        }
        immediate = try BudgetLedger(from: &reader)
        starts = try BudgetLedger(from: &reader)
        let count = try reader.count()
        for _ in 0..<count {
            let at = try reader.moment()
            let activity = try reader.text()
            guard let kind = PhoneDecision.Kind(rawValue: try reader.tag()) else { throw .malformed }
            let text = try reader.text()
            let until = try reader.optional { reader throws(ImageFault) in try reader.moment() }
            note(kind, text, of: activity, until: until, at: at)
        }
        // They were told when they were made: a restart neither logs them nor lists their failures once more.
        _ = decisions.takeNews()
        if version > 1 {
            leftAt = try reader.optional { reader throws(ImageFault) in try reader.moment() }
        }
        if version > 2 {
            allowsActivities = try reader.optional { reader throws(ImageFault) in try reader.flag() }
            person = try reader.optional { reader throws(ImageFault) in try reader.text() }
        }
        guard version > 6 else { return }
        allowsNotifications = try reader.optional { reader throws(ImageFault) in try reader.flag() }
        notificationToken = try TokenSlot(from: &reader, version: version)
        counts = try PushCounts(from: &reader)
        guard version > 7 else { return }
        hides = try reader.list { reader throws(ImageFault) in try reader.text() }
        openedAt = try reader.optional { reader throws(ImageFault) in try reader.moment() }
        guard version > 8 else { return }
        widgets = try PhoneWidgets(from: &reader, version: version)
        bundleID = try reader.optional { reader throws(ImageFault) in try reader.text() }
    }
}

extension PushScheduler.Service {
    func write(to writer: inout ImageWriter) {
        pushes.write(to: &writer)
        channels.write(to: &writer)
        writer.optional(strangers) { $0.list($1) { $0.unsigned($1) } }
    }

    init(from reader: inout ImageReader) throws(ImageFault) {
        pushes = try PushScheduler.Obstacle(from: &reader)
        channels = try PushScheduler.Obstacle(from: &reader)
        strangers = try reader.optional { reader throws(ImageFault) in
            try reader.list { reader throws(ImageFault) in try reader.unsigned() }
        }
    }
}

/// Something that must outlive the process: a phone with its tokens and budgets, or an activity that phones follow.
public struct PhoneImage: Hashable, Sendable {
    /// A unique id; opaque to the store.
    package var id: String
    /// Sealed bytes that ``PushScheduler`` wrote.
    package var bytes: [UInt8]

    package init(id: String, bytes: [UInt8]) {
        self.id = id
        self.bytes = bytes
    }
}
