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
        let key: ProviderKey
        do throws(ProviderKey.Fault) {
            key = try ProviderKey(path: keyFile)
        } catch {
            throw ServiceFault(message: "push.apns.key: \(error.message)")
        }
        if key.isOpenToAll {
            logger.warning("push.apns.key: \(keyFile): everybody on this machine can read it: chmod 600")
        }
        var sender = APNSSender(bundleID: bundleID)
        if let host {
            sender.production = APNSHost(push: host, channels: host)
            sender.development = sender.production
        }
        var options = WebClientOptions()
        options.authorityFile = authorityFile
        let client: APNSClient
        do throws(WebFault) {
            client = try APNSClient(options)
        } catch {
            throw ServiceFault(message: error.message)
        }
        return PushService(
            desk: desk,
            transport: client,
            sender: sender,
            identity: ProviderIdentity(key: key, keyID: keyID, teamID: teamID),
            tokenPath: storePath.map { "\($0).apns-token" },
            clock: SystemClock(),
            clockIsKnown: { queue.clockIsKnown },
            logger: logger
        )
    }
}
