import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryValues

/// Writes the text of a definition to the file that the definition came from, and has the bridge read it.
struct DefinitionSaving {
    private let sources: HouseSources

    init(_ sources: HouseSources) {
        self.sources = sources
    }

    /// Carries out a question that changes the file of a definition.
    func answer(to question: HouseQuestion) -> HouseAnswer {
        switch question {
        case .saveDefinition(let kind, let source, let versions): save(source, kind: kind, over: versions)
        case .addDefinition(let kind, let source): add(source, kind: kind)
        case .removeDefinition(let kind, let versions): remove(kind, versions)
        default: preconditionFailure("\(question) changes no definition")
        }
    }

    /// Checks a text and writes it.
    ///
    /// - Parameters:
    ///   - source: The text.
    ///   - kind: The kind of the definition.
    ///   - versions: The versions of the definition that it may replace; nil for any.
    /// - Returns: the answer of the check, or the reason why nothing was written.
    private func save(_ source: String, kind: String, over versions: [String]?) -> HouseAnswer {
        defer { sources.wake() }
        do throws(HouseProblem) {
            return try sources.saving.take { () throws(HouseProblem) in
                try saveNow(source, kind: kind, over: versions)
            }
        } catch {
            return .problem(error)
        }
    }

    /// Checks a text of a new kind and writes it to a file of its own, in the first folder of definitions that takes it.
    ///
    /// - Returns: the answer of the check, or the reason why nothing has changed.
    private func add(_ source: String, kind: String) -> HouseAnswer {
        defer { sources.wake() }
        do throws(HouseProblem) {
            return try sources.saving.take { () throws(HouseProblem) in try addNow(source, kind: kind) }
        } catch {
            return .problem(error)
        }
    }

    /// Removes the file of a definition, as the bridge runs it.
    ///
    /// - Returns: an empty object, or the reason why the file is still there.
    private func remove(_ kind: String, _ versions: [String]?) -> HouseAnswer {
        defer { sources.wake() }
        do throws(HouseProblem) {
            try sources.saving.take { () throws(HouseProblem) in
                let files = sources.files()
                guard let file = files.file(ofKind: kind) else { throw HouseProblem.noDefinition(kind) }
                try require(files.definition(kind: kind), isOneOf: versions, path: file.source.path)
                let target = try target(of: file)
                try HouseProblem.told { () throws(FileError) in try RemovedFile.remove(target) }
                sources.readDefinitions()
                guard sources.files().contains(where: { $0.source.path == file.source.path }) else { return }
                // Another one extends it, or has errors: the former definitions are still in force.
                try HouseProblem.told { () throws(FileError) in
                    try NewFile.write(file.source.text, to: target)
                }
                sources.readDefinitions()
                throw HouseProblem.definitionsWithErrors("\(file.source.path) is put back")
            }
            return .found(Array("{}".utf8))
        } catch {
            return .problem(error)
        }
    }

    private func addNow(_ source: String, kind: String) throws(HouseProblem) -> HouseAnswer {
        let files = sources.files()
        if let file = files.file(ofKind: kind) {
            throw HouseProblem(
                .conflict,
                code: "definition-is-there",
                detail:
                    "There is a definition of the kind '\(kind)': \(file.source.path). Give this one another kind."
            )
        }
        guard let first = kind.utf8.first, first != UInt8(ascii: "."), first != UInt8(ascii: "_"),
            kind.utf8.count <= 100, !kind.utf8.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: "/") })
        else {
            throw HouseProblem(
                .wrong,
                code: "wrong-kind",
                detail: "'\(kind)' can't be the name of a file: take letters, figures and hyphens."
            )
        }
        let check = SourceCheck(source, by: sources, beside: files)
        let definition = try check.definition()
        guard definition.kind.hasSameCodePoints(as: kind) else { throw Self.otherKind(definition.kind, kind) }
        let path = try put(source, kind: kind)
        sources.readDefinitions()
        guard sources.files().file(ofKind: kind) != nil else {
            try HouseProblem.told { () throws(FileError) in try RemovedFile.remove(path) }
            sources.readDefinitions()
            throw HouseProblem.definitionsWithErrors("\(path) is not kept")
        }
        return check.answer(path: path)
    }

    /// Writes a new file, and returns its path: to the first folder that takes it, as the first may be for reading only.
    private func put(_ source: String, kind: String) throws(HouseProblem) -> String {
        var refusal: HouseProblem?
        for folder in DefinitionFiles.foldersForNew(among: sources.definitionPaths) {
            let path = "\(folder)\(folder.hasSuffix("/") ? "" : "/")\(kind).yaml"
            do throws(HouseProblem) {
                try HouseProblem.told { () throws(FileError) in
                    try Folder.make(folder)
                    try NewFile.write(source, to: path)
                }
                return path
            } catch {
                refusal = refusal ?? error
                // One that is there and not in force has errors.
                if (try? ReplacedFile.resolved(path)) != nil { break }
            }
        }
        throw refusal ?? HouseProblem.noFolder(forDefinitionOf: kind)
    }

    private static func otherKind(_ found: String, _ wanted: String) -> HouseProblem {
        HouseProblem(
            .wrong,
            code: "other-kind",
            detail: "The text is of the kind '\(found)', the file of the kind '\(wanted)'."
        )
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
        guard definition.kind.hasSameCodePoints(as: kind) else { throw Self.otherKind(definition.kind, kind) }
        try write(source, over: file)
        sources.readDefinitions()
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
        let target = try target(of: file)
        try HouseProblem.told { () throws(FileError) in try ReplacedFile.write(source, to: target) }
    }

    /// The file of a definition, which is as the bridge runs it and in a folder of definitions.
    private func target(of file: CompiledFiles.File) throws(HouseProblem) -> String {
        let path = file.source.path
        let target = try HouseProblem.told { () throws(FileError) in try ReplacedFile.resolved(path) }
        guard isInFolders(target) else {
            throw HouseProblem(
                .wrong,
                code: "outside-of-definitions",
                detail: "\(path) leads out of the folders of the definitions, so it is not written."
            )
        }
        let present = try HouseProblem.told { () throws(FileError) in try DefinitionFiles.read(target).text }
        guard present.hasSameCodePoints(as: file.source.text) else {
            throw HouseProblem(
                .conflict,
                code: "file-was-edited",
                detail: "\(path) is not what the bridge runs: somebody edits it. It is left as it is."
            )
        }
        return target
    }

    private func isInFolders(_ target: String) -> Bool {
        DefinitionFiles.folders(sources.definitionPaths).contains { folder in
            (try? ReplacedFile.resolved(folder)) == ReplacedFile.folder(of: target)
        }
    }
}
