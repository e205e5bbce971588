import Foundation
import Observation

/// The phone's view of the house, and its pairing with the gateway.
@MainActor @Observable final class House {
    /// The activities that are running, and those that ended lately; the last change first.
    private(set) var activities: [SkerrySnapshot] = []
    /// Past runs, the newest first.
    private(set) var runs: [SkerryRun] = []
    /// The pairing with the gateway; nil until there is one, and while the keychain is locked.
    private(set) var pairing = SkerryReporter.shared.pairing
    /// Why nothing is known of now; nil if the gateway answers.
    private(set) var silence: String?
    /// Why the last thing that the user did failed; nil if it did not.
    private(set) var trouble: String?

    /// True if this phone is paired with a gateway.
    var isPaired: Bool { pairing != nil }

    /// True if there is a failure that the user has not seen yet.
    var isInTrouble: Bool {
        get { trouble != nil }
        set { if !newValue { trouble = nil } }
    }

    /// Looks for the pairing again: iOS may have launched the app before the first unlock, when nothing can be read.
    func wake() { pairing = SkerryReporter.shared.pairing }

    /// Asks the gateway every five seconds, until the view disappears.
    func follow() async {
        while !Task.isCancelled {
            await refresh()
            try? await Task.sleep(nanoseconds: 5_000_000_000)
        }
    }

    /// Asks the gateway what is at work.
    func refresh() async {
        await ask { gateway throws(SkerryGatewayError) in
            self.activities = try await gateway.activities().sorted { $0.changed > $1.changed }
        }
    }

    /// Asks the gateway for past runs.
    func readRuns() async {
        await ask { gateway throws(SkerryGatewayError) in
            self.runs = try await gateway.runs()
        }
    }

    /// Opens a link: the one in the QR code of `skerry pair`, or that of an activity.
    func open(_ link: URL) async {
        guard link.scheme == "skerry", link.host() == "pair" else { return }
        await pair { try await SkerryReporter.shared.pair(link) }
    }

    /// Pairs this phone by what a person types.
    func pair(address: String, code: String) async {
        await pair { try await SkerryReporter.shared.pair(address: address, code: code) }
    }

    /// Forgets the gateway.
    func unpair() {
        SkerryReporter.shared.unpair()
        pairing = nil
        activities = []
        runs = []
    }

    private func pair(_ pairs: @MainActor () async throws -> Void) async {
        do {
            try await pairs()
        } catch {
            trouble = error.localizedDescription
        }
        wake()
    }

    private func ask(_ question: @MainActor (SkerryGateway) async throws(SkerryGatewayError) -> Void) async {
        guard let pairing else { return }
        do throws(SkerryGatewayError) {
            try await question(SkerryGateway(pairing: pairing))
            silence = nil
        } catch {
            // The pairing stays whatever the answer is: another network may have a gateway of the same address.
            silence = error.errorDescription
        }
    }
}
