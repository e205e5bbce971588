import Logging
import SkerryGateway

/// The parts of a bridge of which its services are made.
struct BridgeParts {
    /// With name and password for the broker.
    let settings: Settings
    let feed: DefinitionFeed
    let options: BridgeOptions
    /// The store, which is open.
    let store: GatewayStore
    let logger: Logger

    /// A log of failures, which it keeps in the store.
    var failures: FailureLog { FailureLog(store.phones, logger: logger) }
}
