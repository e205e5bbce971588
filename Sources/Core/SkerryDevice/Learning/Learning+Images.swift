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
            writer.data(run.errors)
        }
        writer.optional(present) { $1.write(to: &$0) }
    }

    /// Reads what was learned from an image, whose version tells its form: before version 8 no run had errors.
    init(from reader: inout ImageReader, version: UInt8) throws(ImageFault) {
        subject = try reader.unsigned()
        let hasErrors = version > 7
        runs = try reader.list { reader throws(ImageFault) in
            try LearnedRun(from: &reader, hasErrors: hasErrors)
        }
        present = try reader.optional { reader throws(ImageFault) in
            try PresentRun(from: &reader, hasVeto: !hasErrors)
        }
        guard runs.count <= Self.limit else { throw .malformed }
    }
}

extension LearnedRun {
    fileprivate init(from reader: inout ImageReader, hasErrors: Bool) throws(ImageFault) {
        key = try reader.text()
        length = try reader.interval()
        slot = try reader.interval()
        peak = try reader.double()
        levels = try reader.data()
        if hasErrors { errors = try reader.data() }
        guard levels.count <= RunCurve.capacity, slot > .zero, length > .zero, peak.isFinite, peak >= 0,
            errors.isEmpty || errors.count == RunEstimate.checkpoints.count
        else { throw .malformed }
    }
}

extension Learning.PresentRun {
    fileprivate func write(to writer: inout ImageWriter) {
        writer.text(key)
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

    fileprivate init(from reader: inout ImageReader, hasVeto: Bool) throws(ImageFault) {
        self.init()
        key = try reader.text()
        // Older images say here whether any end of the machine could be foretold.
        if hasVeto { _ = try reader.flag() }
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
