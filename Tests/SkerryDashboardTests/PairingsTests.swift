import SkerryGateway
import SkerryValues
import Testing

@testable import SkerryDashboard

@Suite final class PairingsTests {
    private var pairings = Pairings()
    private let start = Timestamp(seconds: 1_790_000_000)

    private func redeem(_ text: String, from address: String = "a", at now: Timestamp) -> Pairings.Offer? {
        pairings.redeem(text, from: address, at: now) { Newcomer(id: "1f", name: $0 ?? "Ada's iPhone") }?
            .offer
    }

    private func outcome(of offer: Pairings.Offer, at now: Timestamp) -> Pairings.Outcome? {
        pairings.offer(offer.id, at: now)?.outcome
    }

    @Test func aCodePairsOnePhone() {
        let offer = pairings.offer(at: start)
        #expect(offer.text.count == 8)
        let typed = "\(offer.text.prefix(4).lowercased())-\(offer.text.suffix(4)) "
        #expect(redeem(typed, at: start)?.id == offer.id)
        #expect(redeem(offer.text, at: start) == nil)
        #expect(outcome(of: offer, at: start) == .paired(id: "1f", name: "Ada's iPhone"))
    }

    @Test func aCodeForABrowserIsNoneForAPhone() {
        let offer = pairings.offer(forBrowser: .viewer, named: "Wall", at: start)
        #expect(redeem(offer.text, at: start) == nil)
        let taken = pairings.redeem(offer.text, isBrowser: true, from: "b", at: start) {
            Newcomer(id: "2e", name: $0 ?? "")
        }
        #expect(taken?.offer.role == .viewer)
        #expect(outcome(of: offer, at: start) == .paired(id: "2e", name: "Wall"))
        let phone = pairings.offer(at: start)
        let none = pairings.redeem(phone.text, isBrowser: true, from: "b", at: start) {
            Newcomer(id: "3d", name: $0 ?? "")
        }
        #expect(none == nil)
    }

    @Test func aCodeIsGoodForTenMinutes() {
        let offer = pairings.offer(at: start)
        let end = start + Pairings.lifetime
        let early = pairings
        #expect(redeem(offer.text, at: end - .seconds(1)) != nil)
        pairings = early
        #expect(redeem(offer.text, at: end) == nil)
        #expect(outcome(of: offer, at: end) == .expired)
    }

    @Test func wrongTriesKeepOutOnlyWhoeverMadeThem() {
        let offer = pairings.offer(at: start)
        for number in 0..<Pairings.tries {
            #expect(pairings.wait(of: "a", at: start) == nil, "\(number)")
            #expect(redeem("AAAAAAAA", at: start) == nil)
        }
        #expect(pairings.wait(of: "a", at: start + .minutes(1)) == Pairings.lifetime - .minutes(1))
        #expect(pairings.wait(of: "a", at: start + Pairings.lifetime) == nil)
        #expect(pairings.wait(of: "b", at: start) == nil)
        #expect(outcome(of: offer, at: start) == .open)
        #expect(redeem(offer.text, from: "b", at: start) != nil)
    }

    @Test func aNewCodeLetsEverybodyTryAgain() {
        for _ in 0..<Pairings.tries { #expect(redeem("AAAAAAAA", at: start) == nil) }
        _ = pairings.offer(at: start)
        #expect(pairings.wait(of: "a", at: start) == nil)
    }

    @Test func addressesThatTryAreBounded() {
        for number in 0..<Pairings.addressLimit + Pairings.tries {
            #expect(redeem("AAAAAAAA", from: "\(number)", at: start) == nil)
        }
        // All that are too many count as one; it goes by for them, too.
        #expect(pairings.wait(of: "z", at: start) != nil)
        #expect(pairings.wait(of: "1", at: start) == nil)
        let later = start + Pairings.lifetime
        #expect(redeem("AAAAAAAA", from: "y", at: later) == nil)
        #expect(pairings.wait(of: "z", at: later) == nil)
    }

    @Test func wrongCodesAreToldOnceAMinute() {
        #expect(pairings.takeWrongTries(at: start) == nil)
        #expect(redeem("AAAAAAAA", at: start) == nil)
        #expect(pairings.takeWrongTries(at: start) == 1)
        for _ in 0..<5 { #expect(redeem("AAAAAAAA", at: start) == nil) }
        #expect(pairings.takeWrongTries(at: start + .seconds(59)) == nil)
        #expect(pairings.takeWrongTries(at: start + .minutes(1)) == 5)
        #expect(pairings.takeWrongTries(at: start + .minutes(5)) == nil)
    }

    @Test func aPhoneThatCouldNotBeKeptMayTryAgain() throws {
        let offer = pairings.offer(at: start)
        let taken = redeem(offer.text, at: start)
        pairings.reopen(try #require(taken))
        #expect(redeem(offer.text, at: start) != nil)
    }

    @Test func codesAreBounded() {
        let offers = (0..<40).map { _ in pairings.offer(at: start) }
        #expect(pairings.offers.count == Pairings.memory)
        #expect(pairings.offers.count { $0.outcome == .open } == Pairings.openLimit)
        #expect(redeem(offers[0].text, at: start) == nil)
        #expect(redeem(offers[39].text, at: start) != nil)
        #expect(Set(offers.map(\.text)).count == 40)
    }

    @Test func codesHaveNoCharactersThatLookAlike() {
        let alphabet = Set(String(decoding: Pairings.alphabet, as: UTF8.self))
        #expect(alphabet.count == Pairings.alphabet.count)
        #expect(alphabet.isDisjoint(with: Set("0O1IL2Z5S8BUG")))
    }
}

@Suite final class RequestMeterTests {
    private let start = Timestamp(seconds: 1_790_000_000)
    private var meter = RequestMeter(perMinute: 1)

    private func refusal(of address: String, at now: Timestamp) -> Interval? {
        meter.refusal(of: address, at: now)
    }

    @Test func refusesWhatIsMoreThanAMinuteAllows() {
        meter = RequestMeter(perMinute: 60)
        for _ in 0..<60 { #expect(refusal(of: "a", at: start) == nil) }
        #expect(refusal(of: "a", at: start) == .seconds(1))
        #expect(refusal(of: "b", at: start) == nil)
        #expect(refusal(of: "a", at: start + .seconds(1)) == nil)
        #expect(refusal(of: "a", at: start + .seconds(1)) == .seconds(1))
    }

    @Test func addressesAreBounded() {
        meter = RequestMeter(perMinute: 2)
        for number in 0..<RequestMeter.addressLimit {
            #expect(refusal(of: "\(number)", at: start) == nil)
        }
        for name in ["x", "y"] { #expect(refusal(of: name, at: start) == nil) }
        // All that are too many count as one.
        #expect(refusal(of: "z", at: start) != nil)
        #expect(refusal(of: "1", at: start) == nil)
        #expect(refusal(of: "z", at: start + .minutes(5)) == nil)
    }
}
