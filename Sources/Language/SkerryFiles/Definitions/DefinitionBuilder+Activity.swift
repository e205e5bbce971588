import SkerryActivity
import SkerryDevice
import SkerryValues

extension DefinitionBuilder {
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

extension DefinitionBuilder {
    mutating func island(_ node: YAMLNode) -> IslandDraft? {
        var island = IslandDraft()
        return read(node, of: "an island", IslandKeys.island, into: &island) == nil ? nil : island
    }

    /// Reads the buttons by their events.
    mutating func buttons(_ pair: YAMLPair) -> [IslandButtonDraft] {
        entries(
            pair.value,
            of: pair.what,
            remedy: "write each event with the text of its button, as in `{ pause: Pause }`"
        ).compactMap { pair in
            guard case .map = pair.value.content,
                pair.value.languages(besides: LanguagePart.button.mapping.names) == nil
            else {
                return words(pair.value, of: pair.what).map { IslandButtonDraft(name: pair.key, title: $0) }
            }
            var button = IslandButtonDraft(name: pair.key, title: SourceText("", at: pair.value.place))
            read(pair.value, of: pair.what, IslandKeys.button, into: &button)
            return button.title.text.isEmpty || button.link == nil ? nil : button
        }
    }

    /// Reads what is drawn in a region.
    mutating func region(_ pair: YAMLPair, _ region: IslandRegion, _ island: inout IslandDraft) {
        guard let keys = keys(pair.value, of: "'\(pair.key.text)'", .region) else { return }
        for pair in keys.pairs {
            switch pair.key.text {
            case "link":
                let link = text(pair.value, of: "'link'")
                if let link { island.links.append(IslandLinkDraft(region: region, value: link)) }
            case "align":
                if let alignment = alignment(pair, in: region) { island.alignments[region] = alignment }
            default: island.elements += elements(pair, in: region)
            }
        }
    }

    private mutating func alignment(_ pair: YAMLPair, in region: IslandRegion) -> IslandAlignment? {
        let word = word(pair.value, of: "'align'", among: IslandAlignment.allCases.map(\.name))
        guard region.isLarge, region != .lock else {
            report(
                .badValue,
                pair.key,
                "only the regions of 'expanded' have an 'align'",
                remedy: "leave it out"
            )
            return nil
        }
        return IslandAlignment.allCases.first { $0.name == word }
    }

    /// Reads the elements below a key: a view, a row, or those of a column.
    private mutating func elements(_ pair: YAMLPair, in region: IslandRegion) -> [IslandElementDraft] {
        switch pair.key.text {
        case "column": return cells(pair, in: region).flatMap { $0.views }
        case "row":
            guard region.isLarge else {
                report(
                    .badValue,
                    pair.key,
                    "this region is one row already",
                    remedy: "write the views one after the other"
                )
                return []
            }
            let cells = cells(pair, in: region)
            let limits = DefinitionReader.cellLimits
            if !cells.isEmpty, !limits.contains(cells.count) {
                report(
                    .badValue,
                    pair.key,
                    "a row can't have \(cells.count) \(cells.count == 1 ? "cell" : "cells")",
                    remedy: "write \(limits.lowerBound) to \(limits.upperBound), each with its views"
                )
            }
            let place = SourceText("", at: pair.value.place)
            var row = IslandElementDraft(region: region, kind: .row, value: place)
            row.cells = cells.map { $0.views }
            row.fittedCells = cells.indices.filter { cells[$0].isFitted }
            return [row]
        default: return element(pair, in: region).map { [$0] } ?? []
        }
    }

