public import SkerryDevice
public import SkerryMachine
public import SkerryValues

/// Many devices of many definitions: routes messages, wakes what is due, tells what came of it.
///
/// A plain value. The same inputs at the same times give the same effects; a copy goes its own way.
///
/// Time must not run backwards from call to call; an earlier `now` counts as the latest one seen. Before an input is
/// handled, everything that is due by then is, each at its own deadline, in the order of deadlines and arming.
public struct Engine: Sendable {
    /// How much it has seen and done.
    public internal(set) var counters = EngineCounters()
    /// The latest time seen.
    public internal(set) var now = Timestamp.distantPast

    let limits: EngineLimits
    /// The epoch of all revisions.
    public internal(set) var epoch: Int64
    var workspaces: [Workspace]
    var devices: [Slot] = []
    /// The counter that orders deadlines.
    public internal(set) var sequence: UInt64 = 0
    /// Since when it has lived, for what becomes of moments when the clock is found.
    public internal(set) var origin = TimeOrigin.beginning
    var pending: [DeviceEffect] = []
    /// The devices whose image must be taken, by their places.
    var changed: [UInt32] = []
    /// The devices whose image may wait, by their places; some were taken since.
    var reported: [UInt32] = []
    /// The names of the definitions' layouts, made when images are.
    var layouts: [DefinitionLayout] = []
    /// The map that the last image was read by, while devices are given back.
    var lastMap: (layout: Int64, definition: Int, map: LayoutMap)?
    /// The newest run of a device that is gone: one of its name must not begin the same again.
    public internal(set) var newestLostRun: Int64
    /// The devices by name and definition.
    var names = HashIndex()
    var router: TopicRouter
    var deadlines = DeadlineHeap()
    /// The devices of which people were never shown a run.
    var unseen = RecencyQueue()
    /// From when on the next device may take the place of another.
    var nextReplacement = Timestamp.distantPast
    /// What the values of all devices take; see `Value.storage`.
    public internal(set) var storage = 0
    /// How many devices have an activity that is followed or not yet dismissed.
    private var followed = 0

    struct Slot: Sendable {
        var device: Device
        let definition: UInt16
        /// Whether the device counts among `followed`.
        var isFollowed = false
        /// Whether its last image tells what it is.
        var keeping = Keeping.kept
        /// Whether it is among those whose image may wait.
        var isWaiting = false
        /// Whether it is looked at anew when the engine goes on after a restart.
        var looksAnew = false
        /// A message from then on makes the image too old, if the device waits for silence.
        var agesAt = Timestamp.distantFuture
        /// How many devices had this place before.
        var generation: UInt16 = 0
        /// What its values took when they were counted last.
        var storage = 0

        init(device: Device, definition: UInt16) {
            self.device = device
            self.definition = definition
        }

        /// A slot with a device that nothing was heard of yet.
        init(_ name: String, in workspace: Workspace, _ definition: UInt16) {
            self.init(device: Device(name: name, in: workspace), definition: definition)
        }

        /// Mutating, so that a slot of an array is looked at in place.
        mutating func nextDeadline() -> Deadline? { device.nextDeadline }

        var hash: UInt64 { Self.hash(device.name, definition) }

        static func hash(_ name: String, _ definition: UInt16) -> UInt64 {
            ByteHash.hash(ArraySlice(name.utf8)) &+ UInt64(definition) &* 0x9E37_79B9_7F4A_7C15
        }
    }

    /// Makes an engine without devices.
    ///
    /// - Parameters:
    ///   - definitions: The definitions, in the order in which a message that belongs to several is handled.
    ///   - epoch: A number that no earlier engine with the same devices had, such as its start in Unix seconds.
    ///   - limits: Bounds on what it may hold.
    ///   - sequence: Where an engine whose devices are given back had come to in counting deadlines.
    ///   - newestLostRun: The ``newestLostRun`` of that engine.
    public init(
        definitions: [Definition],
        epoch: Int64,
        limits: EngineLimits = EngineLimits(),
        resumingAt sequence: UInt64 = 0,
        newestLostRun: Int64 = .min
    ) {
        self.sequence = sequence
        self.newestLostRun = newestLostRun
        workspaces = definitions.map { Workspace($0, epoch: epoch) }
        router = TopicRouter(definitions: definitions, capacity: limits.topics)
        self.limits = limits
        self.epoch = epoch
        loseRuns(upTo: newestLostRun)
    }

    /// The definitions.
    public var definitions: [Definition] { workspaces.map { $0.definition } }

