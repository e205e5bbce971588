import SkerryActivity
import SkerryDevice
import SkerryEngine

// Timelines for those who watch, such as the readers of the page. What MQTT gets is among the effects of the engine.

extension Bridge {
    /// Tells the timelines of all devices to readers that have just come.
    func lookForReaders() {
        guard watcher.look() else { return }
        engine.forEachDevice { kind, device in
            if device.activity != nil { tellTimeline(of: DeviceKey(kind: kind, name: device.name)) }
        }
    }

    /// Tells the timelines that may have changed with some effects.
    func tellTimelines(after effects: [Effect]) {
        var changed: [DeviceKey] = []
        for effect in effects {
            switch effect.what {
            case .update, .moved:
                let device = DeviceKey(kind: effect.kind, name: effect.device)
                if changed.last != device { changed.append(device) }
            case .publication, .dismissed, .foretold, .availability, .forgotten, .refused, .fault: break
            }
        }
        for device in changed { tellTimeline(of: device) }
    }

    private func tellTimeline(of device: DeviceKey) {
        watcher.tell(.foretold(kind: device.kind, device: device.name, timeline(of: device)))
    }

    /// The timeline of a device; nil if nothing is foretold of it.
    func timeline(of device: DeviceKey) -> ActivityTimeline? {
        let timeline = engine.timeline(kind: device.kind, device: device.name)
        return timeline.flatMap { $0.foretells ? $0 : nil }
    }
}
