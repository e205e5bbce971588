/// The pictures of Apple's SF Symbols for the names that definitions use.
enum SymbolName {
    /// What is drawn for a name that nobody knows.
    static let fallback = "gearshape"

    /// The symbol for a name: that of the table, a name with a point as it is, else ``fallback``.
    static func symbol(_ name: String) -> String {
        let plain = name.lowercased()
        return table[plain] ?? (plain.contains(".") ? name : fallback)
    }

    /// Names of devices and things, and the symbols of iOS 17 for them.
    static let table: [String: String] = [
        "alarm": "alarm", "battery": "battery.100", "bell": "bell", "bike": "bicycle", "bolt": "bolt",
        "bulb": "lightbulb", "cake": "birthday.cake", "camera": "camera", "car": "car",
        "charger": "ev.charger",
        "cleaner": "fan.floor", "clock": "clock", "coffee": "cup.and.saucer", "cooktop": "cooktop",
        "cup": "cup.and.saucer", "dishwasher": "dishwasher", "door": "door.left.hand.closed", "drop": "drop",
        "dryer": "dryer", "fan": "fan", "fire": "flame", "flame": "flame", "freezer": "refrigerator",
        "fridge": "refrigerator", "garage": "door.garage.closed", "gear": "gearshape",
        "heater": "heater.vertical",
        "home": "house", "hourglass": "hourglass", "house": "house", "humidifier": "humidifier",
        "key": "key", "lamp": "lamp.desk", "leaf": "leaf", "lightbulb": "lightbulb", "lock": "lock",
        "microwave": "microwave", "moon": "moon", "music": "music.note", "oven": "oven",
        "package": "shippingbox",
        "pan": "frying.pan", "plug": "powerplug", "pool": "figure.pool.swim", "printer": "printer",
        "pump": "spigot", "refrigerator": "refrigerator", "robot": "fan.floor", "shower": "shower",
        "snow": "snowflake", "solar": "sun.max", "speaker": "hifispeaker", "spigot": "spigot",
        "sprinkler": "sprinkler.and.droplets", "stove": "stove", "sun": "sun.max", "tea": "cup.and.saucer",
        "television": "tv", "temperature": "thermometer.medium", "thermometer": "thermometer.medium",
        "timer": "timer", "trash": "trash", "tv": "tv", "vacuum": "fan.floor", "valve": "spigot",
        "washer": "washer", "water": "drop", "wind": "wind", "window": "window.vertical.closed",
    ]
}
