import SkerryValues

/// What Home Assistant requires of the announcement of a device, by https://www.home-assistant.io/integrations/mqtt/ and the
/// pages of its platforms: names of members, device classes and what goes with them.
struct HomeAssistantRules {
    private(set) var findings: [String] = []

    init(topic: String, payload: ValueMap, prefix: String = "homeassistant") {
        let levels = topic.split(separator: "/").map(String.init)
        if levels.count != 4 || levels[0] != prefix || levels[1] != "device" || levels[3] != "config" {
            findings.append("the topic is not <prefix>/device/<object>/config: \(topic)")
        } else {
            checkName(levels[2], "the object of the topic")
        }
        let known = [
            "device", "origin", "components", "availability", "availability_mode", "state_topic", "qos",
            "encoding", "command_topic",
        ]
        for name in payload.names where !known.contains(name) { findings.append("unknown: \(name)") }
        checkDevice(payload)
        if case .int(let qos)? = payload["qos"], (0...2).contains(qos) {} else { findings.append("qos") }
        guard case .map(let components)? = payload["components"], !components.entries.isEmpty else {
            findings.append("no components")
            return
        }
        // A bridge that is away is not connected, which is a value of its entity.
        if components["connection"] == nil { checkAvailability(payload) }
        var identifiers: Set<String> = []
        for (name, value) in components.members {
            checkName(name, "the key of a component")
            guard case .map(let members) = value else {
                findings.append("\(name) is not an object")
                continue
            }
            check(members, name, hasStateTopic: payload["state_topic"] != nil)
            if case .string(let identifier)? = members["unique_id"], identifiers.insert(identifier).inserted {
                continue
            }
            findings.append("\(name): no unique_id of its own")
        }
    }

    private mutating func checkName(_ text: String, _ what: String) {
        let isRight =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                    || Character(UnicodeScalar(byte)).isLetter && byte < 0x80 || (0x30...0x39).contains(byte)
            }
        if !isRight { findings.append("\(what) has other letters: \(text)") }
    }

    private mutating func checkDevice(_ payload: ValueMap) {
        if case .map(let device)? = payload["device"], case .list(let identifiers)? = device["identifiers"],
            !identifiers.isEmpty, case .string? = device["name"]
        {
            let known = [
                "identifiers", "name", "model", "manufacturer", "sw_version", "configuration_url",
                "suggested_area", "via_device",
            ]
            for name in device.names where !known.contains(name) { findings.append("device: \(name)") }
        } else {
            findings.append("device has no identifiers or no name")
        }
        guard case .map(let origin)? = payload["origin"], case .string? = origin["name"] else {
            findings.append("origin has no name")
            return
        }
        for name in origin.names where !["name", "sw_version", "support_url"].contains(name) {
            findings.append("origin: \(name)")
        }
    }

    private mutating func checkAvailability(_ payload: ValueMap) {
        guard case .list(let topics)? = payload["availability"], !topics.isEmpty,
            case .string(let mode)? = payload["availability_mode"], ["all", "any", "latest"].contains(mode)
        else {
            findings.append("availability")
            return
        }
        for topic in topics {
            guard case .map(let members) = topic, case .string(let text)? = members["topic"],
                !text.contains("+"), !text.contains("#")
            else {
                findings.append("a topic of availability")
                continue
            }
        }
    }

    // MARK: Components

    private static let members = [
        "sensor": ["device_class", "icon", "state_class", "unit_of_measurement", "options"],
        "binary_sensor": ["device_class", "entity_category", "payload_on", "payload_off"],
        "button": ["command_topic", "payload_press", "device_class", "availability"],
        "event": ["state_topic", "event_types", "icon", "availability"],
    ]
    /// The device classes that an announcement of Skerry may need, with the units that go with them.
    private static let classes = [
        "sensor": [
            "enum": [], "timestamp": [], "duration": ["d", "h", "min", "s", "ms"], "energy": ["Wh", "kWh"],
            "power": ["W", "kW"], "temperature": ["°C", "°F"], "voltage": ["V"], "current": ["A"],
            "distance": ["km"],
        ],
        "binary_sensor": ["running": [] as [String], "connectivity": []], "button": [:], "event": [:],
    ]

    private mutating func check(_ component: ValueMap, _ name: String, hasStateTopic: Bool) {
        guard case .string(let platform)? = component["platform"], let own = Self.members[platform] else {
            findings.append("\(name): no platform")
            return
        }
        let known =
            own + ["platform", "unique_id", "name"] + (platform == "button" ? [] : ["value_template"])
        for member in component.names where !known.contains(member) {
            findings.append("\(name): a \(platform) has no '\(member)'")
        }
        if platform == "button" {
            if case .string? = component["command_topic"], case .string? = component["payload_press"] {
                return
            }
            findings.append("\(name): a button without a command")
            return
        }
        if platform == "event" {
            guard case .list(let types)? = component["event_types"], !types.isEmpty else {
                findings.append("\(name): an event without types")
                return
            }
        }
        if !hasStateTopic { findings.append("\(name): no state_topic") }
        checkClass(component, name, platform)
        // A payload that is a word needs no template.
        if component["payload_on"] != nil { return }
        if case .string(let template)? = component["value_template"],
            template.contains("value_json is defined")
        {
            return
        }
        findings.append("\(name): its template does not survive an empty payload")
    }

    private mutating func checkClass(_ component: ValueMap, _ name: String, _ platform: String) {
        var unit: String?
        if case .string(let text)? = component["unit_of_measurement"] { unit = text }
        guard case .string(let deviceClass)? = component["device_class"] else {
            if component["options"] != nil { findings.append("\(name): options without device_class enum") }
            return
        }
        guard let units = Self.classes[platform]?[deviceClass] else {
            findings.append("\(name): a \(platform) has no device_class \(deviceClass)")
            return
        }
        if let unit, !units.contains(unit) { findings.append("\(name): \(deviceClass) in \(unit)") }
        if unit == nil, !units.isEmpty { findings.append("\(name): \(deviceClass) needs a unit") }
        if deviceClass == "enum" || deviceClass == "timestamp", component["state_class"] != nil {
            findings.append("\(name): \(deviceClass) has no state_class")
        }
        // Home Assistant refuses statistics of an energy that is only measured.
        if deviceClass == "energy" {
            guard case .string("total_increasing")? = component["state_class"] else {
                return findings.append("\(name): energy is counted")
            }
        }
        guard deviceClass == "enum" else { return }
        guard case .list(let options)? = component["options"], !options.isEmpty else {
            findings.append("\(name): enum without options")
            return
        }
        let texts = options.compactMap { if case .string(let text) = $0 { text } else { nil } }
        if Set(texts).count != options.count || texts.contains(where: { $0.count > 255 || $0.isEmpty }) {
            findings.append("\(name): options that are equal, empty or too long")
        }
    }
}

extension ValueMap {
    /// The members whose names are texts.
    var members: [(name: String, value: Value)] {
        entries.compactMap { entry in
            if case .string(let name) = entry.key { (name, entry.value) } else { nil }
        }
    }

    var names: [String] { members.map(\.name) }
}
