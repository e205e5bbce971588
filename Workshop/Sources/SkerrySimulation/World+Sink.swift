import SkerryActivity
import SkerryGateway
import SkerryTesting
import SkerryValues

// The sink beside the broker: it takes deliveries and settles them sooner or later, or fails.

extension World {
    /// Passes waiting deliveries to the sink.
    func tellSink() throws(Violation) {
        guard let gateway else { return }
        let queue = gateway.queue
        if !gateway.unsettled.isEmpty, sinkRandom.chance(1, of: 2) {
            queue.settle(gateway.unsettled)
            self.gateway?.unsettled = []
        }
        if let healsAt = sinkHealsAt, healsAt > time.truth, step < plan.steps { return }
        sinkHealsAt = nil
        let deliveries = queue.take(at: gateway.twin.clock.now)
        if deliveries.isEmpty { return }
        let ids = deliveries.map { $0.id }
        if allows(.sinkFailure), sinkRandom.chance(1, of: 8) {
            counts[.sinkFailure] += 1
            sinkHealsAt =
                time.truth + .seconds(Int64(sinkRandom.below(sinkRandom.chance(1, of: 3) ? 7200 : 30)))
            queue.putBack(ids)
            return
        }
        for delivery in deliveries { try sinkJudge.take(delivery, &disk.contents.told) }
        note("the sink is told of \(deliveries.map { "\($0.update.id) \($0.update.rev)" })")
        if allows(.crashWhileTelling), sinkRandom.chance(1, of: 100) {
            counts[.crashWhileTelling] += 1
            try end("when the sink was told and had not settled")
        } else if sinkRandom.chance(1, of: 3) {
            self.gateway?.unsettled += ids
        } else {
            queue.settle(ids)
        }
    }
}
