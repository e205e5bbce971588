/// Who may import what: the layers of ARCHITECTURE.md, name by name.
enum LayerRules {
    static let layer0 = [
        "SkerryActivity", "SkerryDevice", "SkerryEngine", "SkerryExpressions", "SkerryMachine",
        "SkerryValues",
    ]

    /// The C library of the system, by its names.
    private static let system = ["Darwin", "Glibc", "Musl"]

    /// Everything that a target may import.
    ///
    /// A new import is a decision: it stands here, or the test fails.
    static let allowed: [String: [String]] = [
        "SkerryValues": [],
        "SkerryExpressions": ["SkerryValues"],
        "SkerryMachine": ["SkerryValues"],
        "SkerryActivity": ["SkerryValues"],
        "SkerryDevice": ["SkerryActivity", "SkerryExpressions", "SkerryMachine", "SkerryValues"],
        "SkerryEngine": layer0,
        "SkerryFiles": layer0 + system + ["Synchronization", "Yams"],
        "SkerryImport": layer0 + [
            "Foundation", "FoundationEssentials", "FoundationXML", "SkerryFiles",
        ],
        "SkerryGenerate": layer0,
        "SkerryGateway": layer0 + system + [
            "CTimex", "Logging", "SkerryFiles", "Synchronization",
        ],
        "SkerryMosquitto": layer0 + system + [
            "CMosquitto", "SkerryFiles", "SkerryGateway", "Synchronization",
        ],
        "SkerryStore": layer0 + system + ["CSQLite", "SkerryGateway", "Synchronization"],
        "SkerryPush": layer0 + system + [
            "CCurl", "COpenSSL", "Logging", "SkerryGateway", "Synchronization",
        ],
        "SkerryDashboard": layer0 + system + [
            "COpenSSL", "Hummingbird", "HummingbirdCore", "Logging", "NIOCore", "NIOPosix",
            "ServiceLifecycle", "SkerryFiles", "SkerryGateway", "Synchronization",
        ],
        "SkerrySystemd": ["SkerryGateway", "SkerryValues"] + system,
        "SkerryTesting": layer0 + system + [
            "SkerryFiles", "SkerryGateway", "Synchronization", "Testing",
        ],
        "SkerryPushTesting": layer0 + system + [
            "COpenSSL", "FoundationEssentials", "NIOCore", "NIOHPACK", "NIOHTTP2", "NIOPosix", "NIOSSL",
            "SkerryGateway", "SkerryTesting", "Synchronization",
        ],
        "SkerrySimulation": layer0 + [
            "Logging", "SkerryFiles", "SkerryGateway", "SkerryTesting", "Synchronization",
        ],
        "SkerryFuzzing": layer0 + ["SkerryFiles", "SkerryTesting"],
        "SkerryConformance": [
            "SkerryDevice", "SkerryExpressions", "SkerryImport", "SkerryMachine", "SkerryValues",
        ],
        "skerry-conformance": system + ["FoundationEssentials", "SkerryConformance", "SkerryFiles"],
        "skerry": layer0 + system + [
            "ArgumentParser", "Dispatch", "Logging",
            "SkerryDashboard", "SkerryFiles", "SkerryGateway", "SkerryGenerate",
            "SkerryImport", "SkerryMosquitto", "SkerryPush", "SkerryPushTesting", "SkerrySimulation",
            "SkerryStore", "SkerrySystemd", "SkerryTesting", "Synchronization",
        ],
    ]

    /// Targets without a test target of their own, each with the reason.
    static let testedElsewhere = [
        "skerry": "run as a program by the live tests and by scripts/test",
        "skerry-conformance": "prints what the tested SkerryConformance found",
        "SkerryPushTesting": "the tests of SkerryPush are nothing without it",
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

    static func forbiddenImports(in repository: Repository) -> [Finding] {
        repository.sources.flatMap { file in
            guard let allowed = allowed[file.target] else {
                return [
                    Finding(path: file.path, line: 1, text: "no target \(file.target) in LayerRules.allowed")
                ]
            }
            return file.imports.filter { !allowed.contains($0.module) }
                .map { file.finding($0.token, "\(file.target) may not import \($0.module)") }
        }
    }

    static func impurities(in repository: Repository) -> [Finding] {
        repository.sources.filter { layer0.contains($0.target) }.flatMap { file in
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
