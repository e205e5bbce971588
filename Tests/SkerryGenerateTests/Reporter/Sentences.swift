// Checks the sentences on the page of a device.

import Foundation

@MainActor extension Checks {
    private static let definition = try? JSONDecoder().decode(
        SkerryDefinition.self,
        from: Data(
            #"""
            {"machine":{"states":[
             {"name":"off","title":null},{"name":"running","title":"Running"},{"name":"finishing","title":"Finishing up"},
             {"name":"warm","title":"At {target}"},{"name":"rinsing","parent":"finishing"},
             {"name":"odd","parent":"warm"},{"name":"done","title":"Done"}]},
             "layout":{"buttons":[{"event":"stop","title":"Stop","states":["running","warm"]},
             {"title":"Map","link":[{"literal":"skerry://x"}]},{"event":"go","title":"Go","states":["off"]}]}}
            """#.utf8
        )
    )

    /// Returns the explanation of a device in the state `running`, with further members.
    private static func explanation(_ members: String) -> SkerryExplanation? {
        let states = #","states":[{"name":"running","title":"Running hot","since":1790000000}]"#
        let all = members.contains(#","states":"#) ? members : states + members
        let json = #"{"kind":"washer","device":"laundry","at":1790000600\#(all)}"#
        return try? JSONDecoder().decode(SkerryExplanation.self, from: Data(json.utf8))
    }

    static func explaining() {
        guard let definition, let plain = explanation("") else { return expect(false, "no explanation") }
        let (begin, noon) = (plain.moment(1_790_000_000), plain.moment(1_790_000_300))
        for (members, sentences) in [
            ("", ["Running hot since \(begin)."]),
            (#","moves":[{"at":1790000300,"from":null,"to":"running"}]"#, ["Running hot since \(begin)."]),
            (
                #","moves":[{"at":1,"from":"off","to":"done"},{"at":1790000300,"from":"finishing","to":"running"}]"#,
                ["Running hot since \(noon); before that, Finishing up."]
            ),
            (
                #","moves":[{"at":1790000300,"from":"done","to":"running","through":["off","warm"]}]"#,
                ["Running hot since \(noon); before that, warm."]
            ),
            (
                #","states":[{"name":"running","title":"Running hot"},{"name":"inner","since":1790000000}]"#,
                ["Running hot since \(begin)."]
            ),
            (#","available":true,"heard":1790000300"#, ["Running hot since \(begin)."]),
            (#","available":false"#, ["Running hot since \(begin).", "The device can't be reached."]),
            (
                #","available":false,"heard":1790000300"#,
                ["Running hot since \(begin).", "The device can't be reached. It was heard last at \(noon)."]
            ),
        ] as [(String, [String])] {
            expect(explanation(members)?.reasons(in: definition) ?? [], sentences)
        }
        let empty = #"{"kind":"washer","device":"laundry","at":1,"states":[]}"#
        let idle = try? JSONDecoder().decode(SkerryExplanation.self, from: Data(empty.utf8))
        expect(idle?.reasons(in: definition) ?? [], ["Nothing has begun yet."])
        expect(plain.buttons(in: definition).map(\.title), ["Stop"])
        expect(plain.buttons(in: nil), [])
        expect(idle?.buttons(in: definition) ?? [], [])
        // The day of another day is told, too.
        expect(plain.moment(1_790_200_000).count > begin.count)
        foretelling()
    }

    /// What comes, as seconds from now with words.
    private static func foretelling() {
        for (members, steps) in [
            ("", []),
            (
                #","timeline":{"entries":[{"date":1790000000,"phase":"active","state":"running","content":{"status":"Hot"}},"#
                    + #"{"date":1790000700,"phase":"active","state":"running","content":{"status":"Hot"}},"#
                    + #"{"date":1790000800,"phase":"active","state":"finishing","content":{"status":7}},"#
                    + #"{"date":1790000900,"phase":"ended","state":"done","content":{"status":"All done"}},"#
                    + #"{"date":1790001000,"phase":"gone"}]},"#
                    + #""waits":[{"in":"running","for":60,"to":"finishing","due":1790000800.4}]"#,
                ["200 Finishing up", "300 All done", "400 The card goes away."]
            ),
            (
                #","waits":[{"after":600,"to":"done","due":1790001200},{"quiet":900,"to":"off","due":1790001500},"#
                    + #"{"quiet":99,"to":"off","due":1790009500},{"after":9,"to":"rinsing","due":1790000700},"#
                    + #"{"after":8,"to":"odd","due":1790000701},"#
                    + #"{"after":9,"to":"running","due":1790000900},{"after":9,"to":"","due":1790000900},"#
                    + #"{"after":9,"to":"warm","due":1790000900,"isHeld":true},"#
                    + #"{"after":9,"to":"warm","due":1790000900,"lapsed":1790000500},{"after":9,"to":"warm"},"#
                    + #"{"after":9,"guard":"x > 1","to":"warm","due":1790000900}],"#
                    + #""transitions":[{"after":9,"guard":"x > 1","to":"warm","holds":false}]"#,
                [
                    "100 Finishing up", "101 odd", "600 Done",
                    "900 off, if nothing is heard until then.",
                ]
            ),
            (
                #","timers":[{"name":"cycle","state":"running","end":1790000900,"raises":"cycle.elapsed"},"#
                    + #"{"name":"b","state":"paused","raises":"cycle.elapsed"},"#
                    + #"{"name":"c","state":"running","end":1790000990,"raises":"c.elapsed","isHeld":true}],"#
                    + #""events":[{"name":"later","due":1790000700},{"name":"other","due":1790000710}],"#
                    + #""transitions":[{"on":"cycle.elapsed","to":"done"},{"on":"c.elapsed","to":"done"},"#
                    + #"{"on":"later","to":"finishing"},{"on":"other","guard":"x","to":"off","holds":true}]"#,
                ["100 Finishing up", "300 Done"]
            ),
        ] as [(String, [String])] {
            let found = explanation(members)?.steps(in: definition) ?? []
            expect(found.map { "\(Int($0.date - 1_790_000_600)) \($0.text)" }, steps)
        }
    }
}
