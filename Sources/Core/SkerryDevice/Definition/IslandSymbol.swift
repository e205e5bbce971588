/// The symbols that an island can show: names that definitions use, and what Apple's SF Symbols call them.
///
/// This is the one list of them: the linter, what is generated for apps and other readers ask it.
public enum IslandSymbol {
    /// The SF Symbol that is drawn for an unknown name.
    public static let fallback = "gearshape"

    /// The names that definitions should use, sorted.
    public static let names = symbols.keys.sorted()

    /// The SF Symbol of a name: that of the list, an SF Symbol as it is, else ``fallback``.
    public static func systemName(of name: String) -> String {
        let plain = name.lowercased()
        if let known = symbols[plain] { return known }
        return plain.utf8.contains(UInt8(ascii: ".")) || drawn.contains(plain) ? name : fallback
    }

    /// True if a name is in the list, or is an SF Symbol that all readers draw.
    ///
    /// A name with points in it is drawn as a variant: `lock.fill` as `lock`.
    public static func isKnown(_ name: String) -> Bool {
        let plain = name.lowercased()
        if symbols[plain] != nil { return true }
        var stem = plain[...]
        while true {
            if drawn.contains(String(stem)) { return true }
            guard let point = stem.lastIndex(of: ".") else { return false }
            stem = stem[..<point]
        }
    }

    /// The SF Symbols that every reader draws, sorted.
    public static let systemNames = drawn.sorted()

    /// The name of a symbol among the words of a text, such as `washer` in `washer-plug`; `device` when there is none.
    public static func named(in text: String) -> String {
        let words = text.lowercased().split { !$0.isLetter }.map(String.init)
        return words.first { symbols[$0] != nil } ?? "device"
    }

    /// Names of devices and things, and the symbols of iOS 17 for them.
    private static let symbols: [String: String] = [
        "airplane": "airplane", "alarm": "alarm", "antenna": "antenna.radiowaves.left.and.right",
        "appliance": "gearshape", "bag": "bag", "battery": "battery.100", "bed": "bed.double", "bell": "bell",
        "bicycle": "bicycle", "bike": "bicycle", "bolt": "bolt", "book": "book", "box": "shippingbox",
        "bulb": "lightbulb", "bus": "bus", "cake": "birthday.cake", "calendar": "calendar",
        "camera": "camera",
        "car": "car", "cart": "cart", "charger": "ev.charger", "charging": "bolt.car",
        "checkmark": "checkmark",
        "cleaner": "fan.floor", "clock": "clock", "cloud": "cloud", "coffee": "cup.and.saucer",
        "compressor": "gearshape.2", "cooktop": "cooktop", "cross": "cross", "cube": "cube",
        "cup": "cup.and.saucer", "device": "gearshape", "dishwasher": "dishwasher",
        "door": "door.left.hand.closed", "doorbell": "bell", "drop": "drop", "dryer": "dryer",
        "energy": "bolt", "espresso": "cup.and.saucer", "fan": "fan", "ferry": "ferry",
        "filter": "air.purifier",
        "fire": "flame", "flag": "flag", "flame": "flame", "flask": "flask", "food": "fork.knife",
        "freezer": "refrigerator", "fridge": "refrigerator", "fuel": "fuelpump", "fuelpump": "fuelpump",
        "game": "gamecontroller", "gamecontroller": "gamecontroller", "garage": "door.garage.closed",
        "garden": "leaf", "gauge": "gauge.with.dots.needle.50percent", "gear": "gearshape",
        "gearshape": "gearshape", "gift": "gift", "grill": "flame", "headphones": "headphones",
        "heart": "heart", "heater": "heater.vertical", "heating": "heater.vertical", "home": "house",
        "hourglass": "hourglass", "house": "house", "humidifier": "humidifier", "key": "key",
        "kettle": "cup.and.saucer", "lamp": "lamp.desk", "laundry": "washer", "leaf": "leaf",
        "light": "lightbulb", "lightbulb": "lightbulb", "lock": "lock", "location": "location",
        "mail": "envelope",
        "map": "map", "medal": "medal", "microwave": "microwave", "moon": "moon", "mower": "leaf",
        "music": "music.note", "network": "network", "order": "bag", "oven": "oven", "package": "shippingbox",
        "pan": "frying.pan", "parcel": "shippingbox", "person": "person", "phone": "phone",
        "pizza": "fork.knife",
        "plane": "airplane", "play": "play", "plug": "powerplug", "pool": "figure.pool.swim",
        "power": "power",
        "powerplug": "powerplug", "printer": "printer", "pump": "spigot", "radiator": "heater.vertical",
        "rain": "cloud.rain", "refrigerator": "refrigerator", "robot": "fan.floor", "rocket": "paperplane",
        "router": "wifi.router", "sauna": "thermometer.sun", "scooter": "scooter", "sensor": "sensor",
        "server": "server.rack", "ship": "ferry", "shippingbox": "shippingbox", "shower": "shower",
        "snow": "snowflake", "snowflake": "snowflake", "sofa": "sofa", "solar": "sun.max",
        "speaker": "hifispeaker", "spigot": "spigot", "sprinkler": "sprinkler.and.droplets", "star": "star",
        "stopwatch": "stopwatch", "stove": "stove", "sun": "sun.max", "taxi": "car", "tea": "cup.and.saucer",
        "television": "tv", "temperature": "thermometer.medium", "thermometer": "thermometer.medium",
        "thermostat": "thermometer.medium", "timer": "timer", "toilet": "toilet", "train": "tram",
        "tram": "tram", "trash": "trash", "trophy": "trophy", "truck": "truck.box", "tv": "tv",
        "umbrella": "umbrella", "vacuum": "fan.floor", "valve": "spigot", "video": "video",
        "walk": "figure.walk",
        "washer": "washer", "washing": "washer", "water": "drop", "wifi": "wifi", "wind": "wind",
        "window": "window.vertical.closed", "wrench": "wrench.adjustable",
    ]

    /// The SF Symbols that the page draws: those of the list above, and these.
    private static let drawn = Set(symbols.values).union([
        "applewatch", "arrow.clockwise", "arrow.counterclockwise", "bathtub", "battery.0", "battery.100.bolt",
        "battery.25", "battery.50", "bed", "bell.slash", "bubble.left", "carrot", "checkmark.circle",
        "chevron.right", "creditcard", "door.left.hand.open", "drop.triangle", "exclamationmark.triangle",
        "eye",
        "figure.soccer", "fish", "flashlight.off.fill", "humidity", "info", "iphone", "lock.open",
        "magnifyingglass", "minus", "mug", "pause", "pawprint", "pencil", "photo", "pill", "plus",
        "questionmark", "rocket", "sailboat", "sparkles", "stop", "tag", "thermometer.snowflake",
        "train.side.front.car", "tree", "wifi.slash", "wineglass", "xmark", "xmark.circle",
    ])
}
