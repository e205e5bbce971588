import SkerryValues

/// The values that a setting may have; texts for people are in Markdown.
package enum SettingForm: Sendable {
    case text(String)
    /// One text, or a list of texts.
    case list(String)
    case truth
    case words([String])
    /// A whole number of a unit; the unit may be empty.
    case number(ClosedRange<Int>, String)
    case decimal(ClosedRange<Double>, String)
    /// Entries under names that the author chooses, which have a reader of their own.
    case mapping(String)
    /// The same settings under each of the names that the author chooses.
    case named([SettingDeclaration], String)

    /// The values for people.
    var range: String {
        switch self {
        case .text(let text), .list(let text), .mapping(let text), .named(_, let text): text
        case .truth: "`true`, `false`"
        case .words(let words) where words.count > 4: "`\(words[0])` to `\(words[words.count - 1])`"
        case .words(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .number(let range, let unit):
            "\(Self.grouped(range.lowerBound)) to \(Self.grouped(range.upperBound))\(unit.isEmpty ? "" : " \(unit)")"
        case .decimal(let range, let unit): "\(Int(range.lowerBound)) to \(Int(range.upperBound)) \(unit)"
        }
    }

    fileprivate var words: [String] {
        if case .words(let words) = self { words } else { [] }
    }

    /// A number with a comma before every third digit from the end.
    private static func grouped(_ number: Int) -> String {
        let digits = String(number)
        return digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { text += "," }
            text.append(digit.element)
        }
    }
}

/// The way in which a setting has something that others must not read.
package enum SettingSecret: Hashable, Sendable {
    /// The value itself.
    case text
    /// The file whose path is the value.
    case file
}

/// The part of a setting that its configuration file, variable, flag, JSON Schema and row in docs/reference/settings.md come from.
package struct SettingDeclaration: Sendable {
    /// The name, such as `store.lease`.
    package var name: String
    package var form: SettingForm
    /// The default, in Markdown.
    package var standard: String
    package var help = ""
    /// The flag that outranks the environment and the file; empty if there is none.
    package var flag = ""
    package var flagHelp = ""
    /// The kind of secret that the value is; nil for a setting that everybody may read.
    package var secret: SettingSecret?

    /// The same setting in a group.
    func below(_ group: String) -> SettingDeclaration {
        var declaration = self
        declaration.name = "\(group).\(name)"
        return declaration
    }
}

/// A setting: its declaration, the type of its value, and its default.
package struct SettingKey<Value: Sendable>: Sendable {
    package private(set) var declaration: SettingDeclaration
    /// The value if nothing is set.
    fileprivate let standard: Value
    fileprivate let read: @Sendable (SettingsReader, String) throws(SettingFault) -> Value?

    package var name: String { declaration.name }

    /// The same setting in a group, such as that of an app.
    package func below(_ group: String) -> SettingKey {
        var key = self
        key.declaration = declaration.below(group)
        return key
    }

    /// Adds what the setting is, and the default where people can't be told the value.
    func help(_ help: String, default standard: String? = nil) -> SettingKey {
        var key = self
        key.declaration.help = help
        if let standard { key.declaration.standard = standard }
        return key
    }

    /// Marks the setting as one that has something that others must not read.
    func secret(_ secret: SettingSecret) -> SettingKey {
        var key = self
        key.declaration.secret = secret
        return key
    }

    /// Adds the flag and its help, in which `*` stands for the default.
    func flag(_ flag: String, _ help: String) -> SettingKey {
        var key = self
        key.declaration.flag = flag
        let standard = declaration.standard.filter { $0 != "`" }
        key.declaration.flagHelp = help.split(separator: "*", omittingEmptySubsequences: false).joined(
            separator: standard
        )
        return key
    }
}

