import SkerryValues

/// Takes out of a recording what tells whose it is, so that it can be given to others.
///
/// Names, serial numbers and addresses get pseudonyms, which are the same wherever the original stands, in topics and in
/// payloads. Positions on the globe are moved, all by the same angles. Everything else stays as it is, so that definitions
/// work as before. A recording is read twice: first to learn the names in it, and then to replace them.
package struct Scrubber {
    /// The levels of JSON in texts of JSON that are looked through.
    private static let depth = 4

    private var pseudonyms: Pseudonyms
    private let nameKeys: Set<[UInt8]>
    /// The distance by which positions are moved, in degrees to the north and to the east.
    private let shift: [Int]

    /// The number of positions that were moved.
    package private(set) var movedPositions = 0
    /// The parts that only a person can judge.
    package private(set) var doubts = ScrubDoubts()

    /// Makes a scrubber.
    ///
    /// - Parameters:
    ///   - keys: Further keys of JSON whose values are names.
    ///   - words: Further names, wherever they stand.
    ///   - random: What the pseudonyms of serial numbers are drawn from.
    package init(keys: [String] = [], words: [String] = [], using random: any RandomNumberGenerator) {
        var random = random
        shift = [3, 7].map { Int.random(in: 1...$0, using: &random) * (Bool.random(using: &random) ? 1 : -1) }
        pseudonyms = Pseudonyms(using: random)
        nameKeys = Set(keys.map { $0.utf8.filter { $0.isOfWord }.map { $0.lowercasedASCII } })
        for word in words { pseudonyms.addWord(word.utf8, .name) }
    }

    /// The number of different names, serial numbers and addresses that were found.
    package var counts: (names: Int, serials: Int, addresses: Int) {
        let counts = pseudonyms.counts
        return (counts[.name] ?? 0, counts[.serial] ?? 0, counts[.address] ?? 0)
    }

    // MARK: Learning

    /// Learns the names in a message.
    package mutating func learn(_ message: RecordedMessage) {
        learn(message.payload, depth: Self.depth)
        // What is the number of a device there stands in payloads, too.
        var place = message.topic.startIndex
        while place < message.topic.endIndex {
            guard message.topic.beginsWord(at: place),
                let token = PersonalToken(at: place, of: message.topic, isTopic: true)
            else {
                place += 1
                continue
            }
            pseudonyms.addWord(message.topic[token.range], token.kind)
            place = token.range.upperBound
        }
    }

    private mutating func learn(_ payload: ArraySlice<UInt8>, depth: Int) {
        guard payload.isJSON else { return learnPairs(in: payload) }
        for part in PayloadParts(payload) {
            switch part {
            case .other, .key: break
            case .text(let written, let key):
                let text = JSONText.plain(written)[...]
                if let personal = personal(key), case .position = personal { continue }
                if let personal = personal(key) {
                    pseudonyms.addWord(text, personal.kind)
                } else if depth > 0 {
                    learn(text, depth: depth - 1)
                }
            case .number(let digits, let key):
                if let personal = personal(key), covers(digits, personal) {
                    pseudonyms.addWord(digits, .serial)
                }
            }
        }
    }

    private mutating func learnPairs(in text: ArraySlice<UInt8>) {
        for place in text.indices where text.beginsWord(at: place) {
            guard let pair = PersonalPair(at: place, of: text, names: nameKeys) else { continue }
            if case .position = pair.key { continue }
            pseudonyms.addWord(text[pair.value], pair.key.kind)
        }
    }

    private func personal(_ key: String?) -> PersonalKey? {
        key.flatMap { PersonalKey(JSONText.plain(Array($0.utf8)[...]), names: nameKeys) }
    }

    /// Returns whether a number under a key is somebody's: a whole one of at least three digits.
    private func covers(_ digits: ArraySlice<UInt8>, _ key: PersonalKey) -> Bool {
        key.coversNumbers && digits.count >= 3 && digits.allSatisfy { $0.isASCIIDigit }
    }

    // MARK: Replacing

    /// Replaces what is personal in a message; nil for one whose payload is not text, and so can't be looked through.
    package mutating func scrub(_ message: RecordedMessage) -> RecordedMessage? {
        guard String(validating: message.payload, as: UTF8.self) != nil else { return nil }
        var scrubbed = message
        scrubbed.topic = text(message.topic, isTopic: true)[...]
        scrubbed.payload = payload(message.payload, depth: Self.depth)[...]
        doubts.note(topic: scrubbed.topic)
        if scrubbed.payload == message.payload, !message.payload.isJSON {
            doubts.note(text: message.payload, under: nil)
        }
        return scrubbed
    }

    /// A payload, or a text that may be JSON itself, with pseudonyms in it.
    private mutating func payload(_ payload: ArraySlice<UInt8>, depth: Int) -> [UInt8] {
        guard payload.isJSON else { return text(payload) }
        var result: [UInt8] = []
        result.reserveCapacity(payload.count)
        for part in PayloadParts(payload) {
            switch part {
            case .other(let bytes): result += bytes
            case .key(let written): result += rewritten(written) { $0.key($1) }
            case .text(let written, let key):
                result += rewritten(written) { $0.value($1, of: key, depth: depth) }
            case .number(let digits, let key): result += number(digits, of: key)
            }
        }
        return result
    }

    /// A text of JSON with its escapes, as it is if nothing in it is replaced.
    private mutating func rewritten(
        _ written: ArraySlice<UInt8>,
        _ replace: (inout Scrubber, ArraySlice<UInt8>) -> [UInt8]
    ) -> [UInt8] {
        let plain = JSONText.plain(written)
        let replaced = replace(&self, plain[...])
        return replaced == plain ? Array(written) : JSONText.written(replaced)
    }

    /// The name of a member; one that programmers made up stays, even if somebody has named a device so.
    private mutating func key(_ key: ArraySlice<UInt8>) -> [UInt8] {
        let isOfProgram = PersonalKey(key) != nil || String(decoding: key, as: UTF8.self).isProperty
        return isOfProgram ? Array(key) : text(key)
    }

    private mutating func value(_ text: ArraySlice<UInt8>, of key: String?, depth: Int) -> [UInt8] {
        switch personal(key) {
        case .position(let axis)?: return moved(text, along: axis)
        case let personal? where !Pseudonyms.isState(text):
            return text.isEmpty ? [] : pseudonyms.pseudonym(of: text, personal.kind)
        default: break
        }
        let result = depth > 0 ? payload(text, depth: depth - 1) : self.text(text)
        if result.elementsEqual(text), !text.isJSON { doubts.note(text: text, under: key) }
        return result
    }

    private mutating func number(_ digits: ArraySlice<UInt8>, of key: String?) -> [UInt8] {
        let personal = personal(key)
        if case .position(let axis)? = personal { return moved(digits, along: axis) }
        if let personal, covers(digits, personal) { return pseudonyms.pseudonym(of: digits, .serial) }
        if let (length, said) = pseudonyms.word(at: digits.startIndex, of: digits), length == digits.count,
            said.allSatisfy({ $0.isASCIIDigit })
        {
            return said
        }
        doubts.note(number: digits, under: key)
        return Array(digits)
    }

    /// A text with pseudonyms in it.
    private mutating func text(_ text: ArraySlice<UInt8>, isTopic: Bool = false) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var place = text.startIndex
        while place < text.endIndex {
            if place == text.startIndex || !text[place - 1].isOfWord || !text[place].isOfWord {
                if let (length, said) = pseudonyms.word(at: place, of: text) {
                    result += said
                    place += length
                    continue
                }
                if !isTopic, text.beginsWord(at: place),
                    let pair = PersonalPair(at: place, of: text, names: nameKeys)
                {
                    result += text[place..<pair.value.lowerBound]
                    result += self.pair(pair, of: text)
                    place = pair.value.upperBound
                    continue
                }
                if text[place].isOfWord || text[place] == UInt8(ascii: ":"),
                    let token = PersonalToken(at: place, of: text, isTopic: isTopic)
                {
                    result += pseudonyms.pseudonym(of: text[token.range], token.kind)
                    place = token.range.upperBound
                    continue
                }
            }
            result.append(text[place])
            place += 1
        }
        return result
    }

    private mutating func pair(_ pair: PersonalPair, of text: ArraySlice<UInt8>) -> [UInt8] {
        let value = text[pair.value]
        if case .position(let axis) = pair.key { return moved(value, along: axis) }
        if Pseudonyms.isState(value) { return Array(value) }
        // Of a name that is a number, such as a room's, nobody can tell whose it is.
        if pair.key == .name, value.count < Pseudonyms.shortestNumber,
            value.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }),
            !Array(value).isInternetAddress
        {
            return Array(value)
        }
        return pseudonyms.pseudonym(of: value, pair.key.kind)
    }

    /// A number of degrees that is moved, with as many decimals as before; other texts give 0.
    private mutating func moved(_ digits: ArraySlice<UInt8>, along axis: Int) -> [UInt8] {
        guard let number = Double(String(decoding: digits, as: UTF8.self)), number.magnitude <= 360 else {
            return Array("0".utf8)
        }
        movedPositions += 1
        let point = digits.firstIndex(of: UInt8(ascii: "."))
        let decimals = point.map { min(digits.endIndex - $0 - 1, 12) } ?? 0
        var scale: Int64 = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int64((number * Double(scale)).rounded()) + Int64(shift[axis]) * scale
        let sign = scaled < 0 ? "-" : ""
        let fraction = String(scaled.magnitude % scale.magnitude)
        let zeros = String(repeating: "0", count: max(0, decimals - fraction.utf8.count))
        return Array(
            "\(sign)\(scaled.magnitude / scale.magnitude)\(decimals > 0 ? ".\(zeros)\(fraction)" : "")".utf8
        )
    }
}

extension ArraySlice<UInt8> {
    /// True for an object, a list or a text of JSON.
    fileprivate var isJSON: Bool {
        guard let first = first(where: { !" \t\r\n".utf8.contains($0) }), "{[\"".utf8.contains(first) else {
            return false
        }
        return (try? JSONReader.value(of: span)) != nil
    }

    /// True if a word of letters and digits begins at a place.
    fileprivate func beginsWord(at place: Int) -> Bool {
        self[place].isOfWord && (place == startIndex || !self[place - 1].isOfWord)
    }
}
