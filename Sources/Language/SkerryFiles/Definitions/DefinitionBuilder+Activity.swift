import SkerryActivity
import SkerryDevice
import SkerryValues

extension DefinitionBuilder {
    /// Reads the activity.
    mutating func activity(_ node: YAMLNode) -> ActivityDraft? {
        var activity = ActivityDraft(at: node.place)
        return read(node, of: "an activity", ActivityKeys.activity, into: &activity) == nil ? nil : activity
    }

    /// Reads the importance: a number, or an expression that gives it.
    mutating func relevance(_ pair: YAMLPair, of activity: inout ActivityDraft) {
        guard let source = expression(pair.value, of: pair.what) else { return }
        if Double(source.text) == nil {
            activity.changingRelevance = source
        } else if let number = number(pair.value, of: pair.what, in: 0...100) {
            activity.relevance = number
        }
    }

    /// Reads the key of a run: its expression, or a mapping that says whether it may come back.
    mutating func runKey(_ pair: YAMLPair, of activity: inout ActivityDraft) {
        guard case .map(let pairs) = pair.value.content, pairs.contains(where: { $0.key.text == "key" })
        else {
            activity.run = expression(pair.value, of: pair.what)
            return
        }
        read(pair.value, of: pair.what, ActivityKeys.runKey, into: &activity)
    }

    /// Reads the attributes by their names.
    mutating func attributes(_ pair: YAMLPair) -> [AttributeDraft] {
        let remedy = "write each attribute with its expression, as in `{ name: device.name }`"
        return entries(pair.value, of: pair.what, names: .field, remedy: remedy).map { attribute($0) }
    }

    /// Reads the fields by their names.
    mutating func content(_ pair: YAMLPair) -> [ContentDraft] {
        let remedy = "write each field with its expression, as in `{ status: state.title }`"
        return entries(pair.value, of: pair.what, names: .field, remedy: remedy).map { field($0) }
    }

    private mutating func attribute(_ pair: YAMLPair) -> AttributeDraft {
        let (value, keys) = fieldValue(pair, of: "an attribute", .attribute)
        var attribute = AttributeDraft(name: pair.key, value: value)
        if let keys { read(keys, ActivityKeys.attribute, into: &attribute) }
        return attribute
    }

    /// The expression of an attribute or a field, with the keys beside it where a mapping can be read.
    private mutating func fieldValue(
        _ pair: YAMLPair,
        of what: String,
        _ part: LanguagePart
    ) -> (value: SourceText, keys: Keys?) {
        if let value = refuseBraces(pair.value) { return (value, nil) }
        if let chosen = chosen(of: pair.value, unlessIn: part.mapping.names) {
            return (expression(chosen, of: "'value'") ?? unreadable(at: chosen.place), nil)
        }
        guard case .map = pair.value.content else { return (expressionOrAny(pair), nil) }
        guard let keys = keys(pair.value, of: what, part),
            let value = keys["value"].flatMap({ expression(chosen(of: $0) ?? $0, of: "'value'") })
        else {
            if part == .field { unreadNames.insert(.field) }
            return (unreadable(at: pair.value.place), nil)
        }
        return (value, keys)
    }

    /// Refuses `{state.title}`, which YAML reads as a mapping, and gives the expression in it.
    private mutating func refuseBraces(_ node: YAMLNode) -> SourceText? {
        guard case .map(let pairs) = node.content, pairs.count == 1, pairs[0].value.isEmpty else {
            return nil
        }
        let expression = pairs[0].key
        report(
            .badExpression,
            expression,
            "an expression is written without braces: those are for texts such as titles",
            remedy: "write `\(expression.text)`"
        )
        return expression
    }

    private mutating func field(_ pair: YAMLPair) -> ContentDraft {
        let (value, keys) = fieldValue(pair, of: "a content field", .field)
        var content = ContentDraft(name: pair.key, value: value)
        if let keys { read(keys, ActivityKeys.field, into: &content) }
        return content
    }

