import SkerryDevice

extension DefinitionBuilder {
    /// Reads the island.
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
