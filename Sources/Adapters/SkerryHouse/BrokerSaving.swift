package import SkerryFiles
package import SkerryGateway
import SkerryValues
import Synchronization

/// The broker of a bridge, as far as another one can be chosen while the bridge runs.
package struct BrokerChoice: Sendable {
    /// The broker in use.
    package var present: ChosenBroker
    /// The file for another one; nil where there is no place for it.
    package var file: BrokerFile?
    /// True if the broker in use was chosen so.
    package var isChosen: Bool
    /// The option or the variable that outranks what is chosen; nil if there is none.
    package var outrankedBy: String?
    /// Connects to a broker as the bridge would, and tells whose the bridge's place is there.
    package var look:
        @Sendable (ChosenBroker, _ then: @escaping @Sendable (SessionScout.Finding) -> Void) -> Void
    /// Ends the bridge in good order, and has it begin again with the settings as they then are.
    package var beginAnew: @Sendable () -> Void
    /// One attempt at a time; what was kept is the last one of this process.
    fileprivate let turn = BrokerTurn()

    /// Makes the choice of a bridge.
    package init(
        present: ChosenBroker,
        file: BrokerFile?,
        isChosen: Bool,
        outrankedBy: String?,
        look:
            @escaping @Sendable (ChosenBroker, _ then: @escaping @Sendable (SessionScout.Finding) -> Void) ->
            Void,
        beginAnew: @escaping @Sendable () -> Void
    ) {
        self.present = present
        self.file = file
        self.isChosen = isChosen
        self.outrankedBy = outrankedBy
        self.look = look
        self.beginAnew = beginAnew
    }
}

/// The turn to try a broker.
private final class BrokerTurn: Sendable {
    private let isTaken = Mutex(false)

    /// Takes the turn; false if somebody has it.
    func take() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    func giveBack() { isTaken.withLock { $0 = false } }
}

/// Tries and keeps the broker that somebody chooses while the bridge runs.
struct BrokerSaving {
    private let choice: BrokerChoice?

    init(_ choice: BrokerChoice?) {
        self.choice = choice
    }

    /// The broker in use, without its password.
    var answer: HouseAnswer {
        guard let choice else { return .problem(.noPlaceForBroker) }
        var problem: HouseProblem?
        do throws(HouseProblem) { _ = try file() } catch { problem = error }
        return .found(choice.present.document(isChosen: choice.isChosen, problem))
    }

    /// Connects to a broker, keeps it if it lets the bridge in, and then has the bridge begin anew.
    func choose(_ given: GivenBroker, _ then: @escaping @Sendable (HouseAnswer) -> Void) {
        do throws(HouseProblem) {
            let (choice, file) = try file()
            guard choice.turn.take() else { throw .brokerIsTried }
            do throws(HouseProblem) {
                let broker = try choice.present.replaced(by: given, file)
                choice.look(broker) { finding in
                    do throws(HouseProblem) {
                        try Self.demand(finding)
                        try HouseProblem.told { () throws(FileError) in try file.write(broker) }
                        then(.found(broker.document(isChosen: true, nil)))
                        choice.beginAnew()
                    } catch {
                        file.forgetAuthority(of: broker, unlessOf: choice.present)
                        choice.turn.giveBack()
                        then(.problem(error))
                    }
                }
            } catch {
                choice.turn.giveBack()
                throw error
            }
        } catch {
            then(.problem(error))
        }
    }

    /// Has the bridge use the broker of the configuration again.
    func giveUp(_ then: @escaping @Sendable (HouseAnswer) -> Void) {
        do throws(HouseProblem) {
            let (choice, file) = try file()
            guard choice.isChosen else { throw .brokerNotChosen }
            guard choice.turn.take() else { throw .brokerIsTried }
            do throws(HouseProblem) {
                try HouseProblem.told { () throws(FileError) in try file.remove() }
            } catch {
                choice.turn.giveBack()
                throw error
            }
            file.forgetAuthority(of: choice.present, unlessOf: nil)
            then(.found([]))
            choice.beginAnew()
        } catch {
            then(.problem(error))
        }
    }

