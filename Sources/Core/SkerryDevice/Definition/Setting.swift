import SkerryExpressions
public import SkerryValues

/// A setting of a definition: a value that people choose for each device, within bounds.
public struct Setting: Sendable {
    /// The name, as in `settings.<name>`.
    public let name: String
    /// The value for devices that have no other.
    public let standard: SettingValue
    /// The smallest value allowed; nil when there is none.
    public internal(set) var least: SettingValue?
    /// The greatest value allowed; nil when there is none.
    public internal(set) var greatest: SettingValue?
    /// The purpose of the setting, for people.
    public let text: String?

    /// The reason why a value can't be taken; nil when it can.
    public func refusal(of value: SettingValue) -> SettingRefusal? {
        guard value.type == standard.type else { return .otherType }
        if let least, value.isLess(than: least) { return .tooSmall(least) }
        if let greatest, greatest.isLess(than: value) { return .tooLarge(greatest) }
        return nil
    }
}

/// The reason why a value can't be that of a setting.
public enum SettingRefusal: Hashable, Sendable {
    /// The value is a text where a number belongs, or the like.
    case otherType
    /// The value is below this one.
    case tooSmall(SettingValue)
    /// The value is above this one.
    case tooLarge(SettingValue)
}

/// The choices that people made for one device.
public struct DeviceChoices: Hashable, Sendable {
    /// The name of the device in its topics.
    public var device: String
    /// The values of its settings, by the names of the settings.
    public var settings: [Choice] = []
    /// The name that people gave it; nil when they gave none.
    public var name: String?

    /// A setting with the value that was chosen for it.
    public struct Choice: Hashable, Sendable {
        /// The name of the setting.
        public var setting: String
        /// The value.
        public var value: SettingValue

        /// Makes a choice.
        public init(_ setting: String, _ value: SettingValue) {
            self.setting = setting
            self.value = value
        }
    }

    /// Makes the choices of a device for which nothing was chosen yet.
    public init(device: String) { self.device = device }
}

extension SettingValue {
    var type: ExpressionType {
        switch self {
        case .number: .double
        case .text: .string
        case .truth: .bool
        case .length: .duration
        }
    }

    /// The value in expressions.
    public var value: Value {
        switch self {
        case .number(let number): .double(number)
        case .text(let text): .string(text)
        case .truth(let truth): .bool(truth)
        case .length(let length): .duration(CalendarDuration(length))
        }
    }

    /// True for the smaller of two numbers or lengths.
    public func isLess(than other: SettingValue) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)): left < right
        case (.length(let left), .length(let right)): left < right
        default: false
        }
    }
}

/// A length of time in a definition that a setting gives.
struct LengthUse: Sendable {
    /// The part of the definition that has the length.
    enum Part: Hashable, Sendable {
        case hold(Int)
        case dropout(Int)
        case quiet(Int)
        case tolerance(Int)
        case stale
        case dismissal
    }

    var part: Part
    /// The number of the setting.
    var setting: Int
}

/// A value that people choose for a device.
public enum SettingValue: Hashable, Sendable {
    /// A number.
    case number(Double)
    /// A text.
    case text(String)
    /// A truth value.
    case truth(Bool)
    /// A length of time.
    case length(Interval)
}
