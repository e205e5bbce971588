import SkerryExpressions
import SkerryValues

extension Island: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let tint = try coder.optional(part?.tint)
        let tints = try coder.optional(part?.tints)
        let symbol = try coder.optional(part?.symbol)
        let elements = try coder.list(part?.elements)
        let links = try coder.list(part?.links) { coder, link throws(ImageFault) in
            (region: try coder.choice(link?.region), link: try coder.part(link?.link))
        }
        let alignments = part.map { part in
            IslandRegion.allCases.compactMap { region in part.alignments[region].map { (region, $0) } }
        }
        let aligned = try coder.list(alignments) { coder, alignment throws(ImageFault) in
            (try coder.choice(alignment?.0), try coder.choice(alignment?.1))
        }
        var regions: [IslandRegion: IslandAlignment] = [:]
        for (region, alignment) in aligned { regions[region] = alignment }
        return Island(
            tint: tint,
            tints: tints,
            symbol: symbol,
            elements: elements,
            links: links,
            alignments: regions,
            buttons: try coder.list(part?.buttons),
            attributes: try coder.list(part?.attributes),
            fields: try coder.list(part?.fields)
        )
    }
}

extension Island.Button: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        Island.Button(
            name: try coder.text(part?.name),
            title: try coder.text(part?.title),
            states: try coder.list(part?.states),
            link: try coder.optional(part?.link)
        )
    }
}

extension IslandLayout.Choice: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        IslandLayout.Choice(
            field: try coder.optional(part?.field),
            cases: try coder.list(part?.cases) { coder, known throws(ImageFault) in
                Case(value: try coder.text(known?.value), result: try coder.text(known?.result))
            }
        )
    }
}

extension IslandLayout.Tint: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let colour: String? = if case .colour(let colour) = part { colour } else { nil }
        return try coder.optional(colour).map { .colour($0) } ?? .island
    }
}

extension Island.Element: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        try coded(part, isCell: false, by: &coder)
    }

    /// Writes or reads a view; a row has no rows within it.
    private static func coded<Coder: CompiledCoder>(
        _ old: Island.Element?,
        isCell: Bool,
        by coder: inout Coder
    ) throws(ImageFault) -> Island.Element {
        Island.Element(
            region: try coder.choice(old?.region),
            kind: try coder.choice(old?.kind),
            source: try coder.part(old?.source),
            text: try coder.optional(old?.text),
            symbols: try coder.optional(old?.symbols),
            tint: try coder.optional(old?.tint),
            circle: try coder.optional(old?.circle),
            image: try coder.optional(old?.image),
            link: try coder.optional(old?.link),
            whole: try coder.optional(old?.whole),
            steps: try coder.optionalNumber(old?.steps),
            lines: try coder.optionalNumber(old?.lines),
            transition: try coder.optionalChoice(old?.transition),
            cells: try coder.list(old?.cells) { coder, cell throws(ImageFault) in
                try coder.list(cell) { coder, element throws(ImageFault) in
                    guard !isCell else { throw .malformed }
                    return try coded(element, isCell: true, by: &coder)
                }
            },
            fittedCells: try coder.list(old?.fittedCells) { coder, index throws(ImageFault) in
                try coder.number(index)
            }
        )
    }
}