    private func file() throws(HouseProblem) -> (BrokerChoice, BrokerFile) {
        guard let choice, let file = choice.file else { throw .noPlaceForBroker }
        guard let place = choice.outrankedBy else { return (choice, file) }
        throw HouseProblem(
            .conflict,
            code: "broker-outranked",
            detail: "\(place) outranks what is chosen on the page: change it there, and start the bridge "
                + "again."
        )
    }

    private static func demand(_ finding: SessionScout.Finding) throws(HouseProblem) {
        switch finding {
        case .isFree: return
        case .isTaken(let reason):
            throw HouseProblem(.conflict, code: "broker-taken", detail: HouseProblem.sentence(reason))
        case .noBroker(let fault): throw fault.problem
        }
    }
}

extension ChosenBroker {
    /// The broker that somebody gives in place of this one.
    ///
    /// The password in use goes to no other place than now: whoever may choose a broker shall not read it at one of his own.
    fileprivate func replaced(
        by given: GivenBroker,
        _ place: BrokerFile
    ) throws(HouseProblem) -> ChosenBroker {
        var broker = ChosenBroker(host: given.host, port: given.port, username: given.username)
        switch (given.security, security) {
        case (.none, _): broker.security = .none
        case (.system, _): broker.security = .system
        case (.authority(nil), .authority): broker.security = security
        case (.authority(nil), _):
            throw HouseProblem(
                .wrong,
                code: "no-authority",
                detail: "Give the certificates of the authority."
            )
        case (.authority(let certificates?), _):
            let file = try HouseProblem.told { () throws(FileError) in try place.keepAuthority(certificates) }
            broker.security = .authority(file: file)
        }
        switch given.password {
        case nil where password == nil || given.username == nil: break
        case nil:
            guard broker.host == host, broker.port == port, broker.security == security else {
                place.forgetAuthority(of: broker, unlessOf: self)
                throw HouseProblem(
                    .wrong,
                    code: "password-needed",
                    detail: "The password in use is for \(host):\(port) as it is reached now: give it again."
                )
            }
            broker.password = password
        case ""?: break
        case let text?: broker.password = .text(text)
        }
        return broker
    }

    /// The broker as JSON, without its password; with the problem that keeps others from being chosen, if there is one.
    fileprivate func document(isChosen: Bool, _ problem: HouseProblem?) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.beginObject()
        writer.member("host", host)
        writer.member("port", port)
        if let username { writer.member("username", username) }
        writer.member("hasPassword", password != nil)
        switch security {
        case .none: writer.member("tls", "none")
        case .system: writer.member("tls", "system")
        case .authority(let file):
            writer.member("tls", "authority")
            writer.member("authorityFile", file)
        }
        writer.member("isChosen", isChosen)
        if let problem { writer.member("fixed", problem.detail) }
        writer.endObject()
        return writer.bytes
    }
}

extension BusFault {
    /// The problem of somebody who chose the broker.
    fileprivate var problem: HouseProblem {
        func problem(code: String) -> HouseProblem {
            HouseProblem(.conflict, code: code, detail: HouseProblem.sentence(message))
        }
        return switch kind {
        case .unknownHost: problem(code: "broker-unknown")
        case .unreachable: problem(code: "broker-unreachable")
        case .security: problem(code: "broker-insecure")
        case .notAuthorized: problem(code: "broker-login")
        case .refused, .takenOver: problem(code: "broker-refused")
        case .connectionLost, .notCommitted: problem(code: "broker-lost")
        case .configuration: problem(code: "broker-settings")
        }
    }
}

extension HouseProblem {
    /// A line of a log as a sentence.
    static func sentence(_ line: String) -> String {
        line.prefix(1).uppercased() + line.dropFirst() + (line.hasSuffix("?") ? "" : ".")
    }

    fileprivate static let noPlaceForBroker = HouseProblem(
        .conflict,
        code: "no-place-for-broker",
        detail: "This bridge has no database of its own, beside which it could keep a broker: write it "
            + "under 'mqtt' in its configuration file."
    )

    fileprivate static let brokerIsTried = HouseProblem(
        .conflict,
        code: "broker-being-tried",
        detail: "A broker is being tried, or the bridge begins anew with one: wait a moment."
    )

    fileprivate static let brokerNotChosen = HouseProblem(
        .conflict,
        code: "broker-not-chosen",
        detail: "The broker is the one of the configuration already."
    )
}
