import ArgumentParser
import Logging
import SkerryCommand
import SkerryEngine
import SkerryFiles
import SkerryGateway

/// The start of a bridge without a definition of its own: it listens, and the page says what is there.
enum NoDefinitions {
    /// Refuses to start without definitions where a missing folder would end what is kept.
    ///
    /// A bridge forgets devices without a definition, and definitions may be missing because a drive is, or because the bridge
    /// was started in another folder.
    ///
    /// - Throws: an exit code, after saying what to do.
    static func demandNothingIsLost(_ settings: Settings, _ feed: DefinitionFeed, store: String?) throws {
        guard feed.hasNoneOfItsOwn, !settings.isToldToAdopt else { return }
        let places = settings.placesOfDefinitions
        guard !settings.store.isShared, settings.partitions == nil else {
            // Another gateway, or partition, has definitions, and this one would end their devices.
            throw complain("there is no definition (*.yaml, *.skd) in \(places)")
        }
        guard let store, let state = try? StoreReading.look(at: store) else { return }
        let devices = state.devices.filter { !feed.hasKind($0.kind) }
        guard let first = devices.first else { return }
        let others = devices.count > 1 ? " and \(devices.count - 1) more" : ""
        throw complain(
            """
            there is no definition (*.yaml, *.skd) in \(places), and \(store) has \
            \(first.kind)/\(first.name)\(others), which would be forgotten: put the definitions back, or run \
            once with --definitions auto to start without them
            """
        )
    }

    /// Says in the log what happens without a definition; nothing if there is one.
    static func tell(_ settings: Settings, _ feed: DefinitionFeed, _ logger: Logger) {
        guard feed.definitions.isEmpty else { return }
        let next =
            settings.adoptsDefinitions
            ? "devices that are recognised beyond doubt get one of those that come with Skerry"
            : ShippedDefinitions.folder == nil && (settings.isToldToAdopt || settings.definitions.isEmpty)
                ? "no device is shown until one is put there, because those that come with Skerry are not beside the program"
                : "no device is shown until one is put there, or 'definitions' has 'auto' in the settings"
        let places = settings.definitions.isEmpty ? "" : " in \(settings.definitions.joined(separator: ", "))"
        logger.notice(
            .noDefinitions,
            "there is no definition\(places) yet: \(next); the page shows what is heard"
        )
    }

    private static func complain(_ message: String) -> ExitCode {
        Terminal.complain("skerry: \(message)\n")
        return .badInput
    }
}
