import SkerryValues

extension Learning {
    func write(to writer: inout ImageWriter) {
        writer.unsigned(subject)
        writer.list(runs) { writer, run in
            writer.text(run.key)
            writer.interval(run.length)
            writer.interval(run.slot)
            writer.double(run.peak)
            writer.data(run.levels)
        }
        writer.optional(present) { $1.write(to: &$0) }
    }

    init(from reader: inout ImageReader) throws(ImageFault) {
        subject = try reader.unsigned()
        runs = try reader.list { reader throws(ImageFault) in try LearnedRun(from: &reader) }
        present = try reader.optional { reader throws(ImageFault) in try PresentRun(from: &reader) }
        guard runs.count <= Self.limit else { throw .malformed }
    }
}

extension LearnedRun {
    fileprivate init(from reader: inout ImageReader) throws(ImageFault) {
        key = try reader.text()
        length = try reader.interval()
        slot = try reader.interval()
        peak = try reader.double()
        levels = try reader.data()
        guard levels.count <= RunCurve.capacity, slot > .zero, length > .zero, peak.isFinite, peak >= 0 else {
            throw .malformed
        }
    }
}

extension Learning.PresentRun {
    fileprivate func write(to writer: inout ImageWriter) {
        writer.text(key)
        writer.flag(isForeseeable)
        writer.interval(pause)
        curve.write(to: &writer)
        writer.optional(estimate) { writer, estimate in
            writer.interval(estimate.length)
            writer.interval(estimate.tolerance)
            writer.count(estimate.like)
            writer.count(estimate.compared)
        }
        writer.interval(changed)
        writer.interval(judged)
    }

    fileprivate init(from reader: inout ImageReader) throws(ImageFault) {
        self.init()
        key = try reader.text()
        isForeseeable = try reader.flag()
        pause = try reader.interval()
        curve = try RunCurve(from: &reader)
        estimate = try reader.optional { reader throws(ImageFault) in
            RunEstimate(
                length: try reader.interval(),
                tolerance: try reader.interval(),
                like: Int(truncatingIfNeeded: try reader.unsigned()),
                compared: Int(truncatingIfNeeded: try reader.unsigned())
            )
        }
        changed = try reader.interval()
        judged = try reader.interval()
    }
}

extension RunCurve {
    fileprivate func write(to writer: inout ImageWriter) {
        writer.interval(slot)
        writer.list(sums) { $0.double($1) }
        writer.interval(covered)
        writer.double(number)
    }

    fileprivate init(from reader: inout ImageReader) throws(ImageFault) {
        let slot = try reader.interval()
        let sums = try reader.list { reader throws(ImageFault) in try reader.double() }
        self.init(slot: slot, sums: sums, covered: try reader.interval(), number: try reader.double())
        guard sums.count <= Self.capacity, slot > .zero, covered >= .zero, number >= 0,
            sums.allSatisfy({ $0.isFinite && $0 >= 0 })
        else { throw .malformed }
    }
}
