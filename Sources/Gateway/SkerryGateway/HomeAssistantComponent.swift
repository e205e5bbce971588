import SkerryActivity
import SkerryDevice
import SkerrySinks
import SkerryValues

/// One entity in Home Assistant: of a device a sensor that reads the snapshot, an event for its alerts, or a button that
/// sends an event; of the bridge its connection.
struct HomeAssistantComponent {
    /// A member of its JSON.
    private enum Setting {
        case text(String)
        case texts([String])
    }

    /// The name of the sensor for a bar.
    private static let progressName = "Progress"

    /// The name among those of the device.
    private let key: String
    private let platform: String
    private let name: String
    private var settings: [(name: String, value: Setting)] = []
    /// The states in which a button does something; nil for all.
    private var states: [String]?
    /// The field that a bar shows; nil for anything else.
    private var field: String?

    private init(_ key: String, _ platform: String, name: String) {
        // A key in other letters, or a very long one, could not be told from another.
        let plain = HomeAssistant.plain(key)
        self.key = plain == key ? key : "\(plain)_\(PlainName.mark(of: key))"
        self.platform = platform
        self.name = name
    }

    /// The entities of a device: its state, whether it runs, how far it is, the fields of its content, its alerts, and the events that people may send.
    static func all(of definition: Definition, _ contract: LiveActivityContract) -> [HomeAssistantComponent] {
        var first = [state(of: definition, contract), running]
        if let layout = definition.island {
            first[0].set("icon", MaterialIcon.name(ofSymbol: layout.symbol))
            if let progress = progress(layout) { first.append(progress) }
        }
        // A field that people call like the bar which shows it would be a second entity of that name.
        let bar = first.first { $0.name == progressName }?.field
        let fields = contract.content.filter { $0.name != bar || title($0.name) != progressName }
            .compactMap { field($0) }
        return first + fields + (definition.hasAlerts ? [alert] : [])
            + definition.events.map { button($0, of: definition) }
    }

    /// Writes it as a member of the object of all components.
    ///
    /// - Parameters:
    ///   - writer: Stands within that object.
    ///   - device: The identifier of the device.
    ///   - base: The beginning of its topics.
    ///   - stateTopic: The topic of its snapshot.
    ///   - availability: The topics that tell whether the bridge, and then whether the device is there.
    func write(
        to writer: inout JSONWriter,
        device: String,
        base: String,
        stateTopic: String = "",
        availability: [String] = []
    ) {
        writer.object(key) { writer in
            writer.member("platform", platform)
            writer.member("unique_id", "\(device)_\(key)")
            writer.member("name", name)
            if platform == "button" { writer.member("command_topic", "\(base)/event") }
            if platform == "event" {
                writer.member("state_topic", "\(base)/alert")
                // That of the bridge alone: an alert may be about a device that is away.
                writer.array("availability", availability.prefix(1)) { $0.topic($1) }
            }
            if let states {
                // In place of that of the device, so with its topics.
                writer.array("availability", availability + [stateTopic]) { writer, topic in
                    writer.beginObject()
                    writer.member("topic", topic)
                    if topic == stateTopic {
                        let list = states.map { Self.quoted($0) }.joined(separator: ", ")
                        writer.member(
                            "value_template",
                            "{{ 'online' if value_json is defined and value_json.state in [\(list)] else 'offline' }}"
                        )
                    }
                    writer.endObject()
                }
            }
            for (name, value) in settings {
                writer.key(name)
                switch value {
                case .text(let text): writer.string(text)
                case .texts(let texts):
                    writer.beginArray()
                    for text in texts { writer.string(text) }
                    writer.endArray()
                }
            }
        }
    }

    private mutating func set(_ name: String, _ text: String) { settings.append((name, .text(text))) }

    // MARK: Entities

    /// The state of a device without an activity.
    private static let noActivity = "none"

    /// The innermost state, by the title that people see where it is always the same, else by its name.
    private static func state(
        of definition: Definition,
        _ contract: LiveActivityContract
    ) -> HomeAssistantComponent {
        var component = HomeAssistantComponent("state", "sensor", name: "State")
        let state = "value_json.state if value_json is defined else none"
        guard let names = contract.states else {
            component.set("value_template", "{% set s = \(state) %}{{ 'none' if s is none else s[:255] }}")
            return component
        }
        var labels: [String] = []
        var pairs: [String] = []
        for name in names {
            let label = LiveActivityContract.cut(definition.titleBeginning(ofState: name) ?? title(name))
            pairs.append("\(quoted(name)): \(quoted(label))")
            if !labels.contains(label) { labels.append(label) }
        }
        if !labels.contains(noActivity) { labels.append(noActivity) }
        component.set("device_class", "enum")
        component.settings.append(("options", .texts(labels)))
        component.set(
            "value_template",
            "{% set s = \(state) %}{{ {\(pairs.joined(separator: ", "))}.get(s, 'none') }}"
        )
        return component
    }

    /// The sensor that is on while the bridge is there.
    static let connection: HomeAssistantComponent = {
        var component = HomeAssistantComponent("connection", "binary_sensor", name: "Connection")
        component.set("device_class", "connectivity")
        component.set("entity_category", "diagnostic")
        component.set("payload_on", "online")
        component.set("payload_off", "offline")
        return component
    }()

    private static let running: HomeAssistantComponent = {
        var component = HomeAssistantComponent("running", "binary_sensor", name: "Running")
        component.set("device_class", "running")
        component.set(
            "value_template",
            "{{ 'ON' if value_json is defined and value_json.phase != 'ended' else 'OFF' }}"
        )
        return component
    }()

