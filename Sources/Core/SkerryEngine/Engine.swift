import SkerryActivity
public import SkerryDevice
public import SkerryMachine
public import SkerryValues

/// Many devices of many definitions: routes messages, wakes what is due, tells what came of it.
///
/// A plain value. The same inputs at the same times give the same effects; a copy goes its own way.
///
/// The verbs, each of which may be called at any time, and what it changes:
///
/// - ``handle(_:at:)``: a message, an event, or time that passed. Before an input is handled, everything that is due by
///   then is, each at its own deadline, in the order of deadlines and arming. May change ``nextDeadline``, as do the
///   next three.
/// - ``change(to:at:)``: the definitions, and where devices stand in them.
/// - ``forget(kind:device:at:)``: there is one device less.
/// - ``clockSet(by:since:at:)``: all moments. It alone may set ``now`` back; for the others an earlier time counts as the
///   latest one seen.
/// - ``begin(epoch:)``: the epoch of all revisions, and nothing else.
/// - ``takeImages(all:)``: what the next images are compared with.
///
/// Devices of an earlier process come back by ``EngineRestoration``, before any of these. Everything else only reads.
public struct Engine: Sendable {
    /// The counts of messages, updates and failures.
    public internal(set) var counters = EngineCounters()
    /// The latest time seen.
    public internal(set) var now = Timestamp.distantPast

    /// The bounds on its size.
    public let limits: EngineLimits
    /// True if effects tell timelines; ``timeline(kind:device:)`` answers all the same.
    public let foretells: Bool
    /// The definitions.
    public let definitions: [Definition]
    /// The forms that definitions have for their devices: the usual forms in the order of the definitions, then those
    /// of single devices.
    let forms: [Definition]
    /// For each definition, the place among the forms of the first one that is for a single device.
    let firstOwnForms: [Int]
    /// The state that turns hand on to each other.
    var workspace: Workspace
    var devices: [Slot] = []
    /// Since when it has lived, for what becomes of moments when the clock is found.
    public internal(set) var origin = TimeOrigin.beginning
    /// The number of readings that failed before a device was known.
    var unaddressedFailures: UInt64 = 0
    /// The devices that the last message which was asked for its devices belongs to, by their places.
    var addressed: [UInt32] = []
    /// For each definition, true if another one reads its activities.
    let areRead: [Bool]
    /// The activities on their way to definitions that read them; empty between two inputs.
    var relays: [Relay] = []
    /// The number of relays that led to the turn under way.
    var relayDepth = 0
    /// The records of the definitions, in their order.
    var accounts: [Account]
    /// The meaning of the last message for its devices; empty unless it is asked for.
    public internal(set) var readings: [DeviceReading] = []
    /// The devices whose image must be taken, by their places.
    var changed: [UInt32] = []
    /// The devices whose image may wait, by their places; some were taken since.
    var reported: [UInt32] = []
    /// True if the devices' images tell that no message can come.
    private var storesOutage = false
    /// The names of the definitions' layouts, made when images are.
    var layouts: [DefinitionLayout] = []
    /// The devices by name and definition.
    var names = HashIndex()
    let byteHash: ByteHash
    var router: TopicRouter
    /// The messages for devices that are not known yet.
    var kept: KeptMessages
    var deadlines = DeadlineHeap()
    /// The devices of which people were never shown a run.
    var unseen = RecencyQueue()
    /// From when on the next device may take the place of another.
    var nextReplacement = Timestamp.distantPast
    /// The size of the values of all devices; see `Value.storage`.
    public internal(set) var storage = 0
    /// The number of devices with an activity that is followed or not yet dismissed.
    private var followed = 0

    struct Slot: Sendable {
        var device: Device
        let definition: UInt16
        /// The place of its form of the definition.
        let form: UInt32
        /// True if the device counts among `followed`.
        var isFollowed = false
        /// The lag of the stored image behind the device.
        var keeping = Keeping.kept
        /// True if it is among those whose image may wait.
        var isWaiting = false
        /// True if it is evaluated again when the engine goes on after a restart.
        var looksAnew = false
        /// A message from then on makes the image too old, if the device waits for silence.
        var agesAt = Timestamp.distantFuture
        /// The number of devices that had this place before.
        var generation: UInt16 = 0
        /// The size of its values when they were counted last.
        var storage = 0

        /// Mutating, so that a slot of an array is looked at in place.
        mutating func nextDeadline() -> Deadline? { device.nextDeadline }

        /// Mutating for the same reason.
        mutating func revision() -> Int64 { device.revision }

