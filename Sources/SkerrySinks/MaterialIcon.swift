/// The Material Design icons, by which Home Assistant draws pictures, for the symbols of islands.
enum MaterialIcon {
    /// The icon of a symbol, by its name in SF Symbols.
    static func name(ofSymbol symbol: String) -> String { "mdi:\(icons[symbol] ?? "cog-outline")" }

    /// The symbols that definitions can name, and the icons nearest to them.
    private static let icons: [String: String] = [
        "air.purifier": "air-purifier", "airplane": "airplane", "alarm": "alarm",
        "antenna.radiowaves.left.and.right": "antenna", "bag": "shopping", "battery.100": "battery",
        "bed.double": "bed", "bell": "bell", "bicycle": "bicycle", "birthday.cake": "cake-variant",
        "bolt": "lightning-bolt", "bolt.car": "car-electric", "book": "book", "bus": "bus",
        "calendar": "calendar", "camera": "camera", "car": "car", "cart": "cart", "checkmark": "check",
        "clock": "clock-outline", "cloud": "cloud", "cloud.rain": "weather-rainy", "cooktop": "stove",
        "cross": "medical-bag", "cube": "cube-outline", "cup.and.saucer": "coffee",
        "dishwasher": "dishwasher", "door.garage.closed": "garage", "door.left.hand.closed": "door-closed",
        "drop": "water", "dryer": "tumble-dryer", "envelope": "email", "ev.charger": "ev-station",
        "fan": "fan", "fan.floor": "robot-vacuum", "ferry": "ferry", "figure.pool.swim": "pool",
        "figure.walk": "walk", "flag": "flag", "flame": "fire", "flask": "flask",
        "fork.knife": "silverware-fork-knife", "frying.pan": "pot-steam", "fuelpump": "gas-station",
        "gamecontroller": "gamepad-variant", "gauge.with.dots.needle.50percent": "gauge",
        "gearshape": "cog-outline", "gearshape.2": "cogs", "gift": "gift", "headphones": "headphones",
        "heart": "heart", "heater.vertical": "radiator", "hifispeaker": "speaker",
        "hourglass": "timer-sand", "house": "home", "humidifier": "air-humidifier", "key": "key",
        "lamp.desk": "desk-lamp", "leaf": "leaf", "lightbulb": "lightbulb", "location": "map-marker",
        "lock": "lock", "map": "map", "medal": "medal", "microwave": "microwave",
        "moon": "moon-waning-crescent", "music.note": "music-note", "network": "lan", "oven": "stove",
        "paperplane": "rocket-launch", "person": "account", "phone": "phone", "play": "play",
        "power": "power", "powerplug": "power-plug", "printer": "printer-3d", "refrigerator": "fridge",
        "scooter": "scooter", "sensor": "motion-sensor", "server.rack": "server",
        "shippingbox": "package-variant-closed", "shower": "shower", "snowflake": "snowflake",
        "sofa": "sofa", "spigot": "faucet", "sprinkler.and.droplets": "sprinkler-variant", "star": "star",
        "stopwatch": "timer-outline", "stove": "stove", "sun.max": "white-balance-sunny",
        "thermometer.medium": "thermometer", "thermometer.sun": "sun-thermometer", "timer": "timer",
        "toilet": "toilet", "tram": "train", "trash": "trash-can", "trophy": "trophy",
        "truck.box": "truck-delivery", "tv": "television", "umbrella": "umbrella", "video": "video",
        "washer": "washing-machine", "wifi": "wifi", "wifi.router": "router-wireless",
        "wind": "weather-windy", "window.vertical.closed": "window-closed", "wrench.adjustable": "wrench",
    ]
}
