import Foundation

/// Stand-ins for Apple's modules with the documented signatures, compiled once for all tests.
enum StandIns {
    /// The compiler refused a stand-in.
    struct Complaint: Error {
        let text: String
    }

    /// The modules, each after those that it uses.
    static let modules = [
        "ActivityKit", "UIKit", "SwiftUI", "AppIntents", "WidgetKit", "AVFoundation", "VisionKit", "Security",
        "UserNotifications",
    ]

    private static let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent(UUID().uuidString)

    private static let compiled = Result {
        atexit { try? FileManager.default.removeItem(at: StandIns.folder) }
        let workshop = try Workshop()
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("StandIns")
        for (place, module) in modules.enumerated() {
            let source = sources.appendingPathComponent(module)
            let files = try FileManager.default.contentsOfDirectory(atPath: source.path).sorted()
            let result = folder.appendingPathComponent(module)
            try FileManager.default.createDirectory(at: result, withIntermediateDirectories: true)
            let complaint = try workshop.compile(
                [
                    "-parse-as-library", "-emit-module", "-module-name", module,
                    "-enable-upcoming-feature", "InternalImportsByDefault",
                    "-emit-module-path", result.appendingPathComponent("\(module).swiftmodule").path,
                    "-emit-library", "-static", "-o", result.appendingPathComponent("lib\(module).a").path,
                ] + options(modules[..<place]) + files.map { source.appendingPathComponent($0).path }
            )
            guard complaint.isEmpty else { throw Complaint(text: complaint) }
        }
    }

    /// The compiler's options for a program that can import some of them and no others.
    static func forImport(_ modules: [String] = modules) throws -> [String] {
        try compiled.get()
        return options(modules[...])
    }

    private static func options(_ modules: ArraySlice<String>) -> [String] {
        modules.flatMap { module in
            let path = folder.appendingPathComponent(module).path
            return ["-I", path, "-L", path]
        }
    }
}
