import Logging
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryPhones
import SkerryPush
import SkerrySinks
import SkerryValues

/// The services of `skerry run` that send activities to further sinks.
struct SinkServices {
    /// The queues that the bridge fills.
    private(set) var queues: [SinkQueue] = []
    /// The services that run as long as the bus.
    private(set) var services: [Companion] = []
    private var desks: [SinkDesk] = []

    /// Makes the services that the settings ask for.
    init(_ parts: BridgeParts) throws(ServiceFault) {
        let (settings, feed) = (parts.settings, parts.feed)
        let (failures, logger) = (parts.failures, parts.logger)
        let words = SinkWords(language: settings.language?.tag)
        let layouts = SinkLayouts(
            zone: { feed.location.zone },
            words: words,
            page: settings.http.page
        ) { kind in
            feed.definitions.first { $0.kind.hasSameCodePoints(as: kind) }?.island
        }
        for sink in settings.sinks {
            let access = try sink.access()
            let queue = SinkQueue(name: sink.name, options: parts.options)
            let clock = SystemClock()
            let scheduler = SinkScheduler(
                sink.service,
                layouts: layouts,
                alertFreshness: settings.alertFreshness,
                at: clock.now
            )
            let desk = SinkDesk(scheduler, queue: queue, clock: clock, failures: failures, logger: logger)
            desk.setAudience(feed.audience, quiet: feed.quiet)
            let sender: SinkSender<SystemClock>
            do throws(WebFault) {
                sender = try SinkSender(desk: desk, access: access, clock: clock, logger: logger)
            } catch {
                throw ServiceFault(message: "sinks.\(sink.name): \(error.message)")
            }
            feed.onAudience { desk.setAudience($0, quiet: $1) }
            queues.append(queue)
            desks.append(desk)
            services.append { await sender.run() }
            logger.info(.sinkBegins, "activities go to \(sink.name) (\(access.host))")
        }
    }

    /// The last decisions about the activities of a device.
    func decisions(kind: String, device: String) -> [PhoneDecision] {
        desks.flatMap { $0.decisions(kind: kind, device: device) }
    }
}
