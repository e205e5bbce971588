import SkerryValues

/// A trial that reads bytes as CBOR, as Sparkplug B, as fields and as base64, and looks at the values.
enum BytesTrial {
    private static let depth = 16

    /// The first line has the types of fields, the rest is the payload.
    static func brokenPromise(_ bytes: [UInt8]) -> String? {
        let (first, rest) = bytes.splitAtFirstLine()
        let payload = Array(rest)
        return brokenPromise(ofCBOR: payload) ?? brokenPromise(ofSparkplug: payload)
            ?? brokenPromise(ofFields: first, in: payload) ?? brokenPromise(ofBase64: payload)
    }

    private static func brokenPromise(ofCBOR bytes: [UInt8]) -> String? {
        guard let value = CBORReader.value(of: bytes[...], depth: depth) else { return nil }
        if nesting(of: value) > depth { return "a value of CBOR is nested too deep" }
        if count(of: value) > bytes.count { return "a value of CBOR has more parts than bytes" }
        if CBORReader.value(of: (bytes + [0])[...], depth: depth) != nil { return "CBOR with a rest is read" }
        if CBORReader.value(of: bytes.dropLast(), depth: depth) != nil {
            return "CBOR without its end is read"
        }
        return nil
    }

    private static func brokenPromise(ofSparkplug bytes: [UInt8]) -> String? {
        do throws(SparkplugRefusal) {
            let value = try SparkplugReader.value(of: bytes[...])
            if nesting(of: value) > 2 { return "a metric has values in values in values" }
            // A byte of an array of truth values has eight of them.
            if count(of: value) > 8 * bytes.count + 1 {
                return "a payload of Sparkplug B has more values than bits"
            }
        } catch {
            if error.offset > bytes.count || error.offset < 0 { return "the place of an error is outside" }
        }
        return nil
    }

    private static func brokenPromise(ofFields types: ArraySlice<UInt8>, in bytes: [UInt8]) -> String? {
        var fields: [PayloadField] = []
        for type in types.split(separator: UInt8(ascii: " ")).prefix(64) {
            let text = String(decoding: type, as: UTF8.self)
            guard let kind = PayloadField.Kind(text) else { continue }
            if PayloadField.Kind(kind.text) != kind { return "the type \(kind.text) reads as another one" }
            fields.append(PayloadField(name: "f\(fields.count)", kind: kind))
        }
        let values = PayloadField.values(of: fields, in: bytes[...])
        if values.entries.count > fields.count { return "there are more values than fields" }
        if bytes.isEmpty, !values.entries.isEmpty { return "no bytes have values" }
        return nil
    }

    private static func brokenPromise(ofBase64 bytes: [UInt8]) -> String? {
        let text = Base64.text(of: bytes)
        return Base64.bytes(of: text) == bytes ? nil : "bytes come back from base64 as others"
    }

    private static func nesting(of value: Value) -> Int {
        switch value {
        case .list(let values): 1 + (values.map { nesting(of: $0) }.max() ?? 0)
        case .map(let map): 1 + (map.entries.map { nesting(of: $0.value) }.max() ?? 0)
        default: 0
        }
    }

    private static func count(of value: Value) -> Int {
        switch value {
        case .list(let values): values.reduce(1) { $0 + count(of: $1) }
        case .map(let map): map.entries.reduce(1) { $0 + count(of: $1.value) }
        default: 1
        }
    }
}
