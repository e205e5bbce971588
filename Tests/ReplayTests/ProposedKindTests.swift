import Foundation
import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import Testing

/// Definitions proposed from recordings of seventeen kinds of devices, each told as its makers tell it.
@Suite("Definitions proposed for kinds of devices")
struct ProposedKindTests {
    struct Kind: CustomTestStringConvertible {
        /// The recording in Tests/Recordings/kinds.
        var name: String
        /// The devices that have a run, each of which ends, too.
        var devices: [String]
        /// What the definition says.
        var says: [String] = []
        /// What it must not say.
        var doesNotSay: [String] = []

        var testDescription: String { name }
    }

    static let kinds = [
        Kind(name: "bus-line", devices: ["00912", "00733"]),
        Kind(
            name: "dishwasher",
            devices: ["dishwasher"],
            says: ["starts: run\n", "remaining: seconds(remainingseconds)"]
        ),
        Kind(
            name: "espresso",
            devices: ["gaggia-1"],
            says: ["starts: [preinfusion, extraction, retracting]"]
        ),
        Kind(
            name: "ev",
            devices: ["1"],
            says: ["teslamate/cars/{device}/state", "starts: charging\n", "remaining: hours("],
            doesNotSay: ["progress: { value", "cars/{device}/+"]
        ),
        Kind(
            name: "evcc",
            devices: ["1"],
            says: ["evcc/loadpoints/{device}/charging", "starts: charging\n", "remaining: seconds("]
        ),
        Kind(
            name: "games",
            devices: ["match-17", "match-18"],
            says: ["starts: [lobby, first_half, half_time, second_half]", "ends: full_time"]
        ),
        Kind(name: "klipper", devices: ["voron"], says: ["{device}/klipper/status", "progress * 100.0"]),
        Kind(name: "lg", devices: ["a1b2c3"], says: ["remaining: minutes(remaining_time)"]),
        Kind(name: "linktap", devices: ["garden-7"], says: ["starts: watering\n"]),
        Kind(
            name: "octoprint",
            devices: ["octoPrint"],
            says: ["{device}/event/+", "starts: print_started", "remaining: seconds(print_time_left)"]
        ),
        Kind(name: "openevse", devices: ["openevse"], says: ["{device}/power"]),
        Kind(
            name: "orders",
            devices: ["A-1041", "A-1042", "A-1043"],
            says: ["ends: delivered", "remaining: minutes(eta_minutes)"],
            doesNotSay: ["initial: received", "items"]
        ),
        Kind(name: "roomba", devices: ["80A1C2"], doesNotSay: ["bat_pct, tolerance"]),
        Kind(
            name: "shelly",
            devices: ["shellyplusplugs-a8032abe54dc"],
            says: [#"available: payload == "true""#]
        ),
        Kind(name: "tasmota", devices: ["dryer"], says: [#"available: payload == "Online""#]),
        Kind(name: "valetudo", devices: ["robby"], says: ["StatusStateAttribute/status", "paused"]),
        Kind(
            name: "zigbee",
            devices: ["Washer plug", "Dryer plug"],
            doesNotSay: ["bridge", "{device}/state"]
        ),
    ]

    @Test(arguments: kinds) func `a base at once: right devices with runs that start and end`(
        kind: Kind
    ) throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Recordings/kinds/\(kind.name).jsonl").standardizedFileURL.path
        let messages = try Files.messages(RecordingReader(path: path))
        let (text, definition) = try #require(try ProposalTests.proposal(messages))
        let updates = Playback(messages, [definition]).updates
        let started = Set(updates.filter { $0.update.kind == .started }.map(\.effect.device))
        let ended = Set(updates.filter { $0.update.kind == .ended }.map(\.effect.device))
        #expect(started == Set(kind.devices) && ended == started, "\(started) \(ended)\n\(text)")
        for words in kind.says { #expect(text.contains(words), "\(words)\n\(text)") }
        for words in kind.doesNotSay { #expect(!text.contains(words), "\(words)\n\(text)") }
    }

    @Test(arguments: [
        ("plug/washer/{device}/power", "plug/washer/{device}/power", ["w-cellar", "w-attic"]),
        ("plug/{device}/+/power", "plug/{device}/", ["washer"]),
    ]) func `{device} in --topic chooses the level that names the device`(
        filter: String,
        topic: String,
        devices: [String]
    ) throws {
        let watts = [0, 1, 1, 1800, 1790, 1810, 1820, 0, 1, 0, 0, 1]
        let messages = ProposalTests.messages(
            watts.flatMap {
                [("plug/washer/w-cellar/power", "\($0)"), ("plug/washer/w-attic/power", "\($0)")]
            }
        )
        let (text, definition) = try #require(try ProposalTests.proposal(messages, filter: filter))
        #expect(text.contains("topic: \(topic)"), "\(text)")
        #expect(Set(Playback(messages, [definition]).updates.map(\.effect.device)) == Set(devices), "\(text)")
    }
}