        func hash(by hash: ByteHash) -> UInt64 { Self.hash(device.name, definition, by: hash) }

        static func hash(_ name: String, _ definition: UInt16, by hash: ByteHash) -> UInt64 {
            // A plug is often a device of several definitions: the factor keeps these entries apart in the table.
            var name = name
            let bytes = name.withUTF8 { hash.hash(UnsafeRawBufferPointer($0)) }
            return bytes &+ UInt64(definition) &* 0x9E37_79B9_7F4A_7C15
        }
    }

    /// Makes an engine without devices.
    ///
    /// - Parameters:
    ///   - definitions: The definitions, each of a kind of its own, in the order in which a message that belongs to
    ///     several is handled.
    ///   - epoch: A number that no earlier engine with the same devices had, such as its start in Unix seconds.
    ///   - limits: Bounds on what it may hold.
    ///   - foretells: Whether effects tell timelines, which costs as much as the update that they come with.
    ///   - sequence: Where an engine whose devices are given back had come to in counting deadlines.
    ///   - newestLostRun: The ``newestLostRun`` of that engine.
    ///   - hashSeed: A random number if topics come from strangers; it changes nothing that can be seen.
    public init(
        definitions: [Definition],
        epoch: Int64,
        limits: EngineLimits = EngineLimits(),
        foretells: Bool = true,
        resumingAt sequence: UInt64 = 0,
        newestLostRun: Int64 = .min,
        hashSeed: UInt64 = 0
    ) {
        self.definitions = definitions
        var forms = definitions.map { $0.form(nil) }
        var firstOwnForms: [Int] = []
        for definition in definitions {
            firstOwnForms.append(forms.count)
            forms += definition.ownForms
        }
        self.forms = forms
        self.firstOwnForms = firstOwnForms
        accounts = definitions.map { Account(of: $0) }
        areRead = Self.areRead(definitions)
        workspace = Workspace(epoch: epoch)
        workspace.sequence = sequence
        workspace.newestLostRun = newestLostRun
        byteHash = ByteHash(seed: hashSeed)
        // Those of other partitions get as much room as its own.
        let capacity = limits.topics * (limits.partition == nil ? 1 : 2)
        router = TopicRouter(definitions: definitions, capacity: capacity, byteHash)
        kept = KeptMessages(limit: limits.keptBytes, byteHash)
        self.limits = limits
        self.foretells = foretells
    }

    /// The epoch of all revisions.
    public var epoch: Int64 { workspace.epoch }

    /// The cost of all expressions for the last input; for a message, without what was due before.
    public var cost: Int { workspace.cost }

    /// The counter that orders deadlines.
    public var sequence: UInt64 { workspace.sequence }

    /// The newest run of a device that is gone: one of its name must not begin the same again.
    public var newestLostRun: Int64 { workspace.newestLostRun }

    /// The number of devices.
    public var deviceCount: Int { devices.count }

    /// The number of failed readings of signals and guards, except those of an absent value, of all devices.
    public var failedReadings: UInt64 {
        devices.reduce(unaddressedFailures) { $0 + UInt64($1.device.failedReadings) }
    }

    /// The earliest moment at which something is due; nil when nothing is.
    public var nextDeadline: Timestamp? { deadlines.min?.deadline.at }

    /// True if any activity is followed or not yet dismissed.
    public var hasPendingActivity: Bool { followed > 0 }

    /// True if time alone may yet tell something that the messages so far mean: an activity is pending, or a guard that holds
    /// waits for the end of its `for`, as at the start of a run.
    public var hasUnfinishedBusiness: Bool {
        hasPendingActivity || devices.contains { $0.device.waitsForGuard }
    }

    /// Handles what is due by now, then the input, then what the input made due at once.
    ///
    /// - Returns: what the world should know, in order.
    public mutating func handle(_ input: Input, at time: Timestamp) -> [Effect] {
        var effects: [Effect] = []
        let before = now
        assert(relays.isEmpty, "an activity waits between two inputs")
        assert(relayDepth == 0, "an input belongs to a relay")
        defer { assert(now >= before, "time falls") }
        workspace.cost = 0
        wakeDue(by: time, &effects)
        // Clocks of several inputs may disagree by a little: an earlier time counts as the latest one seen.
        now = max(now, time)
        switch input {
        case .message(let message):
            // What was due before takes nothing away from the message.
            workspace.cost = 0
            deliver(message, &effects)
        case .event(let kind, let device, let name): tell(kind, device, name, &effects)
        case .connected:
            listen(&effects)
            tellConnection(&effects)
        case .disconnected: stopListening()
        // Waking has left nothing due and no activity on its way.
        case .timePassed: return effects
        }
        deliverRelays(&effects)
        wakeDue(by: now, &effects)
        return effects
    }

