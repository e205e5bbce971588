/// The parts of a scrubbed recording of which only a person can tell whether they are personal.
package struct ScrubDoubts: Sendable {
    /// The largest number of parts of each sort.
    private static let limit = 200
    /// The shortest number that may be somebody's.
    private static let digits = 7

    /// The levels of topics that are left, in the order of their first time.
    package private(set) var levels: [String] = []
    /// The texts of more than small letters that are left, with their keys.
    package private(set) var texts: [String] = []
    /// The keys of long numbers.
    package private(set) var numbers: [String] = []

    private var seen: Set<String> = []

    mutating func note(topic: ArraySlice<UInt8>) {
        for level in topic.split(separator: UInt8(ascii: "/")) {
            let text = String(decoding: level, as: UTF8.self)
            if text.isProperty || text.hasPrefix("name-") || !level.contains(where: { $0.isLetter }) {
                continue
            }
            add(text, to: \.levels)
        }
    }

    mutating func note(text: ArraySlice<UInt8>, under key: String?) {
        // Small letters, figures and punctuation of programs are the words of a device; so are times.
        let isPlain = text.allSatisfy { byte in
            byte < 0x80 && byte != 0x20 && !(0x41...0x5A).contains(byte)
        }
        guard !isPlain, text.contains(where: { $0.isLetter }), !text.isWord, !text.isMoment else { return }
        let said = String(decoding: text.prefix(40), as: UTF8.self)
        add("\(key ?? "") \"\(said)\"", to: \.texts)
    }

    mutating func note(number: ArraySlice<UInt8>, under key: String?) {
        guard let key, number.count >= Self.digits, number.allSatisfy({ $0.isASCIIDigit }) else { return }
        add(key, to: \.numbers)
    }

    private mutating func add(_ text: String, to list: WritableKeyPath<ScrubDoubts, [String]>) {
        guard self[keyPath: list].count < Self.limit, seen.insert(text).inserted else { return }
        self[keyPath: list].append(text)
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { isOfWord && !isASCIIDigit }
}

extension ArraySlice<UInt8> {
    /// True for one word in capitals, or with a capital at its beginning or within: `RUNNING`, `Finished`, `EcoMode`.
    fileprivate var isWord: Bool {
        allSatisfy { $0 < 0x80 && ($0.isLetter || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")) }
    }

    /// True for a time as ISO 8601 writes it.
    fileprivate var isMoment: Bool { allSatisfy { $0.isASCIIDigit || "-+:.TZ ".utf8.contains($0) } }
}
