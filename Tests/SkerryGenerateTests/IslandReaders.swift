import Foundation
import SkerryActivity
import SkerryDevice
import SkerryGenerate
import SkerryTesting
import SkerryValues
import Testing

/// The places of an island as a page reads them from the JSON.
struct IslandJSON {
    private struct Layout: Decodable {
        var tint: String?
        var symbol: String
        var compactLeading: [Element]
        var compactTrailing: [Element]
        var minimal: [Element]
        var expanded: [Region]
        var lock: Lock
    }

    private struct Region: Decodable {
        var position: String
        var priority: Int
        var elements: [Element]
    }

    private struct Lock: Decodable {
        var symbols: [Element]
        var texts: [Element]
        var clocks: [Element]
        var bars: [Element]
    }

    private struct Element: Decodable {
        var draw: String
        var name: String?
        var field: String?
        var of: Double?
        var parts: [Part]?
        var text: String {
            "\(draw) \(name ?? field ?? parts?.map(\.text).joined() ?? "")\(of.map { " of \($0)" } ?? "")"
        }
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
            return literal ?? attribute.map { "{attribute \($0)}" } ?? field.map { "{field \($0)}" }
                ?? "{device}"
        }
    }

    let places: Places

    init(_ definition: Definition) throws {
        var writer = JSONWriter()
        try #require(definition.island).write(to: &writer)
        let layout = try JSONDecoder().decode(Layout.self, from: Data(writer.bytes))
        let lock = layout.lock
        var places: Places = [
            "compactLeading": layout.compactLeading.map(\.text),
            "compactTrailing": layout.compactTrailing.map(\.text),
            "minimal": layout.minimal.map(\.text),
            "lock": (lock.symbols + lock.texts + lock.clocks + lock.bars).map(\.text),
        ]
        for region in layout.expanded {
            places["\(region.position) \(region.priority)"] = region.elements.map(\.text)
        }
        self.places = places.filter { !$0.value.isEmpty }
    }
}

/// The places of an island as the generated Swift draws them.
struct IslandSwift {
    private(set) var places: Places = [:]
    /// The members' names in the definition by the names of their properties.
    private var attributes: [String: String]
    private var content: [String: String]

    init(_ definition: Definition) throws {
        let files = try AppSources(definition).files
        let model = try #require(files.first { $0.name.hasSuffix("Attributes.swift") }).text
        attributes = Self.members(of: "Attributes", in: model)
        content = Self.members(of: "Content", in: model)
        let views = try #require(files.first { $0.name.hasSuffix("LiveActivity.swift") }).text
        let island = Self.part(of: views, from: "DynamicIsland {", to: ".widgetURL(")
        let expanded = Self.part(of: island, from: "", to: "} compactLeading: {")
        for region in expanded.components(separatedBy: "DynamicIslandExpandedRegion(.").dropFirst() {
            let head = try #require(region.firstMatch(of: /^(\w+), priority: (\d)\)/))
            places["\(head.1) \(head.2)"] = drawn(region)
        }
        places["compactLeading"] = drawn(
            Self.part(of: island, from: "} compactLeading: {", to: "} compactTrailing: {")
        )
        places["compactTrailing"] = drawn(
            Self.part(of: island, from: "} compactTrailing: {", to: "} minimal: {")
        )
        places["minimal"] = drawn(Self.part(of: island, from: "} minimal: {", to: nil))
        places["lock"] = drawn(
            Self.part(of: views, from: "VStack(alignment: .leading, spacing: 8) {", to: ".padding()")
        )
        places = places.filter { !$0.value.isEmpty }
    }

    private static func part(of text: String, from start: String, to end: String?) -> String {
        let rest =
            start.isEmpty ? text : text.components(separatedBy: start).dropFirst().joined(separator: start)
        return end.flatMap { rest.components(separatedBy: $0).first } ?? rest
    }

    private static func members(of type: String, in model: String) -> [String: String] {
        let coding = part(of: model, from: "Attributes.\(type) {\n", to: "\n}\n")
        var members: [String: String] = [:]
        for key in coding.matches(of: /(?m)^ +case (\w+)(?: = "(.*)")?$/) {
            members[String(key.1)] = String(key.2 ?? key.1)
        }
        for conversion in coding.matches(of: /(?m)var (\w+): (?:Date|Duration)\? . (\w+)\.map/) {
            members[String(conversion.1)] = members[String(conversion.2)]
        }
        return members
    }

