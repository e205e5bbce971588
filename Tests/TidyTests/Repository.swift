import Foundation

/// The files of the repository, or of a small made-up one that a rule has to complain about.
struct Repository {
    /// The text of each file by its path from the root, in order of the paths.
    let files: [(path: String, text: String)]
    let sources: [SourceText]
    let tests: [SourceText]
    /// Paths of the files that may be run.
    let executables: Set<String>

    init(_ files: [String: String], executables: Set<String> = []) {
        self.files = files.sorted { $0.key < $1.key }.map { (path: $0.key, text: $0.value) }
        self.executables = executables
        let swift = self.files.filter { $0.path.hasSuffix(".swift") }
        func texts(below folder: String) -> [SourceText] {
            swift.filter { $0.path.hasPrefix("\(folder)/") || $0.path.hasPrefix("Workshop/\(folder)/") }
                .map(SourceText.init)
        }
        sources = texts(below: "Sources")
        tests = texts(below: "Tests")
    }

    /// This one.
    static let here = Repository.read()

    func text(of path: String) -> String? {
        files.first { $0.path == path }?.text
    }

    /// What both packages declare.
    var manifest: Manifest {
        Manifest(["Package.swift", "Workshop/Package.swift"].compactMap { text(of: $0) })
    }

    /// Targets that have Swift files, in order of their names.
    var targets: [String] { Set(sources.map(\.target)).sorted() }

    private static func read() -> Repository {
        let root = URL(filePath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        var files: [String: String] = [:]
        var executables: Set<String> = []
        func take(_ path: String) {
            let url = root.appending(path: path)
            guard let data = try? Data(contentsOf: url) else { return }
            files[path] = String(decoding: data, as: UTF8.self)
            if FileManager.default.isExecutableFile(atPath: url.path) { executables.insert(path) }
        }
        let top = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        for name in top where name.hasSuffix(".md") || ["LICENSE", "Package.swift"].contains(name) {
            take(name)
        }
        for path in ["Workshop/Package.swift", "Workshop/README.md", "Embedded/README.md"] { take(path) }
        for folder in [
            "Sources", "Tests", "Workshop/Sources", "Workshop/Tests", "scripts", "docs", "devices",
            "packaging", ".ci",
        ] {
            let paths = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
            while let path = paths?.nextObject() as? String {
                if !path.hasSuffix(".jsonl") { take("\(folder)/\(path)") }
            }
        }
        return Repository(files, executables: executables)
    }
}
