import SkerryDevice
import SkerryFiles
import Synchronization

/// The definitions that come with Skerry.
///
/// Together they are larger than all that a bridge of a few devices has. So only their outlines are kept, and a definition is
/// read when somebody needs it.
final class ShippedShelf: Sendable {
    /// A definition without its machine and its texts.
    struct Outline: Sendable {
        /// Its file.
        let path: String
        /// A definition that recognises its devices and has their settings; nil if the file has errors.
        let definition: Definition?
    }

    /// Their folder; nil if they are not beside the program.
    private let folder: String?
    private let language: TextLanguage?
    private let topics: MovedTopics
    private let limits: DeviceLimits
    private let read = Mutex<[Outline]?>(nil)

    /// Makes a shelf of which nothing was read yet.
    ///
    /// - Parameters:
    ///   - folder: Their folder; nil if they are not beside the program.
    ///   - settings: The settings of the bridge that may use them.
    init(_ folder: String?, for settings: Settings) {
        self.folder = folder
        (language, topics, limits) = (settings.language, settings.topics, settings.limits.device)
    }

    /// Returns the outline of each definition, which is read the first time.
    ///
    /// - Throws: the reason why they can't be read.
    func outlines() throws(FileError) -> [Outline] {
        try read.withLock { read throws(FileError) in
            if let read { return read }
            guard let folder else { return [] }
            let outlines = try DefinitionFiles.load([folder]) { file in
                let compiled = CompiledFiles([file.outline(in: language)], on: topics, limits: limits)
                return Outline(path: file.path, definition: compiled.definitions.first)
            }
            read = outlines
            return outlines
        }
    }

    /// The files of the definitions whose outlines fit, without their tests.
    ///
    /// - Throws: the reason why they can't be read.
    func files(_ fits: (Outline) -> Bool) throws(FileError) -> [DefinitionFile] {
        let paths = try outlines().filter(fits).map(\.path)
        return try DefinitionFiles.load(paths, keepsTests: false)
    }

    /// The definitions of a kind, or all, as the bridge would use them; none if they can't be read.
    func definitions(ofKind kind: String?) -> [CompiledFiles.File] {
        let files =
            if let kind {
                try? files { $0.definition?.kind == kind }
            } else {
                try? DefinitionFiles.load(folder.map { [$0] } ?? [], keepsTests: false)
            }
        let compiled = CompiledFiles(files ?? [], in: language, on: topics, limits: limits)
        return compiled.keptOnly(in: language).files.filter { $0.definition != nil }
    }
}
