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
    private var pages: [Tab: [String]] = [:]
    /// All that the gateway told of the activities, and of the device whose page is on the screen.
    private var feed = SkerryFeed()
    /// The definitions of kinds of devices, as the gateway told them.
    private(set) var definitions: [String: SkerryDefinition] = [:]
    /// The last runs of devices whose pages were opened, the newest first.
    private(set) var lastRuns: [String: [SkerryRun]] = [:]
    /// The ids of the activities whose alerts this phone does not get.
    private(set) var muted: Set<String> = []
    /// The kinds and devices of which this phone shows no cards, as in `washer` and `washer/laundry`.
    private(set) var hidden = Set(SkerryReporter.shared.hidden ?? [])
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

    /// The activities that are running, and those that ended lately, the last change first.
    var activities: [SkerrySnapshot] { feed.activities.sorted { $0.changed > $1.changed } }

    /// The pages of devices above the list of a tab, each as in `washer/laundry`.
    subscript(pages tab: Tab) -> [String] {
        get { pages[tab] ?? [] }
        set { pages[tab] = newValue }
    }

    /// The device whose page is on the screen, as in `washer/laundry`; nil for none.
    var page: String? { pages[tab]?.last }

    /// Why the device of a page does what it does; nil while nobody knows.
    func explanation(of page: String) -> SkerryExplanation? {
        feed.explanation?.page == page ? feed.explanation : nil
    }

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

    /// Follows what happens by the gateway's stream, until the task is cancelled; asks the gateway where there is no stream.
    func follow() async {
        if feed.position == nil {
            await refresh()
            await readDevices()
            await ask { gateway throws(SkerryGatewayError) in
                self.muted = try await gateway.muted()
            }
        }
        while !Task.isCancelled {
            let isTold = await listen()
            if Task.isCancelled { return }
            if !isTold { await refresh() }
            try? await Task.sleep(for: .seconds(feed.nextPause(isTold: isTold)))
        }
    }

    /// Takes what the stream tells until it ends, and returns whether it told anything.
    private func listen() async -> Bool {
        guard let pairing else { return false }
        var isTold = false
        let events = SkerryGateway(pairing: pairing).events(explaining: page, after: feed.position)
        do {
            for try await event in events {
                // Another gateway may have been paired meanwhile.
                guard pairing == self.pairing else { return true }
                isTold = true
                if silence != nil { silence = nil }
                if !feed.take(event) { await refresh() }
                if event.name == "definitions" {
                    definitions = [:]
                    if let page { await read(page) }
                }
            }
        } catch {
            // The question that follows tells why.
        }
        return isTold
    }

    /// Asks the gateway what is at work, and why the device of the page on the screen does what it does.
    func refresh() async {
        await ask { gateway throws(SkerryGatewayError) in
            self.feed.take(try await gateway.activities())
        }
        if let page { await explain(page) }
    }

    /// Asks the gateway for what the page of a device shows.
    func read(_ page: String) async {
        await explain(page)
        guard let pairing else { return }
        let (gateway, kind) = (SkerryGateway(pairing: pairing), SkerryDeviceName(page).kind)
        if definitions[kind] == nil { definitions[kind] = try? await gateway.definition(of: kind) }
        lastRuns[page] = (try? await gateway.runs(of: page, limit: 10)) ?? lastRuns[page]
    }

    /// A device that has never sent anything, or was forgotten, has no explanation; that says nothing of the gateway.
    private func explain(_ page: String) async {
        guard let pairing else { return }
        if let told = try? await SkerryGateway(pairing: pairing).explanation(of: page) { feed.take(told) }
    }

    /// Sends the device of a page an event.
    func send(_ event: String, to page: String) async {
        let name = SkerryDeviceName(page)
        await act { gateway throws(SkerryGatewayError) in
            try await gateway.send(event, to: name.device, of: name.kind)
        }
    }

    /// Leaves the alerts of a run out on this phone, or takes that back.
    func mute(_ activity: String, _ isMuted: Bool) async {
        await act { gateway throws(SkerryGatewayError) in
            try await gateway.mute(activity, isMuted)
            if isMuted { self.muted.insert(activity) } else { self.muted.remove(activity) }
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
        return SkerryDeviceName(choice).device
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
    /// `skerry://washer/laundry` shows the page of this device. iOS hands this app the links of its cards and widgets
    /// whatever they lead to: the others go on to the app that they name, above the page of the device that was touched.
    func open(_ link: URL) async {
        if Self.isOwn(link) {
            let parts = URLComponents(url: link, resolvingAgainstBaseURL: false)
            if parts?.host == "pair", parts?.path.isEmpty ?? true {
                await pair { try await SkerryReporter.shared.pair(link) }
            } else {
                show(link)
            }
            return
        }
        let page = SkerryReporter.shared.page(ofCardWith: link)
        if let page { show(page) }
        // Before the gateway is asked, which may be out of reach.
        let isOpen = await UIApplication.shared.open(link)
        if page != nil { return }
        // A widget shows activities that have no card here.
        await refresh()
        if let touched = activities.first(where: { $0.link == link }) {
            if let page = SkerryDeviceName(touched.page).link { show(page) }
        } else if !isOpen {
            trouble = skerryText("No app on this phone opens \(link.absoluteString).")
        }
    }

    /// Shows the page of a device, by its link; a link to no device of this app shows what is at work.
    private func show(_ link: URL) {
        let parts = URLComponents(url: link, resolvingAgainstBaseURL: false)
        tab = .now
        guard let kind = parts?.host, let path = parts?.path, path.count > 1,
            SkerryReporter.shared.kinds.contains(kind)
        else { return }
        self[pages: .now] = [kind + path]
        SkerryReporter.shared.noteOpening(of: kind + path)
    }

    /// Pairs this phone by what a person types.
    func pair(address: String, code: String) async {
        await pair { try await SkerryReporter.shared.pair(address: address, code: code) }
    }

    /// Forgets the gateway, and has it forget this phone.
    func unpair() async {
        pairing = nil
        (feed, pages, definitions, lastRuns) = (SkerryFeed(), [:], [:], [:])
        (runs, devices, muted) = ([], [], [])
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

    private func pair(_ pairs: @MainActor () async throws -> Void) async {
        do {
            try await pairs()
        } catch {
            trouble = error.localizedDescription
        }
        wake()
    }

    /// Does what a person wants; a failure is told.
    private func act(_ action: @MainActor (SkerryGateway) async throws(SkerryGatewayError) -> Void) async {
        guard let pairing else { return }
        do throws(SkerryGatewayError) {
            try await action(SkerryGateway(pairing: pairing))
        } catch {
            trouble = error.errorDescription
        }
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
