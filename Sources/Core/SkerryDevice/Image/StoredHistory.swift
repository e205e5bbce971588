import SkerryMachine
import SkerryValues

/// The history of a signal in an image, with the signal's number in the layout of the image.
struct StoredHistory: Sendable {
    var signal: Int
    var kind: UInt8
    var history = SignalHistory()

    init(from reader: inout ImageReader) throws(ImageFault) {
        let number = try reader.unsigned()
        guard number < SignalSet.capacity else { throw .malformed }
        signal = Int(number)
        kind = try reader.tag()
        history.latest = try reader.optional { reader throws(ImageFault) in try .init(from: &reader) }
        history.total = try reader.double()
        history.samples = try reader.list { reader throws(ImageFault) in try .init(from: &reader) }
        history.pending = try reader.optional { reader throws(ImageFault) in try Deadline(from: &reader) }
        guard history.samples.count <= SignalForm.sampleLimit, history.total.isFinite else {
            throw .malformed
        }
    }
}

extension SignalHistory {
    /// Writes the history with the number of its signal and the kind of its figure.
    func write(to writer: inout ImageWriter, signal: Int, kind: SignalFormKind) {
        writer.count(signal)
        writer.tag(kind.rawValue)
        writer.optional(latest) { $1.write(to: &$0) }
        writer.double(total)
        writer.list(samples) { $1.write(to: &$0) }
        writer.optional(pending) { $1.write(to: &$0) }
    }
}

extension SignalHistory.Sample {
    /// More values than a device can send in a bucket, and few enough to be added up.
    private static let mostValues: Int64 = 1 << 48

    fileprivate init(from reader: inout ImageReader) throws(ImageFault) {
        at = try reader.moment()
        sum = try reader.double()
        count = try reader.signed()
        guard count > 0, count <= Self.mostValues, sum.isFinite else { throw .malformed }
    }

    fileprivate func write(to writer: inout ImageWriter) {
        writer.moment(at)
        writer.double(sum)
        writer.signed(count)
    }
}

extension DeviceMemory {
    /// Takes a stored history, if the signal still makes the same figure.
    mutating func take(_ stored: StoredHistory, map: LayoutMap, in definition: Definition) {
        guard stored.signal < map.values.count, let signal = map.values[stored.signal],
            let form = definition.signalForms.first(where: { $0.signal == signal }),
            form.kind.rawValue == stored.kind
        else { return }
        histories[form.history] = stored.history
        if case .count(let count) = form.span {
            // An edit may have made the span shorter.
            histories[form.history].samples = stored.history.samples.suffix(count)
        }
    }
}
