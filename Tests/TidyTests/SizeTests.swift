import Testing

@Suite struct SizeTests {
    @Test func `files are short`() {
        let findings = SizeRules.longFiles(in: .here)
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test func `a long file is found`() {
        let line = "let number = 1\n"
        let longest = String(repeating: line, count: SizeRules.linesOfFile)
        let files = ["Sources/SkerryNew/A.swift": longest, "Tests/SkerryNewTests/B.swift": longest + line]
        #expect(SizeRules.longFiles(in: Repository(files)).map(\.path) == ["Tests/SkerryNewTests/B.swift"])
    }

    @Test func `functions are short`() {
        let findings = SizeRules.longFunctions(in: .here)
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test(arguments: [
        "func work() {", "init?(from text: String = \"}\") throws(Refusal) {",
        "subscript(index: Int) -> Int {",
        "public var text: [String: Int] {", "func `a raw } name`() {", "deinit {",
        "func find<Key>(_ key: Key) -> [Int] where Key: Hashable, Key: Sendable {",
    ])
    func `a long function is found`(head: String) {
        func file(lines: Int) -> Repository {
            let body = String(repeating: "    if ready { go() }  // }\n", count: lines - 2)
            let text = "struct Thing {\nlet before = 1\n" + head + "\n" + body + "}\nfunc next() {}\n}\n"
            return Repository(["Sources/SkerryNew/A.swift": text])
        }
        #expect(SizeRules.longFunctions(in: file(lines: SizeRules.linesOfFunction)).isEmpty)
        let findings = SizeRules.longFunctions(in: file(lines: SizeRules.linesOfFunction + 1))
        #expect(findings.count == 1)
        #expect(findings.first?.line == 3)
    }

    @Test func `a declaration without a body ends where it stands`() {
        let long = String(repeating: "    case one\n", count: SizeRules.linesOfFunction)
        let text = """
            protocol Shape {
                func area(of: Int) -> Int
                init(from: Int)
                var name: String { get }
            }
            class Circle { var radius = 0; let make = Circle.init }
            enum Kind {
            \(long)
            }
            """
        let findings = SizeRules.longFunctions(in: Repository(["Sources/SkerryNew/A.swift": text]))
        #expect(findings.isEmpty, "\(list(findings))")
    }
}
