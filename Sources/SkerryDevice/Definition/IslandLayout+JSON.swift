import SkerryActivity
public import SkerryValues

extension IslandLayout {
    /// Writes the layout as the JSON object that docs/phones.md describes.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("tint")
        if let tint { writer.string(tint) } else { writer.null() }
        if let tints {
            writer.key("tints")
            writer.beginObject()
            tints.write(to: &writer)
            writer.endObject()
        }
        writer.key("symbol")
        writer.string(symbol)
        Self.write("compactLeading", compactLeading, to: &writer)
        Self.write("compactTrailing", compactTrailing, to: &writer)
        Self.write("minimal", minimal, to: &writer)
        writer.key("expanded")
        writer.beginArray()
        for region in expanded {
            writer.beginObject()
            writer.key("position")
            writer.string(region.position.name)
            writer.key("priority")
            writer.int(Int64(region.position.priority))
            if let alignment = region.alignment {
                writer.key("align")
                writer.string(alignment.name)
            }
            Self.write("elements", region.elements, to: &writer)
            Self.write(link: region.link, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.key("lock")
        writer.beginObject()
        Self.write("symbols", lock.symbols, to: &writer)
        Self.write("texts", lock.texts, to: &writer)
        Self.write("clocks", lock.clocks, to: &writer)
        Self.write("bars", lock.bars, to: &writer)
        Self.write(link: lock.link, to: &writer)
        writer.endObject()
        if !buttons.isEmpty { write(buttons, to: &writer) }
        writer.endObject()
    }

    private func write(_ buttons: [Button], to writer: inout JSONWriter) {
        writer.key("buttons")
        writer.beginArray()
        for button in buttons {
            writer.beginObject()
            writer.key("event")
            writer.string(button.event)
            writer.key("title")
            writer.string(button.title)
            writer.key("states")
            writer.beginArray()
            for state in button.states { writer.string(state) }
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
    }

    private static func write(_ key: String, _ elements: [Element], to writer: inout JSONWriter) {
        writer.key(key)
        writer.beginArray()
        for element in elements { element.write(to: &writer) }
        writer.endArray()
    }

    fileprivate static func write(_ key: String, _ parts: [TextPart], to writer: inout JSONWriter) {
        writer.key(key)
        writer.beginArray()
        for part in parts { part.write(to: &writer) }
        writer.endArray()
    }

    /// Writes the link; nothing where the one around it applies.
    fileprivate static func write(link: [TextPart], to writer: inout JSONWriter) {
        if !link.isEmpty { write("link", link, to: &writer) }
    }
}

extension IslandLayout.Element {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        view.write(to: &writer)
        switch tint {
        case .island: Self.write("tint", "island", to: &writer)
        case .colour(let colour): Self.write("tint", colour, to: &writer)
        case nil: break
        }
        if let lines {
            writer.key("lines")
            writer.int(Int64(lines))
        }
        IslandLayout.write(link: link, to: &writer)
        writer.endObject()
    }

    fileprivate static func write(_ key: String, _ value: String, to writer: inout JSONWriter) {
        writer.key(key)
        writer.string(value)
    }
}

extension IslandLayout.View {
    /// Writes the members that say what is drawn.
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .symbol(let name, let choice):
            Self.write("symbol", "name", name, to: &writer)
            choice?.write(to: &writer)
        case .title(let parts): Self.write("title", parts, to: &writer)
        case .text(let parts): Self.write("text", parts, to: &writer)
        case .caption(let parts): Self.write("caption", parts, to: &writer)
        case .row(let cells):
            IslandLayout.Element.write("draw", "row", to: &writer)
            writer.key("cells")
            writer.beginArray()
            for cell in cells {
                writer.beginArray()
                for element in cell { element.write(to: &writer) }
                writer.endArray()
            }
            writer.endArray()
        case .clock(let field): Self.write("clock", "field", field, to: &writer)
        case .bar(let field): Self.write("bar", "field", field, to: &writer)
        case .level(let field, let whole):
            Self.write("bar", "field", field, to: &writer)
            writer.key("of")
            if let number = Int64(exactly: whole) { writer.int(number) } else { writer.double(whole) }
        case .steps(let field, let count):
            Self.write("steps", "field", field, to: &writer)
            writer.key("of")
            writer.int(Int64(count))
        }
    }

    private static func write(_ kind: String, _ key: String, _ name: String, to writer: inout JSONWriter) {
        IslandLayout.Element.write("draw", kind, to: &writer)
        IslandLayout.Element.write(key, name, to: &writer)
    }

    private static func write(
        _ kind: String,
        _ parts: [IslandLayout.TextPart],
        to writer: inout JSONWriter
    ) {
        IslandLayout.Element.write("draw", kind, to: &writer)
        IslandLayout.write("parts", parts, to: &writer)
    }
}

extension IslandLayout.Choice {
    /// Writes the members `field`, unless the state chooses, and `cases`.
    fileprivate func write(to writer: inout JSONWriter) {
        if let field { IslandLayout.Element.write("field", field, to: &writer) }
        writer.key("cases")
        writer.beginObject()
        for one in cases { IslandLayout.Element.write(one.value, one.result, to: &writer) }
        writer.endObject()
    }
}

extension IslandLayout.TextPart {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        switch self {
        case .literal(let text):
            writer.key("literal")
            writer.string(text)
        case .device:
            writer.key("device")
            writer.bool(true)
        case .attribute(let attribute): Self.write("attribute", attribute, to: &writer)
        case .field(let field): Self.write("field", field, to: &writer)
        }
        writer.endObject()
    }

    private static func write(
        _ key: String,
        _ member: LiveActivityContract.Field,
        to writer: inout JSONWriter
    ) {
        writer.key(key)
        writer.string(member.name)
        writer.key("type")
        writer.string(member.type.name)
        if let decimals = member.decimals {
            writer.key("round")
            writer.int(Int64(decimals))
        }
        if let unit = member.unit {
            writer.key("unit")
            writer.string(unit)
        }
    }
}
