public import SkerryDevice
import SkerryValues

/// Files of definitions, read and compiled, with everything that is wrong with them.
public struct CompiledFiles: Sendable {
    /// One file.
    public struct File: Sendable {
        /// The file with its tests.
        public var source: DefinitionFile
        /// The compiled definition; nil if there were errors.
        public var definition: Definition?
        /// The problems of reading and compiling, sorted by place.
        public var problems: [DefinitionProblem]

        /// The kind of device, also of a definition with errors; nil when it is not known.
        public var kind: String? { source.reading.draft?.kind.text ?? definition?.kind }
    }

    /// The files in the order of their paths.
    public internal(set) var files: [File] = []

    /// Reads and compiles files and folders.
    ///
    /// A file with the kind of an earlier one has an error: topics and activities are named by kind.
    public init(
        _ paths: [String],
        limits: DeviceLimits = DeviceLimits(),
        timeZones: SystemTimeZones = SystemTimeZones()
    ) throws(FileError) {
        self.init(try DefinitionFiles.load(paths), limits: limits, timeZones: timeZones)
    }

    /// Compiles files that were read before, in their order.
    public init(
        _ sources: [DefinitionFile],
        limits: DeviceLimits = DeviceLimits(),
        timeZones: SystemTimeZones = SystemTimeZones()
    ) {
        for source in sources { add(source, limits, timeZones) }
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

    private mutating func add(_ source: DefinitionFile, _ limits: DeviceLimits, _ timeZones: SystemTimeZones)
    {
        var file = File(source: source, problems: source.reading.problems)
        var kind = SourceText("", at: Place(line: 1, column: 1))
        if let draft = source.reading.draft {
            let compilation = Definition.compile(draft, limits: limits) { timeZones.rules($0) }
            file.definition = compilation.definition
            file.problems += worthTelling(compilation.problems, after: source.reading.problems)
            kind = draft.kind
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
        // A text with a YAML anchor is read wherever an alias repeats it.
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
        guard !read.isEmpty else { return found }
        let places = Set(read.map { $0.place })
        return found.filter { $0.severity == .error && !places.contains($0.place) }
    }

    /// Adds the problems of names in the tests of the definitions without errors.
    ///
    /// A bridge runs such a definition nevertheless: a mistake in a test does not change the behaviour of devices.
    public mutating func checkTests() {
        for index in files.indices {
            guard let definition = files[index].definition else { continue }
            files[index].problems += TestCheck.problems(
                of: files[index].source.reading.tests,
                in: definition
            )
        }
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
