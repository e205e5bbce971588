public import SkerryDevice
import SkerryValues

/// A file with a definition.
public struct DefinitionFile: Sendable {
    /// Its path, as it was given or found.
    public var path: String
    /// Its text, empty for a compiled definition; bytes that are not UTF-8 are replaced here, and reported as a problem by the reading.
    public var text: String
    /// The result of reading it.
    public var reading: DefinitionReading

    /// Reads the bytes of a file.
    public init(path: String, bytes: [UInt8], extending bases: DefinitionBases = .none) {
        self.path = path
        text = Self.text(of: bytes)
        reading = DefinitionReader.read(bytes: bytes, path: path, extending: bases)
    }

    fileprivate static func text(of bytes: [UInt8]) -> String {
        Definition.isCompiled(bytes) ? "" : String(decoding: bytes, as: UTF8.self)
    }

    /// The kind of device, also of a text with errors; nil when it is not known.
    public var kind: String? {
        if let draft = reading.draft { return draft.kind.text }
        return reading.compiled.flatMap { try? Definition.read(compiled: $0[...]).kind }
    }

    /// The definitions that it extends, the nearest first.
    package var bases: [DefinitionBase] { reading.bases }

    /// The file that a place is in, with its text.
    public func file(of place: Place) -> DefinitionBase {
        bases.indices.contains(place.file - 1)
            ? bases[place.file - 1] : DefinitionBase(path: path, text: text)
    }

    fileprivate func keeping(tests: Bool) -> DefinitionFile {
        var file = self
        if !tests { file.reading.tests = [] }
        return file
    }

    /// The file with what recognises devices and the settings that they can have, and without its text.
    package func outline(in language: TextLanguage?) -> DefinitionFile {
        var file = self
        file.text = ""
        file.reading.keepOnly(language)
        file.reading.draft = file.reading.draft?.outline
        (file.reading.tests, file.reading.bases) = ([], [])
        return file
    }

    /// True if the other file has the same text, and extends the same texts.
    package func isSame(as other: DefinitionFile) -> Bool {
        text == other.text && bases == other.bases && reading.compiled == other.reading.compiled
    }

    /// A problem as it is told to somebody who sees only this file: one of another file stands at `extends`.
    package func seenHere(_ problem: DefinitionProblem) -> DefinitionProblem {
        guard problem.place.file > 0, let place = reading.basePlace else { return problem }
        var seen = problem
        let (line, column) = (problem.place.line, problem.place.column)
        seen.message = "\(file(of: problem.place).path):\(line):\(column): \(problem.message)"
        seen.place = place
        seen.length = 1
        return seen
    }
}

/// Finds and reads the files of definitions.
public enum DefinitionFiles {
    /// The largest number of files in a folder of definitions.
    package static let fileLimit = 1000
    /// The greatest depth of nested folders of definitions.
    static let depthLimit = 16

    /// Reads files, and all `.yaml`, `.yml` and `.skd` files of folders and the folders in them, in the order of their paths.
    ///
    /// Names that begin with a dot are passed over in folders; files whose names begin with `_` are parts, which only
    /// others extend. A file found twice is read once, and a folder to which
    /// several paths lead, such as a loop of symbolic links, is looked into once.
    ///
    /// - Parameters:
    ///   - paths: Files and folders.
    ///   - keepsTests: Whether the tests are wanted, and not only their problems.
    /// - Returns: the files that were read.
    /// - Throws: a path that can't be read.
    public static func load(
        _ paths: [String],
        keepsTests: Bool = true
    ) throws(FileError) -> [DefinitionFile] {
        try load(paths) { $0.keeping(tests: keepsTests) }
    }

    /// Reads the same files one after the other, and keeps a part of each.
    ///
    /// - Parameters:
    ///   - paths: Files and folders.
    ///   - part: Takes the wanted part of a file.
    /// - Returns: the parts.
    /// - Throws: a path that can't be read.
    package static func load<Part>(
        _ paths: [String],
        _ part: (DefinitionFile) -> Part
    ) throws(FileError) -> [Part] {
        var search = Search()
        for path in paths { try search.collect(path, depth: 0) }
        var files: [(path: String, bytes: [UInt8])] = []
        for path in search.files.sorted(by: { $0.precedesByCodePoints($1) }) where files.last?.path != path {
            files.append((path, try FileBytes.read(path, limit: DefinitionReader.fileSizeLimit)))
        }
        let known = files.map { DefinitionBase(path: $0.path, text: DefinitionFile.text(of: $0.bytes)) }
        var bases = DefinitionBases.none
        if known.contains(where: { DefinitionBases.mayExtend($0.text) }) {
            bases = DefinitionBases(
                known + texts(beside: files.map(\.path), search),
                readsFiles: true,
                shipped: ShippedDefinitions.folder
            )
        }
        return files.map { part(DefinitionFile(path: $0.path, bytes: $0.bytes, extending: bases)) }
    }

