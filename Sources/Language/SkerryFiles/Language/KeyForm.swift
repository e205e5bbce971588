// A table, whose rows would take up three times as many lines.
// swift-format-ignore-file

import SkerryActivity
import SkerryDevice
import SkerryValues

/// A form of values: what editors know of it, how it is read, and how it is written.
struct KeyForm<Value>: Sendable {
    typealias Reader = @Sendable (inout DefinitionBuilder, YAMLPair) -> Value?
    typealias Writer = @Sendable (DefinitionWriter, Value) -> YAMLOutput?

    let value: LanguageValue
    /// Reads the value of a key; one that can't be read is reported.
    let read: Reader
    /// Returns a value to be written; nil for the usual one, which is left out.
    let write: Writer

    init(_ value: LanguageValue, read: @escaping Reader, write: @escaping Writer) {
        (self.value, self.read, self.write) = (value, read, write)
    }

    /// A word for each of some values.
    ///
    /// - Parameters:
    ///   - values: All values.
    ///   - name: The word of a value.
    ///   - usual: The value that is not written.
    ///   - otherwise: The value in place of a wrong word; the usual one when nil.
    /// - Returns: The form.
    static func word(
        _ values: [Value],
        _ name: any KeyPath<Value, String> & Sendable,
        usual: Value? = nil,
        otherwise: Value? = nil
    ) -> KeyForm where Value: Equatable & Sendable {
        let words = values.map { $0[keyPath: name] }
        return KeyForm(.word(words)) {
            let word = $0.word($1.value, of: $1.what, among: words)
            return values.first { $0[keyPath: name] == word } ?? otherwise ?? usual
        } write: {
            $1 == usual ? nil : .text($1[keyPath: name])
        }
    }

    /// A mapping with a table of its own.
    static func draft(
        _ part: LanguagePart,
        of what: String? = nil,
        _ table: KeyTable<Value>,
        _ empty: @escaping @Sendable (YAMLPair) -> Value
    ) -> KeyForm {
        KeyForm(.mapping(part)) { builder, pair in
            var draft = empty(pair)
            return builder.read(pair.value, of: what ?? pair.what, table, into: &draft) == nil ? nil : draft
        } write: {
            .map(table.written($1, by: $0))
        }
    }
}

extension KeyForm<SourceText> {
    /// A text that is written as it is; `remedy` says what to write instead of a list.
    static func text(_ value: LanguageValue = .text, insteadOfList remedy: String? = nil) -> KeyForm {
        KeyForm(value) { $0.text($1.value, of: $1.what, insteadOfList: remedy) } write: { $0.text($1) }
    }

    /// A text for people and apps, which stays a text for every reader of YAML.
    static func label(_ value: LanguageValue) -> KeyForm {
        KeyForm(value) { $0.text($1.value, of: $1.what) } write: { $0.label($1) }
    }

    /// A text for people, in one or several languages.
    static func words(_ value: LanguageValue = .text) -> KeyForm {
        KeyForm(.words(value)) { $0.words($1.value, of: $1.what) } write: { $0.label($1) }
    }

    static var template: KeyForm { label(.template) }

    static var expression: KeyForm {
        KeyForm(.expression) { $0.expression($1.value, of: $1.what) } write: { $0.text($1) }
    }

    /// The unit of a number: a few characters.
    static var unit: KeyForm {
        KeyForm(.words(.text)) { $0.unit($1.value) } write: { $0.label($1) }
    }
}

extension KeyForm<[SourceText]> {
    /// One name or a list of names.
    static func texts(_ element: LanguageValue) -> KeyForm {
        KeyForm(.oneOrMore(element)) { $0.texts($1.value, of: $1.what) } write: { $0.texts($1) }
    }
}

extension KeyForm<SourceInterval> {
    static var duration: KeyForm {
        KeyForm(.duration) { $0.interval($1.value, of: $1.what) } write: { $0.interval($1) }
    }

    /// A length of time that is not nothing.
    static var positiveDuration: KeyForm {
        KeyForm(.duration) { $0.length($1.value, of: $1.what) } write: { $0.interval($1) }
    }
}

extension KeyForm<Interval> {
    /// A length of time without its place.
    static var length: KeyForm {
        KeyForm(.duration) { $0.interval($1.value, of: $1.what)?.interval } write: { _, length in
            .text(DurationText.text(length))
        }
    }

    /// A length of time that has a limit; one of nothing is as good as none.
    static func length(atMost seconds: Int) -> KeyForm {
        KeyForm(.duration) {
            let length = $0.interval($1, atMost: seconds)?.interval
            return length == .zero ? nil : length
        } write: { _, length in
            .text(DurationText.text(length))
        }
    }
}

extension KeyForm<SilenceDraft> {
    /// A silence of the device, or of some of its signals.
    static var silence: KeyForm {
        KeyForm(MachineKeys.settableSilence) { $0.silence($1.value, of: $1.what) } write: { $0.silence($1) }
    }
}

extension KeyForm<SignalSpan> {
    /// A length of time, or a number of values.
    static var span: KeyForm {
        KeyForm(.either([.duration, .number(2...64)])) { $0.span($1.value) } write: { $0.span($1) }
    }
}

extension KeyForm<Bool> {
    /// `true` or `false`, which is the usual one.
    static var truth: KeyForm {
        KeyForm(.truth) { $0.truth($1.value, of: $1.what) } write: { $1 ? .text("true") : nil }
    }
}

extension KeyForm<Double> {
    static func number(_ range: ClosedRange<Double>) -> KeyForm {
        KeyForm(.number(range)) { $0.number($1.value, of: $1.what, in: range) } write: { .text($0.number($1)) }
    }

    /// The number that fills a bar.
    static var whole: KeyForm {
        KeyForm(.number(0...Double.infinity)) { $0.whole($1.value) } write: { .text($0.number($1)) }
    }
}

extension KeyForm<Int> {
    /// A whole number within bounds, with what to write in place of a wrong one.
    static func count(_ limits: ClosedRange<Int>, _ remedy: String) -> KeyForm {
        KeyForm(.number(Double(limits.lowerBound)...Double(limits.upperBound))) {
            $0.count($1, in: limits, remedy)
        } write: {
            .text("\($1)")
        }
    }
}

extension KeyForm<UInt8> {
    /// A quality of service, usually 1.
    static var quality: KeyForm {
        KeyForm(.number(0...1)) { $0.quality($1.value) } write: { $1 == 0 ? .text("0") : nil }
    }
}

extension KeyForm<ActivityAlert.Sound> {
    static var sound: KeyForm {
        KeyForm(.either([.word(["default", "none"]), .text])) {
            $0.sound($1.value)
        } write: {
            $1 == .standard ? nil : .text($1.name)
        }
    }
}

extension KeyForm<ActivityDraft> {
    static var activity: KeyForm {
        KeyForm(.mapping(.activity)) { $0.activity($1.value) } write: { $0.activity($1) }
    }
}

extension KeyForm<IslandDraft> {
    static var island: KeyForm {
        KeyForm(.mapping(.island)) { $0.island($1.value) } write: { $0.island($1) }
    }
}

extension YAMLPair {
    /// The key in words, for problems of its value.
    var what: String { "'\(key.text)'" }
}
