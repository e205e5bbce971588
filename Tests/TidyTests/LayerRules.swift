/// Who may import what: the layers of ARCHITECTURE.md, and what the manifests declare.
enum LayerRules {
    static let layer0 = [
        "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryExpressions", "SkerryMachine",
        "SkerryValues",
    ]

    /// Targets that ask the world for nothing: layer 0, and the decisions about pushes and requests.
    static let pure = layer0 + ["SkerryPhones", "SkerrySinks"]

    /// Targets of the daemon from below: each depends only on targets of earlier rows, and in the first row on each other.
    static let rows = [
        layer0,
        ["CAppSources"],
        ["SkerryFiles", "SkerryGenerate", "SkerryPhones"],
        ["SkerrySinks"],
        ["SkerryCommand", "SkerryGateway"],
        [
            "SkerryDashboard", "SkerryHouse", "SkerryMosquitto", "SkerryPostgres", "SkerryPush",
            "SkerryStore",
            "SkerrySystemd", "SkerryTesting",
        ],
        ["SkerryPushTesting"],
        ["skerry", "skerry-demo", "skerry-generate"],
    ]

    /// The C library of the system, by its names.
    private static let system = ["Darwin", "Glibc", "Musl"]

    /// Modules of the toolchain that a target may import beside those that its manifest declares.
    ///
    /// Another one is a decision: it stands here, or the test fails.
    static let toolchain: [String: [String]] = [
        "CAppSources": [
            "AVFoundation", "ActivityKit", "AppIntents", "Foundation", "FoundationNetworking", "Observation",
            "Security",
            "SwiftUI", "UIKit", "UserNotifications", "VisionKit", "WidgetKit",
        ],
        "SkerryFiles": system + ["Synchronization"],
        "SkerryGateway": system + ["Synchronization"],
        "SkerryMosquitto": system + ["Synchronization"],
        "SkerryStore": system + ["Synchronization"],
        "SkerryPostgres": system + ["Synchronization"],
        "SkerryPush": system + ["Synchronization"],
        "SkerryDashboard": system + ["Synchronization"],
        "SkerryHouse": system + ["Synchronization"],
        "SkerrySystemd": system,
        "SkerryCommand": system + ["Dispatch", "Synchronization"],
        "SkerryTesting": system + ["Synchronization", "Testing"],
        "SkerryPushTesting": ["FoundationEssentials", "Synchronization"],
        "skerry": system + ["Dispatch", "FoundationEssentials", "Synchronization"],
        "SkerryImport": ["Foundation", "FoundationEssentials", "FoundationXML"],
        "SkerryPushStandIn": system + ["FoundationEssentials", "Synchronization"],
        "SkerrySimulation": ["Synchronization"],
        "skerry-conformance": system + ["FoundationEssentials"],
        "skerry-demo": system + ["Synchronization"],
        "skerry-generate": ["Synchronization"],
        "skerry-import": system,
    ]

    /// Targets without a test target of their own, each with the reason.
    static let testedElsewhere = [
        "skerry": "run as a program by the live tests and by scripts/test",
        "SkerryCommand": "run as a part of the programs",
        "SkerryPostgres": "the tests of SkerryStore run over both",
        "CAppSources": "compiled and run by the tests of SkerryGenerate",
        "SkerryPushTesting": "what it refuses is seen through the stand-in of the workshop",
        "skerry-demo": "run as a program by the live tests and by scripts/demo",
        "skerry-generate": "run as a program by the live tests",
        "skerry-conformance": "prints what the tested SkerryConformance found",
        "skerry-import": "run by the tests of the documents",
        "skerry-simulate": "run by scripts/test",
    ]

