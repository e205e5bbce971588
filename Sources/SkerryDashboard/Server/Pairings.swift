#if Dashboard
import SkerryValues

/// The codes with which phones can be paired: each for a short time, for one phone, and void after a few wrong tries.
struct Pairings {
    /// How long a code is good for.
    static let lifetime = Interval.minutes(10)
    /// How many wrong codes may come before all open ones are void.
    static let tries = 10
    /// How many codes may be open; a further one takes the place of the oldest.
    static let openLimit = 4
    /// How many are remembered so that whoever made them hears what became of them.
    static let memory = 16
    /// What codes are made of: no characters that look alike.
    static let alphabet = Array("34679ACDEFHJKMNPQRTVWXY".utf8)
    /// How many characters a code has.
    static let codeLength = 8

    /// What became of a code.
    enum Outcome: Hashable {
        /// It is good.
        case open
        /// A phone was paired with it.
        case paired(phone: String, name: String)
        /// There were too many wrong codes, or newer ones took its place.
        case void
        /// Its time is over.
        case expired
    }

    /// A code and what became of it.
    struct Offer {
        /// Its number, for whoever made it.
        let id: String
        let code: [UInt8]
        /// What the phone is to be called, if whoever made the code said so.
        let name: String?
        let expiresAt: Timestamp
        fileprivate(set) var outcome = Outcome.open

        /// The code as people read it.
        var text: String { String(decoding: code, as: UTF8.self) }
    }

    private(set) var offers: [Offer] = []
    private var wrongTries = 0

    /// Makes a code, for a phone that is to be called so, if that is said.
    mutating func offer(
        named name: String? = nil,
        at now: Timestamp
    ) -> Offer {
        expire(at: now)
        let open = offers.indices.filter { offers[$0].outcome == .open }
        if open.count >= Self.openLimit, let oldest = open.first { offers[oldest].outcome = .void }
        if offers.count >= Self.memory { offers.removeFirst() }
        wrongTries = 0
        let code = (0..<Self.codeLength).map { _ in Self.alphabet.randomElement() ?? 0 }
        let id = String(UInt64.random(in: 0 ... .max), radix: 36)
        let offer = Offer(id: id, code: code, name: name, expiresAt: now + Self.lifetime)
        offers.append(offer)
        return offer
    }

    /// What became of the code with a number; nil when nothing is known of it any more.
    mutating func offer(_ id: String, at now: Timestamp) -> Offer? {
        expire(at: now)
        return offers.first { $0.id == id }
    }

    /// Takes the open offer of a code, so that nobody else gets it; nil when there is none, which counts as a wrong try.
    ///
    /// Small letters, spaces and hyphens do not matter.
    mutating func redeem(
        _ text: String,
        at now: Timestamp,
        by phone: (_ name: String?) -> NamedPhone
    ) -> (offer: Offer, phone: NamedPhone)? {
        expire(at: now)
        let code = Self.normal(text)
        var found: Int?
        for index in offers.indices where offers[index].outcome == .open {
            if Secret.areEqual(offers[index].code, code) { found = index }
        }
        guard let found else {
            wrongTries += 1
            if wrongTries >= Self.tries {
                for index in offers.indices where offers[index].outcome == .open {
                    offers[index].outcome = .void
                }
            }
            return nil
        }
        let phone = phone(offers[found].name)
        offers[found].outcome = .paired(phone: phone.id, name: phone.name)
        return (offers[found], phone)
    }

    /// Opens an offer again, whose phone could not be kept.
    mutating func reopen(_ offer: Offer) {
        guard let index = offers.firstIndex(where: { $0.id == offer.id }) else { return }
        offers[index].outcome = .open
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

/// What a phone is called.
struct NamedPhone: Hashable {
    /// In addresses.
    let id: String
    /// By people.
    let name: String
}
#endif
