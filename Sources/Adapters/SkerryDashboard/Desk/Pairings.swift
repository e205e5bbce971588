import SkerryGateway
import SkerryValues

/// The codes by which phones and browsers are let in: each for a short time and for one of them.
///
/// An address that sent a few wrong ones has to wait for a while. Codes stay good meanwhile, or anybody could keep
/// phones from being paired.
struct Pairings {
    /// The time for which a code is valid.
    static let lifetime = Interval.minutes(10)
    /// The number of wrong codes that an address may send while a code is valid.
    static let tries = 10
    /// The number of addresses that are told apart; further ones count as one.
    static let addressLimit = 1024
    /// The shortest pause between two log lines about wrong codes.
    static let notePause = Interval.minutes(1)
    /// The number of codes that may be open; a further one replaces the oldest.
    static let openLimit = 4
    /// The number of closed codes whose outcome can still be asked for.
    static let memory = 16
    /// The characters of codes; none of them look alike.
    static let alphabet = Array("34679ACDEFHJKMNPQRTVWXY".utf8)
    /// The number of characters in a code.
    static let codeLength = 8

    /// The outcome of a code.
    enum Outcome: Hashable {
        /// It is good.
        case open
        /// A phone or a browser was let in with it.
        case paired(id: String, name: String)
        /// Newer ones took its place.
        case void
        /// Its time is over.
        case expired
    }

    /// A code and what became of it.
    struct Offer {
        /// Its number, for the administrator who made it.
        let id: String
        let code: [UInt8]
        /// The role of the browser that it is for; nil if it is for a phone.
        let role: Role?
        /// The name for the phone or the browser, if the person who made the code gave one.
        let name: String?
        /// The person that it belongs to, if the maker of the code named one.
        let person: String?
        let expiresAt: Timestamp
        fileprivate(set) var outcome = Outcome.open

        /// The code as people read it.
        var text: String { String(decoding: code, as: UTF8.self) }
    }

    private(set) var offers: [Offer] = []
    /// Wrong codes of each address, and when they are forgotten.
    private var wrongTries: [String: (count: Int, until: Timestamp)] = [:]
    /// Wrong codes that were not told yet, and when they may be.
    private var untold: (count: Int, notBefore: Timestamp)?

    /// Makes a code, for a browser in a role or for a phone, of this name and person, if they are given.
    mutating func offer(
        forBrowser role: Role? = nil,
        named name: String? = nil,
        person: String? = nil,
        at now: Timestamp
    ) -> Offer {
        expire(at: now)
        let open = offers.indices.filter { offers[$0].outcome == .open }
        if open.count >= Self.openLimit, let oldest = open.first { offers[oldest].outcome = .void }
        if offers.count >= Self.memory { offers.removeFirst() }
        // Only an administrator makes codes, and does so for one that shall try again.
        wrongTries = [:]
        let code = (0..<Self.codeLength).map { _ in Self.alphabet.randomElement() ?? 0 }
        let id = String(UInt64.random(in: 0 ... .max), radix: 36)
        let offer = Offer(
            id: id,
            code: code,
            role: role,
            name: name,
            person: person,
            expiresAt: now + Self.lifetime
        )
        offers.append(offer)
        assert(offers.count <= Self.memory, "more codes are kept than promised")
        assert(offers.count { $0.outcome == .open } <= Self.openLimit, "more codes are open than promised")
        return offer
    }

    /// Returns the outcome of the code with a number; nil when it is unknown or forgotten.
    mutating func offer(_ id: String, at now: Timestamp) -> Offer? {
        expire(at: now)
        return offers.first { $0.id == id }
    }

    /// Returns the time that an address with too many tries has to wait; nil when it may try.
    func wait(of address: String, at now: Timestamp) -> Interval? {
        guard let tries = wrongTries[place(of: address)], tries.count >= Self.tries, tries.until > now else {
            return nil
        }
        return tries.until - now
    }

    /// Returns the number of wrong codes since the last log line about them, when the next one is due.
    mutating func takeWrongTries(at now: Timestamp) -> Int? {
        guard let untold, untold.count > 0, untold.notBefore <= now else { return nil }
        self.untold = (0, now + Self.notePause)
        return untold.count
    }

    /// Returns the key under which the tries of an address are counted.
    private func place(of address: String) -> String {
        wrongTries[address] != nil || wrongTries.count < Self.addressLimit ? address : "others"
    }

    private mutating func countWrongTry(of address: String, at now: Timestamp) {
        if wrongTries.count >= Self.addressLimit { wrongTries = wrongTries.filter { $0.value.until > now } }
        let place = place(of: address)
        let former = wrongTries[place].flatMap { $0.until > now ? $0.count : nil } ?? 0
        wrongTries[place] = (former + 1, now + Self.lifetime)
        // One more for the others.
        assert(wrongTries.count <= Self.addressLimit + 1, "more addresses are told apart than promised")
        untold = ((untold?.count ?? 0) + 1, untold?.notBefore ?? now)
    }

    /// Takes the open offer of a code, so that nobody else gets it; nil when there is none, which counts as a wrong try.
    ///
    /// Small letters, spaces and hyphens do not matter. A code for a phone is none for a browser, nor the other way round.
    mutating func redeem(
        _ text: String,
        isBrowser: Bool = false,
        from address: String,
        at now: Timestamp,
        by newcomer: (_ name: String?) -> Newcomer
    ) -> (offer: Offer, newcomer: Newcomer)? {
        expire(at: now)
        let code = Self.normal(text)
        var found: Int?
        for index in offers.indices where offers[index].outcome == .open {
            let isIt = Secret.areEqual(offers[index].code, code)
            if isIt, (offers[index].role != nil) == isBrowser { found = index }
        }
        guard let found else {
            countWrongTry(of: address, at: now)
            return nil
        }
        let newcomer = newcomer(offers[found].name)
        offers[found].outcome = .paired(id: newcomer.id, name: newcomer.name)
        return (offers[found], newcomer)
    }

    /// Opens an offer again, whose phone or browser could not be kept.
    mutating func reopen(_ offer: Offer) {
        guard let index = offers.firstIndex(where: { $0.id == offer.id }) else { return }
        // Others may have been made meanwhile.
        let isRoom = offers.count { $0.outcome == .open } < Self.openLimit
        offers[index].outcome = isRoom ? .open : .void
        assert(offers.count { $0.outcome == .open } <= Self.openLimit, "more codes are open than promised")
    }

    private mutating func expire(at now: Timestamp) {
        for index in offers.indices where offers[index].outcome == .open && offers[index].expiresAt <= now {
            offers[index].outcome = .expired
        }
    }

    private static func normal(_ text: String) -> [UInt8] {
        text.utf8.prefix(64).compactMap { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 0x20
            case UInt8(ascii: " "), UInt8(ascii: "-"): nil
            default: byte
            }
        }
    }
}

/// A phone or a browser that is let in.
struct Newcomer: Hashable {
    /// In addresses.
    let id: String
    /// By people.
    let name: String
}
