/// A number between rest and work.
struct Threshold {
    /// Above is work.
    let value: Double
    /// Why this number.
    let reason: String

    /// The middle of the widest gap between the numbers seen, or a small part of the largest one; nil when the numbers
    /// do not differ enough.
    init?(_ survey: FieldSurvey) {
        let numbers = Set(survey.sample.map { max(0, $0) }).sorted()
        guard let least = numbers.first, let most = numbers.last, most > 4 * (least + 0.1) else { return nil }
        let unit = most / 1000
        var gap: (low: Double, high: Double, ratio: Double) = (least, most, 1)
        for (low, high) in zip(numbers, numbers.dropFirst()) {
            let ratio = (high + unit) / (low + unit)
            if ratio > gap.ratio { gap = (low, high, ratio) }
        }
        if gap.ratio >= 3 {
            value = Self.rounded(((gap.low + unit) * (gap.high + unit)).squareRoot())
            reason = "Nothing between \(gap.low.shortText) and \(gap.high.shortText) was seen often."
        } else {
            value = Self.rounded(least + (most - least) / 50)
            reason =
                "From \(least.shortText) to \(most.shortText) without a gap: check that the limit is right."
        }
    }

    /// The number with one digit that counts.
    private static func rounded(_ number: Double) -> Double {
        var scale = 1.0
        while number / scale >= 10, scale < 1e12 { scale *= 10 }
        while number / scale < 1, scale > 0.1 { scale /= 10 }
        return max(0.1, (number / scale).rounded() * scale)
    }
}