    /// The texts that files can extend besides each other: those of parts, and those beside files that were named alone.
    private static func texts(beside paths: [String], _ search: Search) -> [DefinitionBase] {
        var folders: [String] = []
        for path in paths {
            let slash = path.lastIndex(of: "/")
            let folder = slash.map { String(path[..<$0]) } ?? "."
            if !search.folders.contains(folder), !folders.contains(folder) { folders.append(folder) }
        }
        var beside = search.parts
        for folder in folders {
            let names = (try? FileBytes.names(inFolder: folder)) ?? []
            beside += names.filter { isDefinition($0) }.prefix(fileLimit).map { name in
                folder == "." ? name : "\(folder)/\(name)"
            }
        }
        let known = Set(paths)
        return beside.filter { !known.contains($0) }.compactMap { path in
            guard let bytes = try? FileBytes.read(path, limit: DefinitionReader.fileSizeLimit) else {
                return nil
            }
            return DefinitionBase(path: path, text: String(decoding: bytes, as: UTF8.self))
        }
    }

    /// The folders among paths that a new file can be put into: those that are there, and then those that are yet to be made.
    package static func foldersForNew(among paths: [String]) -> [String] {
        var present: [String] = []
        var missing: [String] = []
        for path in paths {
            do throws(FileError) {
                if try FileBytes.folder(path) != nil { present.append(path) }
            } catch {
                if ![".yaml", ".yml", ".skd"].contains(where: path.hasSuffix) { missing.append(path) }
            }
        }
        return present + missing
    }

    private static func isDefinition(_ name: String) -> Bool {
        !name.hasPrefix(".")
            && (name.hasSuffix(".yaml") || name.hasSuffix(".yml") || name.hasSuffix(".skd"))
    }

    /// The folders that contain the files that ``load(_:)`` would read, each once: folders with their subfolders, and
    /// the folders of files.
    ///
    /// Missing and unreadable folders are left out.
    package static func folders(_ paths: [String]) -> [String] {
        var search = Search()
        for path in paths {
            if (try? FileBytes.folder(path)) != nil {
                try? search.collect(path, depth: 0)
            } else if let slash = path.lastIndex(of: "/") {
                search.folders.append(slash == path.startIndex ? "/" : String(path[..<slash]))
            } else {
                search.folders.append(".")
            }
        }
        var seen: Set<String> = []
        return search.folders.filter { seen.insert($0).inserted }
    }

    /// Reads one file.
    public static func read(_ path: String) throws(FileError) -> DefinitionFile {
        DefinitionFile(path: path, bytes: try FileBytes.read(path, limit: DefinitionReader.fileSizeLimit))
    }

    /// Looks through folders.
    private struct Search {
        var files: [String] = []
        var folders: [String] = []
        /// The files of folders that only others extend.
        var parts: [String] = []
        private var seen: Set<FileBytes.FolderIdentity> = []

        /// Adds a file, or all files of a folder; continues after an unreadable folder, and throws at the end.
        mutating func collect(_ path: String, depth: Int) throws(FileError) {
            guard let folder = try FileBytes.folder(path) else {
                files.append(path)
                guard files.count <= fileLimit else {
                    throw FileError(path: path, reason: "more than \(fileLimit) definitions")
                }
                return
            }
            guard seen.insert(folder).inserted else { return }
            guard depth < depthLimit else {
                throw FileError(path: path, reason: "folders are nested too deeply")
            }
            folders.append(path)
            var fault: FileError?
            for name in try FileBytes.names(inFolder: path) where !name.hasPrefix(".") {
                let child = path.hasSuffix("/") ? path + name : path + "/" + name
                let isDefinition = DefinitionFiles.isDefinition(name)
                if isDefinition, name.hasPrefix("_"), (try? FileBytes.folder(child)) == nil {
                    if parts.count < fileLimit { parts.append(child) }
                    continue
                }
                guard isDefinition || (try? FileBytes.folder(child)) != nil else { continue }
                do throws(FileError) {
                    try collect(child, depth: depth + 1)
                } catch {
                    fault = fault ?? error
                }
            }
            if let fault { throw fault }
        }
    }
}

/// The definitions that come with Skerry.
package enum ShippedDefinitions {
    /// Their folder: that of the installation, or of the source tree that this program was built in; nil without one.
    package static var folder: String? {
        guard let program = try? ReplacedFile.resolved("/proc/self/exe") else { return nil }
        let own = ReplacedFile.folder(of: program)
        var candidates = ["\(own)/../share/skerry/devices"]
        let names = own.split(separator: "/")
        if let build = names.lastIndex(of: ".build") {
            candidates.append("/\(names[..<build].joined(separator: "/"))/devices")
        }
        return candidates.lazy.compactMap { try? ReplacedFile.resolved($0) }.first
    }
}
