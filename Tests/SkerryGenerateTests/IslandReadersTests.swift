import Foundation
import SkerryDevice
import Testing

/// The three readers of an island's layout draw the same.
@Suite("The generated Swift, the JSON and the simulated phone")
struct IslandReadersTests {
    @Test("draw the same views in the same places", arguments: Island.all)
    func agree(island: Island) throws {
        let definition = try #require(Sample(island.yaml)?.definition)
        let json = try IslandJSON(definition, island.moment).places
        let swift = try IslandSwift(definition, island.moment).places
        let screen = try IslandScreen(definition, island.moment).places
        #expect(swift == json)
        #expect(screen == json)
        if let expected = island.places { #expect(json == expected) }
    }

    @Test("agree on the definitions of devices/ and on odd ones")
    func samples() throws {
        for definition in (Sample.devices + Sample.odd).map(\.definition) {
            let json = try IslandJSON(definition).places
            let drawn = try IslandSwift(definition)
            let screen = try IslandScreen(definition).places
            #expect(drawn.places == json, "\(definition.kind)")
            let sides = ["compactLeading", "compactTrailing"].flatMap { json[$0] ?? [] }
            #expect(drawn.watch == sides, "\(definition.kind): the card of a watch")
            #expect(screen == json, "\(definition.kind)")
            #expect(json["lock"] != nil && json["minimal"] != nil)
        }
    }
}

/// Views in the places of an island, in the notation of these tests: `clock cycle`, `title Station {attribute name}`.
typealias Places = [String: [String]]

/// An island as a definition writes it, and the places where its views must stand.
struct Island: CustomTestStringConvertible {
    let testDescription: String
    let yaml: String
    let places: Places?
    let moment: Moment

    private init(
        _ name: String,
        _ island: String,
        content: String = "{ status: state.title, level: x, cycle: timer.cycle }",
        on: String = "",
        at moment: Moment = Moment(),
        places: Places?
    ) {
        testDescription = name
        self.moment = moment
        yaml = """
            skerry: 1
            kind: thing
            sources: [{ topic: "thing/{device}", signals: { mode: payload.mode, x: payload.x } }]
            timers: { cycle: { duration: 'duration("5m")', while: inState("on") } }
            machine:
              initial: "off"
              states:
                "off": { title: "Off", always: { guard: mode == "on", target: "on" } }
                "on": { title: "On", \(on)always: { guard: mode == "off", target: "off" } }
            activity:
              starts: "on"
              ends: "off"
              attributes: { name: device.name }
              content: \(content)
            \(island)
            """
        self.places = places
    }

    private static let plain: Places = [
        "compactLeading": ["symbol gearshape"], "compactTrailing": ["clock cycle"],
        "minimal": ["symbol gearshape"], "trailing 1": ["clock cycle"], "center 2": ["title {device}"],
        "bottom 0": ["text {field status}"],
        "lock": ["title {device}", "text {field status}", "clock cycle"],
    ]

    private static let stateLook = ##"symbol: flame, tint: "#ff0000", "##