    /// Reads the entries of a row or a column, each with its views.
    private mutating func cells(
        _ pair: YAMLPair,
        in region: IslandRegion
    ) -> [(views: [IslandElementDraft], isFitted: Bool)] {
        guard case .list(let entries) = pair.value.content else {
            report(
                .wrongShape,
                pair.value,
                "'\(pair.key.text)' must be a list, not \(pair.value.shape)",
                remedy: "write it as in `\(pair.key.text): [{ text: a }, { text: b }]`"
            )
            return []
        }
        return entries.compactMap { entry in
            guard let keys = keys(entry, of: "an entry of '\(pair.key.text)'", .cell) else { return nil }
            let width = keys.pair("width")
            if let width, pair.key.text != "row" {
                report(
                    .badValue,
                    width.key,
                    "only the cells of a 'row' have a 'width'",
                    remedy: "leave it out"
                )
            }
            let isFitted = width.map { word($0.value, of: "'width'", among: ["fit"]) != nil } ?? false
            return (keys.pairs.flatMap { elements($0, in: region) }, isFitted)
        }
    }

    /// Reads a view: its text alone, or a mapping of it and its properties.
    private mutating func element(_ pair: YAMLPair, in region: IslandRegion) -> IslandElementDraft? {
        guard let kind = IslandElementKind.allCases.first(where: { $0.word == pair.key.text }),
            let table = kind.keys
        else { return nil }
        let isTranslated = kind.isText && pair.value.languages(besides: table.mapping.names) != nil
        func shown(_ node: YAMLNode, of what: String) -> SourceText? {
            kind.isText ? words(node, of: what) : text(node, of: what)
        }
        guard case .map(let pairs) = pair.value.content, !pairs.isBraced, !isTranslated else {
            return shown(pair.value, of: pair.what).map {
                IslandElementDraft(region: region, kind: kind, value: $0)
            }
        }
        guard let keys = keys(pair.value, of: pair.what, table.mapping),
            let value = keys["value"].flatMap({ shown($0, of: "'value'") })
        else { return nil }
        var element = IslandElementDraft(region: region, kind: kind, value: value)
        read(keys, table, into: &element)
        if let steps = keys.pair("steps"), keys.pair("of") != nil {
            report(
                .badValue,
                steps.key,
                "a bar has 'of' or 'steps', not both",
                remedy: "'steps' draws segments of a number that counts them, 'of' one bar"
            )
        }
        return element
    }
}

extension [YAMLPair] {
    /// True for `{status}`, a text in braces without quotes, which YAML reads as a mapping.
    var isBraced: Bool { count == 1 && self[0].value.isEmpty }
}

extension DefinitionBuilder {
    /// The beginning of the names of settings in expressions and lengths.
    static let settingStart = "settings."

    /// Reads the settings of a definition; one that can't be read is left out, and its name is not reported as missing.
    mutating func readSettings(_ node: YAMLNode) {
        let remedy = "write each setting with its default, as in `{ threshold: 10, rest: 2m }`"
        for pair in entries(node, of: "'settings'", names: .setting, remedy: remedy) {
            if let setting = setting(pair) {
                settings.append(setting)
            } else {
                unreadNames.insert(.setting)
            }
        }
    }

    private mutating func setting(_ pair: YAMLPair) -> SettingDraft? {
        let name = "'\(pair.key.text)'"
        if pair.value.scalar != nil {
            return settingValue(pair.value, of: name).map { SettingDraft(name: pair.key, standard: $0) }
        }
        guard let keys = keys(pair.value, of: "a setting", .setting) else { return nil }
        guard let written = keys["default"] else {
            report(
                .missingKey,
                pair.key,
                "the setting \(name) has no default",
                remedy: "add 'default', which devices have for which nothing was chosen"
            )
            return nil
        }
        guard let standard = settingValue(written, of: "'default'") else { return nil }
        var setting = SettingDraft(name: pair.key, standard: standard)
        read(keys, DefinitionKeys.setting, into: &setting)
        let isOutside =
            setting.least.map { standard.isLess(than: $0) } ?? false
            || setting.greatest.map { $0.isLess(than: standard) } ?? false
        if isOutside {
            report(
                .badValue,
                written,
                "the default of \(name) lies outside of its bounds",
                remedy: "write a default from 'min' to 'max'"
            )
        }
        return setting
    }

