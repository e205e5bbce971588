// Checks the generated reporter: what it reports when, and that nothing gets lost on the way.

import ActivityKit
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

let id = "washer/laundry/1790000000"
let pairing = SkerryPairing(
    gateway: URL(string: "https://skerry.example.org/home")!,
    phone: "5f0c2d4e",
    token: "secret",
    name: "Ada's iPhone"
)

@main
struct Checks {
    static func main() async throws {
        merges()
        splits()
        queues()
        answers()
        invitations()
        addresses()
        environments()
        reading()
        feeding()
        answering()
        pausing()
        explaining()
        await courier()
        await reporter()
        await widgets()
        await unlocking()
        await sleepers()
        await duplicates()
        await choices()
        await leaving()
        print(failures == 0 ? "all is well" : "\(failures) failures")
    }

    // MARK: - Reports

    @MainActor static func report(
        _ second: Double,
        token: String? = nil,
        end: SkerryReport.End? = nil,
        instance: Int = 1,
        isShown: Bool = true
    ) -> SkerryReport {
        var report = SkerryReport(confirmedAt: second, iosVersion: "18.\(Int(second))")
        let activity = SkerryReport.Activity(id: id, instance: instance)
        var entry = activity
        (entry.token, entry.end) = (token, end)
        if token != nil || end != nil { report.activities = [entry] }
        report.shows = ["WasherAttributes": isShown && end == nil ? [activity] : []]
        return report
    }

    @MainActor static func merges() {
        // A newer report without the token keeps that of the older one, while the activity is shown.
        var newer = report(2)
        newer.merge(older: report(1, token: "aa"))
        expect(newer.activities.map(\.token), ["aa"])
        expect(newer.confirmedAt, 2)
        expect(newer.iosVersion, "18.2")
        newer = report(2, isShown: false)
        newer.merge(older: report(1, token: "aa"))
        expect(newer.activities, [])
        expect(newer.shows, ["WasherAttributes": []])
        // An end is never lost, and the newest token wins.
        newer = report(2, isShown: false)
        newer.merge(older: report(1, end: .dismissed))
        expect(newer.activities.map(\.end), [.dismissed])
        newer = report(2, token: "bb")
        newer.merge(older: report(1, token: "aa"))
        expect(newer.activities.map(\.token), ["bb"])
        // A choice that was taken back before its report arrived is told.
        newer = SkerryReport(confirmedAt: 2, hides: ["oven"])
        newer.merge(older: SkerryReport(confirmedAt: 1, hides: ["washer", "oven"], hidBefore: ["dryer"]))
        expect(newer.hides, ["oven"])
        expect(newer.hidBefore, ["dryer", "washer"])
        // The phone forgets nothing about the start, and ends do not grow without bound.
        newer = SkerryReport(confirmedAt: 3, pushToStart: ["A": "new"])
        newer.merge(
            older: SkerryReport(
                confirmedAt: 1,
                environment: "production",
                pushToStart: ["A": "old", "B": "b"]
            )
        )
        expect(newer.pushToStart, ["A": "new", "B": "b"])
        expect(newer.environment, "production")
        for run in 0..<1000 {
            var next = report(Double(run), isShown: false)
            next.activities = [.init(id: "washer/laundry/\(run)", instance: 1, end: .ended)]
            next.merge(older: newer)
            newer = next
        }
        expect(newer.activities.count, 4 * SkerryReport.activityLimit)
        expect(newer.activities.last?.id, "washer/laundry/999")
    }

    @MainActor static func splits() {
        var both = report(1, token: "aa")
        both.activities.append(.init(id: id, instance: 2, token: "bb"))
        let rest = both.split()
        expect(both.activities.map(\.token), ["aa"])
        expect(rest?.activities.map(\.token), ["bb"])
        expect(rest?.shows, [:])
        var many = report(1)
        many.activities = (0..<100).map { .init(id: "a/b/\($0)", instance: 1, end: .ended) }
        expect(many.split()?.activities.count, 36)
        expect(many.split() == nil)
    }

    // MARK: - Queue

