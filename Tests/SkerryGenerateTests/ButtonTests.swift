import Foundation
import SkerryDevice
import SkerryFiles
import SkerryGenerate
import SkerryValues
import Testing

/// The buttons of an island: where they are, and what they send.
@Suite struct ButtonTests {
    static func fan(_ buttons: String, kind: String = "fan") -> String {
        """
        skerry: 1
        kind: \(kind)
        name: Fan
        sources: [{ topic: "fan/{device}", signals: { on: payload.on } }]
        timers: { nap: { duration: minutes(20), while: inState("blowing") } }
        machine:
          initial: "off"
          states:
            "off": { always: { guard: on, target: working } }
            working:
              on: { stop: "off" }
              always: { guard: "!on", target: "off" }
              states:
                blowing: { title: Blowing, on: { pause.short: paused, pause.long: paused } }
                paused: { title: Paused, on: { resume: blowing } }
        activity:
          starts: working
          ends: "off"
          attributes: { name: device.name }
          content: { status: state.title, nap: timer.nap }
          link: "skerry://fan/{device}"
        island:
          expanded: { center: { text: "{status}" }, bottom: { progress: nap, link: "skerry://nap/{device}" } }
          lock: { title: "{name}", text: "{status}", progress: nap }
          buttons: \(buttons)
        """
    }

    static let buttons =
        #"{ pause.long: { en: "Pause \"now\"", de: Pause }, resume: Go on, stop: Stop }"#

