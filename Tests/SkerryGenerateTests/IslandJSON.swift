import Foundation
import SkerryDevice
import SkerryValues
import Testing

/// What an activity is while an island is drawn: its state, and the value of every field that chooses a symbol or a colour.
struct Moment {
    var state = "on"
    var choice = "none"
}

/// The places of an island as a page reads them from the JSON.
struct IslandJSON {
    private struct Layout: Decodable {
        var tint: String?
        var tints: Choice?
        var symbol: String
        var compactLeading: [Element]
        var compactTrailing: [Element]
        var minimal: [Element]
        var expanded: [Region]
        var lock: Lock
    }

    private struct Choice: Decodable {
        var field: String?
        var cases: [String: String]
    }

    private struct Region: Decodable {
        var position: String
        var priority: Int
        var elements: [Element]
        var align: String?
        var link: [Part]?
    }

    private struct Lock: Decodable {
        var symbols: [Element]
        var texts: [Element]
        var clocks: [Element]
        var bars: [Element]
        var link: [Part]?
    }

    private struct Element: Decodable {
        var draw: String
        var `in`: String?
        var name: String?
        var field: String?
        var cases: [String: String]?
        var of: Double?
        var parts: [Part]?
        var tint: String?
        var circle: String?
        var image: String?
        var link: [Part]?
        var lines: Int?
        var cells: [[Element]]?
        var fit: [Int]?
    }

    private struct Part: Decodable {
        var literal: String?
        var device: Bool?
        var attribute: String?
        var field: String?
        var type: String?
        var unit: String?
        var round: Int?
        var text: String {
            if let field, unit != nil || round != nil {
                return "{field \(field)} to \(round ?? 2)\(unit.map { " in \($0)" } ?? "")"
            }
            return linked
        }
        var linked: String {
            literal ?? attribute.map { "{attribute \($0)}" } ?? field.map { "{field \($0)}" } ?? "{device}"
        }
    }

    let places: Places

    init(_ definition: Definition, _ moment: Moment = Moment()) throws {
        var writer = JSONWriter()
        try #require(definition.island).write(to: &writer)
        let layout = try JSONDecoder().decode(Layout.self, from: Data(writer.bytes))
        let lock = layout.lock
        func chosen(_ field: String?, _ cases: [String: String]?) -> String? {
            cases?[field == nil ? moment.state : moment.choice]
        }
        let tint = layout.tints.flatMap { chosen($0.field, $0.cases) } ?? layout.tint
        func texts(_ elements: [Element], in link: [Part]? = nil) -> [String] {
            elements.flatMap { element in
                if let cells = element.cells {
                    return ["row"]
                        + cells.enumerated().flatMap {
                            [element.fit?.contains($0) == true ? "cell \($0) fit" : "cell \($0)"]
                                + texts($1, in: link)
                        } + [
                            "end"
                        ]
                }
                let isSymbol = element.draw == "symbol"
                let name = isSymbol ? chosen(element.field, element.cases) ?? element.name : element.field
                let text = name ?? element.parts?.map(\.text).joined() ?? ""
                let view = "\(element.in ?? element.draw) \(text)\(element.of.map { " of \($0)" } ?? "")"
                let colour = element.tint == "island" ? tint : element.tint
                let circle = element.circle == "island" ? tint ?? "#8e8e93" : element.circle
                let limited =
                    view.pictured(element.image)
                    + (element.lines.map { " on \($0)" } ?? "").circled(circle)
                return [
                    limited.coloured(colour, island: tint)
                        .linked((element.link ?? link)?.map(\.linked).joined())
                ]
            }
        }
        var places: Places = [
            "tint": tint.map { [$0] } ?? [],
            "compactLeading": texts(layout.compactLeading),
            "compactTrailing": texts(layout.compactTrailing),
            "minimal": texts(layout.minimal),
            "lock": texts(lock.symbols + lock.texts + lock.clocks + lock.bars, in: lock.link),
        ]
        for region in layout.expanded {
            places["\(region.position) \(region.priority)"] = texts(region.elements, in: region.link)
            places["\(region.position) edge"] = region.align.map { [$0] }
        }
        self.places = places.filter { !$0.value.isEmpty }
    }
}

extension String {
    /// A view with the circle behind it, if it has one.
    func circled(_ colour: String?) -> String { colour.map { self + " on a circle of \($0)" } ?? self }

    /// A view with the picture in its place, if it has one.
    func pictured(_ name: String?) -> String { name.map { self + " or picture \($0)" } ?? self }

    /// A view with its colour; bars have that of the island anyway.
    func coloured(_ colour: String?, island: String?) -> String {
        let isBar = hasPrefix("bar ") || hasPrefix("steps ")
        return colour == nil || isBar && colour == island ? self : self + " in \(colour ?? "")"
    }

    /// A view with its link, if it is another one than that of the activity.
    func linked(_ link: String?) -> String { link.map { self + " to " + $0 } ?? self }
}
