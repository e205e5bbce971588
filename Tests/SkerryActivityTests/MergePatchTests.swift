import SkerryActivity
import SkerryValues
import Testing

@Suite struct MergePatchTests {
    /// The cases of RFC 7396, appendix A.
    static let cases: [(target: String, patch: String, result: String)] = [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#),
        (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
        (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
        (#"{"a":"foo"}"#, #"null"#, #"null"#),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
        (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ]

    @Test func `applies patches as RFC 7396 shows`() {
        #expect(MergePatchTests.cases.count == 15)
        for (target, patch, result) in MergePatchTests.cases {
            #expect(text(MergePatch.apply(json(patch), to: json(target))) == result, "\(patch) to \(target)")
        }
    }

    /// What changed, and the patch that says no more than that.
    static let differences: [(old: String, new: String, patch: String?)] = [
        (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, nil), (#"{"a":1}"#, #"{"a":1.0}"#, nil), ("{}", "{}", nil),
        (#"{"a":[1,{"b":2}]}"#, #"{"a":[1,{"b":2}]}"#, nil), (#"{"a":1}"#, #"{"a":1,"b":null}"#, nil),
        (#"{"a":1,"b":2}"#, #"{"a":1,"b":3}"#, #"{"b":3}"#), (#"{"a":1,"b":2}"#, #"{"a":1}"#, #"{"b":null}"#),
        (#"{"a":1}"#, #"{"a":null}"#, #"{"a":null}"#), (#"{"a":[1,2]}"#, #"{"a":[2,1]}"#, #"{"a":[2,1]}"#),
        (#"{"a":{"b":1,"c":2}}"#, #"{"a":{"b":1,"c":3}}"#, #"{"a":{"c":3}}"#),
        (
            #"{"t":{"start":1,"end":2}}"#, #"{"t":{"remaining":3,"duration":4}}"#,
            #"{"t":{"remaining":3,"duration":4,"start":null,"end":null}}"#
        ),
        (#"{"a":{"b":1}}"#, #"{"a":{}}"#, #"{"a":{"b":null}}"#),
        (#"{"a":{"b":1}}"#, #"{"a":2}"#, #"{"a":2}"#),
        (#"{"a":2}"#, #"{"a":{"b":1}}"#, #"{"a":{"b":1}}"#), ("{}", #"{"a":{}}"#, #"{"a":{}}"#),
        (#"{"é":1}"#, "{\"e\u{301}\":1}", "{\"e\u{301}\":1,\"é\":null}"), ("1", "2", "2"), ("1", "1", nil),
        ("\"é\"", "\"e\u{301}\"", "\"e\u{301}\""), (#"{"a":true}"#, #"{"a":1}"#, #"{"a":1}"#),
    ]

    @Test func `contains only the changes`() {
        for (old, new, patch) in MergePatchTests.differences {
            let found = MergePatch.between(json(old), json(new))
            #expect(found.map(text) == patch, "from \(old) to \(new)")
        }
    }

    @Test func `a patch leads from one value to the other and nothing in it can be left out`() {
        var equal = 0
        for seed in 0..<5000 as Range<UInt64> {
            var random = RandomActivity(seed: seed)
            let old = Value.map(random.object(depth: 0)).withoutNulls
            let new = Value.map(random.object(depth: 0)).withoutNulls
            guard let patch = MergePatch.between(old, new) else {
                #expect(old.isSameJSON(as: new), "seed \(seed)")
                equal += 1
                continue
            }
            #expect(!old.isSameJSON(as: new), "seed \(seed)")
            #expect(MergePatch.apply(patch, to: old).isSameJSON(as: new), "seed \(seed): \(text(patch))")
            for smaller in patch.withoutOneMember {
                #expect(
                    !MergePatch.apply(smaller, to: old).isSameJSON(as: new),
                    "seed \(seed): \(text(smaller))"
                )
            }
        }
        #expect(equal > 100)
    }
}
