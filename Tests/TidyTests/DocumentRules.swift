/// Documents that stay true: their commands and links lead somewhere.
enum DocumentRules {
    static let required = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md"]

    static func missing(in repository: Repository) -> [String] {
        required.filter { (repository.text(of: $0) ?? "").isEmpty }
    }

    /// Scripts that a document names and that are not there, or cannot be run.
    static func missingCommands(in repository: Repository) -> [Finding] {
        documentLines(in: repository).flatMap { path, number, line in
            line.matches(of: /(?:scripts|\.ci)\/[A-Za-z0-9_-]+/).map { String($0.output) }
                .filter { !repository.executables.contains($0) }
                .map { Finding(path: path, line: number, text: "\($0) is not there, or not executable") }
        }
    }

    /// Links to files of the repository that are not there.
    static func deadLinks(in repository: Repository) -> [Finding] {
        let files = Set(repository.files.map(\.path))
        return documentLines(in: repository).flatMap { path, number, line in
            line.matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/).map { String($0.output.1) }
                .filter { target in
                    let full = resolve(target, from: path)
                    return !files.contains(full) && !files.contains { $0.hasPrefix(full + "/") }
                }
                .map { Finding(path: path, line: number, text: "the link to \($0) leads nowhere") }
        }
    }

    /// Versions of Swift that documents and manifests demand; one that differs misleads.
    static func demandedSwift(in repository: Repository) -> [String: Set<String>] {
        var versions: [String: Set<String>] = [:]
        for (path, text) in repository.files where path.hasSuffix(".md") || path.hasSuffix("Package.swift") {
            if path == "CHANGELOG.md" { continue }
            for match in text.matches(
                of: /(?:Swift(?:\]\([^)]*\))?|swift-tools-version:) (\d+\.\d+)(?: or later|\n)/
            ) {
                versions[String(match.output.1), default: []].insert(path)
            }
        }
        return versions
    }

    static func lengthOfArchitecture(in repository: Repository) -> Int {
        (repository.text(of: "ARCHITECTURE.md") ?? "").split(
            separator: "\n",
            omittingEmptySubsequences: false
        ).count
    }

    private static func documentLines(
        in repository: Repository
    ) -> [(path: String, number: Int, line: Substring)] {
        repository.files.filter { $0.path.hasSuffix(".md") }.flatMap { path, text in
            text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
                .map { (path: path, number: $0.offset + 1, line: $0.element) }
        }
    }

    private static func resolve(_ target: String, from path: String) -> String {
        var parts = path.split(separator: "/").dropLast()
        for part in target.split(separator: "/") where part != "." {
            if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }
}
