public import SkerryDevice
import SkerryValues

/// Files of definitions, read and compiled, with everything that is wrong with them.
public struct CompiledFiles: Sendable {
    /// One file.
    public struct File: Sendable {
        /// The file with its tests.
        package var source: DefinitionFile
        /// The definition as it was read, in the language that was asked for; nil if it could not be read.
        public internal(set) var draft: DefinitionDraft?
        /// The compiled definition, in this language; nil if there were errors.
        public var definition: Definition?
        /// The problems of reading and compiling, sorted by place.
        public var problems: [DefinitionProblem]

        /// The kind of device, also of a definition with errors; nil when it is not known.
        package var kind: String? { draft?.kind.text ?? definition?.kind }
    }

    /// The files in the order of their paths.
    public internal(set) var files: [File] = []

    /// Reads and compiles files and folders.
    ///
    /// A file with the kind of an earlier one has an error: topics and activities are named by kind.
    ///
    /// - Parameters:
    ///   - paths: Files and folders.
    ///   - language: The language of texts that are written in several; nil for the first one of each definition, in
    ///     which its tests are written.
    ///   - topics: The beginnings of topics that are other ones here; compiled definitions have their topics already.
    ///   - limits: Bounds on devices.
    ///   - timeZones: The rules of time zones.
    /// - Throws: a path that can't be read.
    public init(
        _ paths: [String],
        in language: TextLanguage? = nil,
        on topics: MovedTopics = MovedTopics(),
        limits: DeviceLimits = DeviceLimits(),
        timeZones: SystemTimeZones = SystemTimeZones()
    ) throws(FileError) {
        self.init(
            try DefinitionFiles.load(paths),
            in: language,
            on: topics,
            limits: limits,
            timeZones: timeZones
        )
    }

    /// Compiles files that were read before, in their order.
    public init(
        _ sources: [DefinitionFile],
        in language: TextLanguage? = nil,
        on topics: MovedTopics = MovedTopics(),
        limits: DeviceLimits = DeviceLimits(),
        timeZones: SystemTimeZones = SystemTimeZones()
    ) {
        for source in sources { add(source, language, topics, limits, timeZones) }
        refuseCircles()
        dropRepeatedProblems()
    }

    /// Leaves out problems of extended files that were found before, in the file itself or by another that extends it.
    private mutating func dropRepeatedProblems() {
        guard files.contains(where: { !$0.source.bases.isEmpty }) else { return }
        struct Known: Hashable {
            var path: String
            var problem: DefinitionProblem
        }
        var known: Set<Known> = []
        // Those of the files themselves come first, because they are the ones that stay.
        for isOwn in [true, false] {
            for index in files.indices {
                let source = files[index].source
                files[index].problems.removeAll { problem in
                    guard (problem.place.file == 0) == isOwn else { return false }
                    var named = problem
                    named.place.file = 0
                    let entry = Known(path: source.file(of: problem.place).path, problem: named)
                    return !known.insert(entry).inserted && !isOwn
                }
            }
        }
    }

    private mutating func add(
        _ source: DefinitionFile,
        _ language: TextLanguage?,
        _ topics: MovedTopics,
        _ limits: DeviceLimits,
        _ timeZones: SystemTimeZones
    ) {
        var file = File(source: source, problems: source.reading.problems)
        var kind = SourceText("", at: Place(line: 1, column: 1))
        if let first = source.reading.draft {
            var found: [[DefinitionProblem]] = []
            for (number, written) in source.reading.drafts.enumerated() {
                let draft = written.moved(by: topics)
                let compilation = Definition.compile(draft, limits: limits) { timeZones.rules($0) }
                if number == source.reading.number(for: language) {
                    (file.draft, file.definition) = (draft, compilation.definition)
                }
                found.append(worthTelling(compilation.problems, after: source.reading.problems))
            }
            file.problems += ofAllLanguages(found)
            kind = first.kind
        } else if let bytes = source.reading.compiled {
            do throws(CompiledFault) {
                file.definition = try Definition.read(compiled: bytes[...], limits: limits) {
                    timeZones.rules($0)
                }
                kind.text = file.definition?.kind ?? ""
            } catch {
                file.problems.append(
                    DefinitionProblem(.badCompiled, at: kind.place, error.message, remedy: error.remedy)
                )
            }
        }
        if !kind.text.isEmpty,
            let earlier = files.first(where: { $0.kind?.hasSameCodePoints(as: kind.text) ?? false })
        {
            file.definition = nil
            file.problems.append(
                DefinitionProblem(
                    .duplicateName,
                    kind,
                    "the kind '\(kind.text)' is that of \(earlier.source.path) too",
                    remedy: "give each file a kind of its own"
                )
            )
        }
        // A text with a YAML anchor is read wherever an alias repeats it, and each language has the same machine.
        var known: Set<DefinitionProblem> = []
        file.problems.removeAll { !known.insert($0).inserted }
        file.problems.sort { $0.place < $1.place }
        if file.problems.contains(where: { $0.severity == .error }) { file.definition = nil }
        files.append(file)
    }

