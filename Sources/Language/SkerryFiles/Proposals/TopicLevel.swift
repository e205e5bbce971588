// The appearance of a level of a topic.

extension String {
    /// True if it looks like a number or name of a device: letters with digits, or a serial number.
    var looksLikeID: Bool {
        // v2 is the version of a protocol.
        contains(where: \.isNumber) && count >= 2 && prefixMatch(of: /v\d+$/) == nil && !isComponent
    }

    /// True if it names a numbered part of a device: `switch:0`, `tool1`.
    private var isComponent: Bool {
        guard let match = wholeMatch(of: /([a-z]+)\d?[:_-]?\d{1,2}/.ignoresCase()) else { return false }
        let parts: Set = [
            "switch", "relay", "tool", "input", "output", "channel", "light", "cover", "button", "sensor",
            "bed", "em", "pm", "temperature", "humidity", "power", "dimmer", "rgb", "zone", "phase",
        ]
        return parts.contains(match.output.1.lowercased())
    }

    /// True if ESPHome's topics have it after the name of the node: `washer/text_sensor/phase/state`.
    var isComponentType: Bool {
        let types: Set = [
            "sensor", "binary_sensor", "text_sensor", "switch", "light", "fan", "cover", "climate", "number",
            "select", "lock",
            "button", "text", "valve", "event", "update", "status", "debug",
        ]
        return types.contains(self)
    }

    /// True if it ends in the number that a maker gives each device.
    var isSerialNumber: Bool {
        let last = split(whereSeparator: { !$0.isLetter && !$0.isNumber }).last ?? ""
        return last.count >= 6 && last.allSatisfy(\.isHexDigit) && last.contains(where: \.isNumber)
    }

    /// True if it is a word for several things, followed by the name of one: `cars`, `orders`.
    var isCollection: Bool {
        let others: Set = ["status", "events", "settings", "statistics", "values", "states", "shellies"]
        return count > 3 && hasSuffix("s") && !hasSuffix("ss") && allSatisfy(\.isLetter)
            && !others.contains(lowercased())
    }

    /// True if it names a property and not a device.
    var isProperty: Bool {
        Self.properties.contains(lowercased()) || isQuantity
    }

    /// True if it names a measured quantity, so that the next level is a part of the device.
    var isQuantity: Bool { words.contains { Self.quantities.contains($0) } }

    private static let properties: Set<String> = [
        "report", "tele", "stat", "cmnd", "set", "get", "availability", "lwt", "sensor", "switch", "light",
        "relay", "device", "devices", "home", "rpc", "online", "info", "config", "command", "result",
        "zigbee2mqtt", "homeassistant", "shellies", "station", "plug", "request", "response", "raw", "value",
        "attributes", "mqtt", "printing", "vehicle", "course", "program", "cars", "loadpoints", "orders",
    ]

    /// Words for properties of a device that can be measured or reported.
    private static let quantities: Set<String> = [
        "state", "status", "power", "voltage", "current", "energy", "temperature", "temp", "humidity",
        "battery", "level", "soc", "charging", "connected", "plugged", "elapsed", "odometer", "mode",
        "remaining", "duration", "error", "limit", "progress", "time", "area", "amp", "version", "rssi",
        "uptime", "attribute", "capability", "event", "events", "started", "done", "paused", "resumed",
        "failed",
        "cancelled", "changed", "position", "statistics", "speed", "signal",
    ]
}

extension [String] {
    /// True if these are the levels of a value of an ESPHome node, whose name is the last level but one.
    var isOfComponent: Bool {
        count > 3 && self[count - 1] == "state" && self[count - 3].isComponentType
            && self[count - 2].first?.isLetter == true
    }
}