    /// Handles what is due, each deadline at its own time; `notice` is called before each with the device.
    mutating func wakeDue(
        by limit: Timestamp,
        before notice: ((_ kind: String, _ device: String) -> Void)? = nil,
        _ effects: inout [Effect]
    ) {
        while let due = deadlines.min, due.deadline.at <= limit {
            now = max(now, due.deadline.at)
            let index = Int(due.id)
            assert(isFiled(index), "a device has another deadline than the heap")
            // 0031: recovery writes down which device it is about to touch, so that a crash can be put down to it.
            notice?(definition(of: index).kind, devices[index].device.name)
            // Not at `now`: a deadline that is handled late still acts at its own time, as it would have in time. One
            // for each turn, because the next one may be that of another device.
            turn(index, at: due.deadline.at, &effects) { $0.wake(upTo: due.deadline.at) }
            assert(deadlines.deadline(of: due.id) != due.deadline, "a deadline was handled and is still due")
            deliverRelays(&effects)
        }
    }

    private mutating func tell(
        _ kind: String,
        _ device: String,
        _ event: String,
        _ effects: inout [Effect]
    ) {
        guard let index = index(of: device, kind: kind), definition(of: index).accepts(event: event) else {
            return
        }
        turn(index, at: now, &effects) { $0.take(event: event) }
    }

    /// Lets waits for silence stand still; later, notes that they do, for the next process.
    private mutating func stopListening() {
        var isLong = false
        for index in devices.indices {
            if let start = devices[index].device.deafSince {
                // Once in each outage: from then on the images tell it.
                guard !storesOutage, now - start >= Self.storedOutage, devices[index].device.waitsForSilence
                else { continue }
                note(index, .changed)
                isLong = true
            } else {
                devices[index].device.stopListening(at: now)
                fileDeadline(of: index)
            }
        }
        if isLong { storesOutage = true }
    }

    /// The shortest outage that is stored: a restart within a shorter one takes it for silence.
    private static let storedOutage = Interval.minutes(1)

    /// Lets silence count again.
    private mutating func listen(_ effects: inout [Effect]) {
        storesOutage = false
        for index in devices.indices {
            guard let start = devices[index].device.deafSince else { continue }
            turn(index, at: now, &effects) { $0.listen() }
            if devices[index].device.waitsForSilence, now - start >= Self.storedOutage {
                note(index, .changed)
            }
        }
    }

    private mutating func tellConnection(_ effects: inout [Effect]) {
        let awaits = definitions.map { $0.awaitsConnection }
        guard awaits.contains(true) else { return }
        for index in devices.indices where awaits[Int(devices[index].definition)] {
            turn(index, at: now, &effects) { $0.take(event: Definition.connected) }
        }
    }

    /// Adds a device of which there is none by this name.
    ///
    /// - Returns: its place.
    @discardableResult
    mutating func append(_ slot: Slot) -> Int {
        assert(index(of: slot.device.name, Int(slot.definition)) == nil, "a device is there twice")
        devices.append(slot)
        names.insert(devices.count - 1) { devices[$0].hash(by: byteHash) }
        assert(devices.count <= limits.devices, "there are more devices than the limit allows")
        assert(names.count == devices.count, "the names of devices are miscounted")
        return devices.count - 1
    }

    /// The device of this name; nil when there is none.
    func index(of name: String, _ definition: Int) -> Int? {
        names.find(Slot.hash(name, UInt16(definition), by: byteHash)) { number in
            devices[number].definition == definition
                && devices[number].device.name.hasSameCodePoints(as: name)
        }
    }

    /// The device of this name and kind; nil when there is none.
    func index(of name: String, kind: String) -> Int? {
        place(of: kind).flatMap { index(of: name, $0) }
    }

