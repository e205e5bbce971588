import Foundation
import SkerryActivity
import SkerryDevice
import SkerryGenerate
import Testing

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

    /// How an app compiles what is generated.
    struct Mode: CustomTestStringConvertible {
        /// The language mode.
        var version = "6"
        /// Whether what says nothing belongs to the main actor, as in new projects of Xcode 26.
        var isMain = false

        static let all = [
            Mode(version: "5"), Mode(version: "5", isMain: true), Mode(version: "6"),
            Mode(version: "6", isMain: true),
        ]

        var arguments: [String] {
            ["-swift-version", version] + (isMain ? ["-default-isolation", "MainActor"] : [])
        }

        var testDescription: String { "Swift \(version)\(isMain ? ", main actor by default" : "")" }
    }

    /// Runs the compiler, on all files at once, and returns its complaints.
    func compile(_ arguments: [String], _ mode: Mode = Mode()) throws -> String {
        let found = try run(
            "/usr/bin/env",
            ["swiftc"] + mode.arguments + ["-warnings-as-errors", "-wmo"] + arguments
        )
        return found.status == 0 ? "" : found.errors
    }

    /// Compiles `program`: the whole reporter with the stand-ins, programs of `Reporter/`, and files of the generated app.
    ///
    /// A program whose reports are not to leave names another transport.
    func compileApp(
        _ definition: Definition,
        revisions: [ActivityUpdate] = [],
        programs: [String],
        with names: [String] = [],
        transport: String = "SkerryUploads.shared"
    ) throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        var files = programs.map { tests.appendingPathComponent("Reporter/\($0).swift").path }
        let kinds = [definition.kind: revisions]
        let sources = try AppSources(definition, revisions: revisions).files
        let app = try AppProject(.home, definitions: [definition]).initial
        let parts = app.filter { names.contains($0.name) }
        for file in try sources + ReporterSources([definition], revisions: kinds).files + parts {
            let text = file.text.replacing("transport: SkerryUploads.shared", with: "transport: \(transport)")
            files.append(try write(text, to: file.name.replacingOccurrences(of: "/", with: "-")))
        }
        let libraries = [
            "WidgetKit", "AppIntents", "UIKit", "Security", "ActivityKit", "SwiftUI", "UserNotifications",
            "swiftSynchronization",
        ]
        let complaint = try compile(
            ["-Wwarning", "DeprecatedDeclaration", "-parse-as-library", "-module-name", "App"]
                + StandIns.forImport() + ["-o", "program"] + files + libraries.map { "-l\($0)" }
        )
        #expect(complaint.isEmpty, "\(complaint)")
    }

    /// Compiles `program`: the reporter for some kinds with a stand-in for ActivityKit that works, and programs of `Reporter/`.
    func compileReporter(_ definitions: [Definition], programs: [String]) throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        var files = programs.map { tests.appendingPathComponent("Reporter/\($0).swift").path }
        for file in try ReporterSources(definitions).files
        where !["import AppIntents", "import Security", "import WidgetKit", "import SwiftUI"]
            .contains(where: file.text.contains)
        {
            // The reporter of an app is made of parts of iOS; the program makes its own.
            let text = file.text.components(
                separatedBy: "extension SkerryReporter {\n    /// The reporter of this app."
            )
            files.append(try write(text[0], to: file.name))
        }
        for definition in definitions {
            for file in try AppSources(definition).files where !file.name.hasSuffix("LiveActivity.swift") {
                files.append(try write(file.text, to: file.name))
            }
        }
        let complaint = try compile(
            ["-parse-as-library", "-module-name", "App"] + StandIns.forImport(["ActivityKit"])
                + ["-lActivityKit", "-o", "program"] + files
        )
        #expect(complaint.isEmpty, "\(complaint)")
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
