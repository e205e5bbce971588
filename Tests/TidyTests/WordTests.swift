import Testing

@Suite struct WordTests {
    @Test func `nothing is marked as unfinished`() {
        let findings = WordRules.marksOfUnfinishedWork(in: .here)
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test(arguments: WordRules.marks)
    func `a mark of unfinished work is found`(mark: String) {
        for path in ["Sources/SkerryNew/A.swift", "README.md", "scripts/test"] {
            let findings = WordRules.marksOfUnfinishedWork(in: Repository([path: "one\n// \(mark): two\n"]))
            #expect(findings.map(\.line) == [2])
        }
        #expect(WordRules.marksOfUnfinishedWork(in: Repository(["README.md": "A\(mark)S"])).isEmpty)
    }

    @Test func `names are meaningful`() {
        let findings = WordRules.emptyNames(in: .here)
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test func `an empty name is found`() {
        let files = [
            "Sources/SkerryNew/StringUtils.swift": "struct Fine {}",
            "Sources/SkerryNew/A.swift": "final class DeviceManager {}",
            "Sources/SkerryNew/Manageress.swift": "enum Utilise {}",
        ]
        let findings = WordRules.emptyNames(in: Repository(files))
        #expect(findings.map(\.path) == ["Sources/SkerryNew/A.swift", "Sources/SkerryNew/StringUtils.swift"])
    }

    @Test func `each noun of the project has a file`() {
        let missing = WordRules.nounsWithoutFile(in: .here)
        #expect(missing.isEmpty, "no file is named after: \(missing.joined(separator: ", "))")
    }

    @Test func `a noun without a file is found`() {
        var files = ["Sources/SkerryNew/Trunk.swift": ""]
        for noun in WordRules.nouns where noun != "run" {
            files["Sources/SkerryNew/Some+\(noun).swift"] = ""
        }
        #expect(WordRules.nounsWithoutFile(in: Repository(files)) == ["run"])
    }

    @Test func `doc comments begin with the thing or a verb`() {
        let findings = WordRules.questionsInDocs(in: .here)
        #expect(findings.isEmpty, "\(list(findings))")
        let text = "/// Whether it is open.\n/// True\n/// What it is.\nlet a = 1\n    /// How wide it is.\n"
        let repository = Repository(["Sources/SkerryNew/A.swift": text])
        #expect(WordRules.questionsInDocs(in: repository).map(\.line) == [1, 5])
    }

    @Test func `each line of the log says of which kind it is`() {
        let findings = WordRules.logLinesWithoutID(in: .here)
        #expect(findings.isEmpty, "\(list(findings))")
        let text =
            "logger.info(.connected, \"a\")\nlogger.info(\"b\")\nlogger.warning(\n    \"c\")\nlogger.error(id, d)\n"
        let repository = Repository(["Sources/SkerryNew/A.swift": text])
        #expect(WordRules.logLinesWithoutID(in: repository).map(\.line) == [2, 3])
    }

    @Test func `the check of concurrency is switched off only at the border to C, and with a reason`() {
        let findings = WordRules.uncheckedConcurrency(in: .here)
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test(arguments: ["final class Box: @unchecked Sendable {}", "nonisolated(unsafe) var count = 0"])
    func `unchecked concurrency is found`(text: String) {
        func findings(_ path: String, _ text: String) -> Int {
            WordRules.uncheckedConcurrency(in: Repository([path: text])).count
        }
        #expect(findings("Sources/SkerryGateway/A.swift", "// Safe.\n" + text) == 1)
        #expect(findings("Sources/SkerryMosquitto/A.swift", "\n" + text) == 1)
        #expect(findings("Sources/SkerryMosquitto/A.swift", "// Only its own thread looks.\n" + text) == 0)
    }

    @Test func `tests do not sleep`() {
        let findings = WordRules.sleepingTests(in: .here)
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test(arguments: ["Task.", "Thread.", "u", ""].map { $0 + "sleep" + "(1)" })
    func `a sleeping test is found`(text: String) {
        #expect(WordRules.sleepingTests(in: Repository(["Tests/SkerryNewTests/A.swift": text])).count == 1)
        #expect(
            WordRules.sleepingTests(in: Repository(["Tests/SkerryNewTests/A.swift": "let sleep = 1"])).isEmpty
        )
    }
}