    /// Gives a device its turn, files its next deadline and passes on what came of it.
    ///
    /// - Parameters:
    ///   - index: The device.
    ///   - time: The time of the turn.
    ///   - effects: Where what came of it is appended.
    ///   - act: What happens in the turn.
    mutating func turn(
        _ index: Int,
        at time: Timestamp,
        _ effects: inout [Effect],
        _ act: (inout Turn) -> Void
    ) {
        let definition = definition(of: index)
        // Read now, because the turn takes the device out of its place.
        let revision = devices[index].revision()
        assert(time <= now, "a turn lies in the future")
        // Computed for each turn: the values of all other devices count, too.
        workspace.room = limits.valueBytes - storage
        var turn = Turn(taking: &devices[index].device, of: definition, at: time, in: &workspace)
        act(&turn)
        let sequence = workspace.sequence
        if foretells { turn.foretell(at: now) }
        let outcome = (consume turn).end(&devices[index].device, &workspace)
        assert(workspace.sequence >= sequence, "the counter of deadlines falls")
        assert(Self.areConsecutive(outcome.effects, after: revision), "a revision is left out")
        settle(index, outcome)
        if let reading = outcome.reading {
            let name = devices[index].device.name
            readings.append(DeviceReading(kind: definition.kind, device: name, reading: reading))
        }
        var isForgotten = false
        // Appending one after the other would allocate for the first and again for the second.
        if effects.isEmpty { effects.reserveCapacity(outcome.effects.count) }
        for what in outcome.effects {
            switch what {
            case .update(let update):
                counters.updates += 1
                // Only put on its way: a turn of a reader here would write its effects between those of this device.
                relay(update.snapshotJSON(), of: index)
            case .publication: counters.published += 1
            case .refused: counters.refused += 1
            case .forgotten: isForgotten = true
            case .moved, .dismissed, .foretold, .availability, .fault: break
            }
            effects.append(
                Effect(at: now, kind: definition.kind, device: devices[index].device.name, what: what)
            )
        }
        // Last, because another device moves to this place.
        if isForgotten {
            // A device that comes back under this name must not give a run an id that readers know.
            loseRuns(upTo: devices[index].device.lastRun)
            remove(index)
        }
    }

    /// Takes note of what a turn made of a device.
    private mutating func settle(_ index: Int, _ outcome: TurnOutcome) {
        countStorage(index)
        // Only a device of which people never saw a run may make room for another.
        if unseen.contains(index), devices[index].device.wasShown { unseen.remove(index) }
        counters.refusedValues += UInt64(outcome.refusedValues)
        counters.unpublished += UInt64(outcome.unpublished)
        let place = Int(devices.span[index].definition)
        if let reach = outcome.reach { accounts[place].reach.formUnion(reach) }
        let name = outcome.isRead ? "" : devices[index].device.name
        accounts[place].unread.add(outcome, of: definition(of: index), device: name)
        // 0020: a reading that changed nothing else waits for the checkpoint. But each effect is stored with the change
        // that caused it, or a crash would repeat it.
        let isNews = outcome.effects.contains { !$0.isRefusal }
        note(index, outcome.mustKeep || isNews || isImageOld(index) ? .changed : .reported)
        fileDeadline(of: index)
        // A run begins and goes only with an effect.
        if !outcome.effects.isEmpty { countFollowed(index) }
    }

    /// The definition of a device, in the form for that device.
    func definition(of index: Int) -> Definition { forms[Int(devices.span[index].form)] }

    /// The place among the forms of the one for a device.
    func form(of name: String, _ definition: Int) -> Int {
        // The usual forms come first, so that each has the number of its definition.
        definitions[definition].ownForm(of: name).map { firstOwnForms[definition] + $0 } ?? definition
    }

    /// A slot with a device that nothing was heard of yet.
    func slot(_ name: String, _ definition: Int) -> Slot {
        let form = form(of: name, definition)
        let device = Device(name: name, of: forms[form])
        return Slot(device: device, definition: UInt16(definition), form: UInt32(form))
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
        assert((0...devices.count).contains(followed), "the followed devices are miscounted")
    }
}

extension Engine {
    /// A device, with its definition; nil when there is none.
    public func device(kind: String, named name: String) -> (device: Device, definition: Definition)? {
        index(of: name, kind: kind).map { (devices[$0].device, definition(of: $0)) }
    }
}

extension DeviceEffect {
    /// True if it tells of something that was not taken, and changed nothing.
    fileprivate var isRefusal: Bool {
        switch self {
        case .refused, .fault(.valueTooLarge), .fault(.unpublished), .fault(.runSwallowed): true
        default: false
        }
    }
}

