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
        case .explained, .forgotten, .devices: return finding
        case .several(let names):
            let list = names.map { "  \(Terminal.printable($0))\n" }.joined()
            Terminal.complain("skerry: there are several devices called '\(device)'; name one of:\n\(list)")
            throw ExitCode.badInput
        case .unknown(let near):
            let hint =
                near.map { "; did you mean '\(Terminal.printable($0))'?" }
                ?? "; 'skerry explain' lists all devices"
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
        var options = broker
        options.clientID = broker.clientID ?? "skerry-\(purpose.rawValue)-\(getpid())"
        let further = prefix.map { ["prefix": WrittenSetting($0, option: "--prefix")] } ?? [:]
        var settings = try Settings.load(options, further)
        settings.mqtt.sessionExpiry = .zero
        let bus = try settings.bus()
        let result = FindingBox()
        let host = "\(settings.mqtt.host):\(settings.mqtt.port)"
        try await bus.run { [prefix = settings.prefix] in
            DeviceInquiry(
                about: device,
                purpose,
                prefix: prefix,
                broker: host,
                patience: .seconds(wait)
            ) { finding in
                result.put(finding)
                bus.stop()
            }
        }
        return result.finding
    }
}

/// The finding of an inquiry, which the bus's thread makes and the command reads.
private final class FindingBox: Sendable {
    private let content = Mutex<DeviceInquiry.Finding>(.interrupted)

    var finding: DeviceInquiry.Finding { content.withLock { $0 } }

    func put(_ finding: DeviceInquiry.Finding) { content.withLock { $0 = finding } }
}
