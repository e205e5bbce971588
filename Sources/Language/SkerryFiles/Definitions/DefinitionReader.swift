public import SkerryDevice
import SkerryValues

/// The result of reading the file of a definition.
public struct DefinitionReading: Sendable {
    /// The definition as far as it could be read; nil if the file is nothing like a definition.
    ///
    /// If there are `problems`, it may lack the parts that they concern: compile it to find more problems, but never
    /// run it.
    public var draft: DefinitionDraft?
    /// The bytes of a definition that was compiled before, which has neither a draft nor tests; nil for a text.
    package var compiled: [UInt8]?
    /// The languages of its texts, in the order of the file; empty if none is written in several.
    package var languages: [TextLanguage] = []
    /// The definition in its languages but the first one, which is that of `draft`.
    package var translations: [DefinitionDraft] = []
    package var tests: [TestDraft] = []
    /// All problems found, sorted by place.
    public var problems: [DefinitionProblem] = []
    /// The definitions that it extends, the nearest first.
    package var bases: [DefinitionBase] = []
    /// The place of the name of the definition that it extends.
    var basePlace: Place?

    /// The definition in each of its languages.
    var drafts: [DefinitionDraft] { (draft.map { [$0] } ?? []) + translations }

    /// The place among `drafts` of the one for people of a language: the first one if none is meant for them.
    func number(for language: TextLanguage?) -> Int { language?.best(among: languages) ?? 0 }

    /// Forgets the definition in all languages but the one for people of a language.
    mutating func keepOnly(_ language: TextLanguage?) {
        let number = number(for: language)
        if drafts.indices.contains(number) { draft = drafts[number] }
        (languages, translations) = ([], [])
    }
}

/// Reads definitions written in YAML.
///
/// All problems of a file are found at once, except that a file that is no YAML shows only where it stops being so.
public enum DefinitionReader {
    /// The version of the definition language, the value of the key `skerry`.
    package static let languageVersion = 1
    /// The largest size of a definition file: 1 MiB.
    public static let fileSizeLimit = 1 << 20
    /// The longest time that an ended activity may stay, in hours, as in ActivityKit.
    static let dismissalLimit = 4
    /// The longest time for which changes settle, in seconds.
    static let settlingLimit = 10
    /// The longest unit of a number, in characters.
    static let unitLimit = 16
    /// The numbers of segments that a bar of steps can have; more could not be told apart.
    static let stepLimits = 2...12
    /// The numbers of lines to which a text of an island can be limited; no place has more room.
    static let lineLimits = 1...4
    /// The most languages of a definition: each is compiled, and in a household there are few.
    static let languageLimit = 8
    /// The numbers of cells that a row can have.
    static let cellLimits = 2...4

