import ArgumentParser
import Glibc
import SkerryCommand
import SkerryFiles
import SkerryMosquitto
import SkerryValues
import Synchronization

/// The options of commands that ask a running bridge about a device, and the question itself.
struct DeviceQuestion: ParsableArguments {
    @OptionGroup var broker: BrokerOptions

    @Option(help: "The start of the bridge's topics (default: skerry).")
    var prefix: String?

    @Option(help: "The partition that is asked (default: that of the device).")
    var partition: Int?

    @Option(help: "How many seconds to wait for an answer.")
    var wait = 5

    func validate() throws {
        guard (1...3600).contains(wait) else { throw ValidationError("--wait takes 1 to 3600 seconds") }
    }

    /// Refuses a text that names no device.
    ///
    /// - Throws: a `ValidationError` unless the text is `kind/name` or a name.
    static func check(_ device: String) throws {
        guard device.split(separator: "/", omittingEmptySubsequences: false).count <= 2,
            !device.contains("+"), !device.contains("#")
        else { throw ValidationError("a device is kind/name or a name, not '\(device)'") }
    }

    /// Asks the bridge that the settings name.
    ///
    /// - Parameters:
    ///   - device: `kind/name`, or the name alone.
    ///   - purpose: The question.
    /// - Returns: an answer; never a finding that says why there is none.
    /// - Throws: an error of the settings or of the bus, or an exit code after printing why there is no answer.
    func ask(about device: String, _ purpose: DeviceInquiry.Purpose) async throws -> DeviceInquiry.Finding {
        let finding = try await finding(about: device, purpose)
        switch finding {
        case .explained, .forgotten, .sent, .devices: return finding
        case .noEvent(let device, let events):
            let list = events.map { "'\(Terminal.printable($0))'" }.joined(separator: ", ")
            Terminal.complain(
                "skerry: \(Terminal.printable(device)) takes no such event\(events.isEmpty ? "" : "; it takes \(list)")\n"
            )
            throw ExitCode.badInput
        case .several(let names):
            let list = names.map { "  \(Terminal.printable($0))\n" }.joined()
            Terminal.complain("skerry: there are several devices called '\(device)'; name one of:\n\(list)")
            throw ExitCode.badInput
        case .unknown(let near):
            let hint =
                near.map { "; did you mean '\(Terminal.printable($0))'?" }
                ?? "; 'skerry devices' lists all devices"
            Terminal.complain("skerry: there is no device '\(device)'\(hint)\n")
            throw ExitCode.badInput
        case .noBridge(let reason):
            Terminal.complain("skerry: \(Terminal.printable(reason))\n")
            throw ExitCode.unavailable
        case .interrupted: throw ExitCode.failure
        }
    }

    private func finding(
        about device: String,
        _ purpose: DeviceInquiry.Purpose
    ) async throws -> DeviceInquiry.Finding {
        let (settings, bus) = try broker.bus(named: purpose.name, prefix: prefix, partition: partition)
        let result = Found(DeviceInquiry.Finding.interrupted)
        try await bus.run {
            try DeviceInquiry(about: device, purpose, settings, patience: .seconds(wait)) { finding in
                result.put(finding)
                bus.stop()
            }
        }
        return result.finding
    }
}

/// A finding that the bus's thread makes and a command reads.
final class Found<Finding: Sendable>: Sendable {
    private let content: Mutex<Finding>

    /// Makes one with the finding if nothing is found.
    init(_ finding: Finding) {
        content = Mutex(finding)
    }

    var finding: Finding { content.withLock { $0 } }

    func put(_ finding: Finding) { content.withLock { $0 = finding } }
}

extension MosquittoOptions {
    /// Takes a session of its own that ends with the connection: that of the bridge, and what waits in it, must not end.
    ///
    /// - Parameters:
    ///   - command: The command, for the client id.
    ///   - clientID: The beginning of the client id, if it was given.
    mutating func beOwnSession(of command: String, clientID: String?) {
        self.clientID = "\(clientID ?? "skerry")-\(command)-\(getpid())"
        sessionExpiry = .zero
    }
}

extension BrokerOptions {
    /// Makes a bus with a client id and a session of its own, with the settings for it.
    ///
    /// - Parameters:
    ///   - name: The command, for the client id.
    ///   - prefix: The start of the bridge's topics, if it was given.
    ///   - partition: The partition, if it was given.
    /// - Returns: the settings, and the bus.
    /// - Throws: an exit code, after saying what is wrong with the settings.
    func bus(
        named name: String,
        prefix: String?,
        partition: Int? = nil
    ) throws -> (settings: Settings, bus: MosquittoBus) {
        var further: [String: WrittenSetting] = [:]
        further.add(SettingKeys.Bridge.prefix, prefix)
        further[SettingsPartitions.own] = partition.map { WrittenSetting("\($0)", option: "--partition") }
        var settings = try Settings.load(self, further)
        settings.mqtt.beOwnSession(of: name, clientID: clientID)
        return (settings, try settings.bus())
    }
}
