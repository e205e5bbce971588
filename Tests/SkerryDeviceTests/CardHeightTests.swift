import Foundation
import SkerryDevice
import SkerryFiles
import Testing

/// Cards and expanded islands that iOS cuts at 160 points.
@Suite struct CardHeightTests {
    private static func problems(_ island: String) -> [String] {
        let yaml = """
            skerry: 1
            kind: thing
            sources: [{ topic: "thing/{device}", signals: { mode: payload.mode, x: payload.x } }]
            timers: { cycle: { duration: 'duration("5m")', while: inState("on") } }
            machine:
              initial: "off"
              states:
                "off": { title: "Off", always: { guard: mode == "on", target: "on" } }
                "on": { title: "On", on: { stop: "off" }, always: { guard: mode == "off", target: "off" } }
            activity:
              starts: "on"
              ends: "off"
              content: { status: state.title, level: { value: x, of: 100 }, cycle: timer.cycle }
            island:
              \(island)
            """
        let file = DefinitionFile(path: "thing.yaml", bytes: Array(yaml.utf8))
        return CompiledFiles([file]).problems.map { "\($0.code.name) \($0.place.line): \($0.message)" }
    }

    @Test(
        arguments: [
            // 16 + (22 + 4 + 4 * 22) + 8 + 4 + 16
            (#"lock: { title: "{device}", text: { value: "{status}", lines: 4 }, progress: cycle }"#, nil),
            (
                #"lock: { title: { value: A, lines: 2 }, text: { value: "{status}", lines: 4 }, progress: cycle }"#,
                "the card on the Lock Screen needs 180 points, and iOS cuts it at 160"
            ),
            // Without the buttons it has 146 points.
            (
                #"{ lock: { title: "{device}", text: { value: "{status}", lines: 4 } }, buttons: { stop: Stop } }"#,
                "the card on the Lock Screen needs 188 points, and iOS cuts it at 160"
            ),
            // 37 + (3 + 22) + 12 + 3 * 22 + 18
            (
                #"expanded: { center: { text: A }, bottom: { text: { value: "{status}", lines: 3 } } }"#,
                nil
            ),
            (
                #"expanded: { center: { text: A }, bottom: { text: { value: "{status}", lines: 4 } } }"#,
                "the expanded island needs 180 points, and iOS cuts it at 160"
            ),
            // Cells of a row are side by side: 16 + 22 + 8 + (4 * 22 + 4 + 16) + 16.
            (
                #"lock: { title: "{device}", row: [{ text: { value: A, lines: 4 }, caption: B }, { text: C }] }"#,
                "the card on the Lock Screen needs 170 points, and iOS cuts it at 160"
            ),
            // A symbol on a circle: 16 + 22 + 8 + (32 + 4 + 4 * 22) + 16.
            (
                "lock: { title: A, row: [{ symbol: { value: drop, image: Logo }, text: { value: A, lines: 4 } }, "
                    + "{ text: C }] }",
                "the card on the Lock Screen needs 186 points, and iOS cuts it at 160"
            ),
            (
                "lock: { title: A, row: [{ symbol: { value: drop, circle: island }, text: { value: A, lines: 4 } }, "
                    + "{ text: C }] }",
                "the card on the Lock Screen needs 186 points, and iOS cuts it at 160"
            ),
        ] as [(String, String?)]
    )
    func `what is too high is told with the points that it needs`(island: String, message: String?) {
        let found = Self.problems(island).filter { $0.hasPrefix("SK0528") }
        #expect(found == (message.map { ["SK0528 15: \($0)"] } ?? []))
    }

    /// The numbers by which heights are counted; `gap` and `padding` are those of the generated Swift.
    @Test func `the page draws with the same numbers`() throws {
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let css = try String(
            contentsOf: repository.appendingPathComponent("Sources/Adapters/CPage/page/phone.css"),
            encoding: .utf8
        )
        func rule(_ selector: String) -> Substring {
            let lines = css.split(separator: "\n").filter { $0.hasPrefix(selector + " {") }
            return lines.first ?? ""
        }
        let expected = [
            (".lock-card", "font: 17px/22px"), (".lock-card", "max-block-size: 160px"),
            (".lock-inside", "gap: 8px; padding: 16px;"), (".lock-texts", "gap: 4px"),
            (".lock-clocks", "line-height: 28px"), (".lock-bars", "gap: 8px"),
            (".p-caption", "line-height: 16px"), (".p-bar", "block-size: 4px"), (".p-cell", "gap: 4px"),
            (".p-steps i", "block-size: 4px"), (".p-symbol.circled", "block-size: 32px"),
            (".island", "line-height: 22px"),
            (".island-alone", "font: 17px/22px"), (".island-region", "gap: 4px"),
            (".island-region.leading", "padding-top: 17px"), (".island-region.center", "padding-top: 3px"),
            (".island-region.bottom", "padding-top: 12px"),
            (".island-layer.expanded", "padding: 0 20px 18px"),
            (".island-layer.expanded", "grid-template-rows: 36.7px"),
            (".island-layer.expanded", "max-block-size: 160px"),
        ]
        for (selector, part) in expected { #expect(rule(selector).contains(part), "\(selector): \(part)") }
    }
}
