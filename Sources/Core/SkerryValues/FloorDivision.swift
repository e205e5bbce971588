extension Int64 {
    /// The quotient rounded down, also for numbers below zero: days before 1970 have numbers below zero.
    ///
    /// - Parameter divisor: Greater than 0.
    /// - Returns: the quotient.
    @inlinable public func floorDivided(by divisor: Int64) -> Int64 {
        assert(divisor > 0, "the quotient is rounded down for positive divisors only")
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
