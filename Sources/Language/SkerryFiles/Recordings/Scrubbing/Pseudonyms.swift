/// The replacements for names, serial numbers and addresses: the same for the same original in all of a recording.
struct Pseudonyms {
    /// The kind of an original.
    enum Kind: CaseIterable {
        /// The name of a person, a place or a device.
        case name
        /// A serial number, or an id that was made like one.
        case serial
        /// An address of the network or of a person.
        case address
    }

    /// The number of different originals of each kind.
    private(set) var counts: [Kind: Int] = [:]

    /// The pseudonyms, by the original with small letters.
    private var known: [[UInt8]: [UInt8]] = [:]
    /// The originals that are looked for in texts, by their first byte, the longest first.
    private var words: [UInt8: [[UInt8]]] = [:]
    private var random: any RandomNumberGenerator

    init(using random: any RandomNumberGenerator) { self.random = random }

    /// The shortest name that is looked for in texts, whatever its case.
    static let shortest = 3
    /// The shortest number that is looked for in texts: shorter ones are measured everywhere.
    static let shortestNumber = 6

    /// Words of states, which stay wherever they are no value of a personal key.
    private static let states: Set<[UInt8]> = Set(
        [
            "on", "off", "ok", "no", "yes", "up", "in", "to", "of", "am", "pm", "is", "at", "kw", "wh",
            "true", "false",
            "none", "null", "unknown", "unavailable", "online", "offline", "open", "closed", "idle",
        ].map { Array($0.utf8) }
    )

    /// Returns whether a text says nothing but a state, also under a personal key.
    static func isState(_ text: some Sequence<UInt8>) -> Bool {
        states.contains(text.map { $0.lowercasedASCII })
    }

    /// Takes a text that is replaced wherever it stands by itself, also with `_`, `-` or `%20` for its blanks.
    mutating func addWord(_ text: some Sequence<UInt8>, _ kind: Kind) {
        let original = Array(text)
        guard !Self.isState(original) else { return }
        let said = pseudonym(of: original, kind)
        let name = String(decoding: original, as: UTF8.self)
        for variant in [name, name.lowercased(), name.uppercased()] {
            add(Array(variant.utf8), said)
            if !variant.utf8.allSatisfy({ $0.isPlain }) { add(Array(variant.percentEncoded.utf8), said) }
            guard variant.utf8.contains(0x20) else { continue }
            for blank in [UInt8(ascii: "_"), UInt8(ascii: "-")] {
                add(variant.utf8.map { $0 == 0x20 ? blank : $0 }, said)
            }
        }
    }

    private mutating func add(_ original: [UInt8], _ said: [UInt8]) {
        guard original.count >= 2 else { return }
        if original.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }),
            original.count < Self.shortestNumber
        {
            return
        }
        // Two letters are in too many words to be looked for in another case.
        let word = original.count < Self.shortest ? original : original.map { $0.lowercasedASCII }
        let first = word[0].lowercasedASCII
        var others = words[first] ?? []
        guard !others.contains(word) else { return }
        if known[word] == nil { known[word] = said }
        others.insert(word, at: others.firstIndex { $0.count < word.count } ?? others.count)
        words[first] = others
    }

    /// The pseudonym of an original; a new one at its first appearance.
    mutating func pseudonym(of original: some Collection<UInt8>, _ kind: Kind) -> [UInt8] {
        let key = original.map { $0.lowercasedASCII }
        if let pseudonym = known[key] { return pseudonym }
        counts[kind, default: 0] += 1
        let number = counts[kind] ?? 0
        let made: [UInt8]
        if kind == .name {
            made = Array("name-\(number)".utf8)
        } else if key.contains(UInt8(ascii: "@")) {
            made = Array("address-\(number)@example.org".utf8)
        } else if key.count(where: { $0 == UInt8(ascii: ":") }) > 1, kind == .address,
            key.count != 17 || key[2] != UInt8(ascii: ":")
        {
            // Addresses for documentation, RFC 3849.
            made = Array("2001:db8::\(String(number, radix: 16))".utf8)
        } else if key.isInternetAddress {
            // Addresses for documentation, RFC 5737.
            made = Array("\(number <= 254 ? "192.0.2" : "198.51.100").\((number - 1) % 254 + 1)".utf8)
        } else {
            made = alike(Array(original))
        }
        known[key] = made
        return made
    }

    /// The length of the word that begins at a place of a text, and what is said in its place; nil without one.
    func word(at place: Int, of text: ArraySlice<UInt8>) -> (length: Int, pseudonym: [UInt8])? {
        guard let candidates = words[text[place].lowercasedASCII] else { return nil }
        let rest = text[place...]
        for word in candidates where word.count <= rest.count {
            let end = place + word.count
            guard end == text.endIndex || !text[end].isOfWord || !word[word.count - 1].isOfWord else {
                continue
            }
            let isExact = word.count < Self.shortest
            guard zip(rest, word).allSatisfy({ (isExact ? $0 : $0.lowercasedASCII) == $1 }),
                let said = known[word] ?? known[word.map { $0.lowercasedASCII }]
            else { continue }
            return (word.count, said)
        }
        return nil
    }

    /// Another text of the same form: letters for letters, digits for digits; hexadecimal if the original is.
    private mutating func alike(_ original: [UInt8]) -> [UInt8] {
        var made = drawn(original)
        // A short one may be drawn again. Punctuation alone stays as it is.
        while made == original, original.contains(where: { $0.isOfWord }) { made = drawn(original) }
        return made
    }

    private mutating func drawn(_ original: [UInt8]) -> [UInt8] {
        let isHexadecimal = original.allSatisfy {
            !$0.isOfWord || $0.isHexadecimalDigit || $0.lowercasedASCII == 0x78
        }
        return original.indices.map { place in
            let byte = original[place]
            // The mark of hexadecimal numbers.
            if place == 1, byte == 0x78, original[0] == 0x30 { return byte }
            if place == 0, byte == 0x30, original.count > 1, original[1] == 0x78 { return byte }
            // No number of JSON begins with a 0.
            if byte.isASCIIDigit {
                return 0x30 + UInt8.random(in: (place == 0 && byte != 0x30 ? 1 : 0)..<10, using: &random)
            }
            guard byte.isOfWord, byte < 0x80 else { return byte < 0x80 ? byte : UInt8(ascii: "x") }
            let drawn = UInt8.random(in: 0..<(isHexadecimal ? 6 : 26), using: &random)
            return (byte & 0x20) | 0x41 + drawn
        }
    }
}

extension UInt8 {
    /// The byte with a small letter for a capital one of ASCII.
    var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

    /// True for a byte that addresses on the web write as it is.
    fileprivate var isPlain: Bool { self < 0x80 && isOfWord || "-._~".utf8.contains(self) }

    /// True for 0 to 9.
    var isASCIIDigit: Bool { (0x30...0x39).contains(self) }

    /// True for a letter of ASCII, a digit, and all beyond ASCII.
    var isOfWord: Bool { isASCIIDigit || self >= 0x80 || (0x61...0x7A).contains(self | 0x20) }

    /// True for a digit of hexadecimal numbers.
    var isHexadecimalDigit: Bool { isASCIIDigit || (0x61...0x66).contains(self | 0x20) }
}

extension String {
    /// The text as it stands in addresses on the web.
    fileprivate var percentEncoded: String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in utf8 {
            bytes +=
                byte.isPlain ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
