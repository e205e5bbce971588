import SkerryDevice

/// A key of the definition language: editors show it, the reference explains it, and the reader of definitions accepts it.
package struct LanguageKey: Sendable {
    /// The key as written.
    package var name: String
    /// Its title, in a few words.
    package var title = ""
    /// Its effect, in whole sentences.
    package var summary = ""
    /// Its possible values.
    package var value: LanguageValue
    /// True if it must be there.
    package var isRequired = false
    /// Values as one would write them, each in one line of YAML.
    package var examples: [String] = []

    /// The kind of names that the author chooses below it; nil if they are of no such kind.
    var names: DefinitionDraft.NameKind?

    init(_ name: String, _ value: LanguageValue) {
        self.name = name
        self.value = value
    }

    /// Adds what people read about the key.
    func help(_ title: String, _ summary: String, _ examples: String...) -> LanguageKey {
        var key = self
        (key.title, key.summary, key.examples) = (title, summary, examples)
        return key
    }

    /// The same key where it must be there.
    var required: LanguageKey {
        var key = self
        key.isRequired = true
        return key
    }
}

/// A mapping of the definition language with the keys it can have; any other key is an error.
package struct LanguageMapping: Sendable {
    /// Its title, in a few words.
    package var title: String
    /// Its purpose, in whole sentences.
    package var summary: String
    /// Its keys, in the order in which one would write them.
    package var keys: [LanguageKey]
    /// Of these keys exactly one must be there; empty when that does not matter.
    package var choice: [String]

    /// The names of its keys.
    package var names: [String] { keys.map(\.name) }
}

/// The possible values of a key.
package indirect enum LanguageValue: Sendable {
    case text
    /// A text with expressions in braces.
    case template
    /// An expression in CEL.
    case expression
    /// A length of time such as `1h30m`.
    case duration
    /// A length of time, or a setting that gives it.
    case settableDuration
    /// A part of a whole such as `5%`, above 0 and at most 50.
    case percentage
    /// A moment such as `2026-03-01T12:00:00Z`.
    case moment
    /// A colour, `#rrggbb`.
    case colour
    /// A colour, or a field in braces that gives it.
    case changingColour
    case topicLevel
    /// A topic filter with captures in braces.
    case topicFilter
    /// The name of a state.
    case state
    /// The name of a timer.
    case timer
    /// The name of a signal.
    case signal
    /// The name of an event.
    case event
    /// A number within bounds.
    case number(ClosedRange<Double>)
    /// A number in a range, or the expression of one.
    case changingNumber(ClosedRange<Double>)
    /// `true` or `false`.
    case truth
    /// One of these words.
    case word([String])
    case version
    /// A mapping with keys of the language.
    case mapping(LanguagePart)
    case list(LanguageValue)
    /// One value or a list of such.
    case oneOrMore(LanguageValue)
    /// A mapping of names that the author chooses.
    case named(NameKind, LanguageValue)
    /// Any of these.
    case either([LanguageValue])
    /// No value, as for a state without properties.
    case nothing
    /// A text, a number or a truth value.
    case scalar
    /// Whatever YAML can write.
    case anything

    /// The kind of names that the author chooses in a mapping.
    package enum NameKind: String, Sendable {
        /// Names that expressions can use: letters, digits and `_`, not a digit first.
        case identifier = "name"
        case state
        /// Descriptors of events, several separated by spaces.
        case events
        /// Lengths of time.
        case duration
        case timeOfDay = "time of day"
        case device
        case topic
        /// Languages such as `de` or `pt-BR`.
        case language
    }

    /// A value that people read, also a mapping of languages to such.
    static func words(_ value: LanguageValue) -> LanguageValue { .either([value, .named(.language, value)]) }
}
