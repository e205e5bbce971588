import SkerryExpressions
import SkerryValues

extension CompiledWriter {
    mutating func island(_ island: Island) {
        optionalText(island.tint)
        optional(island.tints) { $0.choice($1) }
        optionalText(island.symbol)
        list(island.elements) { $0.element($1) }
        list(island.links) { writer, link in
            writer.image.tag(link.region.rawValue)
            writer.template(link.link)
        }
        let alignments = IslandRegion.allCases.compactMap { region in
            island.alignments[region].map { (region, $0) }
        }
        list(alignments) { writer, alignment in
            writer.image.tag(alignment.0.rawValue)
            writer.image.tag(alignment.1.rawValue)
        }
        list(island.buttons) { writer, button in
            writer.image.text(button.name)
            writer.image.text(button.title)
            writer.texts(button.states)
            writer.optionalTemplate(button.link)
        }
        texts(island.attributes)
        texts(island.fields)
    }

    private mutating func choice(_ choice: IslandLayout.Choice) {
        optionalText(choice.field)
        list(choice.cases) { writer, known in
            writer.image.text(known.value)
            writer.image.text(known.result)
        }
    }

    private mutating func tint(_ tint: IslandLayout.Tint) {
        switch tint {
        case .island: optionalText(nil)
        case .colour(let colour): optionalText(colour)
        }
    }

    private mutating func element(_ element: Island.Element) {
        image.tag(element.region.rawValue)
        image.tag(element.kind.rawValue)
        source(element.source)
        optionalTemplate(element.text)
        optional(element.symbols) { $0.choice($1) }
        optional(element.tint) { $0.tint($1) }
        optional(element.circle) { $0.tint($1) }
        optionalText(element.image)
        optionalTemplate(element.link)
        optionalDouble(element.whole)
        optionalCount(element.steps)
        optionalCount(element.lines)
        optional(element.transition) { $0.image.tag($1.rawValue) }
        list(element.cells) { writer, cell in writer.list(cell) { $0.element($1) } }
        list(element.fittedCells) { writer, index in writer.image.signed(Int64(index)) }
    }
}

extension CompiledReader {
    /// Rows within rows that are read; the language has none.
    private static let rowDepth = 1

    mutating func island() throws(ImageFault) -> Island {
        let tint = try optionalText()
        let tints = try optional { reader throws(ImageFault) in try reader.choice() }
        let symbol = try optionalText()
        let elements = try list { reader throws(ImageFault) in try reader.element(depth: 0) }
        let links = try list { reader throws(ImageFault) in
            (region: try reader.choice(IslandRegion.self), link: try reader.template())
        }
        var alignments: [IslandRegion: IslandAlignment] = [:]
        let written = try list { reader throws(ImageFault) in
            (try reader.choice(IslandRegion.self), try reader.choice(IslandAlignment.self))
        }
        for (region, alignment) in written { alignments[region] = alignment }
        let buttons = try list { reader throws(ImageFault) in
            Island.Button(
                name: try reader.image.text(),
                title: try reader.image.text(),
                states: try reader.texts(),
                link: try reader.optionalTemplate()
            )
        }
        return Island(
            tint: tint,
            tints: tints,
            symbol: symbol,
            elements: elements,
            links: links,
            alignments: alignments,
            buttons: buttons,
            attributes: try texts(),
            fields: try texts()
        )
    }

    private mutating func choice() throws(ImageFault) -> IslandLayout.Choice {
        let field = try optionalText()
        return IslandLayout.Choice(
            field: field,
            cases: try list { reader throws(ImageFault) in
                IslandLayout.Choice.Case(value: try reader.image.text(), result: try reader.image.text())
            }
        )
    }

    private mutating func tint() throws(ImageFault) -> IslandLayout.Tint {
        try optionalText().map { .colour($0) } ?? .island
    }

    private mutating func element(depth: Int) throws(ImageFault) -> Island.Element {
        guard depth <= Self.rowDepth else { throw .malformed }
        return Island.Element(
            region: try choice(IslandRegion.self),
            kind: try choice(IslandElementKind.self),
            source: try source(),
            text: try optionalTemplate(),
            symbols: try optional { reader throws(ImageFault) in try reader.choice() },
            tint: try optional { reader throws(ImageFault) in try reader.tint() },
            circle: try optional { reader throws(ImageFault) in try reader.tint() },
            image: try optionalText(),
            link: try optionalTemplate(),
            whole: try optionalDouble(),
            steps: try optionalNumber(),
            lines: try optionalNumber(),
            transition: try optional { reader throws(ImageFault) in try reader.choice(IslandTransition.self)
            },
            cells: try list { reader throws(ImageFault) in
                try reader.list { reader throws(ImageFault) in try reader.element(depth: depth + 1) }
            },
            fittedCells: try list { reader throws(ImageFault) in try reader.number() }
        )
    }
}
