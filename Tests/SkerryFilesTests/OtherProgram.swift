import Foundation

/// Programs that are not ours, to ask what they make of our output.
enum OtherProgram {
    /// Runs a program to its end.
    ///
    /// - Throws: when it is not there.
    static func run(
        _ program: String,
        _ arguments: [String],
        input: Data
    ) throws -> (status: Int32, output: Data, errors: String) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("input")
        try input.write(to: file)
        let errors = folder.appendingPathComponent("errors")
        try Data().write(to: errors)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let read = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, read, try String(contentsOf: errors, encoding: .utf8))
    }
}
