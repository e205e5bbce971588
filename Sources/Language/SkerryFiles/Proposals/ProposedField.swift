import SkerryDevice

/// A field that a definition could make a signal of.
struct ProposedField {
    /// The index of its source.
    var source: Int
    /// Its path in the payload; empty for the payload itself.
    var path: [String]
    /// A name for people: the last part of the path, or the last level of the topic that is not a capture.
    var label: String
    /// The survey of its values.
    var survey: FieldSurvey
    /// True if it is a field of the elements of a list.
    var isOfElement = false

    /// The form of the moments or lengths of time that it names; nil where it is read as what it is.
    var time: TimeForm?

    /// The expression that reads it: a number also where the device writes it into a text.
    var expression: String {
        time?.expression(place) ?? (survey.isNumber && survey.quoted > 0 ? "double(\(place))" : place)
    }

    /// The expression for its place in the payload.
    private var place: String {
        path.reduce(isOfElement ? "item" : "payload") { $0 + ($1.isMemberName ? ".\($1)" : "[\"\($1)\"]") }
    }

    /// The words of its label in small letters: `mc_remaining_time` and `mcRemainingTime` have three.
    var words: [String] { label.words }

    /// Returns whether one of its words is among these.
    func says(_ known: Set<String>) -> Bool { words.contains { known.contains($0) } }
}

/// A form in which a device writes times.
enum TimeForm {
    case moment(MomentForm)
    case length(LengthForm)

    /// The expression for the time that stands at a place.
    func expression(_ place: String) -> String {
        switch self {
        case .moment(let form): form.expression(place)
        case .length(let form): form.expression(place)
        }
    }
}

/// A source that a definition could have.
struct ProposedSource {
    var pattern: TopicFamily.Pattern
    var format: PayloadFormat
    /// An expression for whether the device can be reached.
    var available: String?
    /// The fields of its payloads.
    var fields: [ProposedField]

    init(_ pattern: TopicFamily.Pattern, index: Int, in survey: RecordingSurvey) {
        self.pattern = pattern
        let topics = pattern.topics.map { survey.topics[$0] }
        let payloads = topics.reduce(0) { $0 + $1.messages - $1.empty }
        let objects = topics.reduce(0) { $0 + $1.objects }
        let numbers = topics.reduce(0) { $0 + $1.numbers }
        let label = pattern.label
        fields = []
        if objects > 0, objects * 2 >= payloads {
            format = .json
            var indices: [[String]: Int] = [:]
            for field in topics.flatMap(\.fields) {
                if let known = indices[field.path] {
                    fields[known].survey.merge(field.survey)
                } else {
                    indices[field.path] = fields.count
                    // A payload such as {"value": 3} has the name in its topic.
                    let label = field.path.last.flatMap { $0 == "value" ? nil : $0 } ?? label
                    fields.append(
                        ProposedField(
                            source: index,
                            path: field.path,
                            label: label,
                            survey: field.survey,
                            isOfElement: pattern.elementKey != nil
                        )
                    )
                }
            }
        } else {
            format = numbers * 10 >= payloads * 9 && numbers > 0 ? .number : .text
            var whole = FieldSurvey()
            for topic in topics { whole.merge(topic.whole) }
            fields.append(ProposedField(source: index, path: [], label: label, survey: whole))
        }
        takeAvailability()
    }

    /// Takes the field whose only values are online and offline.
    private mutating func takeAvailability() {
        for (words, isNamed) in [
            (["online", "offline"], false), (["true", "false"], true), (["connected", "disconnected"], true),
        ] {
            takeAvailability(told: words[0], words[1], onlyIfNamed: isNamed)
            if available != nil { return }
        }
    }

    private mutating func takeAvailability(told yes: String, _ no: String, onlyIfNamed: Bool) {
        let index = fields.firstIndex { field in
            let texts = field.survey.texts.map { $0.text.lowercased() }
            let isNamed = field.says(["online", "availability", "available", "reachable", "lwt", "mqtt"])
            return field.survey.isText && !texts.isEmpty && texts.allSatisfy([yes, no].contains)
                && (isNamed || !onlyIfNamed)
        }
        guard let index else { return }
        let field = fields.remove(at: index)
        let online = field.survey.texts.first { $0.text.lowercased() == yes }?.text
        let offline = field.survey.texts.first { $0.text.lowercased() == no }?.text
        if let online {
            available = "\(field.expression) == \"\(online)\""
        } else if let offline {
            available = "\(field.expression) != \"\(offline)\""
        }
    }
}

extension String {
    /// Its words in small letters, parted at capitals and at all that is no letter and no digit.
    var words: [String] {
        var words: [String] = []
        var word = ""
        var wasSmall = false
        for character in self {
            let isWord = character.isLetter || character.isNumber
            if !isWord || (character.isUppercase && wasSmall) {
                if !word.isEmpty { words.append(word) }
                word = ""
            }
            if isWord { word += character.lowercased() }
            wasSmall = character.isLowercase || character.isNumber
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    /// A name made of it that expressions can use: small letters, digits and `_`.
    func identifier(or fallback: String) -> String {
        let ascii = words.map { word in
            String(decoding: word.utf8.filter { $0.isNameByte }, as: UTF8.self)
        }
        let name = ascii.filter { !$0.isEmpty }.joined(separator: "_")
        guard let first = name.utf8.first else { return fallback }
        return String((first >= UInt8(ascii: "a") ? name : "\(fallback)_\(name)").prefix(40))
    }

    /// True if it can follow a dot in an expression.
    fileprivate var isMemberName: Bool {
        guard let first = utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return utf8.allSatisfy { ($0 | 0x20).isNameByte || $0 == UInt8(ascii: "_") || $0.isNameByte }
            && !isKeyword
    }

    /// True if it is a word of CEL's grammar.
    fileprivate var isKeyword: Bool {
        let words: Set = [
            "in", "true", "false", "null", "as", "break", "const", "continue", "else", "for", "function",
            "if",
            "import", "let", "loop", "package", "namespace", "return", "var", "void", "while",
        ]
        return words.contains(self)
    }

    /// True if CEL keeps it for itself: words of its grammar, and the names of types and macros.
    var isWordOfExpressions: Bool {
        let words: Set = [
            "int", "uint", "double", "bool", "string", "bytes", "list", "map", "null_type", "type",
            "timestamp",
            "duration", "optional", "optional_type", "size", "has", "dyn", "google",
        ]
        return isKeyword || words.contains(self)
    }
}

extension UInt8 {
    fileprivate var isNameByte: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}
