import SkerryFiles
import SkerryGateway
import SkerryHouse
import SkerryMosquitto

/// The broker that an administrator may choose on the page, which is read after the configuration file and in place of what that
/// says about the broker.
struct SettingsBroker {
    /// The file for it; nil where there is no place for one.
    let file: BrokerFile?
    /// True if there is one.
    let isChosen: Bool
    /// The option or the variable that outranks it; nil if there is none.
    let outrankedBy: String?
    let reader: SettingsReader

    /// Looks for the file beside the database.
    ///
    /// - Throws: why it can't be used.
    init(
        _ reader: SettingsReader,
        _ store: SettingsStore,
        _ partitions: SettingsPartitions?,
        configuration: String?
    ) throws(SettingFault) {
        outrankedBy = reader.placeAboveFile(BrokerFile.keys)
        // Another broker must not get the user and the password of this one.
        let isElsewhere = reader.placeAboveFile(BrokerFile.address) != nil
        // Another gateway, or partition, would not know of it.
        let path =
            store.isShared || partitions != nil ? nil : try? store.path(ofBridgeWith: configuration)
        file = path.flatMap { $0 }.map { BrokerFile(FileBesideStore.broker.path(beside: $0)) }
        do throws(FileError) {
            let chosen = isElsewhere ? nil : try file?.read()
            isChosen = chosen != nil
            self.reader = chosen.map { reader.replacing(BrokerFile.keys, with: $0) } ?? reader
        } catch {
            throw SettingFault(message: "\(error)")
        }
    }
}

extension Settings {
    /// The broker as the page shows and changes it.
    ///
    /// - Parameters:
    ///   - options: The bridge, whose place at another broker is looked at.
    ///   - progress: The progress of its store, as it was at the start.
    ///   - end: Ends the bridge so that it begins anew.
    /// - Returns: the choice.
    func brokerChoice(_ options: BridgeOptions, _ progress: StoreProgress?, _ end: EarlyEnd) -> BrokerChoice {
        BrokerChoice(
            present: mqtt.broker,
            file: broker.file,
            isChosen: broker.isChosen,
            outrankedBy: broker.outrankedBy,
            look: { [mqtt] broker, then in
                let bus = mqtt.reaching(broker).surveyBus
                do throws(BusFault) {
                    try bus.start(
                        SessionScout(options, progress: progress) {
                            then($0)
                            bus.stop()
                        }
                    )
                } catch {
                    then(.noBroker(error))
                }
            },
            beginAnew: { end.beginAnew() }
        )
    }
}

extension MosquittoOptions {
    /// The broker of these options.
    fileprivate var broker: ChosenBroker {
        var broker = ChosenBroker(host: host, port: port)
        if case .text(let name)? = username { broker.username = name }
        switch password {
        case .text(let text)?: broker.password = .text(text)
        case .file(let file)?: broker.password = .file(file)
        case nil: break
        }
        if let tls { broker.security = tls.authorityFile.map { .authority(file: $0) } ?? .system }
        return broker
    }

    /// These options for another broker.
    fileprivate func reaching(_ broker: ChosenBroker) -> MosquittoOptions {
        var options = self
        options.host = broker.host
        options.port = broker.port
        options.username = broker.username.map { .text($0) }
        switch broker.password {
        case .text(let text)?: options.password = .text(text)
        case .file(let file)?: options.password = .file(file)
        case nil: options.password = nil
        }
        var tls = options.tls ?? TLS()
        tls.isInsecure = false
        switch broker.security {
        case .none: options.tls = nil
        case .system:
            tls.authorityFile = nil
            options.tls = tls
        case .authority(let file):
            tls.authorityFile = file
            options.tls = tls
        }
        return options
    }
}
