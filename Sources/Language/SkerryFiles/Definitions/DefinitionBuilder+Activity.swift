import SkerryActivity
import SkerryDevice
import SkerryValues

extension DefinitionBuilder {
    /// Reads the activity.
    mutating func activity(_ node: YAMLNode) -> ActivityDraft? {
        guard let keys = keys(node, of: "an activity", .activity) else { return nil }
        var activity = ActivityDraft(at: node.place)
        activity.starts = keys["starts"].map { texts($0, of: "'starts'") } ?? []
        activity.ends = keys["ends"].map { texts($0, of: "'ends'") } ?? []
        if let node = keys["run"] { runKey(node, of: &activity) }
        activity.reset = keys["reset"].map { texts($0, of: "'reset'") } ?? []
        if let node = keys["attributes"] {
            activity.attributes = entries(
                node,
                of: "'attributes'",
                names: .field,
                remedy: "write each attribute with its expression, as in `{ name: device.name }`"
            ).map { attribute($0) }
        }
        activity.audience = keys["audience"].flatMap { text($0, of: "'audience'") }
        if let node = keys["content"] {
            activity.content = entries(
                node,
                of: "'content'",
                names: .field,
                remedy: "write each field with its expression, as in `{ status: state.title }`"
            ).map { content($0) }
        }
        if let node = keys["alerts"] {
            activity.alerts = alerts(node)
        }
        if let node = keys["relevance"], let source = expression(node, of: "'relevance'") {
            if Double(source.text) == nil {
                activity.changingRelevance = source
            } else if let number = number(node, of: "'relevance'", in: 0...100) {
                activity.relevance = number
            }
        }
        activity.stale = keys["stale"].flatMap { silence($0, of: "'stale'") }
        if let dismissal = keys["dismiss"].flatMap({ dismissal($0) }) {
            (activity.dismissal, activity.dismissalSetting) = dismissal
        }
        activity.forget = keys["forget"].flatMap { interval($0, of: "'forget'") }
        activity.exactAfter = keys["exactAfter"].flatMap { interval($0, of: "'exactAfter'") }
        activity.throttle = keys["throttle"].flatMap { interval($0, of: "'throttle'") }
        activity.settle = keys["settle"].flatMap { settling($0) }
        activity.link = keys["link"].flatMap { text($0, of: "'link'") }
        return activity
    }

    /// Reads the key of a run: its expression, or a mapping that says whether it may come back.
    private mutating func runKey(_ node: YAMLNode, of activity: inout ActivityDraft) {
        guard case .map(let pairs) = node.content, pairs.contains(where: { $0.key.text == "key" }) else {
            activity.run = expression(node, of: "'run'")
            return
        }
        guard let keys = keys(node, of: "'run'", .runKey) else { return }
        activity.run = keys["key"].flatMap { expression($0, of: "'key'") }
        activity.runsOnce = keys["once"].flatMap { truth($0, of: "'once'") } ?? false
    }

    private mutating func settling(_ node: YAMLNode) -> SourceInterval? {
        guard let length = interval(node, of: "'settle'") else { return nil }
        if length.interval <= .seconds(Int64(DefinitionReader.settlingLimit)) { return length }
        report(
            .badDuration,
            node,
            "'settle' can't be longer than \(DefinitionReader.settlingLimit) seconds",
            remedy: "write a time such as 500ms"
        )
        return nil
    }

