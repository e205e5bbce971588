import SkerryExpressions
import SkerryMachine
import SkerryValues

// The order of a compiled definition: names and their numbers, messages, machine, activity, and last what only people see.

extension DefinitionParts {
    func write(_ chart: Statechart, to writer: inout CompiledWriter) {
        writer.image.text(kind)
        writer.image.text(name)
        writer.image.unsigned(fingerprint)
        writer.texts(signalNames)
        writer.texts(variableNames)
        writer.list(settings) { writer, setting in
            writer.image.text(setting.name)
            writer.value(setting.standard)
            writer.optional(setting.least) { $0.value($1) }
            writer.optional(setting.greatest) { $0.value($1) }
            writer.optionalText(setting.text)
        }
        writer.image.count(chart.states.count)
        writer.texts(timers.map { $0.name })
        for type in signalTypes { type.write(to: &writer.image) }
        writer.signals(readSignals)
        writer.image.count(signalForms.count)
        writer.list(sources) { $0.source($1) }
        writer.list(recognition) { writer, recognition in
            writer.image.tag(recognition.certainty.rawValue)
            writer.source(recognition.source)
        }
        writer.formTable(signalForms)
        for timer in timers { writer.timer(timer) }
        for program in initialContext { writer.program(program) }
        for title in titles { writer.optionalTemplate(title) }
        writeMachine(chart, to: &writer)
        writer.optional(activity) { $0.activity($1) }
        writer.optional(island) { $0.island($1) }
        for place in statePlaces + transitionPlaces { writer.place(place) }
        writer.written(expressions)
    }

    static func definition(
        from reader: inout CompiledReader,
        limits: DeviceLimits
    ) throws(ImageFault) -> Definition {
        var parts = DefinitionParts()
        parts.limits = limits
        try parts.readNames(from: &reader)
        let timers = try reader.timerNames()
        for _ in parts.signalNames { parts.signalTypes.append(try ExpressionType(from: &reader.image)) }
        parts.readSignals = try reader.signals()
        try parts.readMessages(from: &reader)
        for name in timers { parts.timers.append(try reader.timer(named: name)) }
        for _ in parts.variableNames { parts.initialContext.append(try reader.program()) }
        reader.knowsTitles = false
        for _ in 0..<reader.stateCount { parts.titles.append(try reader.optionalTemplate()) }
        reader.knowsTitles = true
        let chart = try parts.readMachine(from: &reader, timers: timers)
        let (kind, titles) = (parts.kind, parts.titles)
        parts.activity = try reader.optional { reader throws(ImageFault) in
            try reader.activity(kind: kind, titles: titles, contentLimit: limits.contentBytes)
        }
        parts.island = try reader.optional { reader throws(ImageFault) in try reader.island() }
        for _ in chart.states { parts.statePlaces.append(try reader.place()) }
        for _ in chart.transitions { parts.transitionPlaces.append(try reader.place()) }
        parts.expressions = try reader.list { reader throws(ImageFault) in
            // What an expression reads was checked where it is evaluated.
            WrittenExpression(program: try reader.writtenProgram(), text: try reader.source())
        }
        return Definition(parts, chart: chart)
    }

    private mutating func readNames(from reader: inout CompiledReader) throws(ImageFault) {
        kind = try reader.image.text()
        name = try reader.image.text()
        fingerprint = try reader.image.unsigned()
        guard kind.isTopicLevel else { throw .malformed }
        signalNames = try reader.texts()
        variableNames = try reader.texts()
        settings = try reader.list { reader throws(ImageFault) in
            let name = try reader.image.text()
            let standard = try reader.value()
            let least = try reader.optional { reader throws(ImageFault) in try reader.value() }
            let greatest = try reader.optional { reader throws(ImageFault) in try reader.value() }
            let text = try reader.optionalText()
            return Setting(name: name, standard: standard, least: least, greatest: greatest, text: text)
        }
        settingChoices = settings.map { $0.standard }
        guard signalNames.count <= SignalSet.capacity, variableNames.count <= Int(UInt16.max),
            settings.count <= Int(UInt16.max)
        else { throw .malformed }
        reader.signalCount = signalNames.count
        reader.variableCount = variableNames.count
        reader.settingCount = settings.count
        reader.stateCount = try reader.index(below: StateSet.capacity + 1)
    }

    private mutating func readMessages(from reader: inout CompiledReader) throws(ImageFault) {
        let forms = try reader.index(below: SignalForm.limit + 1)
        sources = try reader.list { reader throws(ImageFault) in try reader.messageSource(forms: forms) }
        let costLimit = limits.expressionCost
        recognition = try reader.list { reader throws(ImageFault) in
            let certainty = try reader.choice(Certainty.self)
            let source = try reader.messageSource(forms: 0)
            return Recognition(source, certainty: certainty, costLimit: costLimit)
        }
        let signals = try reader.formSignals(count: forms)
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

extension CompiledWriter {
    fileprivate mutating func formTable(_ forms: [SignalForm]) {
        for form in forms { image.count(form.signal) }
    }
}

extension CompiledReader {
    fileprivate mutating func timerNames() throws(ImageFault) -> [String] {
        let names = try texts()
        guard names.count <= Int(UInt16.max) else { throw .malformed }
        timerCount = names.count
        return names
    }

    fileprivate mutating func formSignals(count: Int) throws(ImageFault) -> [Int] {
        var signals: [Int] = []
        for _ in 0..<count { signals.append(try index(below: signalCount)) }
        return signals
    }
}
