import SkerryActivity
public import SkerryValues

extension IslandLayout {
    /// Writes the layout as the JSON object that docs/phones.md describes.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("tint", tint)
        if let tints {
            writer.object("tints") { writer in
                tints.write(to: &writer)
            }
        }
        writer.member("symbol", symbol)
        Self.write("compactLeading", compactLeading, to: &writer)
        Self.write("compactTrailing", compactTrailing, to: &writer)
        Self.write("minimal", minimal, to: &writer)
        writer.objects("expanded", expanded) { writer, region in
            writer.member("position", region.position.name)
            writer.member("priority", Int64(region.position.priority))
            if let alignment = region.alignment { writer.member("align", alignment.name) }
            Self.write("elements", region.elements, to: &writer)
            Self.write(link: region.link, to: &writer)
        }
        writer.object("lock") { writer in
            Self.write("symbols", lock.symbols, to: &writer)
            Self.write("texts", lock.texts, to: &writer)
            Self.write("clocks", lock.clocks, to: &writer)
            Self.write("bars", lock.bars, to: &writer)
            Self.write(link: lock.link, to: &writer)
        }
        if !buttons.isEmpty { write(buttons, to: &writer) }
        writer.endObject()
    }

    private func write(_ buttons: [Button], to writer: inout JSONWriter) {
        writer.objects("buttons", buttons) { writer, button in
            switch button.action {
            case .event(let event, let states):
                writer.member("event", event)
                writer.member("title", button.title)
                writer.member("states", states)
            case .link(let parts):
                writer.member("title", button.title)
                Self.write(link: parts, to: &writer)
            }
        }
    }

    private static func write(_ key: String, _ elements: [Element], to writer: inout JSONWriter) {
        writer.array(key, elements) { $1.write(to: &$0) }
    }

    fileprivate static func write(_ key: String, _ parts: [TextPart], to writer: inout JSONWriter) {
        writer.array(key, parts) { $1.write(to: &$0) }
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
        if let tint { Self.write("tint", tint.name, to: &writer) }
        if let circle { Self.write("circle", circle.name, to: &writer) }
        if let image { Self.write("image", image, to: &writer) }
        if let lines { writer.member("lines", Int64(lines)) }
        if let transition { Self.write("transition", transition.name, to: &writer) }
        if !fittedCells.isEmpty { writer.array("fit", fittedCells) { $0.int(Int64($1)) } }
        IslandLayout.write(link: link, to: &writer)
        writer.endObject()
    }

    fileprivate static func write(_ key: String, _ value: String, to writer: inout JSONWriter) {
        writer.member(key, value)
    }
}

extension IslandLayout.Tint {
    fileprivate var name: String {
        switch self {
        case .island: "island"
        case .colour(let colour): colour
        }
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
            writer.array("cells", cells) { writer, cell in
                writer.beginArray()
                for element in cell { element.write(to: &writer) }
                writer.endArray()
            }
        case .clock(let field, let inMinutes):
            Self.write("clock", "field", field, to: &writer)
            if inMinutes { IslandLayout.Element.write("in", "minutes", to: &writer) }
        case .bar(let field): Self.write("bar", "field", field, to: &writer)
        case .level(let field, let whole):
            Self.write("bar", "field", field, to: &writer)
            writer.key("of")
            if let number = Int64(exactly: whole) { writer.int(number) } else { writer.double(whole) }
        case .steps(let field, let count):
            Self.write("steps", "field", field, to: &writer)
            writer.member("of", Int64(count))
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
        writer.object("cases") { writer in
            for one in cases { IslandLayout.Element.write(one.value, one.result, to: &writer) }
        }
    }
}

extension IslandLayout.TextPart {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        switch self {
        case .literal(let text):
            writer.member("literal", text)
        case .device:
            writer.member("device", true)
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
        writer.member(key, member.name)
        writer.member("type", member.type.name)
        if let decimals = member.decimals { writer.member("round", Int64(decimals)) }
        if let unit = member.unit { writer.member("unit", unit) }
    }
}
