import Logging
public import SkerryDevice
public import SkerryEngine
import SkerryValues

extension Bridge {
    /// Takes the definitions from the mailbox.
    func openMailbox() {
        for letter in requests.definitions.takeAll() {
            switch letter {
            case .definitions(let definitions):
                answerReloads(change(to: definitions, at: clock.now))
                // Also without a change: the text of a file may have another comment.
                watcher.tell(.redefined)
            case .refusal(let reason):
                journal.note(.definitionsRefused, reason, at: clock.now)
                answerReloads([], fault: reason)
            }
        }
    }

    /// Changes to other definitions.
    ///
    /// - Returns: what has changed, line by line.
    private func change(to definitions: [Definition], at now: Timestamp) -> [String] {
        let former = filters
        let change = engine.change(to: definitions, at: now)
        connection.abandon(former)
        tell(change.effects)
        for device in change.ended {
            forget(
                DeviceImage(kind: device.kind, name: device.name, layout: 0, bytes: []),
                toldAvailability: device.toldAvailability
            )
        }
        announceAgain(kinds: change.changed)
        for line in change.report { journal.logger.notice(.definitionsChanged, "\(line)") }
        if connection.isOpen, readBack.isAdmitted {
            announceInfo()
            announceLists()
        }
        return change.report
    }

    /// Removes a device whose definition no longer exists from the store and from the broker.
    func forget(_ device: DeviceImage, toldAvailability: Bool) {
        ledger.forget(DeviceKey(kind: device.kind, name: device.name))
        if toldAvailability { enqueue(sink.forgottenAvailability(of: device.name, kind: device.kind)) }
        if let homeAssistant = announcer.homeAssistant {
            enqueue(homeAssistant.withdrawal(ofDevice: device.name, kind: device.kind))
        }
        publishEvent("device_forgotten", of: device.name, kind: device.kind)
    }

    /// Changes the announcements of devices whose definitions have changed.
    private func announceAgain(kinds: [String]) {
        guard announcer.homeAssistant != nil, !kinds.isEmpty else { return }
        var devices: [DeviceKey] = []
        engine.forEachDevice { kind, device in
            if kinds.contains(kind) { devices.append(DeviceKey(kind: kind, name: device.name)) }
        }
        for device in devices { announce(device: device.name, kind: device.kind) }
    }

    /// The publication of `bridge/info`.
    var info: Publication {
        journal.health.info(
            of: engine,
            owner: readBack.owner,
            options: options,
            announces: announcer.namedPrefix,
            topic: sink.infoTopic
        )
    }

    /// Forgets a device because somebody asks for it.
    ///
    /// - Returns: whether there was one.
    func forgetDevice(kind: String, device: String, at now: Timestamp) -> Bool {
        guard let effects = engine.forget(kind: kind, device: device, at: now) else { return false }
        tell(effects)
        journal.logger.notice(.deviceForgotten, "\(kind)/\(device): forgotten on request")
        return true
    }

    /// The filters of messages of devices.
    var filters: [String] {
        let filters = engine.definitions.filters
        // Without a share, too: of devices that a payload names, the broker knows no partition.
        return filters + (inbound.topics.share.map { $0.filters(of: filters) } ?? []) + activityFilters
    }

    /// The filters of the activities that definitions read, which may be those of devices of other partitions.
    private var activityFilters: [String] {
        if options.engine.partition == nil { return [] }
        return engine.kindsRead.map { "\(sink.prefix)/\($0)/+/\(OwnTopic.DeviceTopic.activity.rawValue)" }
    }
}

extension [Definition] {
    /// The filters of all definitions for the broker, each once.
    ///
    /// Those that tell whether a device can be reached come first, because a broker sends retained messages in this
    /// order: a will is to be known before what its device said last.
    public var filters: [String] {
        let sources = flatMap(\.sources).filter { !$0.filter.isOfEngine }
        let ordered = sources.filter(\.tellsAvailability) + sources.filter { !$0.tellsAvailability }
        var filters: [String] = []
        for filter in ordered.map(\.filter.subscription) where !filters.contains(filter) {
            filters.append(filter)
        }
        return filters
    }
}

extension DefinitionChange {
    /// The change for the log, line by line.
    fileprivate var report: [String] {
        if isEmpty { return ["definitions: nothing has changed"] }
        let parts = [("new", added), ("changed", changed), ("gone", removed)]
            .filter { !$0.1.isEmpty }
            .map { "\($0.0): \($0.1.joined(separator: ", "))" }
        let ends = ended.isEmpty ? "" : ", \(ended.count.devices) \(ended.count == 1 ? "ends" : "end")"
        let sum =
            "definitions: \(parts.joined(separator: "; ")); \(kept.devices) \(kept == 1 ? "goes" : "go") on\(ends)"
        return [sum] + moves.map { $0.line }
    }
}

extension DeviceMove {
    /// Names that a line of the log shows.
    private static var nameLimit: Int { 5 }

    /// The move in words: which devices, and where they went.
    public var line: String {
        var names = devices.prefix(Self.nameLimit).joined(separator: ", ")
        if devices.count > Self.nameLimit { names += " and \(devices.count - Self.nameLimit) more" }
        switch fate {
        case .goesOn: return "\(kind)/\(names): as before"
        case .migrates(let from, let to):
            return "\(kind)/\(names): \(from) no longer exists, continues in \(to)"
        case .startsAnew(let from):
            return "\(kind)/\(names): \(from) no longer exists, starts in the initial state"
        }
    }
}

extension Int {
    /// This number of devices in words.
    var devices: String { self == 1 ? "1 device" : "\(self) devices" }
}