extension Engine {
    /// Moves all deadlines, because the wall clock was set.
    ///
    /// When the clock stepped, every moment moves by the same length, and all waits keep the time they have left. When
    /// a clock that was wrong is found, only moments since the ``origin`` move, because no time has passed for them;
    /// restored moments stay, and deadlines among them that are due now are handled, each at its own time. The last
    /// message of each device always moves, because the gateway did not listen in between.
    ///
    /// - Parameters:
    ///   - length: The length by which the clock was set; negative when it was set back.
    ///   - origin: The moment before which nothing moves; see ``origin``.
    ///   - time: The time by the clock now.
    /// - Returns: The effects of the deadlines that came due, and an update for each activity whose times changed.
    public mutating func clockSet(
        by length: Interval,
        since origin: TimeOrigin = .beginning,
        at time: Timestamp
    ) -> [Effect] {
        let shift = ClockShift(by: length, since: origin)
        assert(relays.isEmpty, "an activity waits between two inputs")
        var effects: [Effect] = []
        // First what was overdue by the old clock: it must not wait for the length of the step once more.
        wakeDue(by: time - length, &effects)
        // The one place where time may fall. Before a forward step is handled it stays, so that deadlines of the time
        // that passed uncounted come in their order.
        now = min(now, time)
        for index in devices.indices {
            devices[index].device.move(by: shift, in: definition(of: index))
            devices[index].device.reviseTimesOfDay(in: definition(of: index), at: time, &workspace)
            // `now` in expressions and the published times differ, although no signal has changed.
            devices[index].looksAnew = true
            fileDeadline(of: index)
        }
        // Only moments that did not move can be due now: restored ones, and times of day.
        wakeDue(by: time, &effects)
        now = time
        // After the deadlines, so that an update shows where they led, and not a state that has passed.
        lookAnew(&effects)
        wakeDue(by: now, &effects)
        return effects
    }
}

// What tests of definitions ask of an engine: devices in a situation, and an account of what was reached and what failed.

extension Engine {
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
        assert(relays.isEmpty, "an activity waits between two inputs")
        now = max(now, time)
        if let definition = place(of: kind), let index = device(named: name, definition: definition, &effects)
        {
            turn(index, at: now, &effects) { $0.begin(situation) }
            deliverRelays(&effects)
        }
        wakeDue(by: now, &effects)
        return effects
    }
}

// Rules that hold between any two inputs. The cheap ones are asserted where they could break; the simulator checks all
// of them at every commit.

extension Engine {
    /// The first rule that the engine breaks, in words; nil if it breaks none.
    ///
    /// Reading images back is expensive. So only devices that changed since their last images are checked that way (see
    /// ``takeImages(all:)``).
    public func brokenInvariant() -> String? {
        if let rule = deadlines.brokenInvariant() { return "deadlines: " + rule }
        if storage != devices.reduce(0, { $0 + $1.storage }) {
            return "the storage of all devices is miscounted"
        }
        if hasPendingActivity != devices.contains(where: { $0.isFollowed }) {
            return "the followed devices are miscounted"
        }
        var maps = [LayoutMap?](repeating: nil, count: forms.count)
        for index in devices.indices {
            let rule = brokenInvariant(of: index) ?? brokenImage(of: index, &maps)
            if let rule { return "\(definition(of: index).kind)/\(devices[index].device.name): " + rule }
        }
        return nil
    }

    private func brokenInvariant(of index: Int) -> String? {
        let slot = devices[index]
        let device = slot.device
        if !isFiled(index) { return "its deadline is not the one that is filed" }
        if let due = device.nextDeadline, due.sequence >= sequence {
            return "a deadline has a number to come"
        }
        if self.index(of: device.name, Int(slot.definition)) != index { return "it is not found by its name" }
        if slot.storage != device.storage { return "its storage is miscounted" }
        if slot.isFollowed != device.hasActivity { return "it is not counted as it is followed" }
        if unseen.contains(index), device.wasShown { return "it was shown and may be replaced" }
        if (slot.keeping == .changed) != changed.contains(UInt32(index)) {
            return "its image is not taken with those that have changed"
        }
        if device.machine.lastHeard > now { return "it was heard later than now" }
        return nil
    }

    private func brokenImage(of index: Int, _ maps: inout [LayoutMap?]) -> String? {
        if devices[index].keeping == .kept { return nil }
        let definition = definition(of: index)
        let place = Int(devices[index].form)
        let map = maps[place] ?? LayoutMap(from: DefinitionLayout(of: definition), to: definition)
        maps[place] = map
        return devices[index].device.brokenImage(map: map, in: definition)
    }

    /// True if the queue of deadlines has the device's own next deadline.
    func isFiled(_ index: Int) -> Bool {
        deadlines.deadline(of: UInt32(index)) == devices[index].device.nextDeadline
    }

    /// True if each revision of a turn is one more than the one before it, or the first of its run.
    static func areConsecutive(_ effects: [DeviceEffect], after last: Int64) -> Bool {
        var last = last
        for case .update(let update) in effects {
            guard update.rev == (update.kind == .started ? 1 : last + 1) else { return false }
            last = update.rev
        }
        return true
    }
}