    /// The unit of a number: a few characters.
    mutating func unit(_ node: YAMLNode) -> SourceText? {
        guard let source = words(node, of: "'unit'") else { return nil }
        if source.text.count <= DefinitionReader.unitLimit, !source.text.contains(where: \.isNewline) {
            return source
        }
        report(
            .badValue,
            source,
            "a unit is one line of at most \(DefinitionReader.unitLimit) characters",
            remedy: "write what stands after the number, such as `kWh`"
        )
        return nil
    }

    /// The number that fills a bar.
    mutating func whole(_ node: YAMLNode) -> Double? {
        guard let source = text(node, of: "'of'") else { return nil }
        if let whole = Double(source.text), whole > 0, whole.isFinite { return whole }
        report(
            .badValue,
            source,
            "'of' can't be '\(source.text)'",
            remedy: "write the number that fills the bar, such as `of: 100`"
        )
        return nil
    }

    /// The alerts: a mapping of states to alerts, or a list of alerts that say when they are given.
    mutating func alerts(_ node: YAMLNode) -> [AlertDraft] {
        guard case .list(let elements) = node.content else {
            return alertEntries(node).compactMap { alert($0) }
        }
        return elements.compactMap { listedAlert($0) }
    }

    private mutating func listedAlert(_ node: YAMLNode) -> AlertDraft? {
        guard var keys = keys(node, of: "an alert", .listedAlert) else { return nil }
        let occasions = LanguagePart.listedAlert.mapping.choice
        let occasion = choice(&keys, of: "an alert", among: occasions) { "write another alert for '\($0)'" }
        if occasion == nil {
            report(
                .missingKey,
                node,
                "nothing says when this alert is given",
                remedy: "write \(occasions.listed(with: "or")), as in `state: done`"
            )
        }
        let nowhere = SourceText("", at: node.place)
        var alert = AlertDraft(.state(nowhere), title: nowhere, body: nil)
        read(keys, ActivityKeys.listedAlert, into: &alert)
        return alert.title.text.isEmpty || alert.occasion.source.text.isEmpty ? nil : alert
    }

    private mutating func alert(_ pair: YAMLPair) -> AlertDraft? {
        var alert = AlertDraft(.state(pair.key), title: SourceText("", at: pair.value.place), body: nil)
        read(pair.value, of: "an alert", ActivityKeys.alert, into: &alert)
        return alert.title.text.isEmpty ? nil : alert
    }

    /// Reads the sound of an alert.
    mutating func sound(_ node: YAMLNode) -> ActivityAlert.Sound? {
        guard let source = text(node, of: "'sound'") else { return nil }
        if let sound = ActivityAlert.Sound(source.text) { return sound }
        report(
            .badValue,
            source,
            "'sound' can't be '\(source.text)'",
            remedy: "write `default`, `none`, or the name of a file in the app, such as `bell.caf`"
        )
        return nil
    }

    /// Reads the time from the end of an activity to its dismissal.
    mutating func dismissal(_ node: YAMLNode, of activity: inout ActivityDraft) {
        guard let source = text(node, of: "'dismiss'") else { return }
        switch source.text {
        case "default": activity.dismissal = .default
        case "immediate": activity.dismissal = .immediate
        case let text where text.hasPrefix(Self.settingStart) || text.first?.isWholeNumber == true:
            guard let written = settableInterval(node, of: "'dismiss'") else { return }
            guard written.interval <= .hours(Int64(DefinitionReader.dismissalLimit)) else {
                return report(
                    .badValue,
                    source,
                    "'dismiss' can't be longer than \(DefinitionReader.dismissalLimit) hours",
                    remedy: "write `default`, which is the longest"
                )
            }
            (activity.dismissal, activity.dismissalSetting) = (.after(written.interval), written.setting)
        default: _ = word(node, of: "'dismiss'", among: ["default", "immediate", "a length of time"])
        }
    }
}

extension AlertDraft.Occasion {
    /// The name or the expression of the occasion.
    fileprivate var source: SourceText {
        switch self {
        case .state(let text), .condition(let text), .event(let text): text
        }
    }
}
