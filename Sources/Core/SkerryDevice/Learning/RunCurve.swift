import SkerryValues

/// The curve of a run that goes on: a number over the time in which the timer ran, in slots of equal length.
///
/// When all slots are used, two become one: a curve has at most ``capacity`` slots, however long the run.
struct RunCurve: Hashable, Sendable {
    /// The most slots.
    static let capacity = 64
    /// The length of a slot at the beginning.
    private static let firstSlot = Interval.seconds(15)
    /// The greatest number that is told from greater ones.
    private static let greatest = 1e9

    /// The longest run: one that seems to have begun in the year 1, as devices tell that know no start, and ends in 9999.
    static let longest = Interval.hours(24 * 366 * 10_000)

    /// The length of a slot.
    private(set) var slot = Self.firstSlot
    /// The sums of the number over time in each slot, in units and seconds.
    private(set) var sums: [Double] = []
    /// The time that the sums cover.
    private(set) var covered = Interval.zero
    /// The present number, which holds until the next one comes.
    private(set) var number = 0.0

    /// Makes a curve before its first number.
    init() {}

    /// Makes a curve of its parts.
    init(slot: Interval, sums: [Double], covered: Interval, number: Double) {
        (self.slot, self.sums, self.covered, self.number) = (slot, sums, covered, number)
    }

    /// True if a run can have had it: its slots cover its time, and nothing in it is greater than what is told.
    var isPossible: Bool {
        guard slot <= Self.longest, covered <= Self.longest, number <= Self.greatest else { return false }
        let (full, rest) = covered.microseconds.quotientAndRemainder(dividingBy: slot.microseconds)
        let most = Self.greatest * slot.inSeconds * 1.01
        return Int64(sums.count) == full + (rest > 0 ? 1 : 0) && sums.allSatisfy { $0 <= most }
    }

    /// Lets the present number hold until a moment of the run.
    mutating func hold(until elapsed: Interval) {
        while covered < elapsed {
            let place = Int(covered.microseconds / slot.microseconds)
            // All slots are full: two become one, and this moment lies in the second half.
            guard place < Self.capacity else {
                halve()
                continue
            }
            while sums.count <= place { sums.append(0) }
            assert(sums.count == place + 1, "the present number is added to a slot that is over")
            let end = min(elapsed, Interval(microseconds: slot.microseconds * Int64(place + 1)))
            sums[place] += number * (end - covered).inSeconds
            covered = end
        }
        assert(sums.count <= Self.capacity, "an image with this curve can't be read back")
    }

    /// Takes a number, which holds from now on; one below zero counts as zero.
    mutating func take(_ number: Double) {
        self.number = number > 0 ? min(number, Self.greatest) : 0
    }

    private mutating func halve() {
        assert(sums.count == Self.capacity, "a curve is halved before it is full")
        sums = stride(from: 0, to: Self.capacity, by: 2).map { (place: Int) -> Double in
            sums[place] + sums[place + 1]
        }
        slot = Interval(microseconds: slot.microseconds * 2)
    }
}

/// A run that is over, as the device remembers it.
struct LearnedRun: Hashable, Sendable {
    /// The programme; empty when there is none.
    var key: String
    /// The time that it took, without pauses.
    var length: Interval
    /// The length of a slot of its curve.
    var slot: Interval
    /// The greatest mean number of a slot.
    var peak: Double
    /// The mean numbers of the slots, of which 255 is the peak; empty without a curve.
    var levels: [UInt8]
    /// The error of its foretold length at each of ``RunEstimate/checkpoints``, in the steps of ``RunEstimate``; empty when too
    /// few runs came before it.
    var errors: [UInt8] = []

    init(key: String, length: Interval, curve: RunCurve?) {
        self.key = key
        self.length = length
        slot = curve?.slot ?? .seconds(1)
        let means = (curve?.sums ?? []).map { [slot] in $0 / slot.inSeconds }
        let peak = means.max() ?? 0
        self.peak = peak
        levels = means.map { peak > 0 ? UInt8(($0 / peak * 255).rounded()) : 0 }
    }
}
