import SkerryExpressions
import SkerryMachine
import SkerryValues

// The order of a compiled definition: names and their numbers, messages, machine, activity, and last what only people see.

extension DefinitionParts {
    /// Writes the parts of a definition with its machine, or reads them.
    static func coded<Coder: CompiledCoder>(
        _ old: (parts: DefinitionParts, chart: Statechart)?,
        limits: DeviceLimits,
        by coder: inout Coder
    ) throws(ImageFault) -> (parts: DefinitionParts, chart: Statechart) {
        let (old, oldChart) = (old?.parts, old?.chart)
        var parts = DefinitionParts()
        parts.limits = limits
        try parts.codeNames(old, oldChart, by: &coder)
        let timers: [String] = try coder.list(old?.timers.map { $0.name })
        guard timers.count <= Int(UInt16.max) else { throw .malformed }
        coder.known.timers = timers.count
        parts.signalTypes = try coder.elements(parts.signalNames.count, of: old?.signalTypes) {
            coder,
            type throws(ImageFault) in
            try coder.type(type)
        }
        parts.readSignals = try coder.part(old?.readSignals)
        try parts.codeMessages(old, by: &coder)
        for (number, name) in timers.enumerated() {
            parts.timers.append(try TimerDefinition.coded(old?.timers[number], named: name, by: &coder))
        }
        parts.initialContext = try coder.elements(parts.variableNames.count, of: old?.initialContext) {
            coder,
            program throws(ImageFault) in
            try coder.program(program)
        }
        coder.known.titles = false
        parts.titles = try coder.elements(coder.known.states, of: old?.titles) {
            coder,
            title throws(ImageFault) in
            try coder.optional(title ?? nil)
        }
        coder.known.titles = true
        let chart = try parts.codeMachine(old, oldChart, by: &coder)
        parts.activity = try coder.optional(old?.activity) { coder, activity throws(ImageFault) in
            try ActivityDefinition.coded(activity, of: parts, by: &coder)
        }
        parts.island = try coder.optional(old?.island)
        parts.statePlaces = try coder.places(chart.states.count, of: old?.statePlaces)
        parts.transitionPlaces = try coder.places(chart.transitions.count, of: old?.transitionPlaces)
        parts.expressions = try coder.list(coder.distinct(old?.expressions)) {
            coder,
            expression throws(ImageFault) in
            // What an expression reads was checked where it is evaluated.
            let program = try coder.writtenProgram(expression?.program)
            return WrittenExpression(program: program, text: try coder.part(expression?.text))
        }
        return (parts, chart)
    }

    private mutating func codeNames<Coder: CompiledCoder>(
        _ old: DefinitionParts?,
        _ chart: Statechart?,
        by coder: inout Coder
    ) throws(ImageFault) {
        kind = try coder.text(old?.kind)
        name = try coder.text(old?.name)
        fingerprint = try coder.unsigned(old?.fingerprint)
        guard kind.isTopicLevel else { throw .malformed }
        signalNames = try coder.list(old?.signalNames)
        variableNames = try coder.list(old?.variableNames)
        settings = try coder.list(old?.settings)
        settingChoices = settings.map { $0.standard }
        guard signalNames.count <= SignalSet.capacity, variableNames.count <= Int(UInt16.max),
            settings.count <= Int(UInt16.max)
        else { throw .malformed }
        coder.known.signals = signalNames.count
        coder.known.variables = variableNames.count
        coder.known.settings = settings.count
        coder.known.states = try coder.index(chart?.states.count, below: StateSet.capacity + 1)
    }

    private mutating func codeMessages<Coder: CompiledCoder>(
        _ old: DefinitionParts?,
        by coder: inout Coder
    ) throws(ImageFault) {
        let forms = try coder.index(old?.signalForms.count, below: SignalForm.limit + 1)
        coder.known.forms = forms
        sources = try coder.list(old?.sources) { coder, source throws(ImageFault) in
            try Source.coded(source, by: &coder)
        }
        coder.known.forms = 0
        let costLimit = limits.expressionCost
        recognition = try coder.list(old?.recognition) { coder, recognition throws(ImageFault) in
            let certainty = try coder.choice(recognition?.certainty)
            let source = try Source.coded(recognition?.source, by: &coder)
            return Recognition(source, certainty: certainty, costLimit: costLimit)
        }
        let signals = try coder.elements(forms, of: old?.signalForms.map { $0.signal }) {
            coder,
            signal throws(ImageFault) in
            try coder.index(signal, below: coder.known.signals)
        }
        // The expressions of a form stand with its source; the table has the numbers, which do not differ.
        signalForms = []
        for (history, signal) in signals.enumerated() {
            let form = sources.lazy.flatMap { $0.signals }.compactMap { $0.form }.first {
                $0.history == history && $0.signal == signal
            }
            guard let form else { throw .malformed }
            signalForms.append(form)
        }
        for form in sources.lazy.flatMap({ $0.signals }).compactMap({ $0.form }) {
            guard signalForms[form.history].signal == form.signal, signalForms[form.history].isLike(form)
            else {
                throw .malformed
            }
        }
    }
}

extension Setting: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        Setting(
            name: try coder.text(part?.name),
            standard: try coder.part(part?.standard),
            least: try coder.optional(part?.least),
            greatest: try coder.optional(part?.greatest),
            text: try coder.optional(part?.text)
        )
    }
}

extension CompiledCoder {
    /// The places of as many parts of the text.
    fileprivate mutating func places(_ count: Int, of places: [Place]?) throws(ImageFault) -> [Place] {
        try elements(count, of: places) { coder, place throws(ImageFault) in try coder.part(place) }
    }
}
