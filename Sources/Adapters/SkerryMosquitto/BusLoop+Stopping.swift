import SkerryGateway
import SkerryValues

extension BusLoop {
    /// Continues the stopping: remaining publications, then the farewell, then DISCONNECT.
    func advanceStopping() {
        guard case .connected = phase else {
            phase = .ended
            return
        }
        let now = timeSinceBoot()
        switch stopping {
        case .no:
            stopping = .draining(deadline: now + options.stopLimit)
            advanceStopping()
        case .draining(let deadline):
            // The window fills in `send()`; an empty one after that means that nothing is left.
            send()
            guard case .connected = phase else { return advanceStopping() }
            guard window.isEmpty || now >= deadline else { return }
            stopping = .leaving(deadline: max(deadline, now + options.stopLimit))
            if let farewell = handler.farewell() { publish(farewell) }
            advanceStopping()
        case .leaving(let deadline):
            guard window.isEmpty || now >= deadline else { return }
            client.disconnect()
            send()
            phase = .ended
        }
    }
}
