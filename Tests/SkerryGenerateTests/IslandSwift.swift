import Foundation
import SkerryActivity
import SkerryDevice
import SkerryGenerate
import Testing

/// The places of an island as the generated Swift draws them.
struct IslandSwift {
    private(set) var places: Places = [:]
    /// The members' names in the definition by the names of their properties.
    private var attributes: [String: String]
    private var content: [String: String]
    /// The bodies of functions that choose symbols and colours, by their names with their labels.
    private var choosers: [String: String] = [:]
    /// The views on the card of a watch, from left to right.
    private(set) var watch: [String] = []
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
        let lockURL = Self.part(
            of: views,
            from: "let banner = LockScreen(",
            to: "} dynamicIsland"
        )
        // A region of the island with buttons has such a stack, too.
        let lockScreen = Self.part(of: views, from: "struct LockScreen: View {", to: nil)
        places["lock"] = drawn(
            Self.part(of: lockScreen, from: "VStack(alignment: .leading, spacing: 8) {", to: ".padding()"),
            in: Self.flat(lockURL).firstMatch(of: #/\.widgetURL\(url\((.*)\) \?\? /#).map {
                link(String($0.1))
            }
        )
        places = places.filter { !$0.value.isEmpty }
        watch = drawn(
            Self.part(of: views, from: "\n            HStack(spacing: 8) {\n", to: "\n            }\n")
        )
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
            #/(?s)(Linked|widgetURL)\(\n\s+((?:url: )?)url\(\n(.*?)\n\s+\) \?\? (?:context\.)?(?:attributes|state)\.url\n\s+\)/#
        ) {
            "\($0.1)(\($0.2)url(\($0.3.replacing(#/\s*\n\s*/#, with: " "))) ?? context.attributes.url)"
        }
    }

    /// The views in lines of Swift, in their order.
    private func drawn(_ swift: String, in around: String? = nil) -> [String] {
        var views: [(text: String, colour: String?, link: String?)] = []
        var links: [(indentation: Int, link: String?)] = []
        var rows: [(indentation: Int, cells: Int)] = []
        var picture: String?
        func add(_ mark: String) { views.append((mark, nil, nil)) }
        // A long text stands on several lines.
        let swift = Self.flat(swift)
            .replacing(#/(?s)Text\(\n\s+verbatim: joined\(\n(.*?)\n\s+\)\n\s+\)/#) {
                "Text(verbatim: joined(\($0.1.replacing(#/\s*\n\s*/#, with: " ").trimmingCharacters(in: .whitespaces))))"
            }
        for written in swift.split(separator: "\n") {
            let line = written.trimmingCharacters(in: .whitespaces)
            let indentation = written.prefix { $0 == " " }.count
            if let row = rows.last, indentation == row.indentation + 4, !".)}".contains(line.prefix(1)) {
                add("cell \(row.cells)")
                rows[rows.count - 1].cells += 1
            }
            if line == "HStack(spacing: 8) {" {
                rows.append((indentation, 0))
                add("row")
            } else if line == "}", rows.last?.indentation == indentation {
                rows.removeLast()
                add("end")
            } else if let found = line.wholeMatch(
                of: /\.background\(\(?(.*?)(?: \?\? \.gray\))?\.gradient, in: Circle\(\)\)/
            ) {
                let circle = colour(String(found.1)) ?? "#8e8e93"
                views[views.count - 1].text = views[views.count - 1].text.circled(circle)
            } else if line == ".layoutPriority(1)",
                let cell = views.lastIndex(where: { $0.text.hasPrefix("cell ") })
            {
                views[cell].text += " fit"
            } else if let found = line.wholeMatch(of: /\.lineLimit\((\d)\)/) {
                views[views.count - 1].text += " on \(found.1)"
            } else if let found = line.wholeMatch(
                of: /Linked\(url: (?:url\((.*)\) \?\? )?(?:context\.)?(?:attributes|state)\.url\) ./
            ) {
                links.append((indentation, found.1.map { link(String($0)) }))
            } else if line == "}", links.last?.indentation == indentation {
                links.removeLast()
            } else if let found = line.wholeMatch(
                of: /\.(?:foregroundStyle|tint)\((.*?)(?: \?\? \.primary)?\)/
            ) {
                views[views.count - 1].colour = colour(String(found.1))
            } else if line == ".font(.headline)", let last = views.last?.text.dropFirst(5) {
                views[views.count - 1].text = "title \(last)"
            } else if line == ".font(.caption)", let last = views.last?.text.dropFirst(5) {
                views[views.count - 1].text = "caption \(last)"
            } else if let found = line.wholeMatch(of: /Picture\(name: "(.*)", height: \d+\) ./) {
                picture = text("\"\(found.1)\"")
            } else if let view = view(line) {
                let link = links.isEmpty ? around : links[links.count - 1].link
                views.append((view.pictured(picture), nil, link))
                picture = nil
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
        if let found = line.wholeMatch(
            of: /Timer(Text|Minutes|Bar)\(timer: (?:context\.)?state\.content\.(\w+)\)/
        ) {
            return "\(found.1 == "Text" ? "clock" : found.1.lowercased()) \(content[String(found.2)] ?? "?")"
        }
        if let found = line.wholeMatch(
            of:
                /(Level|Step)Bar\(value: (?:context\.)?state\.content\.(\w+)(?:\.map.*)?, (?:total|steps): (.*)\)/
        ) {
            let name = content[String(found.2)] ?? "?"
            return found.1 == "Level" ? "bar \(name) of \(found.3)" : "steps \(name) of \(found.3).0"
        }
        return line.wholeMatch(of: /(?:Pushed)?Text\(verbatim: (.*)\)/).map { "text \(text(String($0.1)))" }
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
        if argument.hasPrefix("joined(") {
            let pieces = argument.dropFirst(7).dropLast()
            return pieces.matches(of: /\.words\(("(?:[^"\\]|\\.)*")\)|\.value\((.*?)\)(?=, \.|$)/)
                .map { $0.1.map { self.text(String($0)) } ?? value(String($0.2 ?? "")) }.joined()
        }
        guard argument.first == "\"" else { return value(argument) }
        var text = ""
        var rest = argument.dropFirst().dropLast()
        while let character = rest.popFirst() {
            guard character == "\\", let escaped = rest.popFirst() else {
                text.append(character)
                continue
            }
            text.append(escaped == "t" ? "\t" : escaped)
        }
        return text
    }

    private func value(_ expression: String) -> String {
        if expression == "context.attributes.device" || expression == "attributes.device" {
            return "{device}"
        }
        if let found = expression.wholeMatch(of: /text\((?:context\.)?attributes\.attributes\.(\w+)\)/) {
            return "{attribute \(attributes[String(found.1)] ?? "?")}"
        }
        if let found = expression.wholeMatch(of: /text\((?:context\.)?state\.content\.(\w+)\)/) {
            return "{field \(content[String(found.1)] ?? "?")}"
        }
        let measure = /text\((?:context\.)?state\.content\.(\w+)(?:\.map.*)?, digits: (\d), unit: "(.*)"\)/
        if let found = expression.wholeMatch(of: measure) {
            let unit = found.3.isEmpty ? "" : " in \(found.3)"
            return "{field \(content[String(found.1)] ?? "?")} to \(found.2)\(unit)"
        }
        return "?"
    }
}
