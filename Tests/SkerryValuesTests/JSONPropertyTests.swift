import SkerryTesting
import Foundation
import SkerryValues
import Testing

@Suite struct JSONPropertyTests {
    @Test func `written text is read back the same`() throws {
        for seed in 0..<3000 as Range<UInt64> {
            var random = RandomJSON(seed: seed)
            let value = random.value()
            let text = written(value)
            let back = try JSONReader.value(of: Array(text.utf8).span)
            #expect(back.isSame(as: value), "seed \(seed): \(text)")
            #expect(written(back) == text, "seed \(seed)")
        }
    }

    @Test func `doubles read back bit by bit`() throws {
        var random = SimulatedRandom(seed: 1)
        for _ in 0..<20_000 {
            let double = Double(bitPattern: random.next())
            guard double.isFinite else { continue }
            let back = try JSONReader.value(of: Array(written(.double(double)).utf8).span)
            #expect(back.asDouble == double)
        }
    }

    @Test func `decimals of all sizes are the nearest double`() throws {
        var random = SimulatedRandom(seed: 2)
        for _ in 0..<20_000 {
            let digits = String(random.next() >> UInt64(random.below(64)))
            let text = "\(digits).\(random.below(1000))e\(random.below(60) - 30)"
            #expect(try JSONReader.value(of: Array(text.utf8).span).asDouble == Double(text), "\(text)")
        }
    }

    @Test func `agrees with Foundation on random documents and damaged ones`() {
        var accepted = 0
        var refused = 0
        for seed in 0..<6000 as Range<UInt64> {
            var random = RandomJSON(seed: seed)
            let whole = random.written(random.value())
            let text = seed % 4 == 0 ? whole : random.damaged(whole)
            let ours = try? JSONReader.value(of: text.span)
            let theirs = try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
            if seed % 4 == 0 { #expect(ours != nil, "seed \(seed)") }
            if let ours, let theirs {
                accepted += 1
                #expect(
                    ours.isSame(asFoundation: theirs),
                    "seed \(seed): \(String(decoding: text, as: UTF8.self))"
                )
            } else {
                refused += 1
                #expect(
                    (ours == nil) == (theirs == nil),
                    "seed \(seed): \(String(decoding: text, as: UTF8.self))"
                )
            }
        }
        #expect(accepted > 1500)
        #expect(refused > 1500)
    }

    @Test func `bytes without sense never crash and are refused alike by every plan`() {
        var random = SimulatedRandom(seed: 3)
        var slots: [Value] = []
        let alphabet = Array("{}[]\",:\\u0d8 1.e-tn".utf8)
        for _ in 0..<30_000 {
            let bytes = (0..<random.below(40)).map { _ in
                random.chance(1, of: 20) ? UInt8(random.below(256)) : alphabet[random.below(alphabet.count)]
            }
            let whole = refusal { () throws(JSONRefusal) in _ = try JSONReader.value(of: bytes.span) }
            let planned = refusal { () throws(JSONRefusal) in
                try PayloadPlan.elsewhere.read(bytes.span, into: &slots)
            }
            #expect(whole == planned)
        }
    }

    @Test func `plans find the same as a search of the whole tree`() throws {
        var found = 0
        for seed in 0..<4000 as Range<UInt64> {
            var random = RandomJSON(seed: seed)
            let text = random.written(.map(random.object(depth: 0)))
            let tree = try JSONReader.value(of: text.span)
            var table = PathTable()
            for _ in 0..<1 + random.random.below(8) { _ = table.intern(random.path(into: tree)) }
            var slots = [Value](repeating: .int(1), count: random.random.below(9))
            try PayloadPlan(table).read(text.span, into: &slots)
            #expect(slots.count == table.paths.count)
            for (path, slot) in zip(table.paths, slots) {
                let expected = tree.found(at: path[...])
                if case .error = expected {} else { found += 1 }
                #expect(slot.isSame(as: expected), "seed \(seed) \(path): \(written(tree))")
            }
        }
        #expect(found > 8000)
    }

    private func refusal(_ body: () throws(JSONRefusal) -> Void) -> JSONRefusal? {
        do throws(JSONRefusal) {
            try body()
            return nil
        } catch {
            return error
        }
    }
}

extension RandomJSON {
    /// A path that mostly leads somewhere, sometimes past it.
    mutating func path(into tree: Value) -> [PathStep] {
        if random.chance(1, of: 20) { return [.key("nowhere")] }
        switch tree {
        case .map(let map) where !map.entries.isEmpty && random.chance(5, of: 6):
            let entry = map.entries[random.below(map.entries.count)]
            guard case .string(let name) = entry.key else { return [] }
            return [.key(name)] + path(into: entry.value)
        case .list(let list) where !list.isEmpty && random.chance(5, of: 6):
            let index = random.below(list.count)
            return [.index(index)] + path(into: list[index])
        default: return random.chance(1, of: 10) ? [.index(0)] : random.chance(1, of: 4) ? [.shape] : []
        }
    }
}

extension Value {
    fileprivate var asDouble: Double? {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// Whether Foundation read the same.
    ///
    /// It makes a decimal of a number before it makes a double of that, and misses the nearest one at times.
    fileprivate func isSame(asFoundation other: Any) -> Bool {
        switch self {
        case .null: other is NSNull
        case .bool(let truth): other as? Bool == truth
        case .int(let number): (other as? NSNumber)?.int64Value == number
        case .double(let number): (other as? NSNumber)?.doubleValue.isNeighbour(of: number) == true
        case .string(let text): (other as? String)?.utf8.elementsEqual(text.utf8) == true
        case .list(let elements):
            if let other = other as? [Any] {
                elements.count == other.count
                    && zip(elements, other).allSatisfy { $0.isSame(asFoundation: $1) }
            } else {
                false
            }
        case .map(let map):
            if let other = other as? [String: Any] {
                map.entries.allSatisfy { entry in
                    guard case .string(let name) = entry.key, let value = other[name] else { return false }
                    return entry.value.isSame(asFoundation: value)
                }
            } else {
                false
            }
        default: false
        }
    }
}

extension Double {
    fileprivate func isNeighbour(of other: Double) -> Bool { (self - other).magnitude <= 8 * other.ulp }
}