    /// How many devices there are.
    public var deviceCount: Int { devices.count }

    /// How many readings of signals and guards failed, other than for an absent value; adds up all devices.
    public var failedReadings: UInt64 { devices.reduce(0) { $0 + UInt64($1.device.failedReadings) } }

    /// The earliest moment at which something is due; nil when nothing is.
    public var nextDeadline: Timestamp? { deadlines.min?.deadline.at }

    /// Whether any activity is followed or not yet dismissed.
    public var hasPendingActivity: Bool { followed > 0 }

    /// Handles what is due by now, then the input, then what the input made due at once.
    ///
    /// - Returns: what the world should know, in order.
    public mutating func handle(_ input: Input, at time: Timestamp) -> [Effect] {
        var effects: [Effect] = []
        wakeDue(by: time, &effects)
        now = max(now, time)
        switch input {
        case .message(let message): deliver(message, &effects)
        case .event(let kind, let device, let name): tell(kind, device, name, &effects)
        case .timePassed: return effects
        }
        wakeDue(by: now, &effects)
        return effects
    }

    /// Handles what is due, each deadline at its own time; `turn` is called before each with the device.
    mutating func wakeDue(
        by limit: Timestamp,
        before turn: ((_ kind: String, _ device: String) -> Void)? = nil,
        _ effects: inout [Effect]
    ) {
        while let due = deadlines.min, due.deadline.at <= limit {
            now = max(now, due.deadline.at)
            let index = Int(due.id)
            let definition = Int(devices.span[index].definition)
            turn?(workspaces[definition].definition.kind, devices[index].device.name)
            makeRoom(definition)
            devices[index].device.wake(
                upTo: due.deadline.at,
                in: &workspaces[definition],
                sequence: &sequence,
                effects: &pending
            )
            settle(index, &effects)
        }
    }

    private mutating func deliver(_ message: Message, _ effects: inout [Effect]) {
        counters.messages += 1
        guard let topic = router.find(message.topic) else {
            deliverFirst(message, nil, &effects)
            return
        }
        let routes = router.routes(of: topic)
        for position in routes where !isCurrent(router.route(at: position)) {
            deliverFirst(message, topic, &effects)
            return
        }
        if routes.isEmpty { counters.unrouted += 1 }
        for position in routes { deliver(message, by: router.route(at: position), &effects) }
    }

    /// Whether the device of a route is the one that it was found for.
    private func isCurrent(_ route: TopicRouter.Route) -> Bool {
        devices.span[Int(route.device)].generation == route.generation
    }

    /// The first message of a topic finds or makes its devices.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - topic: The number of the topic, when one of its devices is gone since.
    ///   - effects: Where what comes of it is appended.
    private mutating func deliverFirst(_ message: Message, _ topic: Int?, _ effects: inout [Effect]) {
        var routes: [TopicRouter.Route] = []
        var isComplete = true
        for match in router.matches(message.topic) {
            let definition = Int(match.source.definition)
            guard let index = device(named: match.device, definition: definition, sparing: routes, &effects)
            else {
                counters.beyondLimit += 1
                isComplete = false
                continue
            }
            routes.append(
                TopicRouter.Route(
                    device: UInt32(index),
                    source: match.source.source,
                    generation: devices[index].generation,
                    captures: match.captures
                )
            )
        }
        if routes.isEmpty, isComplete { counters.unrouted += 1 }
        if isComplete {
            if let topic { router.replace(topic, routes) } else { router.remember(message.topic, routes) }
        }
        for route in routes { deliver(message, by: route, &effects) }
    }

    private mutating func deliver(
        _ message: Message,
        by route: TopicRouter.Route,
        _ effects: inout [Effect]
    ) {
        let index = Int(route.device)
        let definition = Int(devices.span[index].definition)
        makeRoom(definition)
        devices[index].device.receive(
            message.payload,
            isRetained: message.isRetained,
            source: Int(route.source),
            captures: route.captures,
            at: now,
            in: &workspaces[definition],
            sequence: &sequence,
            effects: &pending
        )
        touch(index)
        settle(index, &effects)
    }

    private mutating func tell(
        _ kind: String,
        _ device: String,
        _ event: String,
        _ effects: inout [Effect]
    ) {
        for definition in workspaces.indices
        where workspaces[definition].definition.kind.utf8.elementsEqual(kind.utf8) {
            guard let index = index(of: device, definition) else { continue }
            makeRoom(definition)
            devices[index].device.take(
                event: event,
                at: now,
                in: &workspaces[definition],
                sequence: &sequence,
                effects: &pending
            )
            settle(index, &effects)
        }
    }

