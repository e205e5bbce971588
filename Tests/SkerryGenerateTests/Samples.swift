import Foundation
import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import Synchronization
import Testing

/// A definition, and what a bridge would push for it in the tests that stand in it.
struct Sample {
    let definition: Definition
    let updates: [ActivityUpdate]

    /// The definitions of `devices/`.
    static let devices: [Sample] = {
        let folder = Sample.repository.appendingPathComponent("devices").path
        return ((try? CompiledFiles([folder]))?.files ?? []).compactMap { Sample($0) }
    }()

    /// Definitions that ask for more than those of `devices/`.
    static let odd: [Sample] = OddDefinitions.all.compactMap { Sample($0) }

    /// A definition whose island has buttons.
    static let buttons: [Sample] = [ButtonTests.fan(ButtonTests.buttons)].compactMap { Sample($0) }

    /// Definitions whose islands have buttons with links, beside others and alone.
    static let links: [Sample] = [
        ButtonTests.fan(ButtonTests.links, kind: "linked.fan"),
        ButtonTests.fan(#"{ map: { title: A map, link: "skerry://{status}/{name}" } }"#, kind: "map.fan"),
    ].compactMap { Sample($0) }

    static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    init?(_ yaml: String) {
        let compiled = CompiledFiles([DefinitionFile(path: "sample.yaml", bytes: Array(yaml.utf8))])
        self.init(compiled.files[0])
    }

    init?(_ file: CompiledFiles.File) {
        guard let definition = file.definition else {
            Issue.record("\(DiagnosticPrinter().text(of: file.problems, in: file.source))")
            return nil
        }
        let found = Mutex<[ActivityUpdate]>([])
        let runner = DefinitionTestRunner(definition) { effect in
            if case .update(let update) = effect.what { found.withLock { $0.append(update) } }
            return []
        }
        _ = runner.run(file.source.reading.tests)
        self.definition = definition
        updates = found.withLock { $0 }
    }
}

enum OddDefinitions {
    private static func thing(kind: String, _ rest: String, states: String = "") -> String {
        let indented = states.split(separator: "\n").joined(separator: "\n      ")
        return """
            skerry: 1
            kind: \(kind)
            sources:
              - topic: thing/{device}
                signals: { mode: payload.mode, x: payload.x, y: payload.y }
            timers: { cycle: { duration: 'duration("5m")', while: inState("on") }, held: { count: up, while: mode == "x" } }
            machine:
              initial: "off"
              states:
                "off": { always: { guard: mode == "on", target: "on" } }
                "on":
                  title: "On"
                  always: { guard: mode == "off", target: "off" }
                  \(indented)
            \(rest)
            tests:
              - name: it runs
                steps:
                  - send: { thing/a: { mode: "on", x: 20, y: "text" } }
                  - send: { thing/a: { x: 20.5, y: false } }
                  - send: { thing/a: { x: "twenty", y: [1] } }
                  - send: { thing/a: { x: 4, y: 2 } }
                  - send: { thing/a: { mode: "off" } }
            """
    }

