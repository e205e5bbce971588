extension String {
    /// Returns whether both texts have the same code points, as CEL, JSON and MQTT compare them.
    ///
    /// Unlike `==` it distinguishes texts that are only canonically equivalent in Unicode, and it is several times
    /// faster than comparing the `utf8` views element by element.
    public func hasSameCodePoints(as other: String) -> Bool {
        let count = utf8.count
        guard count == other.utf8.count else { return false }
        let same = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                UnsafeRawBufferPointer(left).hasSameBytes(as: UnsafeRawBufferPointer(right))
            } ?? utf8.elementsEqual(other.utf8)
        }
        return same ?? utf8.elementsEqual(other.utf8)
    }

    /// Returns whether this text comes before another in the order of code points, which is that of the bytes.
    public func precedesByCodePoints(_ other: String) -> Bool {
        let precedes = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                UnsafeRawBufferPointer(left).precedes(UnsafeRawBufferPointer(right))
            } ?? utf8.lexicographicallyPrecedes(other.utf8)
        }
        return precedes ?? utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// Returns the text with some code points written in another form; `form` returns nil for those that stay.
    package func rewritten(_ form: (Unicode.Scalar) -> String?) -> String {
        var result = ""
        for scalar in unicodeScalars {
            if let form = form(scalar) { result += form } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    /// The hexadecimal digits of a number, with zeros in front of those that are fewer than `width`.
    package init(_ number: some UnsignedInteger, hexadecimalDigits width: Int, uppercase: Bool = false) {
        let digits = String(number, radix: 16, uppercase: uppercase)
        self = String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
    }
}

extension UnsafeRawBufferPointer {
    /// Returns whether both have the same bytes; their lengths must be the same.
    @inline(__always)
    fileprivate func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index + 8 <= count {
            let left = loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard left == other.loadUnaligned(fromByteOffset: index, as: UInt64.self) else { return false }
            index += 8
        }
        while index < count {
            guard self[index] == other[index] else { return false }
            index += 1
        }
        return true
    }

    /// Returns whether these bytes come before others in lexicographical order.
    @inline(__always)
    fileprivate func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
        let shared = Swift.min(count, other.count)
        var index = 0
        while index < shared, self[index] == other[index] { index += 1 }
        return index < shared ? self[index] < other[index] : count < other.count
    }
}
