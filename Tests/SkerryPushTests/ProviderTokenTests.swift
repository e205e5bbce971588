import SkerryValues
import Testing

@testable import SkerryPush

/// The rules of the provider token, in virtual time.
@Suite struct ProviderTokenTests {
    private static let start: Int64 = 1_790_000_000

    /// A daemon's clocks and its record.
    private struct Daemon {
        var record = ProviderTokenRecord()
        /// Unix seconds by the wall clock.
        var wall = ProviderTokenTests.start
        /// Seconds since the start, or since any moment.
        var uptime: Int64 = 100
        var made: [Int64] = []

        mutating func pass(_ seconds: Int64) {
            wall += seconds
            uptime += seconds
        }

        /// What goes with a request: the `iat` of the token, or nil and why not.
        mutating func request(clockIsKnown: Bool = true) -> (issue: Int64?, pause: Int64, reason: String) {
            let (now, sinceStart) = (Timestamp(seconds: wall), Interval.seconds(uptime))
            switch record.advice(at: now, sinceStart: sinceStart, clockIsKnown: clockIsKnown) {
            case .use(let text): return (Int64(text), 0, "")
            case .wait(let pause, let reason): return (nil, pause.roundedSeconds, reason)
            case .make(let issue):
                record.made(.init(text: "\(issue)", issuedAt: issue), sinceStart: sinceStart)
                made.append(issue)
                return request(clockIsKnown: clockIsKnown)
            }
        }

        mutating func refused(_ reason: String) {
            record.refused(record.token?.text ?? "", reason: reason, sinceStart: .seconds(uptime))
        }
    }

    @Test func aTokenIsUsedForFiftyMinutes() {
        var daemon = Daemon()
        for _ in 0..<(24 * 60) {
            #expect(daemon.request().issue != nil)
            daemon.pass(60)
        }
        let gaps = zip(daemon.made.dropFirst(), daemon.made).map { $0 - $1 }
        #expect(gaps.allSatisfy { $0 == 3000 })
        #expect(daemon.made.count == 29)
    }

    @Test func aRestartGoesOnWithTheTokenThatWasThere() {
        for (age, isNew) in [(0, false), (1190, false), (2990, false), (3000, true), (90_000, true)] {
            var daemon = Daemon()
            daemon.record = ProviderTokenRecord(.init(text: "\(Self.start)", issuedAt: Self.start))
            daemon.wall += Int64(age)
            #expect(daemon.request().issue == (isNew ? daemon.wall : Self.start), "age \(age)")
        }
    }

    @Test func aRefusedTokenIsReplacedOnceItIsOldEnough() {
        for reason in ["ExpiredProviderToken", "InvalidProviderToken"] {
            var daemon = Daemon()
            _ = daemon.request()
            daemon.pass(600)
            daemon.refused(reason)
            let answer = daemon.request()
            #expect(answer.issue == nil && answer.pause == 600 && answer.reason.contains(reason))
            daemon.pass(600)
            #expect(daemon.request().issue == Self.start + 1200)
            // The second one that is refused waits for its twenty minutes, too.
            daemon.refused(reason)
            #expect(daemon.request().pause == 1200)
        }
    }

    @Test func whatAnotherTokenWouldNotHelpChangesNothing() {
        var daemon = Daemon()
        _ = daemon.request()
        daemon.record.refused("another", reason: "ExpiredProviderToken", sinceStart: .seconds(daemon.uptime))
        #expect(daemon.request().issue == Self.start)
        for reason in ["UnrelatedKeyIdInToken", "BadEnvironmentKeyIdInToken", "Forbidden"] {
            daemon.refused(reason)
            #expect(daemon.request().issue == Self.start)
        }
    }

    @Test func aTokenThatAppleHasNeverSeenIsReplacedAtOnceWhenTheClockIsSet() {
        for hasArrived in [false, true] {
            var daemon = Daemon()
            let first = daemon.request().issue ?? 0
            for isLost in [true, !hasArrived] {
                daemon.record.took()
                if isLost { daemon.record.didNotLeave("\(first)") }
            }
            daemon.pass(5)
            daemon.wall += 172_800
            #expect(daemon.request().issue == (hasArrived ? nil : daemon.wall))
        }
    }

    @Test func tooManyTokensKeepThePresentOneAndBackOff() {
        var daemon = Daemon()
        _ = daemon.request()
        daemon.pass(2995)
        daemon.refused("TooManyProviderTokenUpdates")
        #expect(daemon.request().pause == 1200)
        daemon.pass(1199)
        #expect(daemon.request().pause == 1)
        daemon.pass(1)
        #expect(daemon.request().issue == Self.start + 4195)
        #expect(daemon.made.count == 2)
    }

    @Test func nothingIsMadeWhileTheClockIsUnknown() {
        var daemon = Daemon()
        #expect(daemon.request(clockIsKnown: false).issue == nil)
        #expect(daemon.made.isEmpty)
        _ = daemon.request()
        #expect(daemon.request(clockIsKnown: false).reason == "the clock is not known to be right")
    }

    @Test func aClockThatWasSetMakesAnotherTokenAfterTwentyMinutes() {
        // How far the wall clock is set after ten minutes; what goes with the next request.
        for (step, isUsed) in [(600, true), (-300, true), (-3600, false), (86_400, false)] {
            var daemon = Daemon()
            _ = daemon.request()
            daemon.pass(600)
            daemon.wall += Int64(step)
            let answer = daemon.request()
            #expect((answer.issue != nil) == isUsed, "step \(step)")
            if !isUsed { #expect(answer.pause == 600 && answer.reason.contains("the clock was set")) }
            daemon.pass(600)
            let later = daemon.request()
            #expect(later.issue == (isUsed ? Self.start : daemon.wall), "step \(step)")
        }
    }

    @Test func theFileKeepsTheTokenOfThisKeyOnly() throws {
        let folder = try Folder()
        let file = ProviderTokenFile(path: "\(folder.path)/token", keyID: "K", teamID: "T")
        #expect(file.load() == nil)
        let token = ProviderTokenRecord.Token(text: "a.b.c", issuedAt: 1_790_000_000)
        #expect(file.save(token) == nil)
        #expect(file.load() == token)
        #expect(folder.mode("token") == 0o600 && folder.mode("token.copy") == 0o600)
        #expect(ProviderTokenFile(path: file.path, keyID: "K2", teamID: "T").load() == nil)
        #expect(ProviderTokenFile(path: file.path, keyID: "K", teamID: "T2").load() == nil)
        // The one or the other may be damaged.
        folder.write("token", "{\"key\":\"K\"")
        #expect(file.load() == token)
        #expect(file.save(token) == nil)
        folder.write("token.copy", "")
        #expect(file.load() == token)
        folder.write("token", "")
        #expect(file.load() == nil)
        #expect(ProviderTokenFile(path: "/nowhere/token", keyID: "K", teamID: "T").save(token) != nil)
    }
}
