import SkerryValues

/// A trial that reads a payload as a whole and by paths, and compares the results.
enum PayloadTrial {
    /// The most paths that are read.
    private static let pathLimit = 20

    static func brokenPromise(_ bytes: [UInt8]) -> String? {
        let (first, rest) = bytes.splitAtFirstLine()
        var table = PathTable()
        for path in first.split(separator: UInt8(ascii: ";")).prefix(pathLimit) {
            let isShape = path.last == UInt8(ascii: "?")
            let names = (isShape ? path.dropLast() : path).split(separator: UInt8(ascii: "."))
            let steps = names.map { step($0) }
            _ = table.intern(isShape ? steps + [.shape] : steps)
        }
        let payload = Array(rest)
        var slots: [Value] = []
        let refusalOfPlan = refusal { () throws(JSONRefusal) in
            try PayloadPlan(table).read(payload.span, into: &slots)
        }
        var whole = Value.error(.noSuchKey)
        let refusalOfReader = refusal { () throws(JSONRefusal) in
            whole = try JSONReader.value(of: payload.span)
        }
        if refusalOfPlan != refusalOfReader { return "the reader and the plan refuse differently" }
        if slots.count != table.paths.count { return "a plan fills other slots than it has paths" }
        for (slot, path) in table.paths.enumerated()
        where written(slots[slot]) != written(whole.value(at: path)) {
            return "path \(slot) differs from the whole"
        }
        return refusalOfReader == nil ? brokenPromise(ofWriting: whole) : nil
    }

    /// A step of digits is an index, everything else a key.
    private static func step(_ bytes: ArraySlice<UInt8>) -> PathStep {
        let text = String(decoding: bytes, as: UTF8.self)
        return Int(text).flatMap { $0 >= 0 ? .index($0) : nil } ?? .key(text)
    }

    private static func refusal(_ read: () throws(JSONRefusal) -> Void) -> JSONRefusal? {
        do {
            try read()
            return nil
        } catch {
            return error
        }
    }

    private static func brokenPromise(ofWriting value: Value) -> String? {
        let bytes = written(value)
        var limits = JSONLimits()
        limits.bytes = max(limits.bytes, bytes.count)
        guard let again = try? JSONReader.value(of: bytes.span, limits: limits) else {
            return "what was written from a value can't be read"
        }
        return written(again) == bytes ? nil : "what was written from a value reads as another one"
    }

    /// A value as JSON; all errors are alike.
    private static func written(_ value: Value) -> [UInt8] {
        if case .error = value { return Array("error".utf8) }
        var writer = JSONWriter()
        writer.value(value)
        return writer.bytes
    }
}
