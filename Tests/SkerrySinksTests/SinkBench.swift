import Foundation
import SkerryDevice
import SkerryFiles
import SkerryPhones
import SkerryValues
import Testing

@testable import SkerryActivity
@testable import SkerrySinks

/// A scheduler of requests that a test moves through time, with a service that answers as the test says.
struct SinkBench {
    static let start = Timestamp(seconds: 1_772_355_600)
    static let homeAssistant = SinkService.homeAssistant(targets: ["mobile_app_anna"], budget: 20)
    static let webhook = SinkService.webhook(mode: .structured, client: "skerry")
    static let ntfy = SinkService.ntfy(topic: "house", budget: 20)

    static let token = "dGVzdGluc3RhbGxhdGlvbg:APA91bExample"
    static let fcm = SinkService.fcm(targets: [token], budget: 20)
    static let braze = SinkService.braze(appID: "app-1", targets: ["anna-1"], people: [:], budget: 20)

    /// The layout of washing machines, as `devices/washer.yaml` has it.
    static let layouts: SinkLayouts = {
        let island = washer?.island
        return SinkLayouts(zone: { Location.utc.zone }, page: "https://skerry.example.org") {
            $0 == "washer" ? island : nil
        }
    }()

    /// The definition of washing machines.
    static let washer: Definition? = {
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try? CompiledFiles([package.appendingPathComponent("devices/washer.yaml").path]).definitions[0]
    }()

    /// The time that a card of Home Assistant takes from its start until its token is there.
    static let tokenTime = Interval.seconds(15)

    let service: SinkService
    var scheduler: SinkScheduler
    var now = SinkBench.start
    var clockIsKnown = true
    /// The answers to come, the last one again and again.
    var answers: [SinkAnswer] = [.accepted([])]
    private var deliveries: UInt64 = 0

    init(
        _ service: SinkService = SinkBench.homeAssistant,
        _ layouts: SinkLayouts = SinkBench.layouts,
        words: SinkWords = SinkWords()
    ) {
        self.service = service
        var layouts = layouts
        layouts.words = words
        scheduler = SinkScheduler(
            service,
            layouts: layouts,
            alertFreshness: .minutes(15),
            at: Self.start
        )
    }

    /// The bridge delivers a state.
    mutating func show(
        _ status: String,
        rev: Int64,
        device: String = "laundry",
        epoch: Int64 = 1,
        end: Int64? = nil,
        phase: ActivityPhase = .active,
        isNewState: Bool = true,
        alert: String? = nil,
        sound: ActivityAlert.Sound = .standard,
        level: ActivityAlert.Level = .active,
        dismissAfter: Interval? = nil,
        startedAt: Timestamp? = nil,
        extra: Int64? = nil,
        isOpen: Bool? = nil,
        relevance: Double = 50,
        link: String? = nil,
        isShownAgain: Bool = false,
        hasArrived: Bool = false
    ) {
        var content = ValueMap()
        content.set("status", to: .string(status))
        if let extra { content.set("extra", to: .int(extra)) }
        if let isOpen { content.set("open", to: .bool(isOpen)) }
        if let end {
            let times = [("start", Self.start.flooredSeconds), ("end", Self.start.flooredSeconds + end)]
            let entries = times.map { ValueMap.Entry(key: .string($0.0), value: .int($0.1)) }
            content.set("cycle", to: .map(ValueMap(uniqueEntries: entries)))
        }
        var update = ActivityUpdate(
            kind: rev == 1 && !isShownAgain ? .started : phase == .ended ? .ended : .changed,
            id: "washer/\(device)/1772355600",
            rev: rev,
            epoch: epoch,
            at: now,
            startedAt: startedAt ?? Self.start,
            phase: phase,
            state: status.lowercased(),
            attributes: ValueMap(),
            content: content,
            patch: nil,
            isNewState: isNewState,
            relevance: relevance,
            staleness: .never,
            link: link,
            dismissAt: dismissAfter.map { now + $0 },
            alert: nil
        )
        update.isLinkContent = link != nil
        if let alert { update.alert = ActivityAlert(title: alert, body: "", sound: sound, level: level) }
        deliver(update, device: device, hasArrived: hasArrived)
    }

    mutating func deliver(_ update: ActivityUpdate, device: String, hasArrived: Bool = false) {
        deliveries += 1
        var update = update
        update.patch = nil
        var news = SinkNews(delivery: deliveries, kind: "washer", device: device, update: update)
        news.hasArrived = hasArrived
        scheduler.show(news)
    }

    /// Everything that can go now, answered at once.
    @discardableResult
    mutating func send() -> [SinkRequest] {
        var requests: [SinkRequest] = []
        while let request = scheduler.next(at: now, clockIsKnown: clockIsKnown) {
            requests.append(request)
            let answer = answers.count > 1 ? answers.removeFirst() : answers[0]
            scheduler.answered(request, answer, at: now)
            precondition(requests.count < 100, "it never ends")
        }
        return requests
    }

    /// Lets time pass, and everything go that becomes due.
    @discardableResult
    mutating func pass(_ length: Interval) -> [SinkRequest] {
        let end = now + length
        var requests = send()
        var steps = 0
        while let due = scheduler.nextDeadline, due <= end {
            now = max(due, now)
            requests += send()
            steps += 1
            precondition(steps < 1000, "it never ends")
        }
        now = end
        return requests + send()
    }

    /// The process ends and begins again: nothing is known of what was sent.
    mutating func restart() {
        scheduler = SinkScheduler(service, layouts: Self.layouts, alertFreshness: .minutes(15), at: now)
    }

    /// The kinds of the decisions about a device.
    func decisions(_ device: String = "laundry") -> [PhoneDecision.Kind] {
        scheduler.decisions(kind: "washer", device: device).map { $0.kind }
    }
}

extension SinkRequest {
    /// The members of the body.
    var members: ValueMap {
        if case .map(let members)? = try? JSONReader.value(of: body.span) { members } else { ValueMap() }
    }

    /// The members of `message.data`, where Firebase has most.
    var messageData: ValueMap {
        guard case .map(let message)? = members["message"], case .map(let data)? = message["data"] else {
            return ValueMap()
        }
        return data
    }

    /// The members of `data`, where Home Assistant has most.
    var data: ValueMap { if case .map(let data)? = members["data"] { data } else { ValueMap() } }

    /// The text for people.
    var message: String? { if case .string(let text)? = members["message"] { text } else { nil } }
}
