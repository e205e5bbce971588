import SkerryActivity
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryPhones

/// Plans are made again where something has changed, and only there.
@Suite struct PlanTests {
    private static let phones = ["anna", "ben", "cleo"]
    private static let devices = ["w", "x", "y", "z"]
    private static let policies = [
        AudiencePolicy(),
        AudiencePolicy(rules: [AudiencePolicy.Rule("washer/x", people: ["Ada"])]),
        AudiencePolicy(rules: [
            AudiencePolicy.Rule("washer/*", people: ["Ben"]), AudiencePolicy.Rule("washer/y", people: []),
        ]),
    ]
    private static let answers: [PushAnswer] = [
        .accepted, .accepted, .accepted, .tokenGone(since: nil), .badToken, .tooLarge, .busy(retryAfter: nil),
        .unavailable(reason: "trouble", retryAfter: nil), .notSent(reason: "no net", retryAfter: nil),
        .noAnswer(reason: "late"), .senderFault(reason: "no"), .providerToken(reason: "no", retryAfter: nil),
        .channelGone(reason: "gone"),
    ]

    /// Something that happens to a household.
    private static func happen(
        _ random: inout SimulatedRandom,
        _ bench: inout PhoneBench,
        _ revs: inout [String: Int64]
    ) {
        let (phone, device) = (phones.randomElement(using: &random)!, devices.randomElement(using: &random)!)
        let activity = "washer/\(device)/\(Int.random(in: 1...2, using: &random))"
        let number = Int.random(in: 0..<1000, using: &random)
        switch Int.random(in: 0..<22, using: &random) {
        case 0...6:
            revs[device, default: 0] += 1
            bench.show(
                "s\(number % 3)",
                rev: revs[device]!,
                device: device,
                end: number % 4 == 0 ? bench.now + .seconds(Int64(number)) : nil,
                phase: number % 9 == 0 ? .ended : .active,
                isNewState: number % 2 == 0,
                relevance: Double(number % 5) * 20,
                silence: number % 7 == 0 ? bench.now + .minutes(5) : nil,
                alert: number % 5 == 0 ? ActivityAlert(title: "Door", body: "open") : nil
            )
        case 7...9: bench.token("t\(number % 20)", of: activity, phone: phone)
        case 10:
            bench.shows(
                number % 2 == 0 ? [] : [1],
                of: activity,
                rev: number % 3 == 0 ? 1 : nil,
                phone: phone
            )
        case 11:
            bench.report(phone, startToken: .known("5\(number)"), version: number % 2 == 0 ? "18.2" : "17.1")
        case 12: bench.report(phone, hides: number % 2 == 0 ? ["washer/\(device)"] : [])
        case 13:
            let end: PhoneReport.End = number % 2 == 0 ? .dismissed : .ended
            bench.report(phone, activities: [PhoneReport.Activity(id: activity, instance: 1, end: end)])
        case 14: bench.scheduler.setAudience(policies[number % 3], at: bench.now)
        case 15: _ = bench.scheduler.assign([nil, "Ada", "Ben"][number % 3], to: phone, at: bench.now)
        case 16:
            let night = QuietHours.Window(person: nil, start: 0, end: 12 * 3600)
            bench.scheduler.quiet = QuietHours(number % 2 == 0 ? [] : [night])
        case 17: bench.scheduler.clockStepped(by: .seconds(Int64(number % 200)))
        case 18:
            bench.report(phone, allowsActivities: number % 3 > 0, notificationToken: .known("n\(number % 4)"))
        case 19:
            if number % 4 == 0 { _ = bench.scheduler.unpair(phone, at: bench.now) } else { bench.pair(phone) }
        case 20: bench.scheduler.vanish(activity, at: bench.now)
        default: bench.report(phone, widgetToken: .known("w\(number % 3)"), widgetKinds: ["washer"])
        }
    }

    /// What goes out, with answers by chance; `isWhole` has everything planned again before each push.
    private static func deliver(
        _ random: inout SimulatedRandom,
        _ bench: inout PhoneBench,
        isWhole: Bool
    ) -> [String] {
        var lines: [String] = []
        while lines.count < 100 {
            if isWhole { bench.scheduler.planAnew() }
            guard let push = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true) else { break }
            lines.append(
                "\(push.phone ?? "-") \(push.route) \(String(decoding: push.payload, as: UTF8.self))"
            )
            let answer = answers.randomElement(using: &random)!
            if answer == .accepted {
                bench.accept(push)
            } else {
                bench.scheduler.answered(push, answer, at: bench.now)
            }
        }
        if isWhole { bench.scheduler.planAnew() }
        let next = bench.scheduler.nextDeadline(at: bench.now)
        lines.append("next \(next.map { ($0 - bench.now).microseconds } ?? -1)")
        return lines
    }

    @Test(arguments: 0..<40)
    func `a household gets the same pushes as one in which everything is planned again each time`(
        seed: UInt64
    ) {
        var settings = PushSchedulerSettings()
        settings.usesChannels = seed % 3 == 0
        settings.places = 2
        var benches = [PhoneBench(settings: settings), PhoneBench(settings: settings)]
        for index in benches.indices { for phone in Self.phones { benches[index].pair(phone) } }
        var randoms = [SimulatedRandom(seed: seed), SimulatedRandom(seed: seed)]
        var revs: [[String: Int64]] = [[:], [:]]
        for step in 0..<250 {
            var told: [[String]] = []
            for index in benches.indices {
                Self.happen(&randoms[index], &benches[index], &revs[index])
                var lines = Self.deliver(&randoms[index], &benches[index], isWhole: index == 1)
                let due = benches[index].scheduler.nextDeadline(at: benches[index].now)
                let wait = Interval.seconds(Int64.random(in: 0..<600, using: &randoms[index]))
                // To the next deadline, or a little beyond it, or just on.
                benches[index].now =
                    step % 3 == 0
                    ? max(due ?? benches[index].now, benches[index].now) : benches[index].now + wait
                lines += Self.deliver(&randoms[index], &benches[index], isWhole: index == 1)
                lines += benches[index].scheduler.takeNews().map {
                    "\($0.phone) \($0.activity) \($0.kind) \($0.text)"
                }.sorted()
                told.append(lines)
            }
            #expect(told[0] == told[1], "step \(step)")
            if told[0] != told[1] { return }
        }
    }
}