    private static let byState = ##"""
        island:
          tint: "#0a64ff"
          symbol: washer
          minimal: { symbol: "{state.symbol}" }
          compact: { leading: { symbol: { value: "{state.symbol}", tint: island } }, trailing: { countdown: cycle } }
          lock: { title: { value: "{device}", tint: "#00ff00" }, progress: cycle }
        """##

    private static let stateOn: Places = [
        "tint": ["#ff0000"], "minimal": ["symbol flame"], "compactLeading": ["symbol flame in #ff0000"],
        "compactTrailing": ["clock cycle"], "lock": ["title {device} in #00ff00", "bar cycle"],
    ]

    private static let stateOff: Places = [
        "tint": ["#0a64ff"], "minimal": ["symbol washer"], "compactLeading": ["symbol washer in #0a64ff"],
        "compactTrailing": ["clock cycle"], "lock": ["title {device} in #00ff00", "bar cycle"],
    ]

    private static let choices =
        ##"{ choice: 'x > 3 ? "flame" : "drop"', choice_colour: 'x > 3 ? "#ff0000" : "#0000ff"', cycle: timer.cycle }"##

    private static let byField = ##"""
        island:
          tint: "{choice_colour}"
          minimal: { symbol: "{choice}" }
          lock: { title: { value: "{device}", tint: island }, progress: cycle }
        """##

    private static let fieldCase: Places = [
        "minimal": ["symbol drop"], "compactLeading": ["symbol gearshape"],
        "lock": ["title {device}", "bar cycle"],
    ]

    private static let fieldNone: Places = [
        "minimal": ["symbol gearshape"], "compactLeading": ["symbol gearshape"],
        "lock": ["title {device}", "bar cycle"],
    ]

    private static let circles = ##"""
        island:
          symbol: washer
          compact: { leading: { symbol: { value: "{state.symbol}", circle: island } } }
          expanded: { leading: { symbol: { value: drop, circle: "#00ff00", tint: island, image: Logo } } }
          lock: { symbol: { value: drop, circle: island }, title: "{device}", row: [{ symbol: { value: "{state.symbol}", image: Maker Logo } }, { text: a }] }
        """##

    private static let everything =
        #"{ symbol: washer, title: "{device}: {name}", text: "{level} % {status}", countdown: cycle, minutes: cycle, progress: cycle }"#

    /// The views of ``everything``, in the order in which regions draw them.
    private static let allViews = [
        "symbol washer", "title {device}: {attribute name}", "text {field level} % {field status}",
        "clock cycle", "minutes cycle", "bar cycle",
    ]

    static let all: [Island] = [
        Island("none", "", places: plain),
        Island(
            "none, and no timer",
            "",
            content: "{ level: x }",
            places: [
                "compactLeading": ["symbol gearshape"], "minimal": ["symbol gearshape"],
                "center 2": ["title {device}"], "bottom 0": ["text {field level}"],
                "lock": ["title {device}", "text {field level}"],
            ]
        ),
        Island(
            "none, and no content",
            "",
            content: "{}",
            places: [
                "compactLeading": ["symbol gearshape"], "minimal": ["symbol gearshape"],
                "center 2": ["title {device}"], "lock": ["title {device}"],
            ]
        ),
        Island(
            "a colour only",
            ##"island: { tint: "#0a64ff" }"##,
            places: plain.merging(["tint": ["#0a64ff"]]) { $1 }
        ),
        Island(
            "lock only",
            "island: { lock: { progress: cycle } }",
            places: [
                "compactLeading": ["symbol gearshape"], "minimal": ["symbol gearshape"],
                "lock": ["bar cycle"],
            ]
        ),
        Island(
            "numbers with units, and bars of numbers",
            #"island: { lock: { text: "{level} {whole} {share}", progress: share }, minimal: { progress: whole } }"#,
            content:
                "{ level: { value: x, round: 3, unit: kWh }, whole: { value: x, type: int, unit: °C, of: 40 }, "
                + "share: { value: x, unit: '%', of: 100 } }",
            places: [
                "compactLeading": ["symbol gearshape"], "minimal": ["bar whole of 40.0"],
                "lock": [
                    "text {field level} to 3 in kWh {field whole} to 2 in °C {field share} to 2 in %",
                    "bar share of 100.0",
                ],
            ]
        ),
        Island(
            "a symbol elsewhere",
            "island: { expanded: { bottom: { symbol: drop } } }",
            places: [
                "compactLeading": ["symbol drop"], "minimal": ["symbol drop"], "bottom 0": ["symbol drop"],
                "lock": ["title {device}"],
            ]
        ),
        Island(
            "a computed text",
            #"island: { minimal: { text: "{level + 1} {level} {cycle}" } }"#,
            places: [
                "compactLeading": ["symbol gearshape"], "minimal": ["text  {field level} "],
                "lock": ["title {device}"],
            ]
        ),
        Island(
            "links of regions and of views",
            """
            island:
              expanded:
                leading: { symbol: map, text: "{status}", link: "https://example.org/map/{device}/{name}" }
                bottom:
                  text: { value: "{level}", link: "skerry://{level}" }
                  progress: cycle
              lock:
                title: "{name}"
                text: { value: "{status}", link: "https://example.org/a/very/long/link/to/a/page/about/{status}/{level}" }
                progress: cycle
                link: "skerry://lock/{device}"
            """,
            places: [
                "compactLeading": ["symbol map"], "minimal": ["symbol map"],
                "leading 1": [
                    "symbol map to https://example.org/map/{device}/{attribute name}",
                    "text {field status} to https://example.org/map/{device}/{attribute name}",
                ],
                "bottom 0": ["text {field level} to skerry://{field level}", "bar cycle"],
                "lock": [
                    "title {attribute name} to skerry://lock/{device}",
                    "text {field status} to https://example.org/a/very/long/link/to/a/page/about/{field status}"
                        + "/{field level}",
                    "bar cycle to skerry://lock/{device}",
                ],
            ]
        ),
        Island("symbols and colours of a state", byState, on: stateLook, places: stateOn),
        Island(
            "symbols and colours of another state",
            byState,
            on: stateLook,
            at: Moment(state: "off"),
            places: stateOff
        ),
        Island(
            "symbols and colours of a field",
            byField,
            content: choices,
            at: Moment(choice: "drop"),
            places: fieldCase
        ),
        Island(
            "circles behind symbols, and pictures in their place",
            circles,
            on: stateLook,
            places: [
                "tint": ["#ff0000"], "minimal": ["symbol washer"],
                "compactLeading": ["symbol flame on a circle of #ff0000"],
                "leading 1": ["symbol drop or picture Logo on a circle of #00ff00 in #ff0000"],
                "lock": [
                    "symbol drop on a circle of #ff0000", "title {device}",
                    "row", "cell 0", "symbol flame or picture Maker Logo", "cell 1", "text a", "end",
                ],
            ]
        ),
        Island(
            "a circle in an island without a colour",
            "island: { lock: { symbol: { value: drop, circle: island } } }",
            places: [
                "compactLeading": ["symbol drop"], "minimal": ["symbol drop"],
                "lock": ["symbol drop on a circle of #8e8e93"],
            ]
        ),
        Island("a field that has no value yet", byField, content: choices, places: fieldNone),
        Island(
            "steps, and a whole of its own",
            ##"island: { tint: "#0a64ff", lock: { progress: { value: step, steps: 5, tint: "#ff0000" } }, "##
                + "minimal: { progress: { value: step, of: 40, tint: island } } }",
            content: "{ step: { value: x, type: int } }",
            places: [
                "tint": ["#0a64ff"], "compactLeading": ["symbol gearshape"], "minimal": ["bar step of 40.0"],
                "lock": ["steps step of 5.0 in #ff0000"],
            ]
        ),
        Island(
            "rows, columns, captions, lines, edges",
            """
            island:
              expanded:
                center:
                  align: center
                  row:
                    - { symbol: { value: map, link: "skerry://map" }, caption: "{name}" }
                    - { title: { value: "{status}", lines: 1, tint: "#00ff00" } }
                    - { caption: "{level}" }
                  link: "skerry://{device}"
                trailing: { align: trailing, text: "{status}" }
                bottom: { column: [{ text: "{level}" }, { text: { value: "{status}", lines: 2 } }], progress: cycle }
              lock:
                row: [{ text: "{name}", progress: cycle, width: fit }, { column: [{ text: "{status}" }, { text: "{level}" }] }]
                caption: "{device}"
            """,
            places: [
                "compactLeading": ["symbol map"], "minimal": ["symbol map"], "center edge": ["center"],
                "trailing edge": ["trailing"], "trailing 1": ["text {field status}"],
                "center 2": [
                    "row", "cell 0", "symbol map to skerry://map",
                    "caption {attribute name} to skerry://{device}",
                    "cell 1", "title {field status} on 1 in #00ff00 to skerry://{device}",
                    "cell 2", "caption {field level} to skerry://{device}", "end",
                ],
                "bottom 0": ["text {field level}", "text {field status} on 2", "bar cycle"],
                "lock": [
                    "caption {device}", "row", "cell 0 fit", "text {attribute name}", "bar cycle", "cell 1",
                    "text {field status}", "text {field level}", "end",
                ],
            ]
        ),
        Island(
            "every element in every region",
            """
            island:
              minimal: \(everything)
              compact: { leading: \(everything), trailing: \(everything) }
              expanded: { leading: \(everything), trailing: \(everything), center: \(everything), bottom: \(everything) }
              lock: \(everything)
            """,
            places: [
                "compactLeading": allViews, "compactTrailing": allViews, "minimal": allViews,
                "leading 1": allViews, "trailing 1": allViews, "center 2": allViews, "bottom 0": allViews,
                "lock": allViews,
            ]
        ),
    ]
}
