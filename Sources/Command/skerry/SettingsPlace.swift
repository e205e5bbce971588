import SkerryDevice
import SkerryExpressions
import SkerryFiles

/// The setting `place`: whose clocks and whose sun definitions go by.
enum SettingsPlace {
    /// Reads the place; without a zone it has that of this machine.
    static func location(_ reader: SettingsReader) throws(SettingFault) -> Location {
        let (zone, name) = try zone(reader)
        var location = Location(zone: zone, named: name)
        let latitude = try reader[SettingKeys.Place.latitude]
        let longitude = try reader[SettingKeys.Place.longitude]
        switch (latitude, longitude) {
        case (let latitude?, let longitude?):
            location.coordinates = Location.Coordinates(latitude: latitude, longitude: longitude)
        case (nil, nil): break
        case (_?, nil):
            throw reader.fault(
                SettingKeys.Place.latitude,
                "a place has a longitude, too: set place.longitude"
            )
        case (nil, _?):
            throw reader.fault(SettingKeys.Place.longitude, "a place has a latitude, too: set place.latitude")
        }
        return location
    }

    /// The advice about a variable `TZ` that names no time zone, where the settings name none; nil where all is well.
    static func advice(_ reader: SettingsReader) -> String? {
        let zones = SystemTimeZones.shared
        guard !reader.isSet(SettingKeys.Place.zone), let name = ProcessEnvironment.variables["TZ"],
            !name.isEmpty, zones.rules(ofVariable: name) == nil
        else { return nil }
        return "TZ is '\(name)', which is no time zone in \(SystemTimeZones.systemFolder): "
            + "write a name such as Europe/Berlin, or set place.zone"
    }

    private static func zone(_ reader: SettingsReader) throws(SettingFault) -> (TimeZoneRules, name: String) {
        guard let name = try reader[SettingKeys.Place.zone] else {
            return SystemTimeZones.shared.local(ProcessEnvironment.variables["TZ"])
        }
        if let rules = SystemTimeZones.shared.rules(name) { return (rules, name) }
        throw reader.fault(
            SettingKeys.Place.zone,
            "there is no time zone '\(name)' in \(SystemTimeZones.systemFolder): write a name such as Europe/Berlin"
        )
    }

    /// Checks that the sun of some definitions is known.
    ///
    /// - Throws: what to set, for a definition that waits for sunrise or sunset where there is no latitude.
    static func check(
        _ definitions: [Definition],
        at location: Location,
        _ file: String?
    ) throws(SettingFault) {
        guard location.coordinates == nil, let first = definitions.first(where: { $0.needsCoordinates })
        else {
            return
        }
        throw SettingFault(
            message: """
                \(file ?? Settings.usualFile): the definition '\(first.kind)' waits for sunrise or sunset, and no place is \
                set: write `place: { latitude: 52.5, longitude: 13.4 }` with the numbers of yours
                """
        )
    }
}
