import Testing

@Suite struct LayerTests {
    @Test func `no source is assembler, whose object makes the stack of the program executable`() {
        let files = Repository.here.files.map(\.path).filter { $0.hasPrefix("Sources/") }
        #expect(files.count > 300)
        let endings = [".s", ".asm", ".o"]
        #expect(files.filter { file in endings.contains { file.lowercased().hasSuffix($0) } } == [])
        #expect(files.filter { $0.contains("*") || $0.contains("?") } == [])
    }

    @Test func `the rules see the files of the repository`() {
        #expect(Repository.here.targets.count >= LayerRules.layer0.count)
        #expect(Repository.here.tests.contains { $0.path == "Tests/TidyTests/LayerTests.swift" })
    }

    @Test func `a target imports only what its manifest declares`() {
        let findings = LayerRules.forbiddenImports(in: .here)
        #expect(findings.isEmpty, "\(list(findings))")
    }

    private static let manifest = """
        let engine = Target.Dependency.product(name: "SkerryEngine", package: "skerry")
        let package = Package(
            products: [.library(name: "SkerryEngine", targets: ["SkerryEngine", "SkerryValues"])],
            targets: [
                .target(name: "SkerryValues"),
                .target(name: "SkerryEngine", dependencies: ["SkerryValues"]),
                .target(
                    name: "SkerryStore",
                    dependencies: ["SkerryMosquitto", .product(name: "SQL", package: "sql")]
                ),
                .executableTarget(name: "skerry-new", dependencies: [engine]),
            ]
        )
        """

    @Test(arguments: [
        ("Sources/SkerryEngine/A.swift", "import Foundation"),
        ("Sources/SkerryValues/A.swift", "public import SkerryEngine"),
        ("Sources/SkerryValues/A.swift", "@preconcurrency internal import struct Glibc.timespec"),
        ("Sources/SkerryStore/A.swift", "private import class SkerryEngine.Engine"),
        ("Sources/SkerryUnknown/A.swift", "let number = 1"),
    ])
    func `a forbidden import is found`(path: String, text: String) {
        let repository = Repository(["Package.swift": Self.manifest, path: text])
        #expect(LayerRules.forbiddenImports(in: repository).count == 1)
    }

    @Test(arguments: [
        (
            "Sources/SkerryEngine/A.swift",
            "public import SkerryValues\n// import Foundation\nlet text = \"import Foundation\"\n"
        ),
        ("Sources/SkerryStore/A.swift", "import Synchronization\nimport SQL\n"),
        ("Workshop/Sources/skerry-new/A.swift", "import SkerryEngine\nimport SkerryValues\n"),
    ])
    func `an allowed import, and one in a comment or a text, is no finding`(path: String, text: String) {
        let findings = LayerRules.forbiddenImports(
            in: Repository(["Package.swift": Self.manifest, path: text])
        )
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test func `a target depends only on targets of the layers below`() {
        #expect(LayerRules.forbiddenDependencies(in: .here).isEmpty)
    }

    @Test func `an adapter that depends on another, and a target without a layer, are found`() {
        let files = ["SkerryMosquitto", "SkerryStore", "SkerryNew"].map { ("Sources/\($0)/A.swift", "") }
        let repository = Repository(
            Dictionary(uniqueKeysWithValues: files + [("Package.swift", Self.manifest)])
        )
        #expect(
            LayerRules.forbiddenDependencies(in: repository) == [
                "SkerryNew has no row", "SkerryStore may not depend on SkerryMosquitto",
            ]
        )
    }

    @Test func `layer 0 asks the world for nothing`() {
        let findings = LayerRules.impurities(in: .here)
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test(arguments: [
        "let now = Date()", "let clock = ContinuousClock()", "let dice = Int.random(in: 1...6)",
        "Task { work() }", "func run() async {}", "let box: any Shape", "func read() throws {}",
        "struct Name: Codable {}", "let names = all.map(\\.name)", "let text = String(describing: value)",
        "let name = thing as? String", "let text = \"it is \\(Date())\"", "Mirror(reflecting: self)",
        "var hasher = Hasher()",
    ])
    func `a question to the world is found in layer 0 only`(text: String) {
        let engine = LayerRules.impurities(in: Repository(["Sources/SkerryEngine/A.swift": text]))
        #expect(engine.isEmpty == false)
        #expect(engine.first?.line == 1)
        #expect(LayerRules.impurities(in: Repository(["Sources/SkerryGateway/A.swift": text])).isEmpty)
    }

    @Test func `words of the world in comments, texts and typed throws are no finding`() {
        let text = """
            /// Date() in a comment, /* nested */ too
            /* Task { /* deep */ any */
            func `any name`() throws(Refusal) { log(#"Date() \\(x)"#, "a \\(b.description) random") }
            let anyone = tasks as Int, pattern = Level.any
            func hash(into hasher: inout Hasher) { if case .any = level {} }
            """
        let findings = LayerRules.impurities(in: Repository(["Sources/SkerryEngine/A.swift": text]))
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test func `every target has tests`() {
        #expect(LayerRules.targetsWithoutTests(in: .here).isEmpty)
        let targets = Set(Repository.here.targets)
        #expect(targets.isSuperset(of: LayerRules.testedElsewhere.keys), "an exception is no longer needed")
    }

    @Test func `a target without tests is found`() {
        let files = [
            "Sources/SkerryNew/A.swift": "", "Sources/skerry/B.swift": "", "Tests/skerryTests/C.swift": "",
        ]
        #expect(LayerRules.targetsWithoutTests(in: Repository(files)) == ["SkerryNew"])
    }
}

/// The findings one below the other, for a message that can be read.
func list(_ findings: [Finding]) -> String {
    "\n" + findings.map(\.description).joined(separator: "\n")
}
