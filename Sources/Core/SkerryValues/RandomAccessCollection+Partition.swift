extension RandomAccessCollection {
    /// Searches sorted elements, in logarithmic time.
    ///
    /// - Parameter holds: The condition; if it holds for an element, it must hold for all after it.
    /// - Returns: the first index whose element satisfies the condition; the end index if none does.
    @inlinable
    public func partitioningIndex(where holds: (Element) -> Bool) -> Index {
        var low = startIndex
        var count = count
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if holds(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
