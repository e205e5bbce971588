import CTimex
import Glibc
import SkerryValues

/// The time that the store takes for commits, as Prometheus counts lengths: in classes up to a bound.
struct CommitMeter: Sendable {
    /// The bounds in microseconds: a commit to an SSD takes one or two milliseconds, to a worn card a second.
    private static let bounds: [Int64] = [
        500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
        5_000_000,
    ]

    /// The number of commits in each class; the last one has those beyond all bounds.
    private var counts = [UInt64](repeating: 0, count: bounds.count + 1)
    private var sum: Int64 = 0
    /// The commits that the store refused.
    private(set) var refused: UInt64 = 0

    /// The time of a clock that is never set.
    static var time: Interval {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Interval(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// Records a commit that took a length of time.
    mutating func record(_ length: Interval, isRefused: Bool) {
        if isRefused { refused += 1 }
        let microseconds = max(0, length.microseconds)
        counts[Self.bounds.firstIndex { microseconds <= $0 } ?? Self.bounds.count] += 1
        sum += microseconds
    }

    /// Adds the histogram to a text.
    func write(to text: inout MetricsText) {
        var histogram = Histogram(sum: Double(sum) / 1e6)
        for (bound, count) in zip(Self.bounds, counts) {
            histogram.count += count
            histogram.buckets.append((Double(bound) / 1e6, histogram.count))
        }
        histogram.count += counts[Self.bounds.count]
        text.add(.commitDuration, histogram)
        text.add(.commitsRefused, refused)
    }
}
