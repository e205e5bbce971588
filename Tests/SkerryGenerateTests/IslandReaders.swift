import Foundation
import SkerryActivity
import SkerryDevice
import SkerryGenerate
import SkerryTesting
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
        var name: String?
        var field: String?
        var cases: [String: String]?
        var of: Double?
        var parts: [Part]?
        var tint: String?
        var link: [Part]?
        var lines: Int?
        var cells: [[Element]]?
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
                    return ["row"] + cells.enumerated().flatMap { ["cell \($0)"] + texts($1, in: link) } + [
                        "end"
                    ]
                }
                let isSymbol = element.draw == "symbol"
                let name = isSymbol ? chosen(element.field, element.cases) ?? element.name : element.field
                let text = name ?? element.parts?.map(\.text).joined() ?? ""
                let view = "\(element.draw) \(text)\(element.of.map { " of \($0)" } ?? "")"
                let colour = element.tint == "island" ? tint : element.tint
                let limited = view + (element.lines.map { " on \($0)" } ?? "")
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
    /// A view with its colour; bars have that of the island anyway.
    fileprivate func coloured(_ colour: String?, island: String?) -> String {
        let isBar = hasPrefix("bar ") || hasPrefix("steps ")
        return colour == nil || isBar && colour == island ? self : self + " in \(colour ?? "")"
    }

    /// A view with its link, if it is another one than that of the activity.
    fileprivate func linked(_ link: String?) -> String { link.map { self + " to " + $0 } ?? self }
}

/// The places of an island as the generated Swift draws them.
struct IslandSwift {
    private(set) var places: Places = [:]
    /// The members' names in the definition by the names of their properties.
    private var attributes: [String: String]
    private var content: [String: String]
    /// The bodies of functions that choose symbols and colours, by their names with their labels.
    private var choosers: [String: String] = [:]
    private var tint: String?
    private let moment: Moment

