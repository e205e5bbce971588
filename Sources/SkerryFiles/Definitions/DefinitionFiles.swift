/// A file with a definition.
public struct DefinitionFile: Sendable {
    /// Its path, as it was given or found.
    public var path: String
    /// Its text; bytes that are not UTF-8 are replaced here, and reported as a problem by the reading.
    public var text: String
    /// What was read from it.
    public var reading: DefinitionReading

    /// Reads the bytes of a file.
    public init(path: String, bytes: [UInt8]) {
        self.path = path
        text = String(decoding: bytes, as: UTF8.self)
        reading = DefinitionReader.read(bytes: bytes)
    }
}

/// Finds and reads the files of definitions.
public enum DefinitionFiles {
    /// How many files one folder of definitions may have.
    public static let fileLimit = 1000
    /// How deep folders of definitions may be nested.
    static let depthLimit = 16

    /// Reads files, and all `.yaml` and `.yml` files of folders and the folders in them, in the order of their paths.
    ///
    /// Names that begin with a dot are passed over in folders. A file found twice is read once.
    public static func load(_ paths: [String]) throws(FileError) -> [DefinitionFile] {
        var found: [String] = []
        for path in paths { try collect(path, depth: 0, into: &found) }
        found.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var files: [DefinitionFile] = []
        for path in found where files.last?.path != path { files.append(try read(path)) }
        return files
    }

    /// The folders that hold what ``load(_:)`` would read, each once: folders with the folders in them, and those of
    /// files.
    public static func folders(_ paths: [String]) throws(FileError) -> [String] {
        var found: [String] = []
        for path in paths {
            if try FileBytes.isFolder(path) {
                try collectFolders(path, depth: 0, into: &found)
            } else if let slash = path.lastIndex(of: "/") {
                found.append(slash == path.startIndex ? "/" : String(path[..<slash]))
            } else {
                found.append(".")
            }
        }
        var seen: Set<String> = []
        return found.filter { seen.insert($0).inserted }
    }

    private static func collectFolders(
        _ path: String,
        depth: Int,
        into found: inout [String]
    ) throws(FileError) {
        guard depth < depthLimit else { throw FileError(path: path, reason: "folders are nested too deep") }
        found.append(path)
        for name in try FileBytes.names(inFolder: path) where !name.hasPrefix(".") {
            let child = path.hasSuffix("/") ? path + name : path + "/" + name
            if (try? FileBytes.isFolder(child)) == true {
                try collectFolders(child, depth: depth + 1, into: &found)
            }
        }
    }

    /// Reads one file.
    public static func read(_ path: String) throws(FileError) -> DefinitionFile {
        DefinitionFile(path: path, bytes: try FileBytes.read(path, limit: DefinitionReader.fileSizeLimit))
    }

    private static func collect(_ path: String, depth: Int, into found: inout [String]) throws(FileError) {
        guard try FileBytes.isFolder(path) else {
            found.append(path)
            guard found.count <= fileLimit else {
                throw FileError(path: path, reason: "more than \(fileLimit) definitions")
            }
            return
        }
        guard depth < depthLimit else { throw FileError(path: path, reason: "folders are nested too deep") }
        let names = try FileBytes.names(inFolder: path)
        for name in names where !name.hasPrefix(".") {
            let child = path.hasSuffix("/") ? path + name : path + "/" + name
            let isDefinition = name.hasSuffix(".yaml") || name.hasSuffix(".yml")
            if isDefinition {
                try collect(child, depth: depth + 1, into: &found)
            } else if (try? FileBytes.isFolder(child)) == true {
                try collect(child, depth: depth + 1, into: &found)
            }
        }
    }
}
