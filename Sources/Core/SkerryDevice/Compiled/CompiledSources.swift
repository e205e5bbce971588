import SkerryExpressions
import SkerryValues

/// The most paths that a source reads from payloads, and the most steps of one.
private let (pathLimit, stepLimit) = (4096, 128)

extension Source {
    /// Writes or reads a source, or what a device is recognised by.
    static func coded<Coder: CompiledCoder>(
        _ old: Source?,
        by coder: inout Coder
    ) throws(ImageFault) -> Source {
        let text = try coder.text(old?.filter.text)
        guard let filter = try? TopicFilter(text) else { throw .malformed }
        let payload = try coder.choice(old?.payload)
        let fields = try coder.list(old?.fields)
        let paths = try PathTable.coded(old?.paths, by: &coder)
        coder.known.message = (paths.paths.count, filter.captures.count)
        defer { coder.known.message = nil }
        return Source(
            filter: filter,
            payload: payload,
            fields: fields,
            address: try Address.coded(old?.address, captures: filter.captures.count, by: &coder),
            paths: paths,
            signals: try coder.list(old?.signals),
            available: try coder.optional(old?.available),
            event: try coder.optional(old?.event),
            name: try coder.optional(old?.name)
        )
    }
}

extension PayloadField: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let name = try coder.text(part?.name)
        guard let kind = Kind(try coder.text(part?.kind.text)) else { throw .malformed }
        return PayloadField(name: name, kind: kind)
    }
}

extension SignalAssignment: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let signal = try coder.index(part?.signal, below: coder.known.signals)
        let program = try coder.program(part?.program)
        let form = try coder.optional(part?.form)
        guard form.map({ $0.signal == signal }) ?? true else { throw .malformed }
        let least = try coder.optional(part?.valid?.lowerBound)
        let most = try coder.optional(part?.valid?.upperBound)
        guard (least == nil) == (most == nil), least ?? 0 <= most ?? 0 else { throw .malformed }
        let valid = least.flatMap { least in most.map { least...$0 } }
        return SignalAssignment(signal: signal, program: program, form: form, valid: valid)
    }
}

extension PathTable {
    fileprivate static func coded<Coder: CompiledCoder>(
        _ old: PathTable?,
        by coder: inout Coder
    ) throws(ImageFault) -> PathTable {
        var table = PathTable()
        let paths = try coder.list(old?.paths, limit: pathLimit) { coder, path throws(ImageFault) in
            try coder.list(path, limit: stepLimit)
        }
        for (number, path) in paths.enumerated() {
            guard !path.dropLast().contains(.shape) else { throw .malformed }
            guard table.intern(path) == number else { throw .malformed }
        }
        return table
    }
}

extension PathStep: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let (tag, key, index): (UInt8, String?, Int?) =
            switch part {
            case .key(let key): (0, key, nil)
            case .index(let index): (1, nil, index)
            case .shape, nil: (2, nil, nil)
            }
        switch try coder.tag(tag) {
        case 0: return .key(try coder.text(key))
        case 1:
            guard let index = Int(exactly: try coder.signed(index.map { Int64($0) })) else {
                throw .malformed
            }
            return .index(index)
        case 2: return .shape
        default: throw .malformed
        }
    }
}

extension Address {
    fileprivate static func coded<Coder: CompiledCoder>(
        _ old: Address?,
        captures: Int,
        by coder: inout Coder
    ) throws(ImageFault) -> Address {
        let (tag, number, template): (UInt8, Int?, TextTemplate?) =
            switch old?.name {
            case .capture(let number): (0, number, nil)
            case .template(let template): (1, nil, template)
            case .some(.none), nil: (2, nil, nil)
            }
        let name: Name =
            switch try coder.tag(tag) {
            case 0: .capture(try coder.index(number, below: captures))
            case 1: .template(try coder.part(template))
            case 2: .none
            default: throw .malformed
            }
        var address = Address(name: name)
        address.aliases = try coder.list(old?.aliases) { coder, alias throws(ImageFault) in
            Alias(name: try coder.text(alias?.name), device: try coder.text(alias?.device))
        }
        address.when = try coder.optional(old?.when)
        address.each = try coder.optional(old?.each)
        address.reach = try coder.choice(old?.reach)
        if case .none = address.name, address.reach != .all { throw .malformed }
        return address
    }
}

extension SignalForm: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        SignalForm(
            signal: try coder.index(part?.signal, below: coder.known.signals),
            history: try coder.index(part?.history, below: coder.known.forms),
            kind: try coder.choice(part?.kind),
            span: try coder.part(part?.span),
            per: try coder.part(part?.per),
            gap: try coder.part(part?.gap),
            wraps: try coder.optional(part?.wraps),
            delay: try coder.optional(part?.delay),
            off: try coder.optional(part?.off),
            watched: try coder.part(part?.watched)
        )
    }
}

extension SignalSpan: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let (tag, count, length): (UInt8, Int?, Interval?) =
            switch part {
            case .count(let count): (0, count, nil)
            case .length(let length): (1, nil, length)
            case nil: (0, nil, nil)
            }
        return switch try coder.tag(tag) {
        case 0: .count(try coder.index(count, below: SignalForm.sampleLimit + 1))
        case 1: .length(try coder.part(length))
        default: throw .malformed
        }
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
