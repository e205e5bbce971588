import Foundation
import SkerryActivity
import SkerryDevice
import SkerryGenerate
import Testing

/// The three readers of an island's layout draw the same.
@Suite("The generated Swift, the JSON and the simulated phone")
struct IslandReadersTests {
    @Test("draw the same views in the same places", arguments: Island.all)
    func agree(island: Island) throws {
        let definition = try #require(Sample(island.yaml)?.definition)
        let json = try IslandJSON(definition).places
        let swift = try IslandSwift(definition).places
        let screen = try IslandScreen(definition).places
        #expect(swift == json)
        #expect(screen == json)
        if let expected = island.places { #expect(json == expected) }
    }

    @Test("agree on the definitions of devices/ and on odd ones")
    func samples() throws {
        for definition in (Sample.devices + Sample.odd).map(\.definition) {
            let json = try IslandJSON(definition).places
            let swift = try IslandSwift(definition).places
            let screen = try IslandScreen(definition).places
            #expect(swift == json, "\(definition.kind)")
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

    private init(
        _ name: String,
        _ island: String,
        content: String = "{ status: state.title, level: x, cycle: timer.cycle }",
        places: Places?
    ) {
        testDescription = name
        yaml = """
            skerry: 1
            kind: thing
            sources: [{ topic: "thing/{device}", signals: { mode: payload.mode, x: payload.x } }]
            timers: { cycle: { duration: 'duration("5m")', while: inState("on") } }
            machine:
              initial: "off"
              states:
                "off": { title: "Off", always: { guard: mode == "on", target: "on" } }
                "on": { title: "On", always: { guard: mode == "off", target: "off" } }
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

    private static let everything =
        #"{ symbol: washer, title: "{device}: {name}", text: "{level} % {status}", countdown: cycle, progress: cycle }"#

    /// The views of ``everything``, in the order in which regions draw them.
    private static let allViews = [
        "symbol washer", "title {device}: {attribute name}", "text {field level} % {field status}",
        "clock cycle", "bar cycle",
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
        Island("a colour only", ##"island: { tint: "#0a64ff" }"##, places: plain),
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
