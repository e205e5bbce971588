import SkerryDevice
import SkerryFiles
import Testing

/// What the compiler makes of islands, and what it refuses.
@Suite("Islands: links, symbols and colours that change, steps")
struct IslandTests {
    private static func thing(_ island: String, states: String = "", look: String = "") -> String {
        """
        sources: [{ topic: "thing/{device}", signals: { mode: payload.mode, x: payload.x } }]
        timers: { cycle: { duration: 'duration("5m")', while: inState("on") } }
        machine:
          initial: "off"
          \(look)
          states:
            "off": { title: "Off", always: { guard: mode == "on", target: "on" } }
            "on":
              title: "On"
              always: { guard: mode == "off", target: "off" }
              \(states)
        activity:
          starts: "on"
          ends: "off"
          attributes: { name: device.name }
          content:
            status: state.title
            level: x
            icon: 'x > 3 ? "flame" : "wascher"'
            colour: 'x > 3 ? "#ff0000" : "blue"'
            any: mode
            cycle: timer.cycle
        island: { \(island) }
        """
    }

    private static func report(_ text: String) -> String {
        let whole = "skerry: 1\nkind: thing\n" + text
        let file = DefinitionFile(path: "thing.yaml", bytes: Array(whole.utf8))
        return CompiledFiles([file]).report(DiagnosticPrinter())
    }