    /// A bound of a setting, which must be a number or a length of time like its default.
    mutating func bound(_ pair: YAMLPair, like standard: SettingValue) -> SettingValue? {
        guard let value = settingValue(pair.value, of: pair.what) else { return nil }
        switch (value, standard) {
        case (.number, .number), (.length, .length): return value
        default:
            report(
                .badValue,
                pair.value,
                "\(pair.what) must be like the default, \(standard.kind)",
                remedy: "write \(standard.example); texts and truth values have no bounds"
            )
            return nil
        }
    }

    private mutating func settingValue(_ node: YAMLNode, of what: String) -> SettingValue? {
        guard text(node, of: what) != nil, let scalar = node.scalar else { return nil }
        let number = scalar.isPlain ? scalar.source.text.withDecimalPoint : nil
        if number == nil, let value = SettingValue(scalar) { return value }
        report(
            .badValue,
            node,
            "\(what) can't be '\(scalar.source.text)'",
            remedy: "write \(number ?? "a number, a text, true or false, or a length of time such as 2m")"
        )
        return nil
    }

    /// A length of time, or a setting that gives it.
    mutating func settableInterval(_ node: YAMLNode, of what: String) -> SourceInterval? {
        guard let source = node.scalar?.source, !source.text.isEmpty else { return interval(node, of: what) }
        guard source.text.hasPrefix(Self.settingStart) else { return interval(source, of: what) }
        let name = String(source.text.dropFirst(Self.settingStart.count))
        if let setting = settings.first(where: { $0.name.text.hasSameCodePoints(as: name) }) {
            if case .length(let length) = setting.standard {
                return SourceInterval(length, at: source.place, setting: name)
            }
            report(
                .wrongType,
                source,
                "\(what) must be a length of time, and the setting '\(name)' is \(setting.standard.kind)",
                remedy: "give the setting a default such as 2m"
            )
            return nil
        }
        // A setting that can't be read may have been a length.
        if unreadNames.contains(.setting) { return SourceInterval(.minutes(1), at: source.place) }
        let known = settings.map { $0.name.text }
        let near = MeantKey.of(name, among: known).map { "did you mean 'settings.\($0)'?" }
        report(
            .unknownName,
            source,
            "there is no setting '\(name)'",
            remedy: near ?? "add it under 'settings:', as in `settings: { \(name): 2m }`"
        )
        return nil
    }
}

extension SettingValue {
    /// The value that a text of YAML means; nil for one that means none.
    init?(_ scalar: YAMLScalar) {
        let text = scalar.source.text
        guard scalar.isPlain else {
            self = .text(text)
            return
        }
        switch CoreSchema.meaning(of: text) {
        case .null: return nil
        case .bool(let truth): self = .truth(truth)
        case .int(let number): self = .number(Double(number))
        case .double(let number):
            guard number.isFinite else { return nil }
            self = .number(number)
        case .text:
            if case .success(let length) = DurationText.parse(text) {
                self = .length(length)
            } else {
                self = .text(text)
            }
        }
    }

    /// The kind of value, in words.
    var kind: String {
        switch self {
        case .number: "a number"
        case .text: "a text"
        case .truth: "a truth value"
        case .length: "a length of time"
        }
    }

    /// A value of this kind as one would write it, in words.
    var example: String {
        switch self {
        case .number: "a number such as 10"
        case .text: "a text, in quotes if it looks like something else"
        case .truth: "true or false"
        case .length: "a length of time such as 2m"
        }
    }

    /// The name of the kind of value, for programs.
    var typeName: String {
        switch self {
        case .number: "number"
        case .text: "text"
        case .truth: "bool"
        case .length: "duration"
        }
    }

    /// The value as it is written in YAML.
    var written: String {
        switch self {
        case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        case .text(let text): text
        case .truth(let truth): truth ? "true" : "false"
        case .length(let length): DurationText.text(length)
        }
    }
}
