import Foundation
import Observation
import UIKit

/// The phone's view of the house, and its pairing with the gateway.
@MainActor @Observable final class House {
    /// A tab of the app.
    enum Tab: Hashable {
        case now, before, settings
    }

    /// The tab on the screen.
    var tab = Tab.now
    /// The activities that are running, and those that ended lately: the one that a link asked for, then the last change.
    private(set) var activities: [SkerrySnapshot] = []
    /// The ids of the activities whose alerts this phone does not get.
    private(set) var muted: Set<String> = []
    /// The kinds and devices of which this phone shows no cards, as in `washer` and `washer/laundry`.
    private(set) var hidden = Set(SkerryReporter.shared.hidden ?? [])
    /// The kind and the device that a link asked for, as in `washer/laundry`.
    private var wanted: String?
    /// Past runs, the newest first.
    private(set) var runs: [SkerryRun] = []
    /// The devices of the gateway.
    private(set) var devices: [SkerryDevice] = []
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
    func wake() {
        pairing = SkerryReporter.shared.pairing
        hidden = Set(SkerryReporter.shared.hidden ?? [])
    }

    /// Asks the gateway every five seconds, until the view disappears.
    func follow() async {
        await ask { gateway throws(SkerryGatewayError) in
            self.muted = try await gateway.muted()
        }
        while !Task.isCancelled {
            await refresh()
            try? await Task.sleep(nanoseconds: 5_000_000_000)
        }
    }

    /// Asks the gateway what is at work.
    func refresh() async {
        await ask { gateway throws(SkerryGatewayError) in
            self.activities = self.ordered(try await gateway.activities())
        }
    }

    /// Leaves the alerts of a run out on this phone, or takes that back.
    func mute(_ activity: String, _ isMuted: Bool) async {
        guard let pairing else { return }
        do throws(SkerryGatewayError) {
            try await SkerryGateway(pairing: pairing).mute(activity, isMuted)
            if isMuted { muted.insert(activity) } else { muted.remove(activity) }
        } catch {
            trouble = error.errorDescription
        }
    }

    /// The kinds and, below each, the devices that this phone can show cards of, as in `washer` and `washer/laundry`.
    var choices: [String] {
        let known = activities.map { "\($0.kind)/\($0.device)" } + devices.map { $0.id }
        let names = Set(known).union(hidden).sorted()
        return SkerryReporter.shared.kinds.flatMap { kind in
            [kind] + names.filter { $0.hasPrefix(kind + "/") }
        }
    }

    /// The name for people of a kind, such as `washer`, or of a device, such as `washer/laundry`.
    func title(of choice: String) -> String {
        if let title = SkerryReporter.shared.titles[choice] { return title }
        if let device = devices.first(where: { $0.id == choice }) { return device.title }
        return String(choice.drop { $0 != "/" }.dropFirst())
    }

    /// True if this phone shows cards of a kind or a device.
    subscript(shows choice: String) -> Bool {
        get { !hidden.contains(choice) }
        set {
            SkerryReporter.shared.hide(choice, !newValue)
            hidden = Set(SkerryReporter.shared.hidden ?? [])
        }
    }

    /// Asks the gateway for past runs, and for its devices.
    func readRuns() async {
        await ask { gateway throws(SkerryGatewayError) in
            self.runs = try await gateway.runs()
        }
        await readDevices()
    }

    /// Asks the gateway for its devices.
    func readDevices() async {
        await ask { gateway throws(SkerryGatewayError) in
            self.devices = try await gateway.devices()
        }
    }

    /// Opens a link: the one in the QR code of `skerry pair`, or that of an activity.
    ///
    /// `skerry://washer/laundry` shows the activity of this kind and device. iOS hands this app the links of its activities
    /// whatever they lead to, so the others go on to the app or the page that they name.
    func open(_ link: URL) async {
        let parts = URLComponents(url: link, resolvingAgainstBaseURL: false)
        if Self.isOwn(link) {
            if parts?.host == "pair", parts?.path.isEmpty ?? true {
                await pair { try await SkerryReporter.shared.pair(link) }
            } else if let kind = parts?.host, let path = parts?.path {
                wanted = kind + path
                activities = ordered(activities)
                tab = .now
                SkerryReporter.shared.noteOpening(of: kind + path)
            }
        } else if await !UIApplication.shared.open(link) {
            trouble = skerryText("No app on this phone opens \(link.absoluteString).")
        }
    }

    /// Pairs this phone by what a person types.
    func pair(address: String, code: String) async {
        await pair { try await SkerryReporter.shared.pair(address: address, code: code) }
    }

    /// Forgets the gateway, and has it forget this phone.
    func unpair() async {
        pairing = nil
        (activities, runs, devices, muted, wanted) = ([], [], [], [], nil)
        do throws(SkerryGatewayError) {
            try await SkerryReporter.shared.unpair()
        } catch {
            // A gateway in another network may have the same address, and does not know this phone either.
            trouble =
                error == .unpaired
                ? skerryText(
                    "The gateway at this address did not know this phone. If yours still has it, run 'skerry phones remove' there."
                )
                : skerryText(
                    "This phone has forgotten the gateway, which could not be told. Run 'skerry phones remove' there."
                )
        }
    }

    /// True for a link that iOS would give back to this app: it declares the scheme.
    private static func isOwn(_ link: URL) -> Bool {
        let types = Bundle.main.object(forInfoDictionaryKey: "CFBundleURLTypes") as? [[String: Any]] ?? []
        let schemes = types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] } + ["skerry"]
        return schemes.contains { $0.lowercased() == link.scheme?.lowercased() }
    }

    private func ordered(_ activities: [SkerrySnapshot]) -> [SkerrySnapshot] {
        let newestFirst = activities.sorted { $0.changed > $1.changed }
        func isWanted(_ activity: SkerrySnapshot) -> Bool { "\(activity.kind)/\(activity.device)" == wanted }
        return newestFirst.filter(isWanted) + newestFirst.filter { !isWanted($0) }
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
            // A question that was taken back, because the view that asked is gone, says nothing of the gateway.
            if !Task.isCancelled { silence = error.errorDescription }
        }
    }
}
