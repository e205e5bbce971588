import SkerryCommand
import SkerryFiles
import SkerryGateway
import SkerryMosquitto
import SkerryPostgres
import SkerryValues

/// The steps from one number of partitions to another, each of which can be interrupted.
///
/// See docs/decisions/0055-partitions.md.
struct Repartition {
    private let settings: Settings
    private let config: String?
    private let former: Int
    private let count: Int
    private var stores = PartitionStores.files([])

    init(_ settings: Settings, config: String?, from former: Int, to count: Int) throws {
        self.settings = settings
        self.config = config
        self.former = former
        self.count = count
        if settings.store.isShared, let address = try settings.store.path() {
            stores = .shared(try PostgresMove(address))
        } else {
            stores = .files(try (0..<max(former, count)).map { try load($0).store.path() ?? "" })
        }
    }

    /// The settings of one partition, of those that there are or will be.
    private func load(_ partition: Int) throws -> Settings {
        let settings = ["partitions": "\(max(former, count))", "partition": "\(partition)"]
        return try Settings.load(.only(config), settings.mapValues { WrittenSetting($0, option: "--to") })
    }

    private func share(_ contents: [StoreContents], _ handled: [[HandledMessage]] = []) -> [NewPartition] {
        NewPartition.all(
            of: contents,
            among: count,
            handled: handled,
            prefix: settings.prefix,
            limits: settings.history,
            clock: SystemClock()
        )
    }

    /// The pause between two looks at what bridges have to do.
    private static let pause = Duration.milliseconds(200)

    /// The time for the end of bridges that have stored their mark.
    private static let patience = Duration.seconds(30)

    /// Prints what each partition would have.
    func show() throws {
        let found = try stores.count()
        guard found == former else { throw StoreFault("the store", isOf: found, not: former) }
        try stores.demand(former)
        show(share(try stores.look(at: former)))
    }

    private func show(_ partitions: [NewPartition]) {
        let rows = partitions.enumerated().map { number, partition in
            let waiting = partition.changes.enqueued.count + partition.changes.enqueuedDeliveries.count
            return [number, partition.changes.images.count, partition.moved.count, waiting].map { "\($0)" }
        }
        let table = TextTable(["PARTITION", "DEVICES", "FROM ELSEWHERE", "WAITING MESSAGES"], rows)
        Terminal.write(Array(table.text.utf8))
    }

    func run() async throws {
        let found = try stores.count()
        if found == count, try stores.cut(of: 0) == nil, count != former || stores.isUnfinished(among: count)
        {
            return try await tidy()
        }
        guard found == former else { throw StoreFault("the store", isOf: found, not: former) }
        try stores.demand(former)
        if count == former {
            try stores.resume(former)
            return Self.say(
                "the devices stay shared out among \(count): start the partitions that have ended"
            )
        }
        if try cuts().allSatisfy({ $0 == nil }) {
            for number in former..<max(former, count) {
                let filters = try load(number).chosenDefinitions().filters
                _ = try await errand(.begin(filters: filters), as: number)
            }
            _ = try await errand(.mark(PartitionCut(of: former)), as: nil)
        }
        let mark = try await waitForCuts()
        var handled: [[HandledMessage]] = []
        for number in former..<max(former, count) {
            handled.append(try await errand(.read(upTo: mark), as: number))
        }
        let partitions = try await replace { share($0, handled) }
        show(partitions)
        try await tidy()
    }

    private func cuts() throws(StoreFault) -> [Int64?] {
        var cuts: [Int64?] = []
        for number in 0..<former { cuts.append(try stores.cut(of: number)) }
        return cuts
    }

    /// Waits until all partitions have ended at a mark, and returns it.
    private func waitForCuts() async throws -> Int64 {
        var told: [Int] = []
        while true {
            let cuts = try cuts()
            let missing = cuts.indices.filter { cuts[$0] == nil }
            if missing.isEmpty, let mark = cuts[0] {
                if cuts.allSatisfy({ $0 == mark }) { return mark }
                throw StoreFault(
                    "the partitions have ended at different places, because a session was lost: let them go on "
                        + "(--to \(former)), and begin again"
                )
            }
            if missing != told { Self.say("waiting for \(Self.names(missing)) to reach the mark") }
            told = missing
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Replaces the stores as soon as all bridges have ended.
    private func replace(by share: ([StoreContents]) -> [NewPartition]) async throws -> [NewPartition] {
        let end = ContinuousClock.now + Self.patience
        while true {
            do {
                return try stores.replace(former, by: share)
            } catch let fault as StoreFault {
                if fault.sort != .taken || ContinuousClock.now > end { throw fault }
            }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Finishes what was interrupted, and removes what partitions that are no more have at the broker.
    private func tidy() async throws {
        try stores.finish(among: count)
        for number in count..<max(count, former) {
            _ = try await errand(.clear(partition: number), as: number)
        }
        Self.say("the devices are shared out among \(count): set 'partitions: \(count)', and start them")
    }

    /// Does something at the broker, if need be in the session of a partition, which ends with it if the partition is no more.
    private func errand(_ purpose: SessionErrand.Purpose, as number: Int?) async throws -> [HandledMessage] {
        var settings = try number.map { try load($0) } ?? settings
        settings.mqtt.firstRetry = .seconds(1)
        if number == nil { settings.mqtt.clientID += "-repartition" }
        if number.map({ $0 >= count }) ?? true { settings.mqtt.sessionExpiry = .zero }
        let bus = try settings.bus()
        let result = Found(Result<[HandledMessage], BusFault>?.none)
        let missing = Found([Int]())
        try bus.start(
            SessionErrand(
                purpose,
                prefix: settings.prefix,
                tell: { missing.put($0) },
                finish: {
                    result.put($0)
                    bus.stop()
                }
            )
        )
        if case .mark = purpose {
            // A mark of a call before this one may have ended some of them already.
            var (last, told) = ([Int](), [Int]())
            while result.finding == nil, try cuts().allSatisfy({ $0 == nil }) {
                let now = missing.finding
                if now == last, now != told, !now.isEmpty {
                    Self.say("waiting for \(Self.names(now)): start what is not running")
                    told = now
                }
                last = now
                try await Task.sleep(for: Self.pause)
            }
            bus.stop()
        }
        await bus.finished()
        return try result.finding?.get() ?? []
    }

    private static func names(_ partitions: [Int]) -> String {
        let list = partitions.map { "\($0)" }.joined(separator: ", ")
        return partitions.count == 1 ? "partition \(list)" : "partitions \(list)"
    }

    private static func say(_ text: String) { Terminal.complain("skerry: \(text)\n") }
}