    @Test(
        "What can't be drawn is refused, with what to write instead",
        arguments: [
            (
                #"compact: { leading: { symbol: washer, link: "skerry://x" } }"#,
                "from here, iOS opens the link of the activity"
            ),
            (
                #"minimal: { symbol: { value: washer, link: "skerry://x" } }"#,
                "from here, iOS opens the link of the activity"
            ),
            (#"lock: { text: a, link: "{any}://x" }"#, "a device must not choose the scheme of a link"),
            (
                #"lock: { text: { value: a, link: "javascript:x()" } }"#,
                "a link with 'javascript:' is not opened"
            ),
            (#"lock: { text: a, link: "skerry://{level + 1}" }"#, "phones put fields into links as they are"),
            (#"lock: { text: a, link: "skerry://{nobody}" }"#, "nobody"),
            (#"lock: { symbol: "{state.symbol}" }"#, "no state has a symbol"),
            (#"lock: { symbol: "{any}" }"#, "the symbols that 'any' can be are not known"),
            (#"lock: { symbol: "{cycle}" }"#, "the symbols that 'cycle' can be are not known"),
            (#"lock: { symbol: "{icn}" }"#, "did you mean 'icon'?"),
            (#"tint: "{colour}""#, "'colour' can be 'blue', which is not a colour"),
            (#"tint: red"#, "'red' is not a colour"),
            (#"lock: { text: { value: a, tint: red } }"#, "or `island` for the colour of the island"),
            (#"lock: { progress: level }"#, "a number needs the whole that fills the bar"),
            (#"lock: { progress: { value: level, of: 0 } }"#, "'of' can't be '0'"),
            (#"lock: { progress: { value: level, steps: 1 } }"#, "'steps' can't be '1'"),
            (#"lock: { progress: { value: level, steps: 13 } }"#, "from 2 to 12"),
            (
                #"lock: { progress: { value: level, steps: 3, of: 4 } }"#,
                "a bar has 'of' or 'steps', not both"
            ),
            (
                #"lock: { progress: { value: cycle, steps: 3 } }"#,
                "'cycle' is a timer, which knows its own whole"
            ),
            (#"lock: { symbol: { value: washer, steps: 3 } }"#, "'steps'"),
            (#"lock: { row: [{ text: a }] }"#, "a row can't have 1 cell"),
            (#"lock: { row: { text: a } }"#, "'row' must be a list"),
            (#"lock: { row: [{ text: a }, { row: [{ text: b }, { text: c }] }] }"#, "unknown key 'row'"),
            (#"minimal: { row: [{ text: a }, { text: b }] }"#, "this region is one row already"),
            (#"lock: { text: a, align: center }"#, "only the regions of 'expanded' have an 'align'"),
            (#"expanded: { center: { text: a, align: middle } }"#, "'align'"),
            (#"lock: { text: { value: a, lines: 9 } }"#, "from 1 to 4"),
            (#"lock: { column: [{ countdown: level }] }"#, "time in the content called"),
            (#"lock: { column: [{ text: a, width: fit }] }"#, "only the cells of a 'row' have a 'width'"),
            (#"lock: { row: [{ text: a, width: 20 }, { text: b }] }"#, "'width'"),
            (#"lock: { symbol: { value: washer, circle: red } }"#, "'red' is not a colour"),
            (#"lock: { text: { value: a, circle: island } }"#, "'circle'"),
            (
                #"lock: { symbol: { value: washer, image: "{any}" } }"#,
                "'{any}' is not the name of a picture"
            ),
            (
                #"lock: { text: { value: "{level}", transition: numeric } }"#,
                "only digits can roll, and the type of 'level' is 'any'"
            ),
            (
                #"lock: { row: [{ caption: { value: "{status}", transition: numeric } }, { text: a }] }"#,
                "only digits can roll, and the type of 'status' is 'string'"
            ),
            (
                #"lock: { title: { value: "{name}", transition: numeric } }"#,
                "only digits can roll, and this text shows no number of the content"
            ),
            (#"lock: { title: { value: a, transition: roll } }"#, "'transition'"),
            (#"lock: { symbol: { value: washer, transition: push } }"#, "'transition'"),
            (#"lock: { minutes: level }"#, "time in the content called"),
        ]
    )
    func refused(island: String, message: String) {
        let report = Self.report(Self.thing(island))
        #expect(report.contains(message), "\(report)")
        #expect(report.contains("error"), "\(report)")
    }

    @Test(
        "A symbol that no reader knows is a warning, wherever it comes from",
        arguments: [
            (#"lock: { symbol: "{icon}" }"#, "", "no reader knows the symbol 'wascher'"),
            (
                #"lock: { symbol: figure.of.eight }"#, "",
                "the page does not know the SF Symbol 'figure.of.eight'"
            ),
            (#"lock: { row: [{ symbol: wascher }, { text: a }] }"#, "", "did you mean 'washer'?"),
            (#"symbol: wascher"#, "", "no reader knows the symbol 'wascher'"),
            (#"lock: { symbol: "{state.symbol}" }"#, "symbol: wascher", "did you mean 'washer'?"),
            (#"lock: { symbol: washer }"#, "symbol: flame", "nothing draws the symbols of states"),
        ]
    )
    func unknownSymbols(island: String, states: String, message: String) {
        let report = Self.report(Self.thing(island, states: states))
        #expect(report.contains(message), "\(report)")
        #expect(!report.contains("error"), "\(report)")
    }

    @Test("States have the symbols and colours of the states around them")
    func inherited() throws {
        let states = """
            symbol: flame
                  states:
                    low: { symbol: drop }
                    high: { tint: "#00ff00" }
            """
        let text = Self.thing(
            #"symbol: washer, lock: { symbol: "{state.symbol}" }"#,
            states: states,
            look: ##"tint: "#0000ff""##
        )
        let layout = try #require(try Scene.definition(text).island)
        guard case .symbol("washer", let choice?)? = layout.lock.symbols.first?.view else {
            Issue.record("\(layout.lock.symbols)")
            return
        }
        #expect(choice.result(of: "low") == "drop")
        #expect(choice.result(of: "high") == "flame")
        #expect(choice.result(of: "off") == nil)
        #expect(layout.tints?.result(of: "low") == "#0000ff")
        #expect(layout.tints?.result(of: "high") == "#00ff00")
    }

    @Test("Of several active states, the first one with a symbol has it")
    func parallel() throws {
        let text = Self.thing(
            #"symbol: washer, lock: { symbol: "{state.symbol}" }"#,
            states: """
                type: parallel
                      states: { left: {}, right: { symbol: drop }, third: { symbol: flame } }
                """
        )
        let layout = try #require(try Scene.definition(text).island)
        guard case .symbol(_, let choice?)? = layout.lock.symbols.first?.view else {
            Issue.record("\(layout.lock.symbols)")
            return
        }
        #expect(choice.result(of: "left,right,third") == "drop")
        #expect(choice.result(of: "off") == nil)
    }
}
