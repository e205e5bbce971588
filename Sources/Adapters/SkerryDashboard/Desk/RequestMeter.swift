import SkerryValues

/// Lets each address ask so many times a minute, evenly or in bursts.
struct RequestMeter {
    /// The number of addresses that are told apart; further ones count as one.
    static let addressLimit = 1024

    private let perMinute: Int
    /// The moment at which an address will have made up for its requests.
    private var debts: [String: Timestamp] = [:]

    /// Makes a meter that lets so many requests a minute pass, from 1.
    init(perMinute: Int) {
        self.perMinute = max(1, perMinute)
    }

    private var cost: Interval { Interval(microseconds: 60_000_000 / Int64(perMinute)) }

    /// Counts a request; nil when it may be answered, else how long to wait.
    mutating func refusal(of address: String, at now: Timestamp) -> Interval? {
        if debts[address] == nil, debts.count >= Self.addressLimit { debts = debts.filter { $0.value > now } }
        let address = debts[address] == nil && debts.count >= Self.addressLimit ? "others" : address
        let debt = max(debts[address] ?? now, now) + cost
        // Up to a minute's requests may be owed, which allows a burst of them.
        let excess: Interval = debt - (now + .minutes(1))
        guard excess <= .zero else { return excess }
        debts[address] = debt
        // One more for the others.
        assert(debts.count <= Self.addressLimit + 1, "more addresses are told apart than promised")
        return nil
    }
}
