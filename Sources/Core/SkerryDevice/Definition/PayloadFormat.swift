/// The format of a payload.
public enum PayloadFormat: UInt8, Sendable, CaseIterable {
    /// RFC 8259 JSON.
    case json
    /// UTF-8 text.
    case text
    /// A number in the grammar of JSON, white space around it allowed.
    case number
    /// `true`/`false`, `on`/`off`, `online`/`offline`, `yes`/`no`, `1`/`0`, in any case of letters.
    case bool
    /// Pairs `name=value`, as a map of texts.
    case pairs
    /// One line of texts with commas or semicolons between them, as a list.
    case csv
    /// Two hexadecimal digits for each byte, as a list of numbers.
    case hex
    /// RFC 4648 base64, as a list of numbers or as fields.
    case base64
    /// The bytes themselves, as a list of numbers or as fields.
    case bytes
    /// RFC 8949 CBOR.
    case cbor
    /// Protobuf of Sparkplug B, as a map of metrics by name.
    case sparkplug

    /// True if the payload is a row of bytes, which can have fields.
    public var isBytes: Bool {
        switch self {
        case .hex, .base64, .bytes: true
        case .json, .text, .number, .bool, .pairs, .csv, .cbor, .sparkplug: false
        }
    }

    /// The word of the definition language.
    public var name: String {
        switch self {
        case .json: "json"
        case .text: "text"
        case .number: "number"
        case .bool: "bool"
        case .pairs: "pairs"
        case .csv: "csv"
        case .hex: "hex"
        case .base64: "base64"
        case .bytes: "bytes"
        case .cbor: "cbor"
        case .sparkplug: "sparkplug"
        }
    }
}
