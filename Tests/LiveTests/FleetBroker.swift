import SkerryTesting

/// The broker of several hosts: one mosquitto on this machine, or NATS servers that are a cluster, one on each host.
enum FleetBroker {
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
            self = .mosquitto(try Broker(settings), port: port)
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
}
