import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryTesting
import SkerryValues

/// A check of the file of a definition, followed by random messages if the definition has no errors.
public struct DefinitionTrial {
    /// True if the definition has no errors.
    public let isAccepted: Bool
    /// The number of problems reported.
    public let problemCount: Int
    /// The promise that was broken; nil if all were kept.
    public let brokenPromise: String?

    private static let timeZones = SystemTimeZones()

    /// Checks bytes as a file, then handles this many random messages.
    ///
    /// The same bytes give the same messages.
    public init(_ bytes: [UInt8], messages: Int) {
        let source = DefinitionFile(path: "fuzz.yaml", bytes: bytes)
        let file = CompiledFiles([source], timeZones: Self.timeZones).files[0]
        let hasErrors = file.problems.contains { $0.severity == .error }
        isAccepted = file.definition != nil
        problemCount = file.problems.count
        let printed = DiagnosticPrinter().text(of: file.problems, file: source.path, text: source.text)
        if isAccepted == hasErrors {
            brokenPromise = "a definition with errors, or none without"
        } else if printed.isEmpty != file.problems.isEmpty {
            brokenPromise = "problems are not printed"
        } else if let broken = PlaceCheck(source.text).brokenPromise(of: file.problems) {
            brokenPromise = broken
        } else if let definition = file.definition {
            var traffic = RandomTraffic(for: definition, text: source.text)
            brokenPromise = traffic.brokenPromise(messages: messages)
        } else {
            brokenPromise = nil
        }
    }
}

/// Messages for one definition, with the words in its file as values.
struct RandomTraffic {
    private let filters: [TopicFilter]
    private let words: [String]
    /// The paths into the payload that the file names.
    private let paths: [[String]]
    private var engine: Engine
    private var random: SimulatedRandom

    init(for definition: Definition, text: String) {
        filters = definition.sources.map(\.filter)
        let isWordByte = { (byte: UInt8) in
            byte >= 0x80 || byte == 0x5F || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte)
        }
        let words = text.utf8.split { !isWordByte($0) }.prefix(2000).map {
            String(decoding: $0, as: UTF8.self)
        }
        self.words = words.isEmpty ? ["x"] : words
        paths = text.split(whereSeparator: { " \n\"'()[],".contains($0) }).prefix(2000)
            .filter { $0.hasPrefix("payload.") }
            .map { $0.split(separator: ".").dropFirst().prefix(6).map(String.init) }
        engine = Engine(definitions: [definition], epoch: 1)
        random = SimulatedRandom(seed: text.utf8.reduce(17) { $0 &* 1_099_511_628_211 ^ UInt64($1) })
    }

    mutating func brokenPromise(messages: Int) -> String? {
        var time = Timestamp(seconds: 1_700_000_000)
        for _ in 0..<messages {
            time = Timestamp(microseconds: time.microseconds + Int64(random.below(2_000_000)))
            let message = Message(
                topic: Array(topic().utf8)[...],
                payload: payload()[...],
                isRetained: random.chance(1, of: 6)
            )
            _ = engine.handle(.message(message), at: time)
            for _ in 0..<2 {
                guard let due = engine.nextDeadline, random.chance(1, of: 2) else { break }
                if due < engine.now { return "a deadline in the past is left" }
                time = max(time, due)
                _ = engine.handle(.timePassed, at: time)
            }
            if engine.now < time { return "time stands still" }
        }
        return nil
    }

    private mutating func word() -> String { words[random.below(words.count)] }

    private mutating func topic() -> String {
        guard !filters.isEmpty, random.chance(11, of: 12) else { return word() + "/" + word() }
        var levels: [String] = []
        for level in filters[random.below(filters.count)].levels {
            switch level {
            case .literal(let text): levels.append(text)
            case .any: levels.append(word())
            case .capture: levels.append(["d1", "d2"][random.below(2)])
            case .partialCapture(let prefix, _, let suffix): levels.append(prefix + word() + suffix)
            case .captureOfRest: levels += random.chance(1, of: 2) ? ["d1"] : ["d1", word()]
            case .rest: levels += random.chance(1, of: 2) ? [] : [word()]
            }
        }
        return levels.joined(separator: "/")
    }

    private mutating func payload() -> [UInt8] {
        switch random.below(8) {
        case 0: return Array(word().utf8)
        case 1: return (0..<random.below(12)).map { _ in UInt8(random.below(256)) }
        case 2:
            return Array(["", "null", "on", "OFF", "1", "-1e9", "[]", "{}", "true"][random.below(9)].utf8)
        default:
            var value = Value.map(ValueMap())
            for path in paths where random.chance(3, of: 4) { value = set(value, path[...], to: leaf()) }
            var writer = JSONWriter()
            writer.value(paths.isEmpty ? leaf() : value)
            return writer.bytes
        }
    }

    private mutating func leaf() -> Value {
        switch random.below(9) {
        case 0: .null
        case 1: .bool(random.chance(1, of: 2))
        case 2: .int(Int64(random.below(200)) - 20)
        case 3: .int(Int64(truncatingIfNeeded: random.next()))
        case 4: .double(Double(random.below(100_000)) / 64)
        case 5: .list([.string(word()), .int(1), .null])
        case 6: .double(Double(random.below(1000)) * 1e300)
        default: .string(word())
        }
    }

    private func set(_ value: Value, _ path: ArraySlice<String>, to leaf: Value) -> Value {
        guard let key = path.first else { return leaf }
        var map = ValueMap()
        if case .map(let known) = value { map = known }
        map.set(key, to: set(map[key] ?? .null, path.dropFirst(), to: leaf))
        return .map(map)
    }
}
