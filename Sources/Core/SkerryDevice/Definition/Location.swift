public import SkerryExpressions

/// The place whose clocks and whose sun a definition goes by.
public struct Location: Hashable, Sendable {
    /// A point on the earth.
    public struct Coordinates: Hashable, Sendable {
        /// Degrees north of the equator.
        public var latitude: Double
        /// Degrees east of Greenwich.
        public var longitude: Double

        /// Makes a point.
        public init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// The time zone of its clocks.
    public var zone: TimeZoneRules
    /// The name of that zone, which expressions read as `place.zone`.
    public var name: String
    /// The point where sunrise and sunset are seen; nil when it is not known, and then they never come.
    public var coordinates: Coordinates?

    /// Makes a location.
    public init(zone: TimeZoneRules, named name: String = "UTC", coordinates: Coordinates? = nil) {
        self.zone = zone
        self.name = name
        self.coordinates = coordinates
    }

    /// A location with clocks that show UTC, and without a sun.
    public static let utc = Location(zone: TimeZoneRules(firstOffset: 0))
}

extension Definition {
    /// True if it waits for sunrise or sunset, so that its location needs coordinates.
    public var needsCoordinates: Bool { parts.timesOfDay.contains { $0.isOfSun } }

    /// True if it goes by clocks or by the sun.
    private var hasPlace: Bool {
        !parts.timesOfDay.isEmpty
            || parts.expressions.contains { $0.program.references.contains(ReferenceKind.zone.reference()) }
    }

    /// The definition at a location; it is the same one if it goes by no clock.
    ///
    /// - Parameters:
    ///   - location: The location.
    ///   - former: The definition until now, which is used again if nothing differs.
    /// - Returns: The definition, without the choices that people made for its devices.
    public func located(at location: Location, since former: Definition? = nil) -> Definition {
        let plain = base ?? self
        if !plain.hasPlace || plain.parts.location == location { return plain }
        if let known = former?.base ?? former, known.unlocated === plain, known.parts.location == location {
            return known
        }
        var parts = plain.parts
        parts.location = location
        return Definition(parts, chart: plain.chart, unlocated: plain.unlocated ?? plain)
    }

    /// Returns whether another definition is of the same text, whatever the place, the settings and the names of devices.
    public func hasSameText(as other: Definition) -> Bool { written === other.written }

    /// The definition as it was written, without a place and without choices of people.
    private var written: Definition {
        let plain = base ?? self
        return plain.unlocated ?? plain
    }

    /// The location whose clocks and sun it goes by.
    public var location: Location { parts.location }
}