    /// Adds a device of which there is none by this name.
    ///
    /// - Returns: its place.
    @discardableResult
    mutating func append(_ slot: Slot) -> Int {
        devices.append(slot)
        names.insert(devices.count - 1) { devices[$0].hash }
        return devices.count - 1
    }

    /// The device of this name; nil when there is none.
    func index(of name: String, _ definition: Int) -> Int? {
        names.find(Slot.hash(name, UInt16(definition))) { number in
            devices[number].definition == definition
                && devices[number].device.name.utf8.elementsEqual(name.utf8)
        }
    }

    /// Files the device's next deadline and passes on what came of it.
    mutating func settle(_ index: Int, _ effects: inout [Effect]) {
        let definition = Int(devices.span[index].definition)
        countStorage(index)
        if unseen.contains(index), devices[index].device.wasShown { unseen.remove(index) }
        counters.refusedValues += UInt64(workspaces[definition].refusedValues)
        if !pending.isEmpty || workspaces[definition].mustKeep {
            devices[index].device.foretell(
                at: now,
                in: workspaces[definition],
                sequence: sequence,
                effects: &pending
            )
        }
        let isNews = pending.contains { !$0.isRefusal }
        let mustKeep = workspaces[definition].mustKeep || isNews || isImageOld(index)
        note(index, mustKeep ? .changed : .reported)
        fileDeadline(of: index)
        if pending.isEmpty { return }
        countFollowed(index)
        let kind = workspaces[definition].definition.kind
        let name = devices[index].device.name
        for what in pending {
            switch what {
            case .update: counters.updates += 1
            case .refused: counters.refused += 1
            case .moved, .dismissed, .foretold, .availability, .forgotten, .fault: break
            }
            effects.append(Effect(at: now, kind: kind, device: name, what: what))
        }
        pending.removeAll(keepingCapacity: true)
    }

    mutating func fileDeadline(of index: Int) {
        if let next = devices[index].nextDeadline() {
            deadlines.set(UInt32(index), to: next)
        } else {
            deadlines.remove(UInt32(index))
        }
    }

    mutating func countFollowed(_ index: Int) {
        let isFollowed = devices[index].device.hasActivity
        if isFollowed == devices[index].isFollowed { return }
        devices[index].isFollowed = isFollowed
        followed += isFollowed ? 1 : -1
    }
}

extension Engine {
    /// A device, with the workspace through which its signals are read; nil when there is none.
    public func device(kind: String, named name: String) -> (device: Device, workspace: Workspace)? {
        for definition in workspaces.indices
        where workspaces[definition].definition.kind.utf8.elementsEqual(kind.utf8) {
            guard let index = index(of: name, definition) else { continue }
            return (devices[index].device, workspaces[definition])
        }
        return nil
    }

    /// Puts a device of which nothing was heard yet into a situation, as tests do; the device is made if there is none.
    ///
    /// - Returns: what came of it.
    public mutating func begin(
        _ situation: Situation,
        device name: String,
        kind: String,
        at time: Timestamp
    ) -> [Effect] {
        var effects: [Effect] = []
        now = max(now, time)
        for definition in workspaces.indices
        where workspaces[definition].definition.kind.utf8.elementsEqual(kind.utf8) {
            guard let index = device(named: name, definition: definition, &effects) else { continue }
            devices[index].device.begin(
                situation,
                at: now,
                in: &workspaces[definition],
                sequence: &sequence,
                effects: &pending
            )
            settle(index, &effects)
        }
        wakeDue(by: now, &effects)
        return effects
    }

    /// Keeps account of the states that devices enter and the transitions that they take, from now on.
    public mutating func recordReach() {
        for definition in workspaces.indices { workspaces[definition].recordReach() }
    }

    /// Keeps account of the expressions that fail from now on.
    public mutating func recordFailures() {
        for definition in workspaces.indices { workspaces[definition].recordFailures() }
    }

    /// The expressions of each definition that have failed since ``recordFailures()``, in the order of the definitions.
    public var failures: [[ExpressionFailure]] { workspaces.compactMap { $0.failures } }

    /// How much of each definition's machine devices have reached since ``recordReach()``, in the order of the
    /// definitions.
    public var reach: [MachineReach] { workspaces.compactMap { $0.reach } }
}

extension DeviceEffect {
    /// Whether it tells of something that was not taken, and changed nothing.
    fileprivate var isRefusal: Bool {
        switch self {
        case .refused, .fault(.valueTooLarge): true
        default: false
        }
    }
}