    private mutating func attribute(_ pair: YAMLPair) -> AttributeDraft {
        let (value, keys) = fieldValue(pair, of: "an attribute", .attribute)
        return AttributeDraft(name: pair.key, value: value, type: fieldType(keys?["type"]))
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

    private mutating func fieldType(_ node: YAMLNode?) -> FieldType? {
        guard let word = node.flatMap({ word($0, of: "'type'", among: LanguagePart.field.words("type")) })
        else { return nil }
        return FieldType.declarable.first { $0.name == word }
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

    private mutating func content(_ pair: YAMLPair) -> ContentDraft {
        let (value, further) = fieldValue(pair, of: "a content field", .field)
        guard let keys = further else { return ContentDraft(name: pair.key, value: value) }
        let tolerance = keys["tolerance"].flatMap { number($0, of: "'tolerance'", in: 0...Double.infinity) }
        var content = ContentDraft(
            name: pair.key,
            value: value,
            tolerance: tolerance,
            type: fieldType(keys["type"])
        )
        content.condition = keys["when"].flatMap { expression($0, of: "'when'") }
        content.throttle = keys["throttle"].flatMap { interval($0, of: "'throttle'") }
        content.decimals = keys["round"].flatMap { decimals($0) }
        content.unit = keys["unit"].flatMap { unit($0) }
        content.whole = keys["of"].flatMap { whole($0) }
        return content
    }

    /// The number of decimals that a number keeps.
    private mutating func decimals(_ node: YAMLNode) -> Int? {
        guard let source = text(node, of: "'round'") else { return nil }
        if let decimals = Int(source.text), (0...6).contains(decimals) { return decimals }
        report(
            .badValue,
            source,
            "'round' can't be '\(source.text)'",
            remedy: "write the number of decimals to keep, from 0 to 6"
        )
        return nil
    }

    /// The unit of a number: a few characters.
    private mutating func unit(_ node: YAMLNode) -> SourceText? {
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
    private mutating func alerts(_ node: YAMLNode) -> [AlertDraft] {
        guard case .list(let elements) = node.content else {
            return alertEntries(node).compactMap { alert($0) }
        }
        return elements.compactMap { listedAlert($0) }
    }

    private mutating func listedAlert(_ node: YAMLNode) -> AlertDraft? {
        guard let keys = keys(node, of: "an alert", .listedAlert) else { return nil }
        let occasions = LanguagePart.listedAlert.mapping.choice
        let written = keys.pairs.filter { occasions.contains($0.key.text) }
        if written.isEmpty {
            report(
                .missingKey,
                node,
                "nothing says when this alert is given",
                remedy: "write \(occasions.listed(with: "or")), as in `state: done`"
            )
        }
        for extra in written.dropFirst() {
            report(
                .badValue,
                extra.key,
                "an alert has '\(written[0].key.text)' or '\(extra.key.text)', not both",
                remedy: "write another alert for '\(extra.key.text)'"
            )
        }
        let title = keys["title"].flatMap { words($0, of: "'title'") }
        let body = keys["body"].flatMap { words($0, of: "'body'") }
        let (sound, level) = sound(keys)
        guard let title, let pair = written.first,
            let occasion = text(pair.value, of: "'\(pair.key.text)'")
        else { return nil }
        let given: AlertDraft.Occasion =
            switch pair.key.text {
            case "when": .condition(occasion)
            case "event": .event(occasion)
            default: .state(occasion)
            }
        var alert = AlertDraft(given, title: title, body: body)
        (alert.sound, alert.level) = (sound, level)
        return alert
    }

    private mutating func alert(_ pair: YAMLPair) -> AlertDraft? {
        guard let keys = keys(pair.value, of: "an alert", .alert),
            let title = keys["title"].flatMap({ words($0, of: "'title'") })
        else { return nil }
        let body = keys["body"].flatMap { words($0, of: "'body'") }
        var alert = AlertDraft(.state(pair.key), title: title, body: body)
        (alert.sound, alert.level) = sound(keys)
        return alert
    }

    /// The sound and the urgency of an alert.
    private mutating func sound(_ keys: Keys) -> (ActivityAlert.Sound, ActivityAlert.Level) {
        var (sound, level) = (ActivityAlert.Sound.standard, ActivityAlert.Level.active)
        if let source = keys["sound"].flatMap({ text($0, of: "'sound'") }) {
            if let named = ActivityAlert.Sound(source.text) {
                sound = named
            } else {
                report(
                    .badValue,
                    source,
                    "'sound' can't be '\(source.text)'",
                    remedy: "write `default`, `none`, or the name of a file in the app, such as `bell.caf`"
                )
            }
        }
        if let node = keys["level"] {
            let word = word(node, of: "'level'", among: ActivityAlert.Level.allCases.map(\.name))
            level = ActivityAlert.Level.allCases.first { $0.name == word } ?? .active
        }
        return (sound, level)
    }

    private mutating func dismissal(_ node: YAMLNode) -> (ActivityDismissal, setting: String?)? {
        guard let source = text(node, of: "'dismiss'") else { return nil }
        switch source.text {
        case "default": return (.default, nil)
        case "immediate": return (.immediate, nil)
        default: break
        }
        let isSetting = source.text.hasPrefix(Self.settingStart)
        guard isSetting || source.text.first?.isWholeNumber == true else {
            _ = word(node, of: "'dismiss'", among: ["default", "immediate", "a length of time"])
            return nil
        }
        guard let written = settableInterval(node, of: "'dismiss'") else { return nil }
        let length = written.interval
        guard length <= .hours(Int64(DefinitionReader.dismissalLimit)) else {
            report(
                .badValue,
                source,
                "'dismiss' can't be longer than \(DefinitionReader.dismissalLimit) hours",
                remedy: "write `default`, which is the longest"
            )
            return nil
        }
        return (.after(length), written.setting)
    }
}
