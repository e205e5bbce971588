import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryValues

/// Writes the text of a definition to the file that the definition came from.
///
/// The bridge then reads the file as it does whenever somebody edits it.
struct DefinitionSaving {
    private let sources: HouseSources

    init(_ sources: HouseSources) {
        self.sources = sources
    }

    /// Checks a text and writes it.
    ///
    /// - Parameters:
    ///   - source: The text.
    ///   - kind: The kind of the definition.
    ///   - versions: The versions of the definition that it may replace; nil for any.
    /// - Returns: the answer of the check, or the reason why nothing was written.
    func save(_ source: String, kind: String, over versions: [String]?) -> HouseAnswer {
        do throws(HouseProblem) {
            return try sources.saving.take { () throws(HouseProblem) in
                try saveNow(source, kind: kind, over: versions)
            }
        } catch {
            return .problem(error)
        }
    }

    private func saveNow(
        _ source: String,
        kind: String,
        over versions: [String]?
    ) throws(HouseProblem) -> HouseAnswer {
        let files = sources.files()
        guard let file = files.file(ofKind: kind) else { throw HouseProblem.noDefinition(kind) }
        try require(files.definition(kind: kind), isOneOf: versions, path: file.source.path)
        let check = SourceCheck(source, by: sources, beside: files)
        let definition = try check.definition()
        guard definition.kind.hasSameCodePoints(as: kind) else {
            throw HouseProblem(
                .wrong,
                code: "other-kind",
                detail: "The text is of the kind '\(definition.kind)', the file of the kind '\(kind)'."
            )
        }
        try write(source, over: file)
        return check.answer(path: file.source.path)
    }

    /// Makes sure that a definition is one that was read: otherwise an edit of somebody else would be lost.
    private func require(
        _ definition: HouseAnswer,
        isOneOf versions: [String]?,
        path: String
    ) throws(HouseProblem) {
        guard let versions, case .found(let bytes) = definition else { return }
        guard !versions.contains(HouseAnswer.version(of: bytes)) else { return }
        throw HouseProblem(
            .outdated,
            code: "definition-changed",
            detail: "\(path) has changed since it was read here. Read it again, and put your edit into that."
        )
    }

    private func write(_ source: String, over file: CompiledFiles.File) throws(HouseProblem) {
        let path = file.source.path
        let target = try told { () throws(FileError) in try ReplacedFile.resolved(path) }
        guard isInFolders(target) else {
            throw HouseProblem(
                .wrong,
                code: "outside-of-definitions",
                detail: "\(path) leads out of the folders of the definitions, so it is not written."
            )
        }
        let present = try told { () throws(FileError) in try DefinitionFiles.read(target).text }
        guard present.hasSameCodePoints(as: file.source.text) else {
            throw HouseProblem(
                .conflict,
                code: "file-was-edited",
                detail: "\(path) is not what the bridge runs: somebody edits it. It is left as it is."
            )
        }
        try told { () throws(FileError) in try ReplacedFile.write(source, to: target) }
    }

    private func told<Done>(_ body: () throws(FileError) -> Done) throws(HouseProblem) -> Done {
        do throws(FileError) {
            return try body()
        } catch {
            throw HouseProblem(.unavailable, code: "not-written", detail: "\(error).")
        }
    }

    private func isInFolders(_ target: String) -> Bool {
        DefinitionFiles.folders(sources.definitionPaths).contains { folder in
            (try? ReplacedFile.resolved(folder)) == ReplacedFile.folder(of: target)
        }
    }
}
