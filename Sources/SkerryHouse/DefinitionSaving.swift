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
    /// - Returns: the answer of the check, or the reason why nothing was written.
    func save(_ source: String, kind: String) -> HouseAnswer {
        do throws(HouseProblem) {
            guard let file = sources.files().file(ofKind: kind) else { throw HouseProblem.noDefinition(kind) }
            let check = SourceCheck(source, by: sources, beside: sources.files())
            let definition = try check.definition()
            guard definition.kind == kind else {
                throw HouseProblem(
                    .wrong,
                    code: "other-kind",
                    detail: "The text is of the kind '\(definition.kind)', the file of the kind '\(kind)'."
                )
            }
            try write(source, over: file)
            return check.answer(path: file.source.path)
        } catch {
            return .problem(error)
        }
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
                .wrong,
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
