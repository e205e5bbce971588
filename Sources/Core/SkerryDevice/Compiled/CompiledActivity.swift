import SkerryActivity
import SkerryExpressions
import SkerryMachine
import SkerryValues

extension CompiledWriter {
    mutating func activity(_ activity: ActivityDefinition) {
        image.double(activity.plan.relevance)
        states(activity.starts)
        states(activity.ends)
        optionalProgram(activity.key?.program)
        image.flag(activity.key?.isOnce ?? false)
        signals(activity.reset)
        list(activity.attributes) { writer, attribute in
            writer.image.text(attribute.name)
            writer.typed(attribute.value)
        }
        optionalText(activity.audience)
        image.count(activity.content.count)
        for (field, content) in zip(activity.plan.fields, activity.content) {
            image.text(field.name)
            tolerance(field.tolerance)
            image.interval(field.throttle)
            optionalProgram(content.condition)
            switch content.source {
            case .expression(let value):
                image.tag(0)
                typed(value)
            case .timer(let timer):
                image.tag(1)
                image.unsigned(UInt64(timer.rawValue))
            }
        }
        list(activity.alerts) { $0.alert($1) }
        optionalInterval(activity.stale)
        optional(activity.staleSilence) { $0.silence($1) }
        dismissal(activity.dismissal)
        optionalInterval(activity.forget)
        optionalInterval(activity.settle)
        image.interval(activity.exactAfter)
        optionalTemplate(activity.link)
        list(activity.weight.states) { $0.optionalDouble($1) }
        optionalProgram(activity.weight.expression)
        contract(activity.contract)
    }

    private mutating func typed(_ value: ActivityDefinition.Typed) {
        program(value.program)
        image.optional(value.type) { $0.tag($1.rawValue) }
        optionalCount(value.decimals)
    }

    private mutating func tolerance(_ tolerance: ActivityPlan.Tolerance) {
        switch tolerance {
        case .none: image.tag(0)
        case .number(let number):
            image.tag(1)
            image.double(number)
        case .time(let interval):
            image.tag(2)
            image.interval(interval)
        }
    }

    private mutating func alert(_ alert: ActivityDefinition.Alert) {
        switch alert.occasion {
        case .state(let state):
            image.tag(0)
            image.unsigned(UInt64(state.rawValue))
        case .condition(let program, _, let fingerprint):
            image.tag(1)
            self.program(program)
            image.unsigned(fingerprint)
        case .event(let names):
            image.tag(2)
            texts(names)
        }
        template(alert.title)
        optionalTemplate(alert.body)
        image.text(alert.sound.name)
        image.tag(alert.level.rawValue)
    }

    private mutating func dismissal(_ dismissal: ActivityDismissal) {
        switch dismissal {
        case .default: image.tag(0)
        case .immediate: image.tag(1)
        case .after(let length):
            image.tag(2)
            image.interval(length)
        }
    }

    private mutating func contract(_ contract: LiveActivityContract) {
        for fields in [contract.attributes, contract.content] {
            for field in fields {
                image.tag(field.type.rawValue)
                optionalText(field.unit)
                optionalCount(field.decimals)
                optionalDouble(field.whole)
            }
        }
        optional(contract.states) { $0.texts($1) }
        image.count(contract.longestState)
    }
}

extension CompiledReader {
    /// The longest text that `state` can be: the names of all states.
    private static let longestState = 1 << 20

    mutating func activity(
        kind: String,
        titles: [TextTemplate?],
        contentLimit: Int
    ) throws(ImageFault) -> ActivityDefinition {
        let relevance = try finite()
        let (starts, ends) = (try states(), try states())
        var key = try optionalProgram().map {
            ActivityDefinition.RunKey(program: $0, dependencies: Dependencies($0))
        }
        let isOnce = try image.flag()
        key?.isOnce = isOnce
        let reset = try signals()
        let attributes = try list { reader throws(ImageFault) in
            (name: try reader.image.text(), value: try reader.typed())
        }
        let audience = try optionalText()
        let fields = try list { reader throws(ImageFault) in try reader.field() }
        guard attributes.count + fields.count <= Int(UInt16.max) else { throw .malformed }
        let content = fields.map { $0.1 }
        let alerts = try list(limit: ActivityDefinition.alertLimit) { reader throws(ImageFault) in
            try reader.alert()
        }
        let stale = try optionalLength()
        let staleSilence = try optional { reader throws(ImageFault) in try reader.silence() }
        let dismissal = try dismissal()
        let (forget, settle) = (try optionalLength(), try optionalLength())
        let exactAfter = try length()
        let plan = ActivityPlan(
            kind: kind,
            fields: fields.map { $0.0 },
            relevance: relevance,
            silence: stale,
            contentLimit: contentLimit
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
            contentDependencies: ActivityDefinition.dependencies(of: content, titles: titles),
            alerts: alerts,
            stale: stale,
            staleSilence: staleSilence,
            dismissal: dismissal,
            forget: forget,
            settle: settle,
            exactAfter: exactAfter,
            link: try optionalTemplate(),
            weight: try weight(),
            contract: try contract(kind, attributes.map { $0.name }, plan.fields.map { $0.name })
        )
    }

