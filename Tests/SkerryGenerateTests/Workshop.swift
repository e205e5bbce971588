import Foundation
import SkerryGenerate

/// A folder in which generated files are compiled.
struct Workshop: ~Copyable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Writes a file and tells its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let file = folder.appendingPathComponent(name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    /// Runs the compiler of Swift 6 and tells what it complains of.
    func compile(_ arguments: [String]) throws -> String {
        let found = try run(
            "/usr/bin/env",
            ["swiftc", "-swift-version", "6", "-warnings-as-errors"] + arguments
        )
        return found.status == 0 ? "" : found.errors
    }

    /// Runs a program to its end.
    func run(
        _ program: String,
        _ arguments: [String]
    ) throws -> (status: Int32, output: String, errors: String) {
        let files = ["output", "errors"].map { folder.appendingPathComponent($0) }
        for file in files { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit()
        let texts = try files.map { try String(contentsOf: $0, encoding: .utf8) }
        return (process.terminationStatus, texts[0], texts[1])
    }
}
