import SkerryDevice
package import SkerryEngine
package import SkerryValues

/// The image of a device that was set aside.
public struct SetAsideImage: Sendable {
    package var image: DeviceImage
    /// The moment at which the device was set aside.
    package var at: Timestamp

    /// Makes it of both.
    package init(_ image: DeviceImage, at: Timestamp) { (self.image, self.at) = (image, at) }
}

/// All that a store has of devices.
public struct StoreContents: Sendable {
    package var state: StoredState
    /// The devices that were set aside.
    package var setAside: [SetAsideImage]
    /// The runs that have ended, in their order.
    package var ended: [EndedActivity]
    /// The stages of runs, in their order.
    package var stages: [RunStage]

    /// Makes it of its parts.
    package init(
        _ state: StoredState,
        setAside: [SetAsideImage],
        ended: [EndedActivity],
        stages: [RunStage]
    ) {
        self.state = state
        self.setAside = setAside
        self.ended = ended
        self.stages = stages
    }
}

/// The contents of one store, once its partition is one of another number.
package struct NewPartition: Sendable {
    /// All of it, as one batch for an empty store.
    package var changes: StoreChanges
    /// The devices that were set aside.
    package var setAside: [SetAsideImage] = []
    /// True if no commit is missing in the stores that it comes from.
    package var isSure: Bool
    /// Its devices that another partition had, and which one.
    package var moved: [(device: DeviceKey, from: Int)] = []

    /// Shares the contents of all stores out among another number of partitions.
    ///
    /// All publish in a new epoch, so that no revision has two contents. Waiting snapshots are left out: each bridge compares
    /// what the broker retains with its devices, and publishes what differs.
    ///
    /// - Parameters:
    ///   - stores: The contents of the stores, by the numbers of the former partitions.
    ///   - count: The new number of partitions.
    ///   - handled: What the sessions of further partitions have left behind, by the numbers from those of the stores on.
    ///   - prefix: The common beginning of all published topics.
    ///   - limits: The limits of the history.
    ///   - clock: The source of the time, for the epoch.
    /// - Returns: the shares by the numbers of the new partitions.
    package static func all(
        of stores: [StoreContents],
        among count: Int,
        handled: [[HandledMessage]],
        prefix: String,
        limits: HistoryLimits,
        clock: some GatewayClock
    ) -> [NewPartition] {
        var past = StoredState()
        past.epoch = stores.compactMap(\.state.epoch).max()
        past.mayHaveForgotten = true
        let epoch = past.nextEpoch(at: clock.now, boot: clock.boot)
        let common = commonProgress(of: stores, at: clock.now)
        var shares = (0..<count).map { number in
            var progress = common
            let own = number < stores.count ? stores[number].state.progress : nil
            progress.owner = own?.owner ?? BridgeOptions(version: "").newOwner
            let further = number - stores.count
            let session = own?.handled ?? (handled.indices.contains(further) ? handled[further] : [])
            progress.handled = common.handled + session.filter { $0.packet != 0 }
            var changes = StoreChanges(epoch: epoch, progress: progress)
            changes.historyLimits = limits
            let isSure = !stores.contains { $0.state.mayHaveForgotten }
            return NewPartition(changes: changes, isSure: isSure)
        }
        for (former, store) in stores.enumerated() {
            share(store, ofPartition: former, among: &shares, prefix: prefix)
        }
        for number in shares.indices { shares[number].arrange(layouts: stores.flatMap(\.state.layouts)) }
        assert(stores.allSatisfy { $0.state.epoch.map { $0 < epoch } ?? true }, "an epoch comes again")
        assert(isWhole(shares, of: stores), "a part of a store is lost, or is in two shares")
        return shares
    }

    /// True if the shares have as much as the stores that they come from; publications may be left out.
    private static func isWhole(_ shares: [NewPartition], of stores: [StoreContents]) -> Bool {
        func sum<Part>(_ parts: [Part], _ count: (Part) -> Int) -> Int { parts.reduce(0) { $0 + count($1) } }
        return sum(shares) { $0.changes.images.count } == sum(stores) { $0.state.devices.count }
            && sum(shares) { $0.changes.enqueuedDeliveries.count }
                == sum(stores) { $0.state.deliveries.count }
            && sum(shares) { $0.changes.enqueued.count } <= sum(stores) { $0.state.publications.count }
            && sum(shares) { $0.changes.ended.count } == sum(stores) { $0.ended.count }
            && sum(shares) { $0.changes.stages.count } == sum(stores) { $0.stages.count }
            && sum(shares) { $0.setAside.count } == sum(stores) { $0.setAside.count }
    }

    /// The progress that all go on from: they count further than any store has, and since the first one that ended.
    private static func commonProgress(of stores: [StoreContents], at now: Timestamp) -> StoreProgress {
        let all = stores.compactMap(\.state.progress)
        let first = all.min { $0.aliveAt < $1.aliveAt }
        var progress = StoreProgress(
            aliveAt: first?.aliveAt ?? now,
            sequence: all.map(\.sequence).max() ?? 0,
            lastPublication: all.map(\.lastPublication).max() ?? 0,
            seeksStrays: all.contains(where: \.seeksStrays)
        )
        progress.boot = first?.boot
        progress.newestLostRun = all.map(\.newestLostRun).max() ?? .min
        let epochs = all.flatMap(\.formerEpochs) + stores.compactMap(\.state.epoch)
        progress.formerEpochs = Set(epochs).sorted()
        // The sender of a message over HTTP repeats it to the partition that has the device then.
        progress.handled = all.flatMap(\.handled).filter { $0.packet == 0 }
        return progress
    }

    /// Gives what one store has to those that have its devices now.
    private static func share(
        _ store: StoreContents,
        ofPartition former: Int,
        among shares: inout [NewPartition],
        prefix: String
    ) {
        let count = shares.count
        func place(_ device: some StringProtocol) -> Int {
            Partition.number(of: String(device), among: count)
        }
        for image in store.state.devices {
            let number = place(image.name)
            shares[number].changes.images.append(image)
            if number == former { continue }
            shares[number].moved.append((DeviceKey(kind: image.kind, name: image.name), former))
        }
        for device in store.setAside { shares[place(device.image.name)].setAside.append(device) }
        for publication in store.state.publications {
            let levels =
                publication.topic.hasPrefix("\(prefix)/")
                ? publication.topic.dropFirst(prefix.count + 1)
                    .split(separator: "/", omittingEmptySubsequences: false) : []
            if publication.isRetained, !publication.payload.isEmpty, !levels.isEmpty { continue }
            // What a device publishes elsewhere goes on from where its session does, or from any.
            let number = levels.count > 2 ? place(levels[1]) : former % count
            shares[number].changes.enqueued.append(publication)
        }
        for delivery in store.state.deliveries {
            shares[place(delivery.device)].changes.enqueuedDeliveries.append(delivery)
        }
        for run in store.ended { shares[place(run.device)].changes.ended.append(run) }
        for stage in store.stages {
            // `<kind>/<device>/<run>`
            let levels = stage.activity.split(separator: "/", omittingEmptySubsequences: false)
            shares[place(levels.dropFirst().dropLast().joined(separator: "/"))].changes.stages.append(stage)
        }
    }

    /// Puts what has come from several stores in order, and numbers it.
    private mutating func arrange(layouts: [DefinitionLayout]) {
        assert(changes.layouts.isEmpty, "a share is arranged twice")
        let used = Set((changes.images + setAside.map(\.image)).map(\.layout))
        let known = Dictionary(layouts.map { ($0.id, $0) }) { first, _ in first }
        changes.layouts = known.values.filter { used.contains($0.id) }
        changes.ended.sort { $0.endedAt < $1.endedAt }
        changes.stages.sort { $0.from < $1.from }
        for place in changes.enqueued.indices {
            changes.progress.lastPublication += 1
            changes.enqueued[place].id = changes.progress.lastPublication
        }
        for place in changes.enqueuedDeliveries.indices {
            changes.progress.lastPublication += 1
            changes.enqueuedDeliveries[place].id = changes.progress.lastPublication
        }
        let given = changes.enqueued.count + changes.enqueuedDeliveries.count
        assert(changes.progress.lastPublication >= given, "a share has more ids than were given")
    }

    /// The plan by which a store writes it.
    package var plan: CommitPlan {
        CommitPlanner(isSure ? .full : .normal, layouts: []).plan(for: changes)
    }
}