    @Test func `a button is there in the states that wait for its event`() throws {
        let definition = try #require(Sample(Self.fan(Self.buttons))).definition
        let layout = try #require(definition.island)
        #expect(
            layout.buttons.map { "\($0.title): \($0.action)" } == [
                #"Pause "now": event("pause.long", states: ["blowing"])"#,
                #"Go on: event("resume", states: ["paused"])"#,
                #"Stop: event("stop", states: ["blowing", "paused"])"#,
            ]
        )
        var writer = JSONWriter(capacity: 1024)
        layout.write(to: &writer)
        let json = String(decoding: writer.bytes, as: UTF8.self)
        #expect(
            json.contains(#"{"event":"resume","title":"Go on","states":["paused"]}"#)
        )
        let compiled = try definition.compiled()
        #expect(try Definition.read(compiled: compiled[...]).island?.buttons == layout.buttons)
    }

    @Test(arguments: [
        ("{ resumed: Go on }", "no state waits for the event 'resumed'"),
        ("{ pause: Pause }", "no state waits for the event 'pause'"),
        ("{ stop resume: Stop }", "no state waits for the event 'stop resume'"),
        (
            "{ device.stopped: Stop }",
            "a button can't send 'device.stopped': only the bridge, the device and its machine raise it"
        ),
        (
            "{ bridge.connected: Stop }",
            "a button can't send 'bridge.connected': only the bridge, the device and its machine raise it"
        ),
        (
            "{ nap.elapsed: Stop }",
            "a button can't send 'nap.elapsed': only the bridge, the device and its machine raise it"
        ),
        (#"{ stop: "Stop {status}" }"#, "the text of a button is always the same: it has no expressions"),
        ("[stop]", "'buttons' must be a mapping, not a list"),
        ("{ stop: { text: Stop } }", "unknown key 'text' in 'stop'"),
        ("{ map: { title: Map } }", "'map' needs the key 'link'"),
        (#"{ map: { title: Map, link: "{status}://x" } }"#, "a device must not choose the scheme of a link"),
        (#"{ map: { title: Map, link: "javascript:x()" } }"#, "a link with 'javascript:' is not opened"),
        (
            #"{ map: { title: Map, link: "skerry://{status + name}" } }"#,
            "phones put fields into links as they are and can't compute this"
        ),
        (
            #"{ map: { title: "To {status}", link: "skerry://x" } }"#,
            "the text of a button is always the same: it has no expressions"
        ),
        (
            "{ stop: a, stop.a: a, stop.b: a, stop.c: a, stop.d: a }",
            "an island may have at most 4 buttons"
        ),
    ])
    func `a button that can't work is a problem`(buttons: String, problem: String) {
        let file = DefinitionFile(path: "fan.yaml", bytes: Array(Self.fan(buttons).utf8))
        let errors = CompiledFiles([file]).problems.filter { $0.severity == .error }
        #expect(errors.map(\.message) == [problem])
    }

    @Test func `buttons stand below the views, outside of their links, and only where a definition has some`()
        throws
    {
        let fan = try #require(Sample(Self.fan(Self.buttons))).definition
        let activity = try #require(AppSources(fan).files.first { $0.name == "FanLiveActivity.swift" }).text
        #expect(activity.contains("import AppIntents\n"))
        #expect(activity.contains("Buttons(attributes: attributes, state: state)\n            }\n"))
        let island = try #require(activity.firstRange(of: "Buttons(attributes: context.attributes"))
        let above = activity[..<island.lowerBound].trimmingCharacters(in: .whitespaces)
        #expect(above.hasSuffix("}\n"), "the link around the bar ends before")
        let lines = activity.split(separator: "\n")
        for start in lines.indices where lines[start].contains("Linked(url: ") {
            let end = lines[start].prefix { $0 == " " } + "}"
            let linked = lines[start...].prefix { $0 != end }
            #expect(!linked.contains { $0.contains("Buttons(") || $0.contains("LockScreen(") }, "\(linked)")
        }
        #expect(activity.contains(#""Pause \"now\"","#))
        let washer = try #require(Sample.devices.first { $0.definition.kind == "washer" }).definition
        let project = try AppProject(.home, definitions: [washer])
        for file in project.generated {
            for part in ["SkerryEventIntent", "SkerryControl"] {
                #expect(!file.text.contains(part), "\(file.name)")
            }
        }
    }

    static let links =
        #"{ stop: Stop, map: { title: Map, link: "skerry://{name}/{device}" }, more: { title: { en: More, de: Mehr }, link: "skerry://more" } }"#

    @Test func `a button with a link is there while the link has all its parts, and is no event`() throws {
        let fan = try #require(Sample(Self.fan(Self.links))).definition
        let buttons = try #require(fan.island).buttons
        let compiled = try fan.compiled()
        #expect(try Definition.read(compiled: compiled[...]).island?.buttons == buttons)
        var writer = JSONWriter(capacity: 1024)
        fan.island?.write(to: &writer)
        let json = String(decoding: writer.bytes, as: UTF8.self)
        #expect(json.contains(#"{"title":"More","link":[{"literal":"skerry://more"}]}"#))
        let activity = try #require(AppSources(fan).files.first { $0.name == "FanLiveActivity.swift" }).text
        #expect(activity.contains("linked(attributes.attributes.name)"))
        #expect(activity.contains("Link(destination: url) {"))
        let project = try AppProject(.home, definitions: [fan])
        let offered = try #require(project.generated.first { $0.name.hasSuffix("SkerryButtons.swift") }).text
        #expect(offered.contains("Stop") && !offered.contains("Map"))
        let only = try #require(Sample(Self.fan(#"{ map: { title: Map, link: "skerry://x" } }"#))).definition
        for file in try AppProject(.home, definitions: [only]).generated {
            #expect(!file.text.contains("SkerryEventIntent"), "\(file.name): links need no intent")
        }
    }

    @Test func `a control of an app offers the buttons of all its kinds`() throws {
        let fan = try #require(Sample(Self.fan(Self.buttons))).definition
        let project = try AppProject(.home, definitions: [fan])
        let files = project.generated.map(\.name).filter { $0.hasPrefix("Widgets/") }
        let names = [
            "SkerryButtons", "SkerryControl", "SkerryDeviceWidget", "SkerryWidgetPushes", "SkerryWidgets",
        ]
        #expect(files == names.map { "Widgets/Generated/\($0).swift" })
        let workshop = try Workshop()
        try workshop.compileApp(fan, programs: ["Checks", "Controls"])
        let run = try workshop.run("/usr/bin/env", ["timeout", "60", "./program"])
        #expect(run.output == "all is well\n", "\(run.errors)")
    }
}