    private mutating func field() throws(ImageFault) -> (ActivityPlan.Field, ActivityDefinition.ContentField)
    {
        let (name, tolerance, throttle) = (try image.text(), try tolerance(), try length())
        let field = ActivityPlan.Field(name: name, tolerance: tolerance, throttle: throttle)
        let condition = try optionalProgram()
        let source = try contentSource()
        return (field, ActivityDefinition.ContentField(source: source, condition: condition))
    }

    private mutating func weight() throws(ImageFault) -> ActivityDefinition.Weight {
        let states = try list(limit: stateCount) { reader throws(ImageFault) in try reader.optionalDouble() }
        guard states.isEmpty || states.count == stateCount else { throw .malformed }
        return ActivityDefinition.Weight(states: states, expression: try optionalProgram())
    }

    private mutating func typed() throws(ImageFault) -> ActivityDefinition.Typed {
        let program = try program()
        let type = try optional { reader throws(ImageFault) in try reader.choice(FieldType.self) }
        return ActivityDefinition.Typed(program: program, type: type, decimals: try optionalNumber())
    }

    private mutating func contentSource() throws(ImageFault) -> ActivityDefinition.ContentSource {
        switch try image.tag() {
        case 0: .expression(try typed())
        case 1: .timer(TimerID(rawValue: UInt16(truncatingIfNeeded: try index(below: timerCount))))
        default: throw .malformed
        }
    }

    private mutating func tolerance() throws(ImageFault) -> ActivityPlan.Tolerance {
        switch try image.tag() {
        case 0: .none
        case 1: .number(try finite())
        case 2: .time(try length())
        default: throw .malformed
        }
    }

    private mutating func alert() throws(ImageFault) -> ActivityDefinition.Alert {
        let occasion: ActivityDefinition.Occasion
        switch try image.tag() {
        case 0: occasion = .state(try state())
        case 1:
            let program = try program()
            let fingerprint = try image.unsigned()
            occasion = .condition(program, Dependencies(program), fingerprint: fingerprint)
        case 2: occasion = .event(try texts())
        default: throw .malformed
        }
        let (title, body) = (try template(), try optionalTemplate())
        guard let sound = ActivityAlert.Sound(try image.text()),
            let level = ActivityAlert.Level(rawValue: try image.tag())
        else { throw .malformed }
        return ActivityDefinition.Alert(
            occasion: occasion,
            title: title,
            body: body,
            sound: sound,
            level: level
        )
    }

    private mutating func dismissal() throws(ImageFault) -> ActivityDismissal {
        switch try image.tag() {
        case 0: .default
        case 1: .immediate
        case 2: .after(try length())
        default: throw .malformed
        }
    }

    private mutating func contract(
        _ kind: String,
        _ attributes: [String],
        _ content: [String]
    ) throws(ImageFault) -> LiveActivityContract {
        let attributes = try contractFields(attributes)
        let content = try contractFields(content)
        return LiveActivityContract(
            kind: kind,
            attributes: attributes,
            content: content,
            states: try optional { reader throws(ImageFault) in try reader.texts() },
            longestState: try index(below: Self.longestState)
        )
    }

    private mutating func contractFields(
        _ names: [String]
    ) throws(ImageFault) -> [LiveActivityContract.Field] {
        var fields: [LiveActivityContract.Field] = []
        for name in names {
            fields.append(
                LiveActivityContract.Field(
                    name: name,
                    type: try choice(FieldType.self),
                    unit: try optionalText(),
                    decimals: try optionalNumber(),
                    whole: try optionalDouble()
                )
            )
        }
        return fields
    }
}
