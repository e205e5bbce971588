import ArgumentParser
import SkerryCommand
import SkerryDevice
import SkerryFiles

/// The place of the definitions of a bridge, and how they are read.
struct DefinitionOrigin {
    /// The files and folders of the definitions.
    let paths: [String]
    /// True if the paths may be missing as long as nothing was read there.
    private let mayBeMissing: Bool
    /// The definitions that come with Skerry; nil if the bridge adopts none.
    let adopted: AdoptedDefinitions?
    private let language: TextLanguage?
    private let topics: MovedTopics
    private let limits: DeviceLimits

    /// Takes what settings say about definitions.
    init(_ settings: Settings, adopting adopted: AdoptedDefinitions?) {
        paths = settings.definitions
        mayBeMissing = !settings.namesDefinitions
        self.adopted = adopted
        language = settings.language
        topics = settings.topics
        limits = settings.limits.device
    }

    /// Reads the definitions for the first time; their problems go to standard error.
    ///
    /// - Throws: an exit code when a file can't be read or has errors.
    func load() throws -> CompiledFiles {
        let compiled: CompiledFiles
        do throws(FileError) {
            compiled = try read()
        } catch {
            Terminal.complain("skerry: \(error)\n")
            throw ExitCode.badInput
        }
        try DefinitionLoading.demandRight(compiled)
        return compiled
    }

    /// Reads the definitions of the paths, and the adopted ones of other kinds.
    ///
    /// - Parameter hadSome: Whether some were read there before, so that the paths must not be missing.
    /// - Returns: the files with their problems.
    /// - Throws: the reason why a path can't be read.
    func read(hadSome: Bool = false) throws(FileError) -> CompiledFiles {
        let present =
            mayBeMissing && !hadSome ? paths.filter { (try? ReplacedFile.resolved($0)) != nil } : paths
        let own = try DefinitionFiles.load(present, keepsTests: false)
        let kinds = Set(own.compactMap { $0.kind })
        let others = (try adopted?.files() ?? []).filter { file in
            file.reading.draft.map { !kinds.contains($0.kind.text) } ?? true
        }
        return compiled(own + others)
    }

    /// Compiles files as this bridge has them.
    func compiled(_ files: [DefinitionFile]) -> CompiledFiles {
        CompiledFiles(files, in: language, on: topics, limits: limits).keptOnly(in: language)
    }
}