    /// Words that ask the world for something, or that Embedded Swift does not know.
    static let impureWords: [String: String] = [
        "Actor": "the pure layer has no tasks", "actor": "the pure layer has no tasks",
        "async": "the pure layer has no tasks", "await": "the pure layer has no tasks",
        "Task": "the pure layer has no tasks", "Thread": "the pure layer has no tasks",
        "Date": "time comes in with the input", "ContinuousClock": "time comes in with the input",
        "SuspendingClock": "time comes in with the input", "DispatchTime": "time comes in with the input",
        "clock_gettime": "time comes in with the input", "gettimeofday": "time comes in with the input",
        "SystemRandomNumberGenerator": "randomness comes in with the input",
        "random": "randomness comes in with the input", "randomElement": "randomness comes in with the input",
        "shuffle": "randomness comes in with the input", "shuffled": "randomness comes in with the input",
        "hashValue": "hashes differ from run to run",
        "ObjectIdentifier": "addresses differ from run to run",
        "getenv": "settings come in with the definition",
        "ProcessInfo": "settings come in with the definition",
        "print": "the pure layer has no output", "readLine": "the pure layer has no input",
        "FileManager": "the pure layer has no files", "fopen": "the pure layer has no files",
        "Mirror": "Embedded Swift has no reflection",
        "describing": "Embedded Swift has no reflection", "reflecting": "Embedded Swift has no reflection",
        "Codable": "coding belongs to layers 1 and 3", "Encodable": "coding belongs to layers 1 and 3",
        "Decodable": "coding belongs to layers 1 and 3", "KeyPath": "Embedded Swift has no key paths",
        "Regex": "Embedded Swift has no Regex", "weak": "Embedded Swift has no weak references",
        "Mutex": "Embedded Swift has no Mutex",
    ]

    /// Imports of modules that neither the manifest declares nor ``toolchain`` allows.
    static func forbiddenImports(in repository: Repository) -> [Finding] {
        let declared = repository.manifest.dependencies
        return repository.sources.flatMap { file in
            guard let modules = declared[file.target] else {
                return [Finding(path: file.path, line: 1, text: "no manifest has the target \(file.target)")]
            }
            let allowed = modules.union(toolchain[file.target, default: []])
            return file.imports.filter { !allowed.contains($0.module) }
                .map { file.finding($0.token, "\(file.target) may not import \($0.module)") }
        }
    }

    /// Dependencies that lead upwards or sideways, and targets of the daemon that have no row.
    static func forbiddenDependencies(in repository: Repository) -> [String] {
        let declared = repository.manifest.dependencies
        let ours = Set(repository.targets)
        var below: Set<String> = []
        var findings: [String] = []
        for (number, row) in rows.enumerated() {
            if number == 0 { below.formUnion(row) }
            findings += row.flatMap { target in
                declared[target, default: []].intersection(ours).subtracting(below)
                    .map { "\(target) may not depend on \($0)" }
            }
            below.formUnion(row)
        }
        let daemon = Set(repository.sources.filter { $0.path.hasPrefix("Sources/") }.map(\.target))
        return (findings + daemon.subtracting(below).map { "\($0) has no row" }).sorted()
    }

    static func impurities(in repository: Repository) -> [Finding] {
        repository.sources.filter { pure.contains($0.target) }.flatMap { file in
            file.tokens.compactMap { token in
                impurity(token, in: file).map { file.finding(token, "\(token.text): \($0)") }
            } + file.keyPaths
        }
    }

    private static func impurity(_ token: Token, in file: SourceText) -> String? {
        switch token.text {
        case "throws" where token.after != UInt8(ascii: "("): "errors have a type: throws(E)"
        case "as" where token.after == UInt8(ascii: "?") || token.after == UInt8(ascii: "!"):
            "Embedded Swift has no casts"
        case "any" where isFollowedByType(token, in: file): "Embedded Swift has no existentials"
        case "Hasher" where token.after == UInt8(ascii: "("): "hashes differ from run to run"
        default: impureWords[token.text]
        }
    }

    private static func isFollowedByType(_ token: Token, in file: SourceText) -> Bool {
        guard token.after == UInt8(ascii: " "), token.end + 1 < file.code.count else { return false }
        return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(file.code[token.end + 1])
    }

    static func targetsWithoutTests(in repository: Repository) -> [String] {
        let tested = Set(repository.tests.map(\.target))
        return repository.targets.filter { !tested.contains($0 + "Tests") && testedElsewhere[$0] == nil }
    }
}

extension SourceText {
    /// The modules that the file imports.
    var imports: [(module: String, token: Token)] {
        let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        return tokens.indices.filter { tokens[$0].text == "import" }.compactMap { index in
            let module = tokens[(index + 1)...].prefix(2).first { !kinds.contains($0.text) }
            return module.map { (module: $0.text, token: tokens[index]) }
        }
    }

    /// The places of key paths: code has no other back-slashes.
    fileprivate var keyPaths: [Finding] {
        var findings: [Finding] = []
        var line = 1
        for byte in code {
            if byte == UInt8(ascii: "\n") { line += 1 }
            if byte == UInt8(ascii: "\\") {
                findings.append(Finding(path: path, line: line, text: "Embedded Swift has no key paths"))
            }
        }
        return findings
    }
}
