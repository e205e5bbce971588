import SkerryMachine
import SkerryValues

/// The values over time that a signal still needs for its figure.
///
/// Sums are made in the order of the messages, so that one log gives one result.
struct SignalHistory: Sendable {
    /// A value, or the sum of the values of one bucket, with the moment of the first.
    struct Sample: Sendable {
        var at: Timestamp
        var sum: Double
        var count: Int64 = 1

        var mean: Double { sum / Double(count) }
    }

    /// The last value and its moment.
    var latest: Sample?
    /// The figure of an integral, a counter, a minimum, a maximum or a pace.
    var total = 0.0
    /// The values of a mean, a median, a rate or a pace, the oldest first.
    var samples: [Sample] = []
    /// The moment at which a truth value turns.
    var pending: Deadline?

    /// True if nothing was followed yet.
    var isEmpty: Bool { latest == nil && total == 0 && samples.isEmpty && pending == nil }

    /// Adds a value.
    ///
    /// - Returns: The figure; nil while there is none.
    mutating func add(_ value: Double, at now: Timestamp, _ form: SignalForm) -> Double? {
        assert(value.isFinite, "a signal follows what is no number")
        let before = latest
        latest = Sample(at: now, sum: value)
        switch form.kind {
        case .integral:
            if let before { add(integral(of: before, until: now, form)) }
            return total
        case .counter:
            if let before { add(increase(from: before.sum, to: value, form)) }
            return total
        case .min:
            total = before == nil ? value : Swift.min(total, value)
            return total
        case .max:
            total = before == nil ? value : Swift.max(total, value)
            return total
        case .mean, .median, .rate:
            collect(value, at: now, form)
            return figure(form)
        case .pace:
            noteReport(value, at: now, form)
            return total > 0 ? total : nil
        case .on: return nil
        }
    }

    /// Begins again with the value in force.
    ///
    /// - Returns: The figure; nil while there is none.
    mutating func restart(at now: Timestamp, _ form: SignalForm) -> Double? {
        guard let value = latest?.sum else { return nil }
        latest?.at = now
        switch form.kind {
        case .integral, .counter: total = 0
        case .min, .max: total = value
        case .mean, .median, .rate:
            samples = [Sample(at: now, sum: value)]
            return figure(form)
        case .pace: return total > 0 ? total : nil
        case .on: return nil
        }
        return total
    }

    /// Begins with a figure, at the start of a test.
    mutating func begin(with figure: Double, at now: Timestamp, _ form: SignalForm) {
        switch form.kind {
        case .integral, .counter: total = figure
        case .min, .max:
            total = figure
            latest = Sample(at: now, sum: figure)
        case .mean, .median, .rate, .on, .pace: break
        }
    }

    /// Moves all moments, because the wall clock was set.
    mutating func move(by shift: ClockShift) {
        if let moment = latest?.at { latest?.at = shift.moved(moment) }
        for index in samples.indices { samples[index].at = shift.moved(samples[index].at) }
        shift.move(&pending)
    }

    private mutating func add(_ part: Double) {
        let sum = total + part
        // An infinite total would never recover.
        if sum.isFinite { total = sum }
    }

    /// The area below a value that held until the next one came, but no longer than the gap.
    private func integral(of value: Sample, until now: Timestamp, _ form: SignalForm) -> Double {
        // Beyond the gap the value is unknown. A clock that was set back makes no negative area.
        let length = Swift.max(.zero, Swift.min(now - value.at, form.gap))
        return value.sum * Double(length.microseconds) / Double(form.per.microseconds)
    }

    /// The increase of a counter; a smaller value is one that wrapped, or else one that began at 0 again.
    private func increase(from former: Double, to value: Double, _ form: SignalForm) -> Double {
        if value >= former { return value - former }
        if let wraps = form.wraps, former <= wraps, value >= 0 { return wraps - former + value }
        return Swift.max(value, 0)
    }

    private mutating func collect(_ value: Double, at now: Timestamp, _ form: SignalForm) {
        switch form.span {
        case .count(let count):
            samples.append(Sample(at: now, sum: value))
            if samples.count > count { samples.removeFirst(samples.count - count) }
            assert(samples.count <= count, "more values are kept than the definition says")
        case .length(let length):
            dropSamples(before: now - length, form)
            // Buckets bound the memory of a device that sends ten thousand values in the length.
            let width = Swift.max(1, length.microseconds / Int64(SignalForm.sampleLimit))
            if let last = samples.last, last.at.bucket(of: width) == now.bucket(of: width) {
                // A sum beyond every number would have no mean, nor an image that can be read back.
                if form.kind != .rate, (last.sum + value).isFinite {
                    samples[samples.count - 1].sum += value
                    samples[samples.count - 1].count += 1
                }
            } else {
                samples.append(Sample(at: now, sum: value))
            }
            // The first bucket is usually cut, so that one more may touch the length.
            if samples.count > SignalForm.sampleLimit { samples.removeFirst() }
            assert(samples.count <= SignalForm.sampleLimit, "an image with these samples can't be read back")
            assert(!samples.isEmpty, "a value was collected and is not there")
        }
    }

    /// Takes the moment of a report into the pace.
    private mutating func noteReport(_ value: Double, at now: Timestamp, _ form: SignalForm) {
        if let last = samples.last, now - last.at < SignalForm.leastPace { return }
        collect(value, at: now, form)
        // The shortest alone may be chance. Longer ones come from lost messages, or while nothing changed.
        let lengths = zip(samples, samples.dropFirst()).map { $1.at - $0.at }.sorted()
        guard lengths.count > 1 else { return }
        let usual = lengths[1].inSeconds
        if total > 0 {
            // A device that tells changes is silent while there are none, for days: what it can do is hardly forgotten.
            total = Swift.min(usual, total * 1.005, SignalForm.longestSeconds)
        } else if usual <= SignalForm.longestSeconds,
            lengths.count(where: { ($0 - lengths[1]).magnitude.microseconds <= lengths[1].microseconds / 8 })
                > 2
        {
            // Only what comes again and again is a pace; a device that tells changes alone has none.
            total = usual
        }
        assert(total <= SignalForm.longestSeconds, "a pace is slower than any that is told")
    }

    /// Drops values that are too old; a rate needs one that is.
    private mutating func dropSamples(before limit: Timestamp, _ form: SignalForm) {
        var count = samples.prefix { $0.at <= limit }.count
        if form.kind == .rate { count = Swift.max(0, count - 1) }
        samples.removeFirst(count)
    }

    private func figure(_ form: SignalForm) -> Double? {
        let figure: Double
        switch form.kind {
        case .mean:
            var (sum, count) = (0.0, Int64(0))
            for sample in samples { (sum, count) = (sum + sample.sum, count + sample.count) }
            figure = sum / Double(count)
        case .median:
            let values = samples.map { $0.mean }.sorted()
            let middle = values.count / 2
            guard !values.isEmpty else { return nil }
            // Halved before they are added: the sum of two large numbers may be infinite.
            figure =
                values.count % 2 == 1 ? values[middle] : values[middle - 1] / 2 + values[middle] / 2
        default:
            guard let latest, let first = samples.first, latest.at > first.at else { return nil }
            let length = Double((latest.at - first.at).microseconds)
            figure = (latest.sum - first.sum) * Double(form.per.microseconds) / length
        }
        return figure.isFinite ? figure : nil
    }
}

extension Timestamp {
    /// The number of the bucket of a width in microseconds in which the moment lies.
    fileprivate func bucket(of width: Int64) -> Int64 { microseconds.floorDivided(by: width) }
}
