import SkerryActivity
import SkerryExpressions
import SkerryMachine
import SkerryValues

/// The longest text that `state` can be: the names of all states.
private let longestStateText = 1 << 20

extension ActivityDefinition {
    /// Writes or reads the activity of a definition, of which all but the island is there already.
    static func coded<Coder: CompiledCoder>(
        _ old: ActivityDefinition?,
        of parts: DefinitionParts,
        by coder: inout Coder
    ) throws(ImageFault) -> ActivityDefinition {
        let relevance = try coder.part(old?.plan.relevance)
        let (starts, ends) = (try coder.part(old?.starts), try coder.part(old?.ends))
        var key = try coder.optional(old?.key?.program).map {
            RunKey(program: $0, dependencies: Dependencies($0))
        }
        let isOnce = try coder.flag(old?.key?.isOnce ?? false)
        key?.isOnce = isOnce
        let reset: SignalSet = try coder.part(old?.reset)
        let attributes = try coder.list(old?.attributes) { coder, attribute throws(ImageFault) in
            (name: try coder.text(attribute?.name), value: try coder.part(attribute?.value))
        }
        let audience = try coder.optional(old?.audience)
        let pairs = old.map { Array(zip($0.plan.fields, $0.content)) }
        let fields = try coder.list(pairs) { coder, pair throws(ImageFault) in
            (try coder.part(pair?.0), try coder.part(pair?.1))
        }
        guard attributes.count + fields.count <= Int(UInt16.max) else { throw .malformed }
        let content = fields.map { $0.1 }
        let alerts = try coder.list(old?.alerts, limit: alertLimit)
        let stale = try coder.optional(old?.stale)
        let staleSilence = try coder.optional(old?.staleSilence)
        let dismissal = try coder.part(old?.dismissal)
        let plan = ActivityPlan(
            kind: parts.kind,
            fields: fields.map { $0.0 },
            relevance: relevance,
            silence: stale,
            contentLimit: parts.limits.contentBytes
        )
        return ActivityDefinition(
            plan: plan,
            starts: starts,
            ends: ends,
            key: key,
            reset: reset,
            attributes: attributes,
            audience: audience,
            content: content,
            contentDependencies: dependencies(of: content, titles: parts.titles),
            alerts: alerts,
            stale: stale,
            staleSilence: staleSilence,
            dismissal: dismissal,
            times: try coder.part(old?.times),
            link: try coder.optional(old?.link),
            weight: try coder.part(old?.weight),
            contract: try LiveActivityContract.coded(
                old?.contract,
                parts.kind,
                attributes: attributes.map { $0.name },
                content: plan.fields.map { $0.name },
                by: &coder
            )
        )
    }
}

extension ActivityPlan.Field: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        ActivityPlan.Field(
            name: try coder.text(part?.name),
            tolerance: try coder.part(part?.tolerance),
            throttle: try coder.part(part?.throttle)
        )
    }
}

extension ActivityPlan.Tolerance: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let (tag, number, length): (UInt8, Double?, Interval?) =
            switch part {
            case .some(.none), nil: (0, nil, nil)
            case .number(let number): (1, number, nil)
            case .time(let length): (2, nil, length)
            }
        return switch try coder.tag(tag) {
        case 0: .none
        case 1: .number(try coder.part(number))
        case 2: .time(try coder.part(length))
        default: throw .malformed
        }
    }
}

extension ActivityDefinition.ContentField: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let condition = try coder.optional(part?.condition)
        return Self(source: try coder.part(part?.source), condition: condition)
    }
}

extension ActivityDefinition.ContentSource: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let (tag, value, timer): (UInt8, ActivityDefinition.Typed?, Int?) =
            switch part {
            case .expression(let value): (0, value, nil)
            case .timer(let timer): (1, nil, Int(timer.rawValue))
            case nil: (0, nil, nil)
            }
        switch try coder.tag(tag) {
        case 0: return .expression(try coder.part(value))
        case 1:
            let number = try coder.index(timer, below: coder.known.timers)
            return .timer(TimerID(rawValue: UInt16(truncatingIfNeeded: number)))
        default: throw .malformed
        }
    }
}

extension ActivityDefinition.Typed: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        Self(
            program: try coder.program(part?.program),
            type: try coder.optionalChoice(part?.type),
            decimals: try coder.optionalNumber(part?.decimals)
        )
    }
}

extension ActivityDefinition.Weight: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let states = try coder.list(part?.states, limit: coder.known.states) {
            coder,
            weight throws(ImageFault) in
            try coder.optional(weight ?? nil)
        }
        guard states.isEmpty || states.count == coder.known.states else { throw .malformed }
        return Self(states: states, expression: try coder.optional(part?.expression))
    }
}

extension ActivityDefinition.Alert: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let occasion = try coder.part(part?.occasion)
        let title = try coder.part(part?.title)
        let body = try coder.optional(part?.body)
        guard let sound = ActivityAlert.Sound(try coder.text(part?.sound.name)) else { throw .malformed }
        return Self(
            occasion: occasion,
            title: title,
            body: body,
            sound: sound,
            level: try coder.choice(part?.level)
        )
    }
}

extension ActivityDefinition.Occasion: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let (tag, state, program, written, names): (UInt8, StateID?, Program?, UInt64?, [String]?) =
            switch part {
            case .state(let state): (0, state, nil, nil, nil)
            case .condition(let program, _, let fingerprint): (1, nil, program, fingerprint, nil)
            case .event(let names): (2, nil, nil, nil, names)
            case nil: (0, nil, nil, nil, nil)
            }
        switch try coder.tag(tag) {
        case 0: return .state(try coder.part(state))
        case 1:
            let program = try coder.program(program)
            return .condition(program, Dependencies(program), fingerprint: try coder.unsigned(written))
        case 2: return .event(try coder.list(names))
        default: throw .malformed
        }
    }
}

extension ActivityDismissal: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let (tag, length): (UInt8, Interval?) =
            switch part {
            case .default, nil: (0, nil)
            case .immediate: (1, nil)
            case .after(let length): (2, length)
            }
        return switch try coder.tag(tag) {
        case 0: .default
        case 1: .immediate
        case 2: .after(try coder.part(length))
        default: throw .malformed
        }
    }
}

extension LiveActivityContract {
    fileprivate static func coded<Coder: CompiledCoder>(
        _ old: LiveActivityContract?,
        _ kind: String,
        attributes: [String],
        content: [String],
        by coder: inout Coder
    ) throws(ImageFault) -> LiveActivityContract {
        LiveActivityContract(
            kind: kind,
            attributes: try Field.coded(old?.attributes, names: attributes, by: &coder),
            content: try Field.coded(old?.content, names: content, by: &coder),
            states: try coder.optional(old?.states) { coder, states throws(ImageFault) in
                try coder.list(states)
            },
            longestState: try coder.index(old?.longestState, below: longestStateText)
        )
    }
}

extension LiveActivityContract.Field {
    fileprivate static func coded<Coder: CompiledCoder>(
        _ old: [LiveActivityContract.Field]?,
        names: [String],
        by coder: inout Coder
    ) throws(ImageFault) -> [LiveActivityContract.Field] {
        var fields: [LiveActivityContract.Field] = []
        for (number, name) in names.enumerated() {
            let old = old?[number]
            fields.append(
                LiveActivityContract.Field(
                    name: name,
                    type: try coder.choice(old?.type),
                    unit: try coder.optional(old?.unit),
                    decimals: try coder.optionalNumber(old?.decimals),
                    whole: try coder.optional(old?.whole)
                )
            )
        }
        return fields
    }
}
