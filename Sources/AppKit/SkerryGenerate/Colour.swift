/// A colour as numbers in Swift.
struct Colour {
    /// The colour as `#rrggbb`.
    let hex: String
    /// The share of red, such as `0.502`.
    let red: String
    /// The share of green.
    let green: String
    /// The share of blue.
    let blue: String

    /// Reads `#rrggbb`.
    init?(_ hex: String) {
        guard let number = Int(hex.dropFirst(), radix: 16) else { return nil }
        self.hex = hex
        red = Self.share(number >> 16 & 255)
        green = Self.share(number >> 8 & 255)
        blue = Self.share(number & 255)
    }

    /// The colour as Swift.
    var swift: String { "Color(red: \(red), green: \(green), blue: \(blue))" }

    private static func share(_ part: Int) -> String {
        let thousandths = (part * 1000 + 127) / 255
        let digits = String(thousandths % 1000 + 1000).dropFirst()
        return "\(thousandths / 1000).\(digits)"
    }
}
