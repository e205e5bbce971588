import SkerryValues

/// A field of the content as readers know it.
enum PublishedField: Sendable {
    /// The field is left out.
    case absent
    /// A value in its JSON form.
    case value(Value)
    /// A time in whole seconds.
    case time(AnchoredTime)

    /// The field at its exact value.
    init(_ content: ContentValue) {
        switch content {
        case .value(let value): self = value.jsonForm.map(PublishedField.value) ?? .absent
        case .time(let time): self = .time(time.rounded)
        case .kept: self = .absent
        }
    }

    /// The member's value in JSON, or nil when the field is left out.
    var json: Value? {
        switch self {
        case .absent: nil
        case .value(let value): value
        case .time(let time): time.json
        }
    }

    /// Returns whether this is another value in place of one, or the same kind of time with other ends.
    func isMove(of old: PublishedField) -> Bool {
        switch (old, self) {
        case (.value, .value): true
        case (.time(let old), .time(let new)): new.isMove(of: old)
        case (.absent, _), (.value, _), (.time, _): false
        }
    }

    /// Returns whether a number is another one than readers know.
    func differs(from content: ContentValue) -> Bool {
        guard case (.value(let published), .value(let value)) = (self, content) else { return false }
        return value.number != published.number
    }

    /// Returns the field to publish when the device renders `content`; nil if the published one stays.
    func next(_ content: ContentValue, tolerance: ActivityPlan.Tolerance) -> PublishedField? {
        switch (self, content) {
        case (_, .kept): return nil
        case (.time(let published), .time(let time)):
            let margin: Interval = if case .time(let margin) = tolerance { margin } else { .zero }
            let settled = time.settled(on: published, tolerance: margin)
            return settled == published ? nil : .time(settled)
        case (.value(let published), .value(let value)):
            guard let exact = value.jsonForm else { return .absent }
            return exact.stays(at: published, tolerance) ? nil : .value(exact)
        case (.absent, .value(let value)):
            return value.jsonForm.map(PublishedField.value)
        case (.value, .time), (.absent, .time), (.time, .value):
            return PublishedField(content)
        }
    }
}

extension Value {
    /// The value in JSON form; nil if it is left out.
    ///
    /// Whole numbers are integers, moments and lengths are seconds, bytes are base64 text. Maps lose members without
    /// a value, because a merge patch can't contain null; in a list null keeps its place.
    var jsonForm: Value? {
        switch self {
        case .null, .error: return nil
        case .bool, .int, .string: return self
        case .uint(let number): return Int64(exactly: number).map(Value.int) ?? self
        case .double(let number):
            guard number.isFinite else { return nil }
            // 2^53: beyond it not every whole number is a double, and readers in JavaScript would get another one.
            return number.magnitude < 9_007_199_254_740_992
                ? Int64(exactly: number).map(Value.int) ?? self : self
        case .type(let name): return .string(name)
        case .bytes(let data): return .string(Base64.text(of: data))
        case .timestamp(let moment): return Value.seconds(moment.seconds, moment.nanoseconds)
        case .duration(let length): return Value.seconds(length.seconds, length.nanoseconds)
        case .optional(let content): return content.first?.jsonForm
        case .list(let elements): return .list(elements.map { $0.jsonForm ?? .null })
        case .map(let map): return .map(map.jsonForm)
        }
    }

    private static func seconds(_ seconds: Int64, _ nanoseconds: Int32) -> Value {
        nanoseconds == 0 ? .int(seconds) : .double(Double(seconds) + Double(nanoseconds) / 1e9)
    }

    /// Returns whether `published` is still within the tolerance.
    fileprivate func stays(at published: Value, _ tolerance: ActivityPlan.Tolerance) -> Bool {
        if case .number(let margin) = tolerance, let number, let old = published.number {
            return (number - old).magnitude <= margin || number == old
        }
        return isSameJSON(as: published)
    }

    /// The number of a value in its JSON form.
    fileprivate var number: Double? {
        switch self {
        case .int(let number): Double(number)
        case .uint(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }
}

extension ValueMap {
    /// The object as JSON knows it: keys are text, members without a value are left out.
    var jsonForm: ValueMap {
        var result: [Entry] = []
        var hasOtherKeys = false
        for entry in entries {
            guard let value = entry.value.jsonForm else { continue }
            if case .string = entry.key {
                result.append(Entry(key: entry.key, value: value))
            } else {
                hasOtherKeys = true
                result.append(Entry(key: .string(entry.key.keyText), value: value))
            }
        }
        guard hasOtherKeys else { return ValueMap(uniqueEntries: result) }
        var unique = ValueMap()
        for entry in result { unique.set(entry.key.keyText, to: entry.value) }
        return unique
    }
}
