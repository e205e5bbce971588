import SkerryExpressions
import SkerryValues

extension CompiledWriter {
    mutating func source(_ source: Source) {
        image.text(source.filter.text)
        image.tag(source.payload.rawValue)
        list(source.fields) { writer, field in
            writer.image.text(field.name)
            writer.image.text(field.kind.text)
        }
        list(source.paths.paths) { writer, path in
            writer.list(path) { writer, step in
                switch step {
                case .key(let key):
                    writer.image.tag(0)
                    writer.image.text(key)
                case .index(let index):
                    writer.image.tag(1)
                    writer.image.signed(Int64(index))
                case .shape: writer.image.tag(2)
                }
            }
        }
        address(source.address)
        list(source.signals) { writer, assignment in
            writer.image.count(assignment.signal)
            writer.program(assignment.program)
            writer.optional(assignment.form) { $0.form($1) }
            writer.optionalDouble(assignment.valid?.lowerBound)
            writer.optionalDouble(assignment.valid?.upperBound)
        }
        optionalProgram(source.available)
        optionalProgram(source.event)
        optionalProgram(source.name)
    }

    private mutating func address(_ address: Address) {
        switch address.name {
        case .capture(let number):
            image.tag(0)
            image.count(number)
        case .template(let template):
            image.tag(1)
            self.template(template)
        case .none: image.tag(2)
        }
        list(address.aliases) { writer, alias in
            writer.image.text(alias.name)
            writer.image.text(alias.device)
        }
        optionalProgram(address.when)
        optionalProgram(address.each)
        image.tag(address.reach.rawValue)
    }

    mutating func form(_ form: SignalForm) {
        image.count(form.signal)
        image.count(form.history)
        image.tag(form.kind.rawValue)
        switch form.span {
        case .count(let count):
            image.tag(0)
            image.count(count)
        case .length(let length):
            image.tag(1)
            image.interval(length)
        }
        image.interval(form.per)
        image.interval(form.gap)
        optionalDouble(form.wraps)
        optionalInterval(form.delay)
        optionalProgram(form.off)
        signals(form.watched)
    }
}

extension CompiledReader {
    /// The most paths that a source reads from payloads, and the most steps of one.
    private static let (pathLimit, stepLimit) = (4096, 128)

    mutating func messageSource(forms: Int) throws(ImageFault) -> Source {
        let text = try image.text()
        guard let filter = try? TopicFilter(text) else { throw .malformed }
        let payload = try choice(PayloadFormat.self)
        let fields = try list { reader throws(ImageFault) in
            let name = try reader.image.text()
            guard let kind = PayloadField.Kind(try reader.image.text()) else { throw .malformed }
            return PayloadField(name: name, kind: kind)
        }
        let paths = try paths()
        message = (paths.paths.count, filter.captures.count)
        defer { message = nil }
        return Source(
            filter: filter,
            payload: payload,
            fields: fields,
            address: try address(captures: filter.captures.count),
            paths: paths,
            signals: try list { reader throws(ImageFault) in
                let signal = try reader.index(below: reader.signalCount)
                let program = try reader.program()
                let form = try reader.optional { reader throws(ImageFault) in try reader.form(of: forms) }
                guard form.map({ $0.signal == signal }) ?? true else { throw .malformed }
                let (least, most) = (try reader.optionalDouble(), try reader.optionalDouble())
                guard (least == nil) == (most == nil), least ?? 0 <= most ?? 0 else { throw .malformed }
                let valid = least.flatMap { least in most.map { least...$0 } }
                return SignalAssignment(signal: signal, program: program, form: form, valid: valid)
            },
            available: try optionalProgram(),
            event: try optionalProgram(),
            name: try optionalProgram()
        )
    }

    private mutating func paths() throws(ImageFault) -> PathTable {
        var table = PathTable()
        let paths = try list(limit: Self.pathLimit) { reader throws(ImageFault) in
            try reader.list(limit: Self.stepLimit) { reader throws(ImageFault) -> PathStep in
                switch try reader.image.tag() {
                case 0: return .key(try reader.image.text())
                case 1:
                    guard let index = Int(exactly: try reader.image.signed()) else { throw .malformed }
                    return .index(index)
                case 2: return .shape
                default: throw .malformed
                }
            }
        }
        for (number, path) in paths.enumerated() {
            guard !path.dropLast().contains(.shape) else { throw .malformed }
            guard table.intern(path) == number else { throw .malformed }
        }
        return table
    }

    private mutating func address(captures: Int) throws(ImageFault) -> Address {
        let name: Address.Name =
            switch try image.tag() {
            case 0: .capture(try index(below: captures))
            case 1: .template(try template())
            case 2: .none
            default: throw .malformed
            }
        var address = Address(name: name)
        address.aliases = try list { reader throws(ImageFault) in
            Address.Alias(name: try reader.image.text(), device: try reader.image.text())
        }
        address.when = try optionalProgram()
        address.each = try optionalProgram()
        address.reach = try choice(SourceReach.self)
        if case .none = address.name, address.reach != .all { throw .malformed }
        return address
    }

    /// Reads the form of a signal, one of so many.
    mutating func form(of forms: Int) throws(ImageFault) -> SignalForm {
        let signal = try index(below: signalCount)
        let history = try index(below: forms)
        var form = SignalForm(signal: signal, history: history, kind: try choice(SignalFormKind.self))
        switch try image.tag() {
        case 0: form.span = .count(try index(below: SignalForm.sampleLimit + 1))
        case 1: form.span = .length(try length())
        default: throw .malformed
        }
        form.per = try length()
        form.gap = try length()
        form.wraps = try optionalDouble()
        form.delay = try optionalLength()
        form.off = try optionalProgram()
        form.watched = try signals()
        return form
    }
}

extension TopicFilter {
    /// The filter as it is written.
    fileprivate var text: String {
        var text = ""
        for (position, level) in levels.enumerated() {
            if position > 0 { text += "/" }
            switch level {
            case .literal(let literal): text += literal
            case .any: text += "+"
            case .capture(let name): text += "{" + name + "}"
            case .partialCapture(let prefix, let name, let suffix): text += prefix + "{" + name + "}" + suffix
            case .captureOfRest(let name): text += "{" + name + "...}"
            case .rest: text += "#"
            }
        }
        return text
    }
}