    /// Returns the compiler's problems without those that are mostly consequences of the reader's.
    ///
    /// A definition that was read only in part seems to have unused parts; and each place is reported once.
    private func worthTelling(
        _ found: [DefinitionProblem],
        after read: [DefinitionProblem]
    ) -> [DefinitionProblem] {
        guard read.contains(where: { $0.severity == .error }) else { return found }
        let places = Set(read.map { $0.place })
        return found.filter { $0.severity == .error && !places.contains($0.place) }
    }

    /// The problems found in each language, without those of a part that texts of another language read.
    private func ofAllLanguages(_ found: [[DefinitionProblem]]) -> [DefinitionProblem] {
        let unread: Set<ProblemCode> = [
            .signalNeverRead, .variableNeverRead, .timerNeverRead, .settingNeverRead,
        ]
        return found.joined().filter { problem in
            !unread.contains(problem.code) || found.allSatisfy { $0.contains(problem) }
        }
    }

    /// Adds the problems of names in the tests of the definitions without errors.
    ///
    /// A bridge runs such a definition nevertheless: a mistake in a test does not change the behaviour of devices.
    package mutating func checkTests() {
        for index in files.indices {
            guard let definition = files[index].definition else { continue }
            files[index].problems += TestCheck.problems(
                of: files[index].source.reading.tests,
                in: definition
            )
        }
    }

    /// The same files without the other languages of their definitions, for a bridge, which keeps them for as long as it runs.
    ///
    /// Compiled again, they are the same definitions.
    package func keptOnly(in language: TextLanguage?) -> CompiledFiles {
        var kept = self
        for index in kept.files.indices { kept.files[index].source.reading.keepOnly(language) }
        return kept
    }

    /// The definitions of the files without errors.
    public var definitions: [Definition] { files.compactMap { $0.definition } }

    /// The problems of all files.
    public var problems: [DefinitionProblem] { files.flatMap { $0.problems } }

    /// True if any file has an error.
    public var hasErrors: Bool { problems.contains { $0.severity == .error } }

    /// All problems, printed with their lines; empty when there are none.
    public func report(_ printer: DiagnosticPrinter) -> String {
        files.map { printer.text(of: $0.problems, in: $0.source) }.joined()
    }
}

extension CompiledFiles {
    /// Reports definitions that read each other's activities in a circle: one revision would lead to another for ever.
    mutating func refuseCircles() {
        for index in files.indices {
            guard let definition = files[index].definition else { continue }
            for (number, source) in definition.sources.enumerated() {
                guard let kind = source.filter.activityKind,
                    let way = way(from: kind, to: definition.kind)
                else { continue }
                let topics = files[index].draft?.sources.map(\.topic) ?? []
                let circle = ([definition.kind] + way).map { "'\($0)'" }.joined(separator: " reads ")
                files[index].problems.append(
                    DefinitionProblem(
                        .badTopic,
                        topics.indices.contains(number)
                            ? topics[number] : SourceText("", at: Place(line: 1, column: 1)),
                        "definitions read each other's activities in a circle: \(circle)",
                        remedy: "let one of them read the topics of the device itself"
                    )
                )
            }
        }
        for index in files.indices where files[index].problems.contains(where: { $0.severity == .error }) {
            files[index].definition = nil
        }
    }

    /// Returns the kinds on the way from one kind to another that it reads, directly or through others; nil if there is none.
    private func way(from kind: String, to goal: String) -> [String]? {
        var passed: Set<String> = []
        return way(from: kind, to: goal, &passed)
    }

    /// Looks at each kind once: many ways may lead to a kind from which none goes on.
    private func way(from kind: String, to goal: String, _ passed: inout Set<String>) -> [String]? {
        if kind == goal { return [kind] }
        let definition = files.first { $0.kind == kind }?.definition
        guard passed.insert(kind).inserted, let definition else { return nil }
        for next in definition.sources.compactMap(\.filter.activityKind) {
            if let way = way(from: next, to: goal, &passed) { return [kind] + way }
        }
        return nil
    }
}