    /// Reads the bytes of a file, which must be UTF-8.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - path: The path of the file, from which it names others.
    ///   - bases: What it may extend.
    /// - Returns: The definition as far as it could be read, with all problems.
    public static func read(
        bytes: [UInt8],
        path: String = "",
        extending bases: DefinitionBases = .none
    ) -> DefinitionReading {
        guard bytes.count <= fileSizeLimit else {
            return DefinitionReading(problem: "the file has more than \(fileSizeLimit) bytes")
        }
        if let (name, tool) = FileBytes.compression(of: bytes) {
            return DefinitionReading(
                problem: "the file is compressed by \(name)",
                remedy: "unpack it, as with \(tool)"
            )
        }
        if Definition.isCompiled(bytes) { return DefinitionReading(compiled: bytes) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let remedy = "save it in your editor with the encoding UTF-8"
            if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
                return DefinitionReading(problem: "the file is in UTF-16", remedy: remedy)
            }
            let place = YAMLLines.end(of: validPrefix(of: bytes))
            return DefinitionReading(problem: "the file is not UTF-8 from here on", at: place, remedy: remedy)
        }
        return read(text: text, path: path, extending: bases)
    }

    /// Reads a text.
    public static func read(
        text: String,
        path: String = "",
        extending bases: DefinitionBases = .none
    ) -> DefinitionReading {
        guard text.utf8.count <= fileSizeLimit else {
            return DefinitionReading(problem: "the file has more than \(fileSizeLimit) bytes")
        }
        if isRecording(text) {
            return DefinitionReading(
                problem: "this is a recording, and not a definition",
                remedy: "give it to 'skerry replay', or begin a definition with 'skerry new KIND --from'"
            )
        }
        var merging = DefinitionMerging()
        let root = merging.tree(text, path: path, bases)
        var builder = DefinitionBuilder()
        builder.problems = merging.problems
        guard let root else {
            if builder.problems.problems.isEmpty {
                return DefinitionReading(
                    problem: "the file is empty",
                    remedy: "begin it with `skerry: \(languageVersion)`"
                )
            }
            return DefinitionReading(unsorted: builder.problems.problems, merging)
        }
        let source = ([text] + merging.bases.map(\.text)).joined()
        var draft = builder.definition(root)
        draft?.fingerprint = source.utf8.fingerprint
        guard draft != nil, !builder.translations.isEmpty else {
            return DefinitionReading(draft, builder, merging)
        }
        return translated(root, source, &builder, merging)
    }

    /// Reads a definition in each of its languages.
    private static func translated(
        _ root: YAMLNode,
        _ source: String,
        _ first: inout DefinitionBuilder,
        _ merging: DefinitionMerging
    ) -> DefinitionReading {
        let languages = first.languages
        if languages.count > languageLimit, let last = first.translations.last {
            let advice = "a definition may have at most \(languageLimit) languages"
            first.problems.report(DefinitionProblem(.tooMany, at: last.place, advice))
            return DefinitionReading(nil, first, merging)
        }
        var drafts: [DefinitionDraft] = []
        for (number, language) in languages.enumerated() {
            var builder = DefinitionBuilder()
            builder.problems = first.problems
            (builder.language, builder.standard) = (language, languages[0])
            guard var draft = builder.definition(root) else { continue }
            // Another language is another definition to devices and readers.
            draft.fingerprint = (number == 0 ? source : "\(source)\n\(language.tag)").utf8.fingerprint
            drafts.append(draft)
            first.problems = builder.problems
        }
        for gap in first.gaps(in: languages) { first.problems.report(gap) }
        var reading = DefinitionReading(drafts.first, first, merging)
        reading.languages = languages
        reading.translations = Array(drafts.dropFirst())
        return reading
    }

    /// True for a text whose first line is a message in JSON.
    private static func isRecording(_ text: String) -> Bool {
        guard text.utf8.first == UInt8(ascii: "{") else { return false }
        let line = text.prefix { !$0.isNewline }
        return line.contains("\"topic\"") && line.contains("\"payload") && !line.contains("\"skerry\"")
    }

    private static func validPrefix(of bytes: [UInt8]) -> String {
        var codec = UTF8()
        var iterator = bytes.makeIterator()
        var length = 0
        while case .scalarValue(let scalar) = codec.decode(&iterator) {
            length += UTF8.width(scalar)
        }
        return String(decoding: bytes.prefix(length), as: UTF8.self)
    }
}

extension DefinitionReading {
    fileprivate init(compiled bytes: [UInt8]) { compiled = bytes }

    fileprivate init(problem: String, at place: Place = Place(line: 1, column: 1), remedy: String? = nil) {
        self.init(unsorted: [DefinitionProblem(.notYAML, at: place, problem, remedy: remedy)])
    }

    fileprivate init(
        _ draft: DefinitionDraft?,
        _ builder: DefinitionBuilder,
        _ merging: DefinitionMerging
    ) {
        self.init(draft: draft, tests: builder.tests, unsorted: builder.problems.problems, merging)
    }

    fileprivate init(
        draft: DefinitionDraft? = nil,
        tests: [TestDraft] = [],
        unsorted problems: [DefinitionProblem],
        _ merging: DefinitionMerging = DefinitionMerging()
    ) {
        bases = merging.bases
        basePlace = merging.place
        self.draft = draft
        self.tests = tests
        self.problems = problems.enumerated()
            .sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
            .map(\.element)
    }
}
