import Logging
import SkerryGateway
import SkerryPush

extension SettingsPush {
    /// Makes the service that sends pushes.
    ///
    /// - Parameters:
    ///   - desk: Says what is sent.
    ///   - queue: Knows whether the bridge knows the time.
    ///   - storePath: The database; the provider token is kept beside it. Nil when nothing is kept.
    ///   - logger: Where it tells people what happens.
    /// - Returns: the service, which is not running yet.
    /// - Throws: a `ServiceFault` when the key can't be read, or libcurl does not do.
    func service(
        desk: PhoneDesk,
        queue: SinkQueue,
        storePath: String?,
        logger: Logger
    ) throws -> PushService<SystemClock> {
        let apps = try self.apps.enumerated().map { number, app in
            let key = try key(of: app, logger)
            let identity = ProviderIdentity(key: key, keyID: app.keyID, teamID: app.teamID)
            var sender = APNSSender(bundleID: app.bundleID)
            if let host {
                sender.production = APNSHost(push: host, channels: host)
                sender.development = sender.production
            }
            let suffix = number == 0 ? "" : ".\(app.place.split(separator: ".").last ?? "")"
            return PushApp(
                transport: try client(),
                sender: sender,
                identity: identity,
                tokenPath: storePath.map { "\($0).apns-token\(suffix)" }
            )
        }
        return PushService(
            desk: desk,
            apps: apps,
            clock: SystemClock(),
            clockIsKnown: { queue.clockIsKnown },
            logger: logger
        )
    }

    /// Reads the keys, as the service does.
    ///
    /// - Throws: a `ServiceFault` when one can't be read.
    func demandKeys(_ logger: Logger) throws {
        for app in apps { _ = try key(of: app, logger) }
    }

    /// A connection of its own for each app: Apple takes the tokens of one team on each.
    private func client() throws -> APNSClient {
        var options = WebClientOptions()
        options.authorityFile = authorityFile
        do throws(WebFault) {
            return try APNSClient(options)
        } catch {
            throw ServiceFault(message: error.message)
        }
    }

    private func key(of app: App, _ logger: Logger) throws -> ProviderKey {
        let key: ProviderKey
        do throws(ProviderKey.Fault) {
            key = try ProviderKey(path: app.keyFile)
        } catch {
            throw ServiceFault(message: "\(app.place).key: \(error.message)")
        }
        if key.isOpenToAll {
            logger.warning(
                .secretOpen,
                "\(app.place).key: \(app.keyFile): everybody on this machine can read it: chmod 600"
            )
        }
        return key
    }
}
