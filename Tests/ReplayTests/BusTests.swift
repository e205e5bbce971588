import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryValues
import Testing

/// Topics of the Helsinki buses: a leading slash, spaces, semicolons, empty levels; fields that are null.
@Suite("Buses")
struct BusTests {
    static let definition = """
        skerry: 1
        kind: bus
        sources:
          - topic: /hfp/v2/journey/ongoing/vja/bus/{operator}/{device}/#
            signals: { over: "false", moving: "false" }
          - topic: /hfp/v2/journey/ongoing/dep/bus/{operator}/{device}/#
            signals: { stop: payload.DEP.stop, late: payload.DEP.dl, moving: "true" }
          - topic: /hfp/v2/journey/ongoing/arr/bus/{operator}/{device}/+/+/{headsign}/+/+/+/{geohash}/+/+/{last}
            signals:
              stop: payload.ARR.stop
              late: payload.ARR.dl
              moving: "false"
              sign: topic.headsign
              place: topic.geohash + "|" + topic.last
              operator: topic.operator
          - topic: /hfp/v2/journey/ongoing/vjout/bus/{operator}/{device}/#
            signals: { over: "true" }
        machine:
          initial: idle
          states:
            idle:
              always: { guard: moving && !over, target: driving }
            driving:
              title: Driving
              always:
                - { guard: over, target: idle }
                - { guard: "!moving", target: atStop }
                - { quiet: 2h, target: lost }
            atStop:
              title: At a stop
              always:
                - { guard: over, target: idle }
                - { guard: moving, target: driving }
                - { quiet: 2h, target: lost }
            lost: {}
        activity:
          starts: driving
          ends: [idle, lost]
          attributes: { vehicle: device.name }
          content: { status: state.title, stop: stop, late: late, sign: sign, place: place, operator: operator }
        """

    static let start = Timestamp(seconds: 1_700_000_000)

    static func message(
        _ second: Int64,
        _ event: String,
        _ rest: String,
        _ payload: String
    ) -> RecordedMessage {
        RecordedMessage(
            at: start + .seconds(second),
            topic: Array("/hfp/v2/journey/ongoing/\(event)/bus/0012/00345/\(rest)".utf8)[...],
            payload: Array(payload.utf8)[...]
        )
    }
    /// A journey of our own with two stops.
    static let journey = [
        message(
            0,
            "vja",
            "1234/2/Hiekkaranta; itä (M)/18:48/777/5/60;24/28/65/93",
            #"{"VJA":{"stop":null}}"#
        ),
        message(60, "dep", "1234/2/Hiekkaranta; itä (M)/18:48/778/0////", #"{"DEP":{"stop":777,"dl":-12}}"#),
        message(61, "vp", "1234/2/Hiekkaranta; itä (M)/18:48/778/0////", #"{"VP":{"stop":1,"dl":9}}"#),
        message(
            120,
            "arr",
            "1234/2/Hiekkaranta; itä (M)/18:48/778/0////",
            #"{"ARR":{"stop":778,"dl":null}}"#
        ),
        message(150, "dep", "1234/2/Hiekkaranta; itä (M)/18:48/779/3/60;24/28/65/93", #"{"DEP":{"dl":3}}"#),
        message(
            200,
            "arr",
            "1234/2/Hiekkaranta; itä (M)/18:48/779/3/60;24/28/65/93",
            #"{"ARR":{"stop":779}}"#
        ),
        message(260, "vjout", "1234/2/Hiekkaranta; itä (M)/18:48//0////", #"{"VJOUT":{}}"#),
        message(261, "vjout", "", #"{"VJOUT":{}}"#),
    ]

    @Test("a journey of our own: topics are read level by level, empty ones included")
    func ownJourney() throws {
        let playback = Playback(Self.journey, [try Files.definition(Self.definition)])
        let engine = try #require(playback.replay.engine)
        #expect(engine.counters.unrouted == 1, "nobody asked for vp")
        #expect(engine.counters.refused == 0)
        #expect(engine.deviceCount == 1)
        #expect(try Reader.complaints(about: playback.sent.map(\.publication)) == [])
        let snapshots = try playback.sent.filter { $0.publication.topic == "skerry/bus/00345/activity" }
            .filter { !$0.publication.payload.isEmpty }
            .map { try JSON($0.publication.payload) }
        #expect(
            snapshots.compactMap { $0["state"]?.text } == ["driving", "atStop", "driving", "atStop", "idle"]
        )
        #expect(snapshots.map { $0["content"]?["stop"]?.number } == [777, 778, 778, 779, 779])
        // Null is a value, an absent field is none.
        #expect(snapshots.map { $0["content"]?["late"]?.number } == [-12, nil, 3, 3, 3])
        #expect(
            snapshots.map { $0["content"]?["sign"]?.text }[1...].allSatisfy { $0 == "Hiekkaranta; itä (M)" }
        )
        #expect(
            snapshots.map { $0["content"]?["place"]?.text } == [nil, "|", "|", "60;24|93", "60;24|93"]
        )
        #expect(snapshots[1]["content"]?["operator"]?.text == "0012")
    }

    @Test(
        "a real bus: 1,034 messages are a handful of updates",
        .enabled(if: Files.hasRecordings, "../shared/recordings is not there")
    )
    func realBus() throws {
        let playback = Playback(try Files.recording("buses"), [try Files.definition(Self.definition)])
        let engine = try #require(playback.replay.engine)
        #expect(engine.counters.messages == 1034)
        #expect(engine.deviceCount == 1)
        let states = playback.updates.map(\.update.state)
        // The first journey was over before it could be known to have begun.
        #expect(states == ["driving", "atStop", "lost"])
    }
}