/// The declarations of all settings.
package enum SettingKeys {
    static func text(_ name: String, _ range: String = "text") -> SettingKey<String?> {
        key(name, .text(range), "none", nil) { $0.text($1) }
    }

    static func text(_ name: String, _ range: String = "text", default standard: String) -> SettingKey<String>
    {
        key(name, .text(range), "`\(standard)`", standard) { $0.text($1) }
    }

    static func hostName(_ name: String, default standard: String) -> SettingKey<String> {
        key(name, .text("name or address"), "`\(standard)`", standard) { reader, name throws(SettingFault) in
            try reader.host(name)
        }
    }

    static func list(_ name: String, _ range: String, _ standard: [String] = []) -> SettingKey<[String]> {
        key(name, .list(range), standard.isEmpty ? "none" : "`\(standard[0])`", standard) { $0.texts($1) }
    }

    static func truth(_ name: String) -> SettingKey<Bool?> {
        key(name, .truth, "none", nil) { reader, name throws(SettingFault) in try reader.truth(name) }
    }

    static func truth(_ name: String, _ standard: Bool) -> SettingKey<Bool> {
        key(name, .truth, "`\(standard)`", standard) { reader, name throws(SettingFault) in
            try reader.truth(name)
        }
    }

    /// A word out of some, which ``SettingsReader/word(_:)-(SettingKey<String>)`` returns as a value of its type.
    static func word(_ name: String, _ words: [String]) -> SettingKey<String?> {
        key(name, .words(words), "none", nil) { $0.text($1) }
    }

    static func word(_ name: String, _ words: [String], _ standard: String) -> SettingKey<String> {
        key(name, .words(words), "`\(standard)`", standard) { $0.text($1) }
    }

    static func number(_ name: String, _ range: ClosedRange<Int>) -> SettingKey<Int?> {
        key(name, .number(range, ""), "none", nil) { reader, name throws(SettingFault) in
            try reader.number(name, in: range)
        }
    }

    static func number(
        _ name: String,
        _ range: ClosedRange<Int>,
        _ standard: Int,
        _ unit: String = ""
    ) -> SettingKey<Int> {
        key(name, .number(range, unit), "`\(standard)`", standard) { reader, name throws(SettingFault) in
            try reader.number(name, in: range)
        }
    }

    static func seconds(_ name: String, _ range: ClosedRange<Int>, _ standard: Int64) -> SettingKey<Interval>
    {
        key(name, .number(range, "seconds"), "`\(standard)`", .seconds(standard)) {
            reader,
            name throws(SettingFault) in
            try reader.number(name, in: range).map { .seconds(Int64($0)) }
        }
    }

    static func degrees(_ name: String, _ range: ClosedRange<Double>) -> SettingKey<Double?> {
        key(name, .decimal(range, "degrees"), "none", nil) { reader, name throws(SettingFault) in
            try reader.decimal(name, in: range)
        }
    }

    /// Entries that the configuration file alone has, under names that the author chooses.
    static func mapping(
        _ name: String,
        _ range: String,
        _ help: String,
        default standard: String = "none"
    ) -> SettingDeclaration {
        SettingDeclaration(name: name, form: .mapping(range), standard: standard, help: help)
    }

    /// The declarations of some settings.
    static func declared<each Value>(_ keys: repeat SettingKey<each Value>) -> [SettingDeclaration] {
        var declarations: [SettingDeclaration] = []
        // A loop over the pack fails the checks of Swift 6.2 where it is built with them, as Debian's is.
        _ = (repeat declarations.append((each keys).declaration))
        return declarations
    }

    private static func key<Value>(
        _ name: String,
        _ form: SettingForm,
        _ shown: String,
        _ standard: Value,
        read: @escaping @Sendable (SettingsReader, String) throws(SettingFault) -> Value?
    ) -> SettingKey<Value> {
        let declaration = SettingDeclaration(name: name, form: form, standard: shown)
        return SettingKey(declaration: declaration, standard: standard, read: read)
    }
}

extension SettingsReader {
    /// The value of a setting, or its default.
    ///
    /// - Throws: ``SettingFault`` for a value of another type or out of range.
    package subscript<Value>(_ key: SettingKey<Value>) -> Value {
        get throws(SettingFault) {
            assert(
                SettingKeys.names.contains(key.name) || key.name.hasPrefix("push.apps."),
                "\(key.name) is not in a list"
            )
            return try key.read(self, key.name) ?? key.standard
        }
    }

    /// A word as a value of its type.
    package func word<Word: RawRepresentable<String>>(
        _ key: SettingKey<String>
    ) throws(SettingFault) -> Word {
        try word(self[key], of: key.declaration)
    }

    /// A word as a value of its type; nil if none is set.
    package func word<Word: RawRepresentable<String>>(
        _ key: SettingKey<String?>
    ) throws(SettingFault) -> Word? {
        guard let text = try self[key] else { return nil }
        return try word(text, of: key.declaration) as Word
    }

    private func word<Word: RawRepresentable<String>>(
        _ text: String,
        of setting: SettingDeclaration
    ) throws(SettingFault) -> Word {
        if let word = Word(rawValue: text) { return word }
        let words = setting.form.words
        throw fault(
            setting.name,
            words.count == 2
                ? "'\(text)' is neither \(words[0]) nor \(words[1])"
                : "'\(text)' is none of \(words.joined(separator: ", "))"
        )
    }

    /// The settings that hold secrets and are set, by their names, with their values.
    package func secrets(_ kind: SettingSecret) -> [(name: String, value: String)] {
        SettingKeys.all.flatMap { setting -> [(name: String, value: String)] in
            guard case .named(let members, _) = setting.form else {
                return setting.secret == kind ? text(setting.name).map { [(setting.name, $0)] } ?? [] : []
            }
            return names(below: setting.name).flatMap { name in
                members.filter { $0.secret == kind }.compactMap { member in
                    let name = "\(setting.name).\(name).\(member.name)"
                    return text(name).map { (name, $0) }
                }
            }
        }
    }

    package func isSet<Value>(_ key: SettingKey<Value>) -> Bool { text(key.name) != nil }

    /// Returns whether the first of two settings was written at a place of higher rank than the second.
    package func outranks<First, Second>(_ first: SettingKey<First>, _ second: SettingKey<Second>) -> Bool {
        outranks(first.name, second.name)
    }

    /// Makes the fault of a setting with a wrong value, with its place.
    package func fault<Value>(_ key: SettingKey<Value>, _ message: String) -> SettingFault {
        fault(key.name, message)
    }
}

extension [String: WrittenSetting] {
    /// Adds what was given by the flag of a setting, if anything.
    package mutating func add<Kind>(_ key: SettingKey<Kind>, _ text: String?) {
        self[key.name] = text.map { WrittenSetting($0, option: "--\(key.declaration.flag)") }
    }
}