    /// The views in lines of Swift, in their order.
    private func drawn(_ swift: String) -> [String] {
        var views: [String] = []
        // A long text stands on several lines.
        let swift = swift.replacing(#/Text\(\n\s+verbatim: /#, with: "Text(verbatim: ")
            .replacing(#/"\n\s+\+ "/#, with: "").replacing(#/"\n\s+\)/#, with: "\")")
        for line in swift.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if let found = line.wholeMatch(of: /Image\(systemName: "(.*)"\)/) {
                views.append("symbol \(found.1)")
            } else if let found = line.wholeMatch(
                of: /Timer(Text|Bar)\(timer: context\.state\.content\.(\w+)\)/
            ) {
                views.append("\(found.1 == "Text" ? "clock" : "bar") \(content[String(found.2)] ?? "?")")
            } else if let found = line.wholeMatch(
                of: /LevelBar\(value: context\.state\.content\.(\w+)(?:\.map.*)?, total: (.*)\)/
            ) {
                views.append("bar \(content[String(found.1)] ?? "?") of \(found.2)")
            } else if let found = line.wholeMatch(of: /Text\(verbatim: (.*)\)/) {
                views.append("? \(text(String(found.1)))")
            } else if line == ".font(.headline)", let last = views.last?.dropFirst(2) {
                views[views.count - 1] = "title \(last)"
            } else if line.hasPrefix(".contentTransition("), let last = views.last?.dropFirst(2) {
                views[views.count - 1] = "text \(last)"
            }
        }
        return views
    }

    /// The text that an argument of `Text` gives.
    private func text(_ argument: String) -> String {
        guard argument.first == "\"" else { return value(argument) }
        var text = ""
        var rest = argument.dropFirst().dropLast()
        while let character = rest.popFirst() {
            guard character == "\\", let escaped = rest.popFirst() else {
                text.append(character)
                continue
            }
            switch escaped {
            case "t": text.append("\t")
            case "(":
                let end = rest.firstRange(of: /\)+/)?.upperBound ?? rest.endIndex
                text += value(String(rest[..<end].dropLast()))
                rest = rest[end...]
            default: text.append(escaped)
            }
        }
        return text
    }

    private func value(_ expression: String) -> String {
        if expression == "context.attributes.device" { return "{device}" }
        if let found = expression.wholeMatch(of: /text\(context\.attributes\.attributes\.(\w+)\)/) {
            return "{attribute \(attributes[String(found.1)] ?? "?")}"
        }
        if let found = expression.wholeMatch(of: /text\(context\.state\.content\.(\w+)\)/) {
            return "{field \(content[String(found.1)] ?? "?")}"
        }
        let measure = /text\(context\.state\.content\.(\w+)(?:\.map.*)?, digits: (\d), unit: "(.*)"\)/
        if let found = expression.wholeMatch(of: measure) {
            let unit = found.3.isEmpty ? "" : " in \(found.3)"
            return "{field \(content[String(found.1)] ?? "?")} to \(found.2)\(unit)"
        }
        return "?"
    }
}

/// The places of an island as a simulated phone draws them, read back from values of which no two look alike.
struct IslandScreen {
    let places: Places
    private let names: [(shown: String, name: String)]

    init(_ definition: Definition) throws {
        let contract = try #require(definition.contract)
        var marks = Marks()
        let attributes = contract.attributes.map { marks.member($0, "attribute") }.joined(separator: ",")
        let content = contract.content.map { marks.member($0, "field") }.joined(separator: ",")
        let body = """
            {"aps":{"timestamp":1790000000,"event":"start","attributes-type":"\(contract.attributesType)",
            "attributes":{"id":"thing/«device»/1","instance":1,"device":"«device»","attributes":{\(attributes)}},
            "alert":{"title":"It begins"},"content-state":{"phase":"active","state":"on","rev":1,"content":{\(content)}}}}
            """
        let now = Timestamp(seconds: 1_790_000_000)
        var phone = SimulatedPhone()
        try #require(phone.start(Array(body.utf8), at: now) == .shown(card: 0))
        let drawing = PhoneDrawing(phone.cards[0], try #require(definition.island), at: now)
        names = marks.names + [("«device»", "{device}")]
        var places: Places = [:]
        let names = names
        func draw(_ views: [PhoneDrawing.View], in place: String) {
            if !views.isEmpty { places[place] = views.map { Self.text($0, names) } }
        }
        draw(drawing.compactLeading, in: "compactLeading")
        draw(drawing.compactTrailing, in: "compactTrailing")
        draw(drawing.minimal, in: "minimal")
        for region in drawing.expanded {
            draw(region.views, in: "\(region.position.name) \(region.position.priority)")
        }
        draw(drawing.lockRow + drawing.lockBars, in: "lock")
        self.places = places
    }

    private static func text(_ view: PhoneDrawing.View, _ names: [(shown: String, name: String)]) -> String {
        func named(_ text: String) -> String {
            names.reduce(text) { $0.replacingOccurrences(of: $1.shown, with: $1.name) }
        }
        return switch view {
        case .symbol(let name): "symbol \(name)"
        case .title(let text): "title \(named(text))"
        case .text(let text): "text \(named(text))"
        case .clock(let text): "clock \(named("clock \(text)"))"
        case .bar(let share): "bar \(named("bar \((share * 100).rounded())"))"
        }
    }
}

/// Values of members, each of which looks like no other one when it is drawn.
private struct Marks {
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
            names.append(("80\(number).5", name))
        case .bool:
            json = "true"
            names.append((json, name))
        case .timestamp:
            json = "\(1_790_035_200 + number * 60)"
            names.append(("00:\(number)", name))
        case .duration:
            json = "\(3600 * 44 + number * 60)"
            names.append(("44:\(number)", name))
        case .time:
            json = #"{"remaining":\#(number * 60),"duration":6000}"#
            names.append(("clock \(number):00", field.name))
            names.append(("bar \(Double(100 - number))", field.name))
        }
        return "\"\(field.name)\":\(json)"
    }
}
