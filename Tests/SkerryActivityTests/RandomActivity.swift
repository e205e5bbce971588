import SkerryTesting
import SkerryActivity
import SkerryValues

/// Random values, contents and times; few different ones, so that some come again.
struct RandomActivity {
    var random: SimulatedRandom
    static let start = Timestamp(seconds: 1_700_000_000)

    init(seed: UInt64) {
        random = SimulatedRandom(seed: seed)
    }

    mutating func value(depth: Int = 0) -> Value {
        switch random.below(depth < 3 ? 9 : 6) {
        case 0: .null
        case 1: .bool(random.chance(1, of: 2))
        case 2: .int(Int64(random.below(4)))
        case 3: .double(Double(random.below(8)) / 2)
        case 4, 5: .string(["", "Running", "Done", "é", "e\u{301}"][random.below(5)])
        case 6: .list((0..<random.below(3)).map { _ in value(depth: depth + 1) })
        default: .map(object(depth: depth + 1))
        }
    }

    mutating func object(depth: Int) -> ValueMap {
        var map = ValueMap()
        for _ in 0..<random.below(4) {
            map.set(["a", "b", "c", "start"][random.below(4)], to: value(depth: depth))
        }
        return map
    }

    mutating func plan() -> ActivityPlan {
        let fields = (0..<1 + random.below(3)).map { index in
            let tolerance: ActivityPlan.Tolerance =
                switch random.below(4) {
                case 0: .none
                case 1: .number(Double(random.below(3)))
                default: .time(.seconds(Int64(random.below(4)) * 20))
                }
            return ActivityPlan.Field(name: "f\(index)", tolerance: tolerance)
        }
        return ActivityPlan(kind: "kind", fields: fields, contentLimit: random.chance(1, of: 10) ? 40 : 4096)
    }

    mutating func content(for plan: ActivityPlan) -> [ContentValue] {
        plan.fields.map { field in
            if case .time = field.tolerance, random.chance(7, of: 8) { return .time(time()) }
            return .value(value())
        }
    }

    mutating func time() -> AnchoredTime {
        let start = RandomActivity.start + Interval(microseconds: Int64(random.below(4)) * 700_000)
        let length = Interval(microseconds: 3_600_000_000 + Int64(random.below(240_000_000)) - 120_000_000)
        return switch random.below(7) {
        case 0: .countingUp(start: start)
        case 1: .paused(remaining: length, duration: .hours(2))
        case 2: .held(elapsed: length)
        default: .running(start: start, end: start + length)
        }
    }
}

func json(_ text: String) -> Value {
    (try? JSONReader.value(of: Array(text.utf8).span)) ?? .error(.invalidArgument)
}

func text(_ bytes: [UInt8]?) -> String {
    bytes.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
}

func text(_ value: Value) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return text(writer.bytes)
}

extension Value {
    /// The member of an object; an error when there is none.
    subscript(name: String) -> Value {
        if case .map(let map) = self { map[name] ?? .error(.noSuchKey) } else { .error(.noSuchKey) }
    }

    /// The object and all its parts with one member, at any level, left out, once for each member.
    var withoutOneMember: [Value] {
        guard case .map(let map) = self else { return [] }
        return map.entries.indices.flatMap { index -> [Value] in
            var rest = map.entries
            let entry = rest.remove(at: index)
            let deeper = entry.value.withoutOneMember.map { value in
                var entries = map.entries
                entries[index].value = value
                return Value.map(ValueMap(uniqueEntries: entries))
            }
            return [.map(ValueMap(uniqueEntries: rest))] + deeper
        }
    }

    /// The value without members that are null, at any level.
    var withoutNulls: Value {
        switch self {
        case .list(let elements): return .list(elements.map(\.withoutNulls))
        case .map(let map):
            let entries = map.entries.filter { if case .null = $0.value { false } else { true } }
            return .map(
                ValueMap(uniqueEntries: entries.map { .init(key: $0.key, value: $0.value.withoutNulls) })
            )
        default: return self
        }
    }
}