    /// The alerts, each of which is an event of one type; automations read its title, body and level.
    private static let alert: HomeAssistantComponent = {
        var component = HomeAssistantComponent("alert", "event", name: "Alert")
        component.set("icon", "mdi:bell")
        component.settings.append(("event_types", .texts(["alert"])))
        component.set(
            "value_template",
            "{% if value_json is defined %}{{ {'event_type': 'alert', 'title': value_json.title, "
                + "'body': value_json.body, 'level': value_json.level | default('active')} | to_json }}{% endif %}"
        )
        return component
    }()

    /// The first bar that a number fills, in percent, on the Lock Screen if it is there.
    ///
    /// Nil if there is none. A bar that a countdown fills is none: no message comes while time passes, so that Home
    /// Assistant could not move it.
    private static func progress(_ layout: IslandLayout) -> HomeAssistantComponent? {
        for element in layout.lock.bars + layout.elements {
            let field: String
            let whole: Double
            switch element.view {
            case .level(let name, let of): (field, whole) = (name, of)
            case .steps(let name, let of): (field, whole) = (name, Double(of))
            default: continue
            }
            var component = HomeAssistantComponent("progress", "sensor", name: progressName)
            component.field = field
            component.set("state_class", "measurement")
            component.set("unit_of_measurement", "%")
            component.set(
                "value_template",
                value(of: field)
                    + "{{ none if v is none else [0, [v * 100 / \(whole), 100] | min] | max | round(0) | int }}"
            )
            return component
        }
        return nil
    }

    /// The beginning of a template that reads a field of the content as `v`.
    private static func value(of field: String) -> String {
        // `get`, because a field may be called like a method of Python's dict.
        "{% set v = value_json.content.get(\(quoted(field))) if value_json is defined else none %}"
    }

    /// The quantities whose units Home Assistant takes, by unit: the energy dashboard needs their classes.
    ///
    /// The energy of a run begins again at zero, which is a new cycle of a meter there.
    private static let quantities: [String: (deviceClass: String, stateClass: String)] = [
        "Wh": ("energy", "total_increasing"), "kWh": ("energy", "total_increasing"),
        "W": ("power", "measurement"), "kW": ("power", "measurement"),
        "°C": ("temperature", "measurement"), "°F": ("temperature", "measurement"),
        "V": ("voltage", "measurement"), "A": ("current", "measurement"), "km": ("distance", "measurement"),
    ]

    /// A field of the content; nil for lists and objects.
    private static func field(_ field: LiveActivityContract.Field) -> HomeAssistantComponent? {
        let platform = field.type == .bool ? "binary_sensor" : "sensor"
        var component = HomeAssistantComponent("field_\(field.name)", platform, name: title(field.name))
        let shown: String
        var isUnknown = "v is none"
        switch field.type {
        case .structure: return nil
        case .string, .any:
            shown = "(v | string)[:255]"
            isUnknown = "v is none or v == ''"
        case .int, .double:
            let quantity = field.unit.flatMap { quantities[$0] }
            if let quantity { component.set("device_class", quantity.deviceClass) }
            // A unit of several words is a text in the bridge's language; statistics need one that stays.
            if field.unit?.contains(" ") != true {
                component.set("state_class", quantity?.stateClass ?? "measurement")
            }
            if let unit = field.unit { component.set("unit_of_measurement", unit) }
            shown = "v"
        case .bool: shown = "'ON' if v else 'OFF'"
        case .duration:
            component.set("device_class", "duration")
            component.set("unit_of_measurement", "s")
            shown = "v"
        case .timestamp:
            component.set("device_class", "timestamp")
            shown = "v | as_datetime"
        case .time:
            component.set("device_class", "timestamp")
            shown = "v | as_datetime"
        }
        var value = value(of: field.name)
        if field.type == .time {
            value += "{% set v = v.get('end', v.get('start')) if v is mapping else none %}"
        }
        component.set("value_template", value + "{{ none if \(isUnknown) else \(shown) }}")
        return component
    }

    /// A button, by the words that people see on their phones where it is one of those.
    private static func button(_ event: String, of definition: Definition) -> HomeAssistantComponent {
        let shown = definition.island?.buttons.first { button in
            guard case .event(let name, states: _) = button.action else { return false }
            return name.hasSameCodePoints(as: event)
        }
        var component = HomeAssistantComponent("event_\(event)", "button", name: shown?.title ?? title(event))
        component.set("payload_press", event)
        // The snapshot, which tells the state, is not there without an activity.
        if case .event(_, let states)? = shown?.action,
            !states.contains(where: { definition.restsWithoutRun(inState: $0) })
        {
            component.states = states
        }
        return component
    }

    /// A name of a definition as people write it: `timeLeft` and `time_left` become `Time left`.
    private static func title(_ name: String) -> String {
        var words = ""
        for character in name {
            if character == "_" || character == "-" || character == "." {
                words += " "
            } else if character.isUppercase, words.last?.isLowercase == true {
                words += " " + character.lowercased()
            } else {
                words.append(character)
            }
        }
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// A text as a literal of Jinja.
    private static func quoted(_ text: String) -> String {
        let literal = text.rewritten { scalar in
            switch scalar {
            case "'", "\\": "\\\(scalar)"
            case "\n": "\\n"
            case "\r": "\\r"
            default: nil
            }
        }
        return "'\(literal)'"
    }
}