    init(_ definition: Definition, _ moment: Moment = Moment()) throws {
        self.moment = moment
        let files = try AppSources(definition).files
        let model = try #require(files.first { $0.name.hasSuffix("Attributes.swift") }).text
        attributes = Self.members(of: "Attributes", in: model)
        content = Self.members(of: "Content", in: model)
        let views = try #require(files.first { $0.name.hasSuffix("LiveActivity.swift") }).text
        for chooser in views.matches(of: /(?s)private func (\w+)\((by\w+) value: .*?\{\n(.*?)\n\}/) {
            choosers["\(chooser.1)(\(chooser.2)"] = String(chooser.3)
        }
        tint = colour(Self.part(of: views, from: "static let tint = ", to: "\n"))
        let island = Self.part(of: views, from: "DynamicIsland {", to: "\n            .widgetURL(")
        let keyLine = island.firstMatch(of: /keylineTint\((.*)\)/)
        tint = keyLine.flatMap { colour(String($0.1)) }
        places["tint"] = tint.map { [$0] } ?? []
        let expanded = Self.part(of: island, from: "", to: "} compactLeading: {")
        for region in expanded.components(separatedBy: "DynamicIslandExpandedRegion(.").dropFirst() {
            let head = try #require(region.firstMatch(of: /^(\w+), priority: (\d)\)/))
            places["\(head.1) \(head.2)"] = drawn(region)
            let edge = region.firstMatch(
                of: /\.multilineTextAlignment\(\.(\w+)\)\n +\.frame\(.*alignment: \.(\w+)\)/
            )
            if let edge, edge.1 == edge.2 { places["\(head.1) edge"] = [String(edge.1)] }
        }
        places["compactLeading"] = drawn(
            Self.part(of: island, from: "} compactLeading: {", to: "} compactTrailing: {")
        )
        places["compactTrailing"] = drawn(
            Self.part(of: island, from: "} compactTrailing: {", to: "} minimal: {")
        )
        places["minimal"] = drawn(Self.part(of: island, from: "} minimal: {", to: nil))
        let lockURL = Self.part(of: views, from: "LockScreen(context: context)", to: "} dynamicIsland")
        places["lock"] = drawn(
            Self.part(of: views, from: "VStack(alignment: .leading, spacing: 8) {", to: ".padding()"),
            in: Self.flat(lockURL).firstMatch(of: #/\.widgetURL\(url\((.*)\) \?\? /#).map {
                link(String($0.1))
            }
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

    /// Calls with a link on one line each.
    private static func flat(_ swift: String) -> String {
        swift.replacing(
            #/(?s)(Linked|widgetURL)\(\n\s+((?:url: )?)url\(\n(.*?)\n\s+\) \?\? context\.attributes\.url\n\s+\)/#
        ) {
            "\($0.1)(\($0.2)url(\($0.3.replacing(#/\s*\n\s*/#, with: " "))) ?? context.attributes.url)"
        }
    }

    /// The views in lines of Swift, in their order.
    private func drawn(_ swift: String, in around: String? = nil) -> [String] {
        var views: [(text: String, colour: String?, link: String?)] = []
        var links: [(indentation: Int, link: String?)] = []
        var rows: [(indentation: Int, cells: Int)] = []
        func add(_ mark: String) { views.append((mark, nil, nil)) }
        // A long text stands on several lines.
        let swift = Self.flat(swift).replacing(#/Text\(\n\s+verbatim: /#, with: "Text(verbatim: ")
            .replacing(#/"\n\s+\+ "/#, with: "").replacing(#/"\n\s+\)/#, with: "\")")
        for written in swift.split(separator: "\n") {
            let line = written.trimmingCharacters(in: .whitespaces)
            let indentation = written.prefix { $0 == " " }.count
            if let row = rows.last, indentation == row.indentation + 4, !line.hasPrefix("."), line != "}" {
                add("cell \(row.cells)")
                rows[rows.count - 1].cells += 1
            }
            if line == "HStack(spacing: 8) {" {
                rows.append((indentation, 0))
                add("row")
            } else if line == "}", rows.last?.indentation == indentation {
                rows.removeLast()
                add("end")
            } else if let found = line.wholeMatch(of: /\.lineLimit\((\d)\)/) {
                views[views.count - 1].text += " on \(found.1)"
            } else if let found = line.wholeMatch(
                of: /Linked\(url: (?:url\((.*)\) \?\? )?context\.attributes\.url\) ./
            ) {
                links.append((indentation, found.1.map { link(String($0)) }))
            } else if line == "}", links.last?.indentation == indentation {
                links.removeLast()
            } else if let found = line.wholeMatch(
                of: /\.(?:foregroundStyle|tint)\((.*?)(?: \?\? \.primary)?\)/
            ) {
                views[views.count - 1].colour = colour(String(found.1))
            } else if line == ".font(.headline)", let last = views.last?.text.dropFirst(2) {
                views[views.count - 1].text = "title \(last)"
            } else if line == ".font(.caption)", let last = views.last?.text.dropFirst(2) {
                views[views.count - 1].text = "caption \(last)"
            } else if line.hasPrefix(".contentTransition("), let last = views.last?.text.dropFirst(2) {
                views[views.count - 1].text = "text \(last)"
            } else if let view = view(line) {
                views.append((view, nil, links.isEmpty ? around : links[links.count - 1].link))
            }
        }
        return views.map { $0.text.coloured($0.colour, island: tint).linked($0.link) }
    }

    /// The view in a line; nil for other lines.
    private func view(_ line: String) -> String? {
        if let found = line.wholeMatch(of: /Image\(systemName: "(.*)"\)/) { return "symbol \(found.1)" }
        if let found = line.wholeMatch(of: /Image\(systemName: (symbol\(by\w+): .*\)\)/) {
            return "symbol \(chosen(String(found.1)).trimmingCharacters(in: ["\""]))"
        }
        if let found = line.wholeMatch(of: /Timer(Text|Bar)\(timer: context\.state\.content\.(\w+)\)/) {
            return "\(found.1 == "Text" ? "clock" : "bar") \(content[String(found.2)] ?? "?")"
        }
        if let found = line.wholeMatch(
            of: /(Level|Step)Bar\(value: context\.state\.content\.(\w+)(?:\.map.*)?, (?:total|steps): (.*)\)/
        ) {
            let name = content[String(found.2)] ?? "?"
            return found.1 == "Level" ? "bar \(name) of \(found.3)" : "steps \(name) of \(found.3).0"
        }
        return line.wholeMatch(of: /Text\(verbatim: (.*)\)/).map { "? \(text(String($0.1)))" }
    }

    /// What a function chooses at the moment, as Swift.
    private func chosen(_ chooser: String) -> String {
        let body = choosers[chooser] ?? ""
        let value = chooser.hasSuffix("byState") ? moment.state : moment.choice
        for found in body.matches(of: /case (?:\.|")(.*?)"?: (?:return )?(.*)/) where found.1 == value {
            return String(found.2)
        }
        let otherwise = body.firstMatch(of: /default: (.*)/).map { String($0.1) } ?? ""
        return otherwise == "continue" ? Self.part(of: body, from: "\n    return ", to: "\n") : otherwise
    }

    /// The colour of an expression as `#rrggbb`; nil for none.
    private func colour(_ swift: String) -> String? {
        if swift.hasSuffix(".tint") { return tint }
        if let chooser = swift.firstMatch(of: /^(islandTint\(by\w+):/) {
            return colour(chosen(String(chooser.1)))
        }
        guard let found = swift.firstMatch(of: /Color\(red: (.*), green: (.*), blue: (.*)\)/) else {
            return nil
        }
        let parts = [found.1, found.2, found.3].map { Int(((Double($0) ?? 0) * 255).rounded()) }
        return "#" + parts.map { String($0 + 256, radix: 16).dropFirst() }.joined()
    }

    /// The arguments of `url` as a link.
    private func link(_ arguments: String) -> String {
        arguments.components(separatedBy: ", ").map { written in
            let argument = written.trimmingCharacters(in: .whitespaces)
            if argument.hasPrefix("\"") { return argument.trimmingCharacters(in: ["\""]) }
            return value(argument.replacingOccurrences(of: "linked(", with: "text("))
        }.joined()
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
                    ["cell \(index)"] + cell.flatMap { texts($0, around) }
                }
                return ["row"] + drawn.joined() + ["end"]
            }
            let link = (view.link ?? around).map { Self.named($0, names) }
            let text = Self.text(view.drawn, names) + (view.lines.map { " on \($0)" } ?? "")
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
            names.append(("bar \(Double(100 - number))", field.name))
        }
        return "\"\(field.name)\":\(json)"
    }
}
