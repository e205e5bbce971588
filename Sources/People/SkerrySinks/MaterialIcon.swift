/// The Material Design icons, by which Home Assistant draws pictures, for the symbols of islands.
package enum MaterialIcon {
    /// The icon of a symbol, by its name in SF Symbols; a variant such as `lock.fill` has that of its symbol, `lock`.
    package static func name(ofSymbol symbol: String) -> String {
        var stem = symbol[...]
        while true {
            if let icon = icons[String(stem)] { return "mdi:\(icon)" }
            guard let point = stem.lastIndex(of: ".") else { return "mdi:cog-outline" }
            stem = stem[..<point]
        }
    }

    /// The symbols that definitions can name, and the icons nearest to them.
    private static let icons: [String: String] = [
        "air.purifier": "air-purifier", "airplane": "airplane", "alarm": "alarm",
        "antenna.radiowaves.left.and.right": "antenna", "applewatch": "watch", "arrow.clockwise": "refresh",
        "arrow.counterclockwise": "restore", "bag": "shopping", "bathtub": "bathtub",
        "battery.0": "battery-outline", "battery.100": "battery", "battery.100.bolt": "battery-charging",
        "battery.25": "battery-20", "battery.50": "battery-50", "bed": "bed", "bed.double": "bed",
        "bell": "bell", "bell.slash": "bell-off", "bicycle": "bicycle", "birthday.cake": "cake-variant",
        "bolt": "lightning-bolt", "bolt.car": "car-electric", "book": "book", "bubble.left": "chat",
        "bus": "bus", "calendar": "calendar", "camera": "camera", "car": "car", "carrot": "carrot",
        "cart": "cart", "checkmark": "check", "checkmark.circle": "check-circle",
        "chevron.right": "chevron-right", "clock": "clock-outline", "cloud": "cloud",
        "cloud.rain": "weather-rainy", "cooktop": "stove", "creditcard": "credit-card",
        "cross": "medical-bag", "cube": "cube-outline", "cup.and.saucer": "coffee",
        "dishwasher": "dishwasher", "door.garage.closed": "garage", "door.left.hand.closed": "door-closed",
        "door.left.hand.open": "door-open", "drop": "water", "drop.triangle": "water-alert",
        "dryer": "tumble-dryer", "envelope": "email", "ev.charger": "ev-station",
        "exclamationmark.triangle": "alert", "eye": "eye", "fan": "fan", "fan.floor": "robot-vacuum",
        "ferry": "ferry", "figure.pool.swim": "pool", "figure.soccer": "soccer", "figure.walk": "walk",
        "fish": "fish", "flag": "flag", "flame": "fire", "flashlight.off": "flashlight-off", "flask": "flask",
        "fork.knife": "silverware-fork-knife", "frying.pan": "pot-steam", "fuelpump": "gas-station",
        "gamecontroller": "gamepad-variant", "gauge.with.dots.needle.50percent": "gauge",
        "gearshape": "cog-outline", "gearshape.2": "cogs", "gift": "gift", "headphones": "headphones",
        "heart": "heart", "heater.vertical": "radiator", "hifispeaker": "speaker", "hourglass": "timer-sand",
        "house": "home", "humidifier": "air-humidifier", "humidity": "water-percent", "info": "information",
        "iphone": "cellphone", "key": "key", "lamp.desk": "desk-lamp", "leaf": "leaf",
        "lightbulb": "lightbulb", "location": "map-marker", "lock": "lock", "lock.open": "lock-open",
        "magnifyingglass": "magnify", "map": "map", "medal": "medal", "microwave": "microwave",
        "minus": "minus", "moon": "moon-waning-crescent", "mug": "cup", "music.note": "music-note",
        "network": "lan", "oven": "stove", "paperplane": "rocket-launch", "pause": "pause", "pawprint": "paw",
        "pencil": "pencil", "person": "account", "phone": "phone", "photo": "image", "pill": "pill",
        "play": "play", "plus": "plus", "power": "power", "powerplug": "power-plug", "printer": "printer-3d",
        "questionmark": "help", "refrigerator": "fridge", "rocket": "rocket-launch", "sailboat": "sail-boat",
        "scooter": "scooter", "sensor": "motion-sensor", "server.rack": "server",
        "shippingbox": "package-variant-closed", "shower": "shower", "snowflake": "snowflake", "sofa": "sofa",
        "sparkles": "creation", "spigot": "faucet", "sprinkler.and.droplets": "sprinkler-variant",
        "star": "star", "stop": "stop", "stopwatch": "timer-outline", "stove": "stove",
        "sun.max": "white-balance-sunny", "tag": "tag", "thermometer.medium": "thermometer",
        "thermometer.snowflake": "snowflake-thermometer", "thermometer.sun": "sun-thermometer",
        "timer": "timer", "toilet": "toilet", "train.side.front.car": "train", "tram": "train",
        "trash": "trash-can", "tree": "tree", "trophy": "trophy", "truck.box": "truck-delivery",
        "tv": "television", "umbrella": "umbrella", "video": "video", "washer": "washing-machine",
        "wifi": "wifi", "wifi.router": "router-wireless", "wifi.slash": "wifi-off", "wind": "weather-windy",
        "window.vertical.closed": "window-closed", "wineglass": "glass-wine", "wrench.adjustable": "wrench",
        "xmark": "close", "xmark.circle": "close-circle",
    ]
}
