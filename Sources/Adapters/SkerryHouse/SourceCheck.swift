import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryValues

/// A check of a definition's text that is in no file.
struct SourceCheck {
    /// The largest text that is checked, in bytes; the linter takes a second or two for the worst of this length.
    static let limit = 64 * 1024
    /// The number of problems that are told.
    static let problemLimit = 100

    /// The text, read and compiled; nil if it is too large.
    let file: CompiledFiles.File?

    /// Reads and compiles a text; its tests are checked, too, but not run.
    ///
    /// - Parameters:
    ///   - source: The text.
    ///   - sources: The surroundings, of which the language of texts, the beginnings of topics and the bounds on devices apply.
    ///   - running: The files of the definitions in force, which the text may extend.
    init(_ source: String, by sources: HouseSources, beside running: [CompiledFiles.File]) {
        guard source.utf8.count <= Self.limit else {
            file = nil
            return
        }
        let kind = DefinitionBases.kind(in: source)
        let text = DefinitionFile(
            path: kind.flatMap { running.file(ofKind: $0)?.source.path } ?? Self.newPath(beside: running),
            bytes: Array(source.utf8),
            extending: DefinitionBases(of: running.map(\.source))
        )
        var compiled = CompiledFiles(
            [text],
            in: sources.language,
            on: sources.topics,
            limits: sources.limits
        )
        compiled.checkTests()
        file = compiled.files.first
    }

    /// The path that a text of a new kind would have in the folder of the running definitions.
    private static func newPath(beside running: [CompiledFiles.File]) -> String {
        let path = running.first?.source.path ?? ""
        return path.lastIndex(of: "/").map { String(path[...$0]) + "(new).yaml" } ?? "(new).yaml"
    }

    /// The problems as JSON, with the definition if there is one.
    var answer: HouseAnswer { answer(path: nil) }

    /// The same for a text that is in a file.
    func answer(path: String?) -> HouseAnswer {
        guard let file else { return .problem(Self.tooLarge) }
        var writer = JSONWriter(capacity: 8192)
        writer.beginObject()
        writer.member("ok", file.definition != nil)
        writer.member("problems", json: Self.problems(of: file))
        writer.key("definition")
        if let description = DefinitionDescription(file) {
            description.write(to: &writer, file: path)
        } else {
            writer.null()
        }
        writer.endObject()
        return .found(writer.bytes)
    }

    /// The definition as `skerry compile` writes it.
    var compiled: HouseAnswer {
        do throws(HouseProblem) {
            let definition = try definition()
            let bytes: [UInt8]
            do throws(CompiledFault) {
                bytes = try definition.compiled()
                _ = try Definition.read(compiled: bytes[...])
            } catch {
                throw HouseProblem(
                    .tooMuch,
                    code: "definition-too-large",
                    detail: "The definition is too large to be compiled: \(error.message)."
                )
            }
            return .found(bytes)
        } catch {
            return .problem(error)
        }
    }

    /// The problems as a JSON array, in the order of their places; errors rather than warnings, if there are too many.
    private static func problems(of file: CompiledFiles.File) -> [UInt8] {
        let errors = file.problems.filter { $0.severity == .error }
        let warnings = file.problems.filter { $0.severity == .warning }
        var writer = JSONWriter(capacity: 2048)
        writer.beginArray()
        for problem in (errors + warnings).prefix(problemLimit).sorted(by: { $0.place < $1.place }) {
            file.source.seenHere(problem).write(to: &writer)
        }
        writer.endArray()
        return writer.bytes
    }

    /// The definition.
    ///
    /// - Throws: the first error in the text, with all problems.
    func definition() throws(HouseProblem) -> Definition {
        guard let file else { throw Self.tooLarge }
        if let definition = file.definition { return definition }
        let first = file.problems.first { $0.severity == .error }
        let words =
            first.map(file.source.seenHere).map { "line \($0.place.line): \($0.message)" }
            ?? "it can't be read"
        throw HouseProblem(
            .wrong,
            code: "definition-has-errors",
            detail: "The definition has errors; the first one is in \(words).",
            problems: Self.problems(of: file)
        )
    }

    private static let tooLarge = HouseProblem(
        .tooMuch,
        code: "definition-too-large",
        detail: "A definition may have \(limit >> 10) KiB here."
    )
}
