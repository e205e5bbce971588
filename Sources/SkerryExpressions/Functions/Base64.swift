import SkerryValues

private let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

/// Base 64 with padding (RFC 4648 section 4).
func base64Encoded(_ argument: Value) -> Value {
    guard case .bytes(let bytes) = argument else { return .error(.noSuchOverload) }
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        var bits: UInt32 = 0
        for byte in group { bits = bits << 8 | UInt32(byte) }
        bits <<= 8 * UInt32(3 - group.count)
        for position in 0..<4 {
            let digit = Int(bits >> (18 - 6 * UInt32(position)) & 63)
            text.append(position <= group.count ? alphabet[digit] : UInt8(ascii: "="))
        }
    }
    return .string(String(decoding: text, as: UTF8.self))
}

/// The bytes of a base 64 text, with or without its padding.
func base64Decoded(_ argument: Value) -> Value {
    guard case .string(let text) = argument else { return .error(.noSuchOverload) }
    var digits = Array(text.utf8)
    if digits.count.isMultiple(of: 4) {
        for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    }
    guard digits.count % 4 != 1 else { return .error(.invalidArgument) }
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for digit in digits {
        guard let value = base64Value(digit) else { return .error(.invalidArgument) }
        bits = bits << 6 | value
        count += 6
        if count >= 8 {
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
    }
    return .bytes(bytes)
}

private func base64Value(_ digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
}
