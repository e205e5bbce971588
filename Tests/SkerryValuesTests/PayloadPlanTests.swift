import SkerryValues
import Testing

@Suite struct PayloadPlanTests {
    private static func plan(_ paths: [PathStep]...) -> PayloadPlan {
        var table = PathTable()
        for path in paths { _ = table.intern(path) }
        return PayloadPlan(table)
    }

    private static func read(_ text: String, _ paths: [PathStep]...) throws -> [String] {
        var table = PathTable()
        for path in paths { _ = table.intern(path) }
        var slots: [Value] = []
        try PayloadPlan(table).read(Array(text.utf8).span, into: &slots)
        return slots.map { if case .error(.noSuchKey) = $0 { "absent" } else { written($0) } }
    }

    @Test func `reads members, elements and whole parts`() throws {
        let text = #"{"a":{"b":[1,{"c":"x"},true]},"d":-2.5,"e":null}"#
        let slots = try Self.read(
            text,
            [.key("d")],
            [.key("a"), .key("b"), .index(1), .key("c")],
            [.key("a"), .key("b"), .index(3)],
            [.key("e")],
            [.key("a"), .key("b")],
            [.key("f")],
            [.key("d"), .key("x")],
            [.key("d"), .index(0)]
        )
        #expect(
            slots == [
                "-2.5", "\"x\"", "absent", "null", #"[1,{"c":"x"},true]"#, "absent", "absent", "absent",
            ]
        )
    }

    @Test func `a path and its beginnings can both be asked for`() throws {
        let text = #"{"a":{"b":{"c":1}}}"#
        let slots = try Self.read(
            text,
            [],
            [.key("a"), .key("b"), .key("c")],
            [.key("a"), .key("b")],
            [.key("a")]
        )
        #expect(slots == [text, "1", #"{"c":1}"#, #"{"b":{"c":1}}"#])
    }

    @Test func `a path that asks for a type has no members or elements, and others their values`() throws {
        let text = #"{"a":{"b":[1,2],"c":"x"},"d":null}"#
        let slots = try Self.read(
            text,
            [.key("a"), .shape],
            [.key("a"), .key("b"), .shape],
            [.key("a"), .key("b"), .index(1)],
            [.key("a"), .key("c"), .shape],
            [.key("d"), .shape],
            [.key("e"), .shape]
        )
        #expect(slots == ["{}", "[]", "2", #""x""#, "null", "absent"])
        #expect(try Self.read(text, [.key("a"), .shape], [.key("a")]) == ["{}", #"{"b":[1,2],"c":"x"}"#])
        let twice = try Self.read(#"{"a":{},"a":3}"#, [.key("a"), .shape], [.key("a"), .key("b")])
        #expect(twice == ["3", "absent"])
    }

    @Test func `the last member of a key counts with all below it`() throws {
        let inner: [PathStep] = [.key("a"), .key("b")]
        #expect(try Self.read(#"{"a":{"b":1},"a":{"c":2}}"#, inner) == ["absent"])
        #expect(
            try Self.read(#"{"a":{"b":1},"a":3}"#, inner, [.key("a"), .key("c")]) == ["absent", "absent"]
        )
        #expect(try Self.read(#"{"a":{"b":1},"a":{"b":2}}"#, inner, [.key("a")]) == ["2", #"{"b":2}"#])
        #expect(try Self.read(#"{"a":[[1]],"a":[2]}"#, [.key("a"), .index(0), .index(0)]) == ["absent"])
    }

    @Test func `escaped keys are the keys they mean`() throws {
        #expect(try Self.read(#"{"\u0070ower":5,"a\"b":{"\n":6}}"#, [.key("power")]) == ["5"])
        #expect(try Self.read(#"{"a\"b":{"\n":6}}"#, [.key("a\"b"), .key("\n")]) == ["6"])
        #expect(try Self.read(#"{"\u0000":7,"":8}"#, [.key("\u{0}")], [.key("")]) == ["7", "8"])
    }

    @Test func `keys compare by code points`() throws {
        #expect(try Self.read("{\"e\u{301}\":1}", [.key("é")], [.key("e\u{301}")]) == ["absent", "1"])
        #expect(try Self.read(#"{"ab":1,"aab":2,"abb":3}"#, [.key("abb")], [.key("ab")]) == ["3", "1"])
    }

    @Test func `many members with one mark are distinguished`() throws {
        let names = (0..<200).map { "k\($0)x\($0 % 7)k" }
        var table = PathTable()
        for name in names { _ = table.intern([.key(name)]) }
        let text = "{" + names.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}"
        var slots: [Value] = []
        try PayloadPlan(table).read(Array(text.utf8).span, into: &slots)
        #expect(slots.map(written) == (0..<200).map(String.init))
    }

    @Test func `nothing remains from the payload before`() throws {
        let plan = Self.plan([.key("a")], [.key("b"), .key("c")])
        var slots: [Value] = []
        try plan.read(Array(#"{"a":1,"b":{"c":2}}"#.utf8).span, into: &slots)
        #expect(slots.map(written) == ["1", "2"])
        try plan.read(Array(#"{"b":{}}"#.utf8).span, into: &slots)
        #expect(slots.allSatisfy { $0.isSame(as: .error(.noSuchKey)) })
        try plan.read(Array(#"{"a":1}"#.utf8).span, into: &slots)
        #expect(throws: JSONRefusal(problem: .badSyntax, offset: 11)) {
            try plan.read(Array(#"{"a":1,"b":]}"#.utf8).span.extracting(0..<13), into: &slots)
        }
        #expect(slots.allSatisfy { $0.isSame(as: .error(.noSuchKey)) })
    }

    @Test func `the empty path reads the whole payload`() throws {
        #expect(try Self.read("23.5", []) == ["23.5"])
        #expect(try Self.read(" \"on\" ", [], [.key("a")]) == ["\"on\"", "absent"])
    }

    @Test func `a table gives one number to one path`() {
        var table = PathTable()
        #expect(table.intern([.key("a"), .index(1)]) == 0)
        #expect(table.intern([]) == 1)
        #expect(table.intern([.key("a"), .index(2)]) == 2)
        #expect(table.intern([.key("a"), .index(1)]) == 0)
        #expect(table.intern([.key("é")]) == 3)
        #expect(table.intern([.key("e\u{301}")]) == 4)
        #expect(table.paths.count == 5)
    }
}
