import Logging
import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryValues

extension Bridge {
    /// Gives each further sink an update: once it is stored, and again after a restart if need be.
    func deliver(_ update: ActivityUpdate, of device: String, kind: String) {
        if sinks.isEmpty { return }
        let place = deliveryPlaces[ExactText(update.id)]
        if place == nil { deliveryPlaces[ExactText(update.id)] = changes.enqueuedDeliveries.count }
        for (number, sink) in sinks.enumerated() {
            lastID += 1
            var delivery = Delivery(id: lastID, sink: sink.name, kind: kind, device: device, update: update)
            if let place {
                delivery.takeOver(changes.enqueuedDeliveries[place + number])
                changes.enqueuedDeliveries[place + number] = delivery
            } else {
                if let earlier = sink.unsettled(of: update.id) { delivery.takeOver(earlier) }
                changes.enqueuedDeliveries.append(delivery)
            }
        }
    }

    /// Returns whether an alert is too late to be sent; counts late alerts.
    func isLate(_ alert: ActivityAlert, of effect: Effect, at now: Timestamp) -> Bool {
        guard now - effect.at > options.alertFreshness else { return false }
        health.lateAlerts += 1
        mention(
            .alertLate,
            "\(effect.kind)/\(effect.device): an alert of \(effect.at.flooredSeconds) is too late and is not sent: \(alert.title)",
            kind: "alerts that came too late",
            at: now
        )
        return true
    }

    /// Hands deliveries over that the store has taken.
    func handOver(_ deliveries: [Delivery]) {
        if deliveries.isEmpty { return }
        deliveryPlaces.removeAll(keepingCapacity: true)
        for (number, sink) in sinks.enumerated() {
            // Safe because each activity has one delivery for each sink, in the order of the sinks, see `deliver`.
            sink.put(stride(from: number, to: deliveries.count, by: sinks.count).map { deliveries[$0] })
        }
    }

    /// Hands the unsettled deliveries of the last process to the sinks.
    func restoreDeliveries(_ deliveries: [Delivery]) {
        for sink in sinks { sink.put(deliveries.filter { $0.sink == sink.name }) }
        for delivery in deliveries {
            lastID = max(lastID, delivery.id)
            if !sinks.contains(where: { $0.name == delivery.sink }) {
                changes.settledDeliveries.append(delivery.id)
            }
        }
    }

    /// Shows the sinks each activity as it is, once after the start and when the store has all of it.
    func showActivities() {
        guard showsActivities else { return }
        showsActivities = false
        var deliveries: [Delivery] = []
        engine.forEachDevice { kind, device in
            guard let update = device.lastRevision else { return }
            lastID += 1
            var delivery = Delivery(id: lastID, sink: "", kind: kind, device: device.name, update: update)
            delivery.isStored = false
            deliveries.append(delivery)
        }
        for sink in sinks {
            sink.show(
                deliveries.map {
                    var delivery = $0
                    delivery.sink = sink.name
                    return delivery
                }
            )
        }
    }

    /// Drops the oldest ended activities if the store has refused too many; running ones stay.
    func thinOutDeliveries() {
        let ended = changes.enqueuedDeliveries.count { $0.update.phase == .ended }
        var excess = ended - options.outboxLimit * sinks.count
        guard excess > 0 else { return }
        dropped += UInt64(excess)
        // The deliveries of an activity end together, so the excess is a multiple of the sinks, and whole groups go.
        changes.enqueuedDeliveries.removeAll { delivery in
            guard excess > 0, delivery.update.phase == .ended else { return false }
            excess -= 1
            return true
        }
        deliveryPlaces.removeAll(keepingCapacity: true)
        for place in stride(from: 0, to: changes.enqueuedDeliveries.count, by: sinks.count) {
            deliveryPlaces[ExactText(changes.enqueuedDeliveries[place].update.id)] = place
        }
    }
}
