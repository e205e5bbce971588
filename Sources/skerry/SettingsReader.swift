import ArgumentParser
import Configuration

/// Reads settings and refuses values of the wrong kind or out of range, instead of passing over them.
struct SettingsReader {
    private let config: ConfigReader
    /// Each place of settings by itself, that of the highest rank first.
    private let places: [ConfigReader]

    init(_ providers: [any ConfigProvider]) {
        config = ConfigReader(providers: providers)
        places = providers.map { ConfigReader(provider: $0) }
    }

    /// Whether the first of two settings comes from a place of a higher rank than the second.
    func outranks(_ first: String, _ second: String) -> Bool {
        func rank(_ key: String) -> Int {
            places.firstIndex { place in
                place.string(forKey: ConfigKey(key), isSecret: true) != nil
                    || place.int(forKey: ConfigKey(key), isSecret: true) != nil
            } ?? places.count
        }
        return rank(first) < rank(second)
    }

    func text(_ key: String, isSecret: Bool = false) throws -> String? {
        if let text = config.string(forKey: ConfigKey(key), isSecret: isSecret) { return text }
        return config.int(forKey: ConfigKey(key), isSecret: isSecret).map { String($0) }
    }

    func texts(_ key: String) throws -> [String]? {
        if let texts = config.stringArray(forKey: ConfigKey(key)) { return texts }
        return try text(key).map { [$0] }
    }

    func number(_ key: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let number = config.int(forKey: ConfigKey(key)) else {
            guard let text = config.string(forKey: ConfigKey(key)) else { return nil }
            throw ValidationError("\(key): '\(text)' is no whole number")
        }
        guard range.contains(number) else {
            throw ValidationError(
                "\(key): \(number) is not between \(range.lowerBound) and \(range.upperBound)"
            )
        }
        return number
    }

    func truth(_ key: String) throws -> Bool? {
        if let truth = config.bool(forKey: ConfigKey(key)) { return truth }
        guard let text = config.string(forKey: ConfigKey(key)) else { return nil }
        throw ValidationError("\(key): '\(text)' is neither true nor false")
    }
}
