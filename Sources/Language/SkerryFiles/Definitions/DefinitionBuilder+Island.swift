import SkerryDevice

extension DefinitionBuilder {
    /// Reads the island.
    mutating func island(_ node: YAMLNode) -> IslandDraft? {
        guard let keys = keys(node, of: "an island", .island) else { return nil }
        var island = IslandDraft()
        island.tint = keys["tint"].flatMap { text($0, of: "'tint'") }
        island.symbol = keys["symbol"].flatMap { text($0, of: "'symbol'") }
        for pair in keys.pairs {
            switch pair.key.text {
            case "buttons": island.buttons = buttons(pair.value)
            case "minimal": region(pair, .minimal, &island)
            case "lock": region(pair, .lock, &island)
            case "compact":
                regions(
                    pair.value,
                    of: "'compact'",
                    .compact,
                    [("leading", .compactLeading), ("trailing", .compactTrailing)],
                    &island
                )
            case "expanded":
                regions(
                    pair.value,
                    of: "'expanded'",
                    .expanded,
                    [
                        ("leading", .expandedLeading), ("trailing", .expandedTrailing),
                        ("center", .expandedCenter), ("bottom", .expandedBottom),
                    ],
                    &island
                )
            default: break
            }
        }
        return island
    }

    private mutating func buttons(_ node: YAMLNode) -> [IslandButtonDraft] {
        entries(
            node,
            of: "'buttons'",
            remedy: "write each event with the text of its button, as in `{ pause: Pause }`"
        ).compactMap { pair in
            guard case .map = pair.value.content,
                pair.value.languages(besides: LanguagePart.button.mapping.names) == nil
            else {
                return words(pair.value, of: "'\(pair.key.text)'").map {
                    IslandButtonDraft(name: pair.key, title: $0)
                }
            }
            guard let keys = keys(pair.value, of: "'\(pair.key.text)'", .button) else { return nil }
            let title = keys["title"].flatMap { words($0, of: "'title'") }
            let link = keys["link"].flatMap { text($0, of: "'link'") }
            guard let title, let link else { return nil }
            return IslandButtonDraft(name: pair.key, title: title, link: link)
        }
    }

    private mutating func regions(
        _ node: YAMLNode,
        of what: String,
        _ part: LanguagePart,
        _ names: [(name: String, region: IslandRegion)],
        _ island: inout IslandDraft
    ) {
        guard let keys = keys(node, of: what, part) else { return }
        for pair in keys.pairs {
            for (name, region) in names where name == pair.key.text { self.region(pair, region, &island) }
        }
    }

    private mutating func region(_ pair: YAMLPair, _ region: IslandRegion, _ island: inout IslandDraft) {
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
        let kinds: [(name: String, kind: IslandElementKind, part: LanguagePart)] = [
            ("symbol", .symbol, .drawnSymbol), ("text", .text, .drawnText), ("title", .title, .drawnText),
            ("caption", .caption, .drawnText), ("countdown", .countdown, .drawnClock),
            ("minutes", .minutes, .drawnClock),
            ("progress", .progress, .drawnBar),
        ]
        guard let (name, kind, part) = kinds.first(where: { $0.name == pair.key.text }) else { return nil }
        let isWords = part == .drawnText
        let isTranslated = isWords && pair.value.languages(besides: part.mapping.names) != nil
        guard case .map(let pairs) = pair.value.content, !pairs.isBraced, !isTranslated else {
            let value = isWords ? words(pair.value, of: "'\(name)'") : text(pair.value, of: "'\(name)'")
            return value.map { IslandElementDraft(region: region, kind: kind, value: $0) }
        }
        guard let keys = keys(pair.value, of: "'\(name)'", part),
            let value = keys["value"].flatMap({
                isWords ? words($0, of: "'value'") : text($0, of: "'value'")
            })
        else { return nil }
        var element = IslandElementDraft(region: region, kind: kind, value: value)
        element.tint = keys["tint"].flatMap { text($0, of: "'tint'") }
        element.circle = keys["circle"].flatMap { text($0, of: "'circle'") }
        element.image = keys["image"].flatMap { text($0, of: "'image'") }
        element.link = keys["link"].flatMap { text($0, of: "'link'") }
        element.whole = keys["of"].flatMap { whole($0) }
        element.steps = keys["steps"].flatMap {
            count($0, of: "'steps'", in: DefinitionReader.stepLimits, "write how many segments the bar has")
        }
        element.lines = keys["lines"].flatMap {
            count(
                $0,
                of: "'lines'",
                in: DefinitionReader.lineLimits,
                "write how many lines the text may have"
            )
        }
        let transition = keys["transition"].flatMap {
            word($0, of: "'transition'", among: IslandTransition.allCases.map(\.name))
        }
        element.transition = IslandTransition.allCases.first { $0.name == transition }
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

    /// A whole number within bounds.
    private mutating func count(
        _ node: YAMLNode,
        of what: String,
        in limits: ClosedRange<Int>,
        _ remedy: String
    ) -> Int? {
        guard let source = text(node, of: what) else { return nil }
        if let count = Int(source.text), limits.contains(count) { return count }
        report(
            .badValue,
            source,
            "\(what) can't be '\(source.text)'",
            remedy: "\(remedy), from \(limits.lowerBound) to \(limits.upperBound)"
        )
        return nil
    }
}

extension [YAMLPair] {
    /// True for `{status}`, a text in braces without quotes, which YAML reads as a mapping.
    var isBraced: Bool { count == 1 && self[0].value.isEmpty }
}
