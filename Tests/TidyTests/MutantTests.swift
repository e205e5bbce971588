import Testing

/// `scripts/mutants` takes an hour, so a line of it that is no longer in the sources would be noticed late.
@Suite struct MutantTests {
    @Test func `each line that a mutant breaks is in its file once`() throws {
        let script = try #require(Repository.here.text(of: "scripts/mutants"))
        let mutants = Self.mutants(in: script)
        #expect(mutants.count == script.split(separator: "\n").count { $0.hasPrefix("mutant '") })
        for mutant in mutants {
            let text = Repository.here.sources.first { $0.path.hasSuffix("/\(mutant.file)") }?.lines ?? []
            #expect(
                text.count { $0.contains(mutant.line) } == 1,
                "\(mutant.name): \(mutant.line)"
            )
        }
    }

    private static func mutants(in script: String) -> [(name: String, file: String, line: String)] {
        script.matches(of: /mutant '([^']+)' (\S+) \\\n +'([^']+)' \\\n/).map {
            (name: String($0.output.1), file: String($0.output.2), line: String($0.output.3))
        }
    }
}
