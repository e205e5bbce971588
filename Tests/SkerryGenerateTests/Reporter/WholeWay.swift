// An app with the generated reporter, as a program: a test pushes to it by lines, and reads what it shows.

import ActivityKit
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes a line that the test reads at once.
nonisolated func tell(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Sends reports by HTTP. One that must wait is held until the app comes to the front.
@MainActor final class WebTransport: SkerryTransport {
    var answered: (@MainActor (SkerryAnswer, _ number: Int) -> Void)?

    func send(_ request: URLRequest, body: URL, number: Int, notBefore: Date) {
        if notBefore > Date() { return tell("waits") }
        Task {
            var request = request
            request.httpBody = try? Data(contentsOf: body)
            let answer = try? await URLSession.shared.data(for: request)
            let response = answer?.1 as? HTTPURLResponse
            let retryAfter = response?.value(forHTTPHeaderField: "Retry-After")
            let body = answer?.0 ?? Data()
            answered?(SkerryAnswer(status: response?.statusCode, retryAfter: retryAfter, body: body), number)
            tell(response.map { "answer \($0.statusCode)" } ?? "no answer")
        }
    }

    func running() async -> Set<Int> { [] }

    func cancel() {}
}

/// A phone whose keychain is a file, so that a later process is the same phone.
@MainActor final class FiledPhone: SkerryPhone {
    let bundleID: String? = "org.example.skerry"
    let environment = "development"
    let systemVersion = "26.0"
    let name = "Ada's iPhone"
    let file: URL

    init(_ folder: URL) { file = folder.appendingPathComponent("keychain.json") }

    func pairing() -> SkerryPairing? {
        (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(SkerryPairing.self, from: $0) }
    }

    func store(_ pairing: SkerryPairing?) -> Bool {
        (try? JSONEncoder().encode(pairing).write(to: file)) != nil
    }

    func redraw(_ kind: String) {}

    func redrawAll() {}

    func widgets() async -> SkerryReport.Widgets? { nil }

    func allowsNotifications() async -> Bool? { true }
}

/// A push to start, update or end an activity, or a notification, which has none of that.
nonisolated struct Push: Decodable, Sendable {
    struct Aps: Decodable, Sendable {
        struct Alert: Decodable, Sendable {
            var title: String
            var body: String
        }

        var event: String?
        var attributes: WasherAttributes?
        var state: WasherAttributes.ContentState?
        var alert: Alert?

        enum CodingKeys: String, CodingKey {
            case event
            case attributes
            case state = "content-state"
            case alert
        }
    }

    var aps: Aps
}

@main
@MainActor struct WholeWay {
    private let stage = ActivityStage.shared
    private let reporter: SkerryReporter
    private var tokens = 0
    private var activities: [String: Activity<WasherAttributes>] = [:]

    init(_ folder: URL) {
        reporter = SkerryReporter(
            followers: [SkerryFollower<WasherAttributes>()],
            phone: FiledPhone(folder),
            folder: folder,
            transport: WebTransport()
        )
    }

    /// The only argument is the folder of the app.
    static func main() async throws {
        let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
        var app = WholeWay(folder)
        app.stage.provide(startToken: Data(repeating: 0x5A, count: 4), for: WasherAttributes.self)
        app.reporter.launch()
        app.reporter.take(notificationToken: Data(repeating: 0xA0, count: 4))
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        tell("launched")
        for await line in lines { try await app.obey(line) }
    }

    private mutating func obey(_ line: String) async throws {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        switch words[0] {
        case "pair":
            try await reporter.pair(address: words[1], code: words[2])
            tell("paired")
        case "push": receive(words[1], try JSONDecoder().decode(Push.self, from: Data(words[2].utf8)).aps)
        case "dismiss": if let activity = activities[words[1]] { stage.change(activity, to: .dismissed) }
        case "token": if let activity = activities.removeValue(forKey: words[1]) { provide(activity) }
        case "allow": stage.allow(words[1] == "yes")
        case "front": reporter.refresh()
        case "hide": reporter.hide(words[1], true)
        case "unhide": reporter.hide(words[1], false)
        case "tap": reporter.noteOpening(of: words[1])
        case "ask": try await ask()
        default: tell("unknown: \(line)")
        }
    }

    /// What the app shows while it is open.
    private func ask() async throws {
        guard let pairing = reporter.pairing else { return tell("not paired") }
        let gateway = SkerryGateway(pairing: pairing)
        for activity in try await gateway.activities() {
            let state = activity.decode(WasherAttributes.ContentState.self)
            let attributes = activity.decode(WasherAttributes.self)
            let timeline = try await gateway.timeline(of: activity)
            tell(
                "has \(activity.kind) \(activity.device) \(activity.phase) \(state?.content.status ?? "nothing")"
                    + " of \(attributes?.attributes.name ?? "nobody"), then \(timeline.entries.count)"
            )
        }
        for run in try await gateway.runs(limit: 10) {
            tell("ran \(run.device) \(run.phases.map { $0.title ?? $0.state }.joined(separator: ", "))")
        }
        do {
            // A washing machine waits for no event of people.
            try await gateway.send("stop", to: "laundry", of: "washer")
        } catch {
            tell("an event is refused")
        }
        do {
            try await gateway.send("stop", to: "nobody", of: "washer")
        } catch {
            tell("nobody gets \(error)")
        }
        let stranger = SkerryPairing(gateway: pairing.gateway, phone: pairing.phone, token: "x", name: "x")
        do {
            _ = try await SkerryGateway(pairing: stranger).activities()
        } catch {
            tell("a stranger gets \(error)")
        }
    }

    /// What iOS does with a push.
    private mutating func receive(_ token: String, _ aps: Push.Aps) {
        guard let event = aps.event, let state = aps.state else {
            return tell("notifies \(token) \(aps.alert?.title ?? "nothing"), \(aps.alert?.body ?? "nothing")")
        }
        switch (event, aps.attributes, activities[token]) {
        case ("start", .some(let attributes), _): provide(stage.start(attributes, state))
        case ("update", _, .some(let activity)): stage.update(activity, state)
        case ("end", _, .some(let activity)):
            stage.update(activity, state)
            stage.change(activity, to: .ended)
        default: return tell("dropped \(event)")
        }
        tell("shows \(event) \(state.content.status ?? "nothing")")
    }

    /// iOS provides a token, another one each time.
    private mutating func provide(_ activity: Activity<WasherAttributes>) {
        tokens += 1
        let token = Data(repeating: UInt8(tokens), count: 4)
        activities[token.skerryHexadecimal] = activity
        stage.provide(token: token, for: activity)
        tell("token \(token.skerryHexadecimal)")
    }
}
