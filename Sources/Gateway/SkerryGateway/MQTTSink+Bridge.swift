import SkerryActivity
package import SkerryPhones
import SkerryValues

// The topics and messages of the bridge itself; what effects of the engine become stands in MQTTSink.swift alone, because
// boards and browsers have no bridge.

extension MQTTSink {
    /// The message that tells what the user of a phone did with a card.
    package func publication(of gesture: PhoneGesture) -> Publication {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("event", gesture.kind.name)
        writer.member("phone", gesture.phone)
        if let person = gesture.person { writer.member("person", person) }
        writer.member("activity", gesture.activity)
        writer.member("at", gesture.at)
        writer.endObject()
        return Publication(
            topic: topic("phone", of: gesture.device, kind: gesture.deviceKind),
            payload: writer.bytes,
            contentType: "application/json"
        )
    }

    /// The retained timeline of a device.
    func timeline(_ timeline: ActivityTimeline, of device: String, kind: String) -> Publication {
        self.timeline(timeline, topic("timeline", of: device, kind: kind))
    }

    /// The topic of a device's availability.
    func availabilityTopic(of device: String, kind: String) -> String {
        topic("availability", of: device, kind: kind)
    }

    /// Deletes the retained availability of a device that no longer exists.
    func forgottenAvailability(of device: String, kind: String) -> Publication {
        Publication(topic: availabilityTopic(of: device, kind: kind), payload: [], isRetained: true)
    }

    /// The topic of the bridge's state: `online` or, by its Will, `offline`; retained.
    package var stateTopic: String { "\(bridge)/state" }

    /// The topic of the bridge's description; retained.
    package var infoTopic: String { "\(bridge)/info" }

    /// The topic of the bridge's health; retained.
    package var healthTopic: String { "\(bridge)/health" }

    /// The topic on which the bridge hears itself, to know that the broker has sent all that it retains.
    var echoTopic: String { "\(bridge)/echo" }

    /// The topics that show whether another bridge is online.
    var bridgeFilters: [String] { [stateTopic, infoTopic] }

    /// The topics that show which bridge was online last.
    var meetingFilters: [String] { bridgeFilters + [healthTopic, echoTopic] }

    /// A message of the bridge to itself.
    func echo(_ text: String, id: UInt64) -> Publication {
        Publication(id: id, topic: echoTopic, payload: Array(text.utf8), quality: .atMostOnce)
    }

    /// The filter of commands to devices.
    package var commandFilter: String { "\(prefix)/+/+/event" }

    /// The filters of questions and requests to the bridge.
    var questionFilters: [String] {
        ["\(prefix)/+/+/explain/get", "\(bridge)/request/+"]
    }

    /// The topic of the answers to a request.
    func responseTopic(_ request: String) -> String { "\(bridge)/response/\(request)" }

    /// The topic of the list of devices; retained.
    package var devicesTopic: String { "\(bridge)/devices" }

    /// The topic of the list of definitions; retained.
    package var definitionsTopic: String { "\(bridge)/definitions" }

    /// The topic of devices that come and go.
    package var eventTopic: String { "\(bridge)/event" }

    /// The answer to a question about a device, not retained.
    func explanation(_ json: [UInt8], of device: DeviceKey) -> Publication {
        let topic = topic("explain", of: device.name, kind: device.kind)
        return Publication(topic: topic, payload: json, contentType: "application/json")
    }

    /// The filters of all that is retained of devices.
    var retainedFilters: [String] { OwnTopic.DeviceTopic.allCases.map { "\(prefix)/+/+/\($0)" } }

    /// The state of the bridge when it comes and goes.
    package func state(isOnline: Bool) -> Publication {
        Publication(
            topic: stateTopic,
            payload: Array((isOnline ? "online" : "offline").utf8),
            isRetained: true
        )
    }
}
