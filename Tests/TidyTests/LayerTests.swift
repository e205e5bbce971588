import Testing

@Suite struct LayerTests {
    @Test func `the rules see the files of the repository`() {
        #expect(Repository.here.targets.count >= LayerRules.layer0.count)
        #expect(Repository.here.tests.contains { $0.path == "Tests/TidyTests/LayerTests.swift" })
    }

    @Test func `a target imports only what its layer allows`() {
        let findings = LayerRules.forbiddenImports(in: .here)
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test(arguments: [
        ("Sources/SkerryEngine/A.swift", "import Foundation"),
        ("Sources/SkerryMachine/A.swift", "public import SkerryDevice"),
        ("Sources/SkerryValues/A.swift", "@preconcurrency internal import struct Glibc.timespec"),
        ("Sources/SkerryFiles/A.swift", "private import class SkerryMosquitto.MosquittoBus"),
        ("Sources/SkerryUnknown/A.swift", "let number = 1"),
    ])
    func `a forbidden import is found`(path: String, text: String) {
        #expect(LayerRules.forbiddenImports(in: Repository([path: text])).count == 1)
    }

    @Test func `an allowed import, and one in a comment or a text, is no finding`() {
        let text = "public import SkerryValues\n// import Foundation\nlet text = \"import Foundation\"\n"
        #expect(LayerRules.forbiddenImports(in: Repository(["Sources/SkerryEngine/A.swift": text])).isEmpty)
    }

    @Test func `the table of layers lets adapters import no adapter and layer 0 nothing from outside`() {
        let adapters: Set = ["SkerryMosquitto", "SkerryStore", "SkerryPush", "SkerryDashboard"]
        for (target, imports) in LayerRules.allowed
        where !["skerry", "SkerryPushStandIn", "SkerryPushTesting"].contains(target) {
            #expect(adapters.isDisjoint(with: imports), "\(target)")
        }
        for target in LayerRules.layer0 {
            let outside = LayerRules.allowed[target, default: []].filter { !LayerRules.layer0.contains($0) }
            #expect(outside.isEmpty, "\(target)")
        }
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
