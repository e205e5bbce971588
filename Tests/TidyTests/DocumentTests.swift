import Testing

@Suite struct DocumentTests {
    @Test func `the documents are there`() {
        #expect(DocumentRules.missing(in: .here).isEmpty)
        #expect(DocumentRules.missing(in: Repository(["README.md": "text"])).count == 3)
    }

    @Test func `commands in documents exist`() {
        let findings = DocumentRules.missingCommands(in: .here)
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test func `a command that does not exist is found`() {
        let files = [
            "README.md": "Run\n`scripts/demo --once`, then scripts/test.", "scripts/demo": "",
            "scripts/test": "",
        ]
        #expect(DocumentRules.missingCommands(in: Repository(files)).count == 2)
        let findings = DocumentRules.missingCommands(in: Repository(files, executables: ["scripts/demo"]))
        #expect(findings.map(\.description) == ["README.md:2: scripts/test is not there, or not executable"])
    }

    @Test func `links in documents lead somewhere`() {
        let findings = DocumentRules.deadLinks(in: .here)
        #expect(findings.isEmpty, "\(list(findings))")
    }

    @Test func `a dead link is found`() {
        let files = [
            "README.md":
                "[one](docs/one.md#part) [house](Sources) [gone](docs/two.md) [web](https://example.org)",
            "docs/one.md": "[back](../README.md) [gone](README.md)", "Sources/SkerryNew/A.swift": "",
        ]
        let findings = DocumentRules.deadLinks(in: Repository(files))
        #expect(findings.map(\.path) == ["README.md", "docs/one.md"])
    }

    @Test func `documents and manifests demand the same Swift`() {
        let versions = DocumentRules.demandedSwift(in: .here)
        #expect(versions.count == 1, "\(versions)")
        for path in ["README.md", "CONTRIBUTING.md", "Package.swift", "Workshop/Package.swift"] {
            #expect(versions.values.first?.contains(path) == true, "\(path)")
        }
        let files = [
            "README.md": "[Swift](https://swift.org) 6.3 or later",
            "Package.swift": "// swift-tools-version: 6.2\n",
        ]
        #expect(DocumentRules.demandedSwift(in: Repository(files)).count == 2)
    }

    @Test func `the page on the architecture is short`() {
        #expect(DocumentRules.lengthOfArchitecture(in: .here) < SizeRules.linesOfArchitecture)
        let long = Repository([
            "ARCHITECTURE.md": String(repeating: "line\n", count: SizeRules.linesOfArchitecture)
        ])
        #expect(DocumentRules.lengthOfArchitecture(in: long) > SizeRules.linesOfArchitecture)
    }
}
