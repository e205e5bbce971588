import SkerryEngine
import SkerryValues
import Testing

@testable import SkerryGateway

/// The topics of a bridge: whose business a message is.
@Suite("Classifying what comes in")
struct InboundTests {
    static func inbound(
        _ prefix: String = "skerry",
        partition: Partition? = nil,
        share: String? = nil
    ) -> Inbound {
        var options = BridgeOptions(version: "test")
        options.prefix = prefix
        options.homeAssistant = HomeAssistantOptions()
        options.engine.partition = partition
        options.partitionPrefix = share
        return Inbound(options, sink: options.sink, handled: [])
    }

    static func classify(_ topic: String, by inbound: Inbound = inbound()) -> Incoming {
        inbound.topics.classify(
            Array(topic.utf8)[...],
            announcements: [Array("homeassistant/device/skerry_".utf8)]
        )
    }

    static let lamp = DeviceKey(kind: "lamp", name: "desk")

    @Test(
        "a topic says whose business a message is",
        arguments: [
            ("lamp/desk/state", .device), ("skerry", .device), ("skerryx/bridge/state", .device),
            ("", .device),
            ("skerry/bridge/state", .own(.state)), ("skerry/bridge/info", .own(.info)),
            ("skerry/bridge/health", .own(.health)), ("skerry/bridge/echo", .own(.echo)),
            ("skerry/bridge/devices", .device), ("skerry/bridge-p1/state", .device),
            ("skerry/lamp/desk/activity", .own(.device(.activity))),
            ("skerry/lamp/desk/availability", .own(.device(.availability))),
            ("skerry/lamp/desk/timeline", .own(.device(.timeline))),
            ("skerry/lamp/desk/alert", .device), ("skerry/lamp/desk/activity/diff", .device),
            ("skerry/lamp/desk/event", .command(lamp)), ("skerry/lamp/desk/event/", .device),
            ("skerry/lamp/desk/explain/get", .question(lamp)),
            ("skerry/lamp/desk/explain", .device), ("skerry/lamp/desk/explain/set", .device),
            ("skerry/bridge/request/devices", .request("devices")), ("skerry/bridge/request/", .request("")),
            ("skerry/bridge/request/a/b", .request("a/b")),
            ("skerry/bridge/request/event", .request("event")),
            ("skerry/bridge/request/explain/get", .question(DeviceKey(kind: "bridge", name: "request"))),
            ("homeassistant/device/skerry_lamp_desk/config", .own(.announcement)),
            ("homeassistant/device/other_lamp/config", .device),
            ("homeassistant/status", .homeAssistantStatus), ("homeassistant/statuses", .device),
        ] as [(String, Incoming)]
    )
    func topics(topic: String, expected: Incoming) {
        #expect(Self.classify(topic) == expected)
    }

    @Test("a prefix may have several levels")
    func longPrefix() {
        let inbound = Self.inbound("home/hub")
        #expect(Self.classify("home/hub/bridge/state", by: inbound) == .own(.state))
        #expect(Self.classify("home/hub/lamp/desk/event", by: inbound) == .command(Self.lamp))
        #expect(Self.classify("home/lamp/desk/event", by: inbound) == .device)
    }

    @Test("a partition knows its own devices, those of others, and the other bridges")
    func partition() throws {
        let partition = Partition(0, of: 2)
        let inbound = Self.inbound(partition: partition)
        let own = try #require((0..<99).map { "d\($0)" }.first { partition.owns($0) })
        let foreign = try #require((0..<99).map { "d\($0)" }.first { !partition.owns($0) })
        let elsewhere = DeviceKey(kind: "lamp", name: foreign)
        #expect(Self.classify("skerry/lamp/\(own)/activity", by: inbound) == .own(.device(.activity)))
        #expect(
            Self.classify("skerry/lamp/\(own)/event", by: inbound)
                == .command(DeviceKey(kind: "lamp", name: own))
        )
        for level in ["activity", "availability", "timeline", "event", "explain"] {
            #expect(
                Self.classify("skerry/lamp/\(foreign)/\(level)", by: inbound)
                    == .elsewhere(elsewhere, level: level)
            )
        }
        #expect(
            Self.classify("skerry/lamp/\(foreign)/explain/get", by: inbound)
                == .elsewhere(elsewhere, level: "explain")
        )
        #expect(Self.classify("skerry/lamp/\(foreign)/alert", by: inbound) == .device)
        #expect(Self.classify("skerry/bridge-p0/info", by: inbound) == .own(.info))
        #expect(Self.classify("skerry/bridge-p1/info", by: inbound) == .otherBridge("bridge-p1", .info))
        #expect(Self.classify("skerry/bridge/state", by: inbound) == .otherBridge("bridge", .state))
        #expect(Self.classify("skerry/bridge-p1/health", by: inbound) == .device)
    }

    @Test("a partition ends at the mark of its number of partitions, and at no other")
    func cut() {
        func mark(_ partitions: Int, retained: Bool = false) -> MessageBatch.Message {
            let publication = PartitionCut(of: partitions, id: 7).publication("skerry")
            return MessageBatch.Message(
                topic: Array(publication.topic.utf8)[...],
                payload: publication.payload[...],
                isRetained: retained,
                quality: .atLeastOnce,
                packet: 1,
                arrival: .zero
            )
        }
        var inbound = Self.inbound(partition: Partition(0, of: 2))
        #expect(inbound.topics.cutFilters == ["skerry/bridge/repartition"])
        #expect(inbound.meetCut(mark(3)) == false)
        #expect(inbound.meetCut(mark(2, retained: true)) == false)
        #expect(inbound.cut == nil)
        #expect(inbound.meetCut(mark(2)) == true)
        #expect(inbound.cut == 7)
        var whole = Self.inbound()
        #expect(whole.topics.cutFilters.isEmpty)
        #expect(whole.meetCut(mark(2)) == false)
        #expect(Self.inbound(partition: Partition(0, of: 2), share: "p").topics.cutFilters.isEmpty)
    }
}