    @MainActor static func queues() {
        var queue = SkerryQueue()
        expect(queue.next() == nil)
        queue.add(report(1, token: "aa"))
        expect(queue.next()?.number, 1)
        // One report at a time; what comes meanwhile waits, and becomes one report.
        queue.add(report(2))
        queue.add(report(3))
        expect(queue.next() == nil)
        // A failure loses nothing, and each further one makes the pause longer.
        var pauses: [Double] = []
        for attempt in 1...12 {
            queue.answered(.failed(retryAfter: 0), number: attempt, at: 1000)
            let next = queue.next()
            pauses.append((next?.notBefore ?? 0) - 1000)
            expect(next?.report.activities.map(\.token) ?? [], ["aa"])
        }
        expect(pauses, [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
        queue.answered(.failed(retryAfter: 3000), number: 13, at: 1000)
        expect(queue.next()?.notBefore, 4000)
        // The app was opened: at once. The answer to the attempt before that counts no more.
        queue.hasten()
        let hastened = queue.next()
        expect(hastened?.notBefore, 0)
        queue.answered(.taken(removed: []), number: 14, at: 1000)
        expect(queue.sending?.number, 15)
        queue.answered(.taken(removed: []), number: 15, at: 1000)
        expect(queue.next() == nil)
        // A report that the bridge never accepts does not block those behind it.
        queue.add(report(4))
        _ = queue.next()
        queue.answered(.refused("wrong"), number: 16, at: 1000)
        expect(queue.next() == nil)
        // A phone that is not known any more waits until it is paired again.
        queue.add(report(5, end: .dismissed))
        _ = queue.next()
        queue.answered(.unpaired, number: 17, at: 1000)
        expect(queue.next() == nil)
        expect(queue.isUnpaired)
        queue.hasten()
        expect(queue.next()?.report.activities.map(\.end), [.dismissed])
        // A later process takes over, unless the request is still running.
        queue.recover(running: [18])
        expect(queue.next() == nil)
        queue.recover(running: [])
        expect(queue.next()?.number, 19)
    }

    @MainActor static func answers() {
        let record =
            #"{"activities":[{"id":"a/b/1","end":"dismissed"},{"id":"a/b/2","end":null},{"id":"a/b/3","end":"ended"}]}"#
        expect(SkerryAnswer(status: 200, body: Data(record.utf8)), .taken(removed: ["a/b/1"]))
        expect(SkerryAnswer(status: 200, body: Data("{}".utf8)), .taken(removed: []))
        expect(SkerryAnswer(status: 200, body: Data("<html>".utf8)), .failed(retryAfter: 60))
        expect(SkerryAnswer(status: nil), .failed(retryAfter: 0))
        expect(SkerryAnswer(status: 503, retryAfter: "30"), .failed(retryAfter: 30))
        expect(SkerryAnswer(status: 429, retryAfter: "1e9"), .failed(retryAfter: 3600))
        expect(SkerryAnswer(status: 502, retryAfter: "Wed, 21 Oct 2026"), .failed(retryAfter: 0))
        // Only Skerry can say that it does not know this phone: a router may have its address in another network.
        func judge(_ status: Int, _ body: String) -> String {
            "\(SkerryAnswer(status: status, body: Data(body.utf8)))"
        }
        expect(judge(401, #"{"status":401,"title":"Unauthorized","code":"unauthorized"}"#), "unpaired")
        expect(judge(404, #"{"status":404,"code":"unknown-phone"}"#), "unpaired")
        for (status, body) in [
            (404, #"{"status":404,"code":"unknown-address"}"#), (401, #"{"message":"Unauthorized"}"#),
            (401, #"{"code":"unauthorized"}"#), (401, "{}"), (404, "{}"), (401, ""), (404, "not found"),
        ] { expect(judge(status, body), "failed(retryAfter: 60.0)") }
        expect(SkerryAnswer(status: 400, body: Data("no".utf8)), .refused("no"))
    }

    // MARK: - Pairing

    @MainActor static func invitations() {
        func read(_ link: String) -> String {
            guard let url = URL(string: link) else { return "no URL" }
            do {
                let invitation = try SkerryInvitation(url)
                return "\(invitation.gateway) \(invitation.code)"
            } catch { return "\(error)" }
        }
        expect(
            read("skerry://pair?url=https%3A%2F%2Fskerry.example.org&code=ACDE3467"),
            "https://skerry.example.org ACDE3467"
        )
        expect(
            read("skerry://pair?url=http%3A%2F%2F10.0.0.2%3A7537&code=acde-3467"),
            "http://10.0.0.2:7537 ACDE3467"
        )
        expect(read("skerry://other?url=https%3A%2F%2Fa.example&code=A"), "noInvitation")
        expect(read("https://pair?url=https%3A%2F%2Fa.example&code=A"), "noInvitation")
        expect(read("skerry://pair?code=A"), "noInvitation")
        expect(read("skerry://pair?url=ftp%3A%2F%2Fa.example&code=A"), "wrongAddress")
        expect(read("skerry://pair?url=https%3A%2F%2Fa.example&code=--"), "wrongCode")
        expect(
            (try? SkerryInvitation(address: " skerry.example.org ", code: "acde 3467"))
                .map { "\($0.gateway) \($0.code)" },
            "https://skerry.example.org ACDE3467"
        )
        let invitation = try? SkerryInvitation(address: "https://a.example/skerry", code: "A")
        let request = try? invitation?.request(name: "Ada")
        expect(request?.url?.absoluteString, "https://a.example/skerry/v1/pair")
        func pair(_ status: Int, _ body: String) -> String {
            do { return try invitation?.pairing(status: status, body: Data(body.utf8)).phone ?? "" } catch {
                return "\(error)"
            }
        }
        expect(pair(201, #"{"phone":"5f","token":"t","name":"Ada"}"#), "5f")
        expect(pair(201, "<html>"), "noBridge")
        expect(pair(403, "{}"), "wrongCode")
        expect(pair(429, "{}"), "tooManyCodes")
        expect(pair(502, ""), "unreachable")
        expect(pair(200, "{}"), "noBridge")
        expect(SkerryPairingError.wrongCode.localizedDescription.contains("skerry pair"))
    }

    /// A gateway at home often has no certificate, and people leave the scheme out.
    @MainActor static func addresses() {
        func plain(_ address: String) -> String? {
            (try? SkerryInvitation(address: address, code: "A"))?.plain?.gateway.absoluteString
        }
        for host in [
            "192.168.1.4:7537", "10.0.0.2", "172.31.0.1", "[fd00::1]:80", "skerry", "Skerry.local:80",
        ] {
            expect(plain(host), "http://\(host)")
        }
        for host in [
            "skerry.example.org", "172.32.0.1", "8.8.8.8", "https://10.0.0.2", "http://skerry.local",
        ] {
            expect(plain(host), nil)
        }
        for (code, reason) in [
            (.appTransportSecurityRequiresSecureConnection, .insecure), (.timedOut, .unreachable),
            (.serverCertificateUntrusted, .certificate), (.notConnectedToInternet, .offline),
        ] as [(URLError.Code, SkerryPairingError)] {
            expect(SkerryPairingError(URLError(code)), reason)
        }
    }

    @MainActor static func environments() {
        func profile(_ name: String) -> Data {
            let list = """
                <?xml version="1.0" encoding="UTF-8"?>
                <plist version="1.0"><dict><key>Entitlements</key><dict>
                <key>aps-environment</key><string>\(name)</string></dict></dict></plist>
                """
            return Data([0x30, 0x82, 0xFF, 0x00]) + Data(list.utf8) + Data([0x00, 0xA0, 0x82])
        }
        expect(SkerryEnvironment.name(profile: nil), "production")
        expect(SkerryEnvironment.name(profile: profile("development")), "development")
        expect(SkerryEnvironment.name(profile: profile("production")), "production")
        expect(SkerryEnvironment.name(profile: Data("<plist".utf8)), "production")
    }

    // MARK: - Courier

    /// The gateway is away, the app is closed, and a later process sends what the earlier one knew.
    @MainActor static func courier() async {
        let folder = newFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var transport = ScriptedTransport()
        var courier = SkerryCourier(folder: folder, transport: transport)
        courier.add(report(1, token: "aa"))
        courier.pairing = pairing
        var sent = await transport.next()
        expect(sent.request.url?.absoluteString, "https://skerry.example.org/home/v1/phones/5f0c2d4e/tokens")
        expect(sent.request.value(forHTTPHeaderField: "Authorization"), "Bearer secret")
        expect(sent.body.activities[id]?.token, "aa")
        courier.add(report(2, end: .dismissed))
        transport = ScriptedTransport()
        courier = SkerryCourier(folder: folder, transport: transport, pairing: pairing) {
            Date(timeIntervalSince1970: 1000)
        }
        await courier.recover()
        sent = await transport.next()
        expect(sent.body.activities[id]?.end, "dismissed")
        expect(sent.body.confirmedAt, 2)
        transport.answered?(.failed(retryAfter: 0), sent.number)
        let again = await transport.next()
        expect(again.notBefore, 1002)
        expect(again.body, sent.body)
        // The phone is removed and paired again, with another gateway.
        transport.answered?(.unpaired, again.number)
        expect(courier.isUnpaired)
        var other = pairing
        other.phone = "77"
        courier.pairing = other
        let first = await transport.next()
        expect(first.request.url?.path, "/home/v1/phones/77/tokens")
        expect(first.body.activities[id]?.end, "dismissed")
        transport.answered?(.taken(removed: []), first.number)
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        expect(files.filter { $0.hasPrefix("report-\(first.number)") }, [])
    }
}