    static let all = [
        // Names of Swift, and names that become the same one.
        thing(
            kind: "reserved.words",
            """
            activity:
              starts: "on"
              ends: "off"
              attributes: { self: device.name, class: x, init: y }
              content: { in: x, default: y, hash: x, hashValue: y, encode: x, time_left: x, timeLeft: y, Type: x, URL: y,
                _: x, __a: y, description: x }
            """,
            states: """
                states:
                  in: { always: { guard: x > 100, target: default } }
                  default: { always: { guard: x > 101, target: wash-1 } }
                  wash-1: { always: { guard: x > 102, target: wash_1 } }
                  wash_1: { always: { guard: x > 103, target: 3d } }
                  3d: { always: { guard: x > 104, target: unknown } }
                  unknown: { always: { guard: x > 105, target: "größer \\"!" } }
                  "größer \\"!": { always: { guard: x > 106, target: init } }
                  init: { always: { guard: x > 107, target: none } }
                  none: {}
                """
        ),
        // A kind that begins with a digit, no island, no timers, nothing to tell.
        thing(kind: "3d-printer", #"activity: { starts: "on", ends: "off" }"#),
        // Every type, lists and objects, texts with every kind of value.
        thing(
            kind: "größe.typen",
            #"""
            activity:
              starts: "on"
              ends: "off"
              attributes: { since: now, list: "[1]", number: { value: x, type: double } }
              content:
                any: x
                list: "[1, 2]"
                map: "{'a': 1}"
                string: { value: y, type: string }
                int: { value: x, type: int }
                double: { value: x, type: double }
                bool: { value: y, type: bool }
                moment: { value: x, type: timestamp }
                length: { value: x, type: duration }
                cycle: timer.cycle
                held: timer.held
              link: "skerry://{x}/{device}"
            island:
              tint: "#0a64ff"
              minimal: { countdown: cycle }
              compact: { leading: { symbol: { value: washer, circle: island, image: Maker }, text: "{int}" }, trailing: { countdown: held } }
              expanded:
                leading: { symbol: "bolt.car" }
                trailing: { symbol: nothing-known, countdown: held }
                bottom: { text: "{any}\\ \"{string}\" {int} {double} {bool} {moment} {length} {since} {number} {device}" }
              lock: { symbol: { value: drop, image: "Maker \"2\"" }, title: "{device}", text: "10 % {{x}}\t☕️", countdown: held, progress: cycle }
            """#
        ),
        // States side by side, and an island with little in it.
        thing(
            kind: "parallel",
            """
            activity: { starts: "on", ends: "off", content: { cycle: timer.cycle, x: x } }
            island: { lock: { progress: cycle } }
            """,
            states: """
                type: parallel
                states: { left: {}, right: {} }
                """
        ),
        // Numbers with units, and bars of numbers, whole ones too.
        thing(
            kind: "numbers",
            #"""
            activity:
              starts: "on"
              ends: "off"
              content:
                level: { value: x, round: 3, unit: kWh, of: 40 }
                whole: { value: x, type: int, unit: °C }
                share: { value: x, round: 0, unit: "%", of: 100 }
            island:
              tint: "#0a64ff"
              expanded:
                leading: { title: { value: "{level}", transition: numeric } }
                trailing: { text: { value: "{whole}", transition: identity } }
                center: { caption: { value: "{share} of a text that is too long for one line, {level}", transition: push } }
                bottom: { title: { value: "{level} : {whole}", transition: numeric }, caption: { value: "{whole}", transition: opacity } }
              lock: { text: "{level}, {whole}, {share}", progress: share }
              minimal: { progress: level }
            """#
        ),
        // Links with values of every type, a symbol and a colour that a field chooses, rows, steps.
        thing(
            kind: "links",
            ##"""
            activity:
              starts: "on"
              ends: "off"
              attributes: { name: device.name }
              content:
                any: x
                int: { value: x, type: int }
                double: { value: x, type: double }
                bool: { value: y, type: bool }
                moment: { value: x, type: timestamp }
                length: { value: x, type: duration }
                step: { value: x, type: int }
                icon: 'x > 10 ? "flame" : "drop"'
                colour: 'x > 10 ? "#ff0000" : "#0000ff"'
                cycle: timer.cycle
              link: "skerry://{device}"
            island:
              tint: "{colour}"
              minimal: { symbol: "{icon}" }
              compact: { leading: { symbol: { value: "{icon}", tint: island } }, trailing: { countdown: { value: cycle, tint: "#00ff00" } } }
              expanded:
                leading: { symbol: "{icon}", link: "skerry://{any}/{int}/{double}/{bool}/{moment}/{length}/{name}/{device}" }
                trailing: { caption: "{int}", align: trailing }
                center: { title: { value: "{name}", lines: 1, tint: island, link: "skerry://{int}" }, text: "{any}", align: center }
                bottom:
                  row: [{ progress: { value: step, steps: 5 } }, { text: "{int}", caption: "{any}" }, { countdown: cycle, minutes: cycle }]
                  progress: { value: step, of: 40, tint: "#00ff00" }
              lock:
                countdown: { value: cycle, link: "skerry://clock" }
                row: [{ symbol: { value: washer, circle: "#00ff00" }, width: fit }, { text: { value: "{any}", link: "skerry://{any}" } }]
                link: "skerry://lock/{int}"
            """##
        ),
        // States side by side with symbols and colours.
        thing(
            kind: "side-by-side",
            ##"""
            activity: { starts: "on", ends: "off", content: { cycle: timer.cycle, step: { value: x, type: int } } }
            island:
              tint: "#0a64ff"
              lock: { symbol: { value: "{state.symbol}", tint: island, circle: island }, progress: { value: step, steps: 12 } }
              minimal: { progress: cycle }
            """##,
            states: ##"""
                type: parallel
                states: { left: { symbol: flame }, right: { tint: "#ff0000" } }
                """##
        ),
        // Timers without an island.
        thing(
            kind: "plain",
            #"activity: { starts: "on", ends: "off", content: { status: state.title, cycle: timer.cycle } }"#
        ),
    ]
}
