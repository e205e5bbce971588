import SkerryTesting

/// The broker of several hosts: one mosquitto on this machine, or NATS servers that are a cluster, one on each host.
enum FleetBroker: Sendable {
    case mosquitto(Broker, port: Int)
    case nats(NATSServers)

    /// Starts NATS servers with these subject mappings, or mosquitto if there are none.
    init(mappings: String?) throws {
        if let mappings {
            let places = (0..<Hosts.count)
                .map { NATSServers.Place(address: Hosts.address($0), launcher: Hosts.launcher($0)) }
            self = .nats(try NATSServers(places, mappings: mappings))
        } else {
            let port = try Broker.findFreePort()
            var settings = Broker.Settings()
            settings.isPersistent = true
            settings.lines = ["listener \(port) \(Hosts.here)", "max_queued_messages 0"]
            let broker = try Broker(settings)
            // It listens there a moment after it does on its own port.
            for _ in 0..<1000 where (try? BrokerClient(host: Hosts.here, port: port)) == nil {}
            self = .mosquitto(broker, port: port)
        }
    }

    /// The version that everybody speaks to it.
    var version: BrokerClient.Version {
        if case .nats = self { .v311 } else { .v5 }
    }

    /// The address of the one that the gateways of a host connect to.
    func address(of host: Int) -> (host: String, port: Int) {
        switch self {
        case .mosquitto(_, let port): (Hosts.here, port)
        case .nats(let servers): (Hosts.address(host), servers.ports[host])
        }
    }

    /// Kills the NATS server of a host, and starts it again after something else has happened; mosquitto is ended in good order, since it
    /// writes its sessions only then, and started at once.
    func restart(_ host: Int, after meanwhile: () throws -> Void) throws {
        switch self {
        case .mosquitto(let broker, _):
            broker.stop()
            try broker.start()
            try meanwhile()
        case .nats(let servers):
            servers.kill(host)
            try meanwhile()
            try servers.start(host)
        }
    }

    /// Connects to the one of a host; with an id it keeps the session.
    func connect(_ id: String = "", to host: Int = 0, patience: Int32 = 60_000) throws -> BrokerClient {
        let address = address(of: host)
        return try BrokerClient(
            host: address.host,
            port: address.port,
            clientID: id,
            sessionSeconds: id.isEmpty ? 0 : 7200,
            version: version,
            patience: patience
        )
    }
}

/// Publishes at one of the servers of a broker, at the next one if it fails, until one has acknowledged it.
final class FleetPublisher {
    /// The number of messages so far.
    private(set) var count = 0
    private let broker: FleetBroker
    private var client: BrokerClient?
    private var host = 0

    init(_ broker: FleetBroker) {
        self.broker = broker
    }

    func publish(_ topic: String, _ payload: String) throws {
        let end = ContinuousClock.now + .seconds(120)
        while true {
            do {
                let client = try client ?? broker.connect(to: host, patience: 3000)
                self.client = client
                try client.publish(topic, payload)
                count += 1
                return
            } catch  where ContinuousClock.now < end {
                client = nil
                host = (host + 1) % Hosts.count
            }
        }
    }
}
