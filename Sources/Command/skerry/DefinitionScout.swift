import Logging
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryMosquitto
import SkerryValues

/// Listens for devices that the definitions which come with Skerry recognise, while a bridge runs.
///
/// It has a connection of its own, and subscribes to the topics of `recognise:` only.
final class DefinitionScout: BusHandler {
    private let own: [UInt8]
    private let logger: Logger
    private let isRun: (String) -> Bool
    private let adopt: (String) -> Void
    private let entries: [(outline: ShippedShelf.Outline, recognition: Recognition)]
    /// The kinds that are likely and were told.
    private var told: Set<String> = []
    /// The kinds that were handed over to be adopted, each once.
    private var adopting: Set<String> = []

    /// Makes a scout.
    ///
    /// - Parameters:
    ///   - adopted: The definitions that come with Skerry.
    ///   - prefix: The beginning of the bridge's own topics.
    ///   - logger: Where finds are told.
    ///   - isRun: Whether the bridge runs a definition of this kind.
    ///   - adopt: Called with a kind of which there is a device beyond doubt.
    init(
        _ adopted: AdoptedDefinitions,
        prefix: String,
        logger: Logger,
        isRun: @escaping (String) -> Bool,
        adopt: @escaping (String) -> Void
    ) {
        own = Array("\(prefix)/".utf8)
        self.logger = logger
        self.isRun = isRun
        self.adopt = adopt
        entries = adopted.candidates.flatMap { outline in
            (outline.definition?.recognition ?? []).map { (outline, $0) }
        }
    }

    func handle(_ batch: MessageBatch) -> BatchOutcome {
        for position in 0..<batch.count { take(batch[position]) }
        return .committed
    }

    private func take(_ message: MessageBatch.Message) {
        if message.topic.starts(with: own) { return }
        for (outline, recognition) in entries {
            guard let definition = outline.definition,
                recognition.certainty == .certain
                    ? !adopting.contains(definition.kind) : !told.contains(definition.kind),
                !isRun(definition.kind)
            else { continue }
            let limits = JSONLimits(bytes: DeviceSearch.payloadLimit)
            guard
                let sighting = recognition.sightings(in: message.topic, message.payload, limits: limits).first
            else { continue }
            let topic = String(decoding: message.topic, as: UTF8.self)
            let device = "\(definition.kind)/\(sighting.device)"
            if sighting.certainty == .certain {
                adopting.insert(definition.kind)
                logger.notice(
                    .definitionAdopted,
                    "found \(device) by \(topic): the definition \(outline.path) is adopted"
                )
                adopt(definition.kind)
            } else {
                told.insert(definition.kind)
                logger.notice(
                    .deviceGuessed,
                    "\(topic) may be \(device): if it is, choose 'Use it' on the page, "
                        + "or copy \(outline.path) to your definitions"
                )
            }
        }
    }

    let sleepLimit: Interval? = nil

    func wake() {}

    func subscriptionPlan() -> SubscriptionPlan {
        let filters = Set(entries.map(\.recognition.filter.subscription)).sorted()
        // As own topics, because these are asked for with QoS 0 and with what the broker retains.
        return SubscriptionPlan(filters: [], own: filters, wantsRetained: true)
    }

    func subscribed(_ outcomes: [SubscriptionOutcome]) {
        for outcome in outcomes where outcome.granted == nil {
            logger.warning(
                .discoveryRefused,
                "devices at \(outcome.filter) can't be found: the broker refuses: \(outcome.reason)"
            )
        }
    }

    // The bridge's own connection tells why.
    func disconnected(_ fault: BusFault) {}
}

extension DefinitionScout {
    /// A service beside the bus of a bridge: a scout on a connection of its own, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - settings: The settings of the bridge, with its secrets.
    ///   - feed: The definitions of the bridge.
    ///   - adopted: The definitions that come with Skerry.
    ///   - logger: Where finds are told.
    ///   - wake: Called when there are new definitions.
    /// - Returns: the service.
    static func companion(
        _ settings: Settings,
        _ feed: DefinitionFeed,
        _ adopted: AdoptedDefinitions,
        _ logger: Logger,
        wake: @escaping @Sendable () -> Void
    ) -> Companion {
        {
            let bus = settings.mqtt.forSearch.surveyBus
            try bus.start(
                DefinitionScout(
                    adopted,
                    prefix: settings.prefix,
                    logger: logger,
                    isRun: { feed.hasKind($0) },
                    adopt: { feed.adopt($0, wake) }
                )
            )
            await withTaskCancellationHandler {
                await bus.finished()
            } onCancel: {
                bus.stop()
            }
        }
    }
}
