import Foundation
import SkerryActivity
import SkerryDevice
import SkerryTesting
import SkerryValues
import Testing

/// The places of an island as a simulated phone draws them, read back from values of which no two look alike.
struct IslandScreen {
    let places: Places
    private let names: [(shown: String, name: String)]

    init(_ definition: Definition, _ moment: Moment = Moment()) throws {
        let contract = try #require(definition.contract)
        var marks = Marks(choice: moment.choice)
        let attributes = contract.attributes.map { marks.member($0, "attribute") }.joined(separator: ",")
        let content = contract.content.map { marks.member($0, "field") }.joined(separator: ",")
        let body = """
            {"aps":{"timestamp":1790000000,"event":"start","attributes-type":"\(contract.attributesType)",
            "attributes":{"id":"thing/«device»/1","instance":1,"device":"«device»","attributes":{\(attributes)}},
            "alert":{"title":"It begins"},"content-state":{"phase":"active","state":"\(moment.state)","rev":1,"content":{\(content)}}}}
            """
        let now = Timestamp(seconds: 1_790_000_000)
        var phone = SimulatedPhone()
        try #require(phone.start(Array(body.utf8), at: now) == .shown(card: 0))
        let drawing = PhoneDrawing(phone.cards[0], try #require(definition.island), at: now)
        names = marks.names + [("«device»", "{device}")]
        var places: Places = [:]
        let names = names
        func draw(_ views: [PhoneDrawing.View], in place: String, _ link: String? = nil) {
            if views.isEmpty { return }
            places[place] = views.flatMap { texts($0, link) }
        }
        func texts(_ view: PhoneDrawing.View, _ around: String?) -> [String] {
            if case .row(let cells) = view.drawn {
                let drawn = cells.enumerated().map { index, cell in
                    [view.fittedCells.contains(index) ? "cell \(index) fit" : "cell \(index)"]
                        + cell.flatMap { texts($0, around) }
                }
                return ["row"] + drawn.joined() + ["end"]
            }
            let link = (view.link ?? around).map { Self.named($0, names) }
            let drawn =
                Self.text(view.drawn, names).pictured(view.image)
                + (view.lines.map { " on \($0)" } ?? "")
            let text = drawn.circled(view.circle)
            return [text.coloured(view.tint, island: drawing.tint).linked(link)]
        }
        if let tint = drawing.tint { places["tint"] = [tint] }
        draw(drawing.compactLeading, in: "compactLeading")
        draw(drawing.compactTrailing, in: "compactTrailing")
        draw(drawing.minimal, in: "minimal")
        for region in drawing.expanded {
            draw(region.views, in: "\(region.position.name) \(region.position.priority)", region.link)
            places["\(region.position.name) edge"] = region.alignment.map { [$0.name] }
        }
        draw(drawing.lockRow + drawing.lockBars, in: "lock", drawing.lockLink)
        self.places = places
    }

    private static func named(_ text: String, _ names: [(shown: String, name: String)]) -> String {
        names.reduce(text) { $0.replacingOccurrences(of: $1.shown, with: $1.name) }
    }

    private static func text(_ view: PhoneDrawing.Drawn, _ names: [(shown: String, name: String)]) -> String {
        func named(_ text: String) -> String { self.named(text, names) }
        return switch view {
        case .symbol(let name): "symbol \(name)"
        case .title(let text): "title \(named(text))"
        case .text(let text): "text \(named(text))"
        case .caption(let text): "caption \(named(text))"
        case .row: "row"
        case .clock(let text) where text.hasSuffix(" min"): "minutes \(named("minutes \(text)"))"
        case .clock(let text): "clock \(named("clock \(text)"))"
        case .bar(let share): "bar \(named("bar \((share * 100).rounded())"))"
        case .steps(let filled, let steps): "steps \(named("steps \(filled)")) of \(Double(steps))"
        }
    }
}

/// Values of members, each of which looks like no other one when it is drawn.
private struct Marks {
    /// The value of fields whose names begin with `choice`.
    let choice: String
    var names: [(shown: String, name: String)] = []

    /// A number with a unit or a whole, with its value as JSON.
    private mutating func measure(
        _ field: LiveActivityContract.Field,
        _ number: Int,
        _ name: String
    ) -> String {
        let whole = field.whole ?? 100
        let value = Int(whole) * number / 100
        let shown = "\(value)"
        if field.whole != nil {
            names.append(("bar \((Double(value) / whole * 100).rounded())", "\(field.name) of \(whole)"))
        }
        let unit = field.unit.map { $0 == "%" ? $0 : "\u{00A0}" + $0 } ?? ""
        let reading = field.unit == nil && field.decimals == nil ? "" : " to \(field.decimals ?? 2)"
        names.append((shown + unit, name + reading + (field.unit.map { " in \($0)" } ?? "")))
        return "\"\(field.name)\":\(shown)"
    }

    /// A member with its value as JSON.
    mutating func member(_ field: LiveActivityContract.Field, _ owner: String) -> String {
        let number = names.count + 11
        let name = "{\(owner) \(field.name)}"
        var json: String
        if field.name.hasPrefix("choice") { return "\"\(field.name)\":\"\(choice)\"" }
        if field.name.hasPrefix("step") {
            names += [("steps 3", field.name), ("bar 8.0", "\(field.name) of 40.0")]
            return "\"\(field.name)\":3"
        }
        if field.unit != nil || field.decimals != nil || field.whole != nil {
            return measure(field, number, name)
        }
        switch field.type {
        case .string, .any, .structure:
            json = "\"«\(owner) \(field.name)»\""
            names.append(("«\(owner) \(field.name)»", name))
        case .int:
            json = "70\(number)"
            names.append((json, name))
        case .double:
            json = "80\(number).504"
            names.append((json, name))
            names.append(("80\(number).5", name))
        case .bool:
            json = "true"
            names.append((json, name))
        case .timestamp:
            json = "\(1_790_035_200 + number * 60)"
            names.append((json, name))
            names.append(("00:\(number)", name))
        case .duration:
            json = "\(3600 * 44 + number * 60)"
            names.append((json, name))
            names.append(("44:\(number)", name))
        case .time:
            json = #"{"remaining":\#(number * 60),"duration":6000}"#
            names.append(("clock \(number):00", field.name))
            names.append(("minutes \(number) min", field.name))
            names.append(("bar \(Double(100 - number))", field.name))
        }
        return "\"\(field.name)\":\(json)"
    }
}
