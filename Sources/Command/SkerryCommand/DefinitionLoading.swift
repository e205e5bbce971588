import ArgumentParser
import Glibc
public import SkerryDevice
public import SkerryFiles

/// Loads definitions for a command that needs them right.
public enum DefinitionLoading {
    /// Reads and compiles files; prints problems to standard error.
    ///
    /// - Throws: an exit code when a file can't be read, has errors, or there is none.
    public static func load(
        _ paths: [String],
        in language: TextLanguage? = nil,
        on topics: MovedTopics = MovedTopics(),
        limits: DeviceLimits = DeviceLimits()
    ) throws -> [Definition] {
        try loadFiles(paths, in: language, on: topics, limits: limits).definitions
    }

    /// The same, with the files.
    package static func loadFiles(
        _ paths: [String],
        in language: TextLanguage? = nil,
        on topics: MovedTopics = MovedTopics(),
        limits: DeviceLimits = DeviceLimits()
    ) throws -> CompiledFiles {
        let compiled = try read(paths, in: language, on: topics, limits: limits)
        try demandRight(compiled)
        return compiled
    }

    /// Prints the problems of files to standard error.
    ///
    /// - Throws: an exit code when one is an error.
    package static func demandRight(_ compiled: CompiledFiles) throws {
        Terminal.complain(compiled.report(printer(STDERR_FILENO)), isWarning: !compiled.hasErrors)
        guard compiled.hasErrors else { return }
        Terminal.complain("\(DiagnosticPrinter.summary(of: compiled.problems) ?? "")\n")
        throw ExitCode.badInput
    }

    /// Refuses a compiled definition where its text is needed; one that can't be read is left to its problems.
    ///
    /// - Throws: an exit code, after saying so.
    package static func demandText(of file: CompiledFiles.File) throws {
        guard file.source.reading.compiled != nil, file.definition != nil else { return }
        Terminal.complain(
            "skerry: \(file.source.path) is compiled, and this needs its text: name the YAML file\n"
        )
        throw ExitCode.badInput
    }

    /// Reads and compiles files, whatever is wrong with them.
    public static func read(
        _ paths: [String],
        in language: TextLanguage? = nil,
        on topics: MovedTopics = MovedTopics(),
        limits: DeviceLimits = DeviceLimits()
    ) throws -> CompiledFiles {
        let compiled: CompiledFiles
        do throws(FileError) {
            compiled = try CompiledFiles(paths, in: language, on: topics, limits: limits)
        } catch {
            let isDefault = paths == ["devices"] && error.path == "devices"
            let advice = isDefault ? ": name a file or a folder of definitions" : ""
            Terminal.complain("skerry: \(error)\(advice)\n")
            throw ExitCode.badInput
        }
        if compiled.files.isEmpty {
            let places = paths.joined(separator: ", ")
            Terminal.complain("skerry: there is no definition (*.yaml, *.skd) in \(places)\n")
            throw ExitCode.badInput
        }
        return compiled
    }

    /// The folder of the definitions that come with Skerry.
    ///
    /// - Throws: an exit code when there is none, after saying so.
    package static func demandShipped() throws -> String {
        if let folder = ShippedDefinitions.folder { return folder }
        Terminal.complain(
            "skerry: the definitions that come with Skerry are not beside it: name a folder of definitions\n"
        )
        throw ExitCode.badInput
    }

    /// A printer of problems, with colours where a stream takes them.
    public static func printer(_ descriptor: Int32) -> DiagnosticPrinter {
        DiagnosticPrinter(usesColours: Terminal.takesColours(descriptor))
    }
}
