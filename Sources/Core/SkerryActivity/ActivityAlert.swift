public import SkerryValues

/// A message that asks for a person's attention.
public struct ActivityAlert: Equatable, Sendable {
    /// The sound that comes with it.
    public enum Sound: Equatable, Sendable {
        /// The usual sound of the system.
        case standard
        /// Silence: the screen lights up.
        case silent
        /// A file in the app.
        case named(String)

        /// The most characters of the name of a file.
        public static let nameLimit = 64

        /// The sound as it is written in definitions: `default`, `none`, or the name of a file.
        public var name: String {
            switch self {
            case .standard: "default"
            case .silent: "none"
            case .named(let name): name
            }
        }

        /// The sound of a name as it is written in definitions; nil for a text that is none.
        ///
        /// A file has a name of letters, digits, `.`, `_` and `-` with a point in it, of at most 64 characters.
        public init?(_ name: String) {
            switch name {
            case "default": self = .standard
            case "none": self = .silent
            default:
                guard name.utf8.count <= Self.nameLimit, name.utf8.contains(UInt8(ascii: ".")),
                    name.utf8.allSatisfy({ byte in
                        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                            || [0x2D, 0x2E, 0x5F].contains(byte)
                    })
                else { return nil }
                self = .named(name)
            }
        }
    }

    /// The urgency of an alert, in Apple's words for notifications.
    public enum Level: UInt8, Sendable, CaseIterable {
        /// It is there to be read: no sound, no light.
        case passive
        /// The screen lights up, and there is a sound.
        case active
        /// It comes at once, also while the person wants only what is urgent.
        case timeSensitive
        /// It is heard in quiet hours, and where the app may do that, although the phone is set to silent.
        case critical

        /// The level as it is written in definitions and in pushes.
        public var name: String {
            switch self {
            case .passive: "passive"
            case .active: "active"
            case .timeSensitive: "time-sensitive"
            case .critical: "critical"
            }
        }
    }

    /// The headline.
    public var title: String
    /// The text below the headline.
    public var body: String
    /// The sound.
    public var sound: Sound
    /// The urgency.
    public var level: Level

    /// Makes an alert, by default one with the usual sound and urgency.
    public init(title: String, body: String, sound: Sound = .standard, level: Level = .active) {
        self.title = title
        self.body = body
        self.sound = sound
        self.level = level
    }

    /// The name of its sound, `default` for the usual one; nil for silence.
    public var heardSound: String? { level == .passive || sound == .silent ? nil : sound.name }
}

extension ActivityAlert {
    /// Writes it into an image.
    public func write(to writer: inout ImageWriter) {
        writer.text(title)
        writer.text(body)
        writer.text(sound.name)
        writer.tag(level.rawValue)
    }

    /// Reads it from an image.
    ///
    /// - Parameters:
    ///   - reader: Stands before it.
    ///   - hasSound: Whether the image has the sound and the urgency; older ones have the usual ones.
    /// - Throws: ``ImageFault`` for bytes that no alert has written.
    public init(from reader: inout ImageReader, hasSound: Bool) throws(ImageFault) {
        self.init(title: try reader.text(), body: try reader.text())
        guard hasSound else { return }
        guard let sound = Sound(try reader.text()), let level = Level(rawValue: try reader.tag()) else {
            throw .malformed
        }
        (self.sound, self.level) = (sound, level)
    }
}
