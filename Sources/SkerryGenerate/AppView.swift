import SkerryActivity
import SkerryDevice
import SkerryExpressions

/// What the views of an app draw, as lines of Swift for each region.
struct AppView {
    /// One thing drawn, with its texts resolved to members of the model.
    struct Element {
        var region: IslandRegion
        var kind: IslandElementKind
        /// A symbol's name, an expression of Swift for a text, or one for a timer.
        var swift: String
    }

    /// What the templates read.
    private(set) var context: [String: Any] = [:]

    private let elements: [Element]

    init(_ island: Island?, _ contract: LiveActivityContract, _ model: AppModel) {
        let scalar = contract.attributesType + ".Scalar"
        var texts = TextFunctions()
        if let island, !island.elements.isEmpty {
            elements = island.elements.compactMap { Self.element($0, of: island, model, &texts) }
        } else {
            elements = Self.plainElements(model, &texts)
        }
        if let colour = island?.tint.flatMap({ Colour($0) }) { context["tint"] = colour.context }
        context["expanded"] = expandedRegions
        context["compactLeading"] = compact(.compactLeading, or: [symbolLine])
        context["compactTrailing"] = compact(.compactTrailing, or: ["EmptyView()"])
        context["minimal"] = compact(.minimal, or: [symbolLine])
        context["lock"] = lockScreen
        context["drawsClock"] = elements.contains { $0.kind == .countdown }
        context["drawsBar"] = elements.contains { $0.kind == .progress }
        context["hasTexts"] = !texts.isEmpty
        context["texts"] = texts.context(scalar: scalar)
    }
}

// MARK: - Elements

extension AppView {
    private static func element(
        _ element: Island.Element,
        of island: Island,
        _ model: AppModel,
        _ texts: inout TextFunctions
    ) -> Element? {
        switch element.kind {
        case .symbol:
            let name = IslandSymbol.systemName(of: element.source.text)
            return Element(region: element.region, kind: .symbol, swift: SwiftName.literal(name))
        case .countdown, .progress:
            guard let timer = model.content.first(where: { $0.name == element.source.text }) else {
                return nil
            }
            return Element(
                region: element.region,
                kind: element.kind,
                swift: "context.state.content.\(timer.property)"
            )
        case .text, .title:
            let pieces: [TextPiece] = (element.text?.parts ?? []).compactMap { part in
                switch part {
                case .literal(let text): return .literal(text)
                case .expression(let program, _):
                    return island.shown(by: program).flatMap { Self.piece($0, model, &texts) }
                }
            }
            return Element(region: element.region, kind: element.kind, swift: TextPiece.swift(pieces))
        }
    }

    private static func piece(
        _ shown: Island.Shown,
        _ model: AppModel,
        _ texts: inout TextFunctions
    ) -> TextPiece? {
        switch shown {
        case .device: .expression("context.attributes.device")
        case .attribute(let name):
            model.attributes.first { $0.name == name }
                .flatMap { texts.expression($0, in: "context.attributes.attributes") }
        case .field(let name):
            model.content.first { $0.name == name }
                .flatMap { texts.expression($0, in: "context.state.content") }
        }
    }

    /// What is drawn of a definition without an island: the device, the first text and the first timer.
    private static func plainElements(_ model: AppModel, _ texts: inout TextFunctions) -> [Element] {
        let device = TextPiece.swift([.expression("context.attributes.device")])
        var elements = [
            Element(region: .minimal, kind: .symbol, swift: SwiftName.literal(IslandSymbol.fallback)),
            Element(region: .expandedCenter, kind: .title, swift: device),
            Element(region: .lock, kind: .title, swift: device),
        ]
        let shown = model.content.first { $0.type == .string } ?? model.content.first { $0.type != .time }
        if let shown, let piece = texts.expression(shown, in: "context.state.content") {
            let text = TextPiece.swift([piece])
            elements.append(Element(region: .expandedBottom, kind: .text, swift: text))
            elements.append(Element(region: .lock, kind: .text, swift: text))
        }
        if let timer = model.content.first(where: { $0.type == .time }) {
            let swift = "context.state.content.\(timer.property)"
            for region in [IslandRegion.compactTrailing, .expandedTrailing, .lock] {
                elements.append(Element(region: region, kind: .countdown, swift: swift))
            }
        }
        return elements
    }
}

// MARK: - Regions

extension AppView {
    private func elements(in region: IslandRegion) -> [Element] { elements.filter { $0.region == region } }

    /// The picture that stands for the device wherever nothing else is said.
    private var symbolLine: String {
        "Image(systemName: \(elements.first { $0.kind == .symbol }?.swift ?? SwiftName.literal(IslandSymbol.fallback)))"
    }

    private func lines(_ element: Element) -> [String] {
        switch element.kind {
        case .symbol: ["Image(systemName: \(element.swift))"]
        case .title: ["Text(\(element.swift))", "    .font(.headline)"]
        case .text: ["Text(\(element.swift))", "    .contentTransition(.numericText())"]
        case .countdown: ["TimerText(timer: \(element.swift))"]
        case .progress: ["TimerBar(timer: \(element.swift))"]
        }
    }

    private func compact(_ region: IslandRegion, or others: [String]) -> [String] {
        let elements = elements(in: region)
        return elements.isEmpty ? others : stack("HStack(spacing: 4)", elements.map(lines))
    }

    private var expandedRegions: [[String: Any]] {
        let regions: [(String, IslandRegion, Int)] = [
            ("leading", .expandedLeading, 1), ("trailing", .expandedTrailing, 1),
            ("center", .expandedCenter, 2), ("bottom", .expandedBottom, 0),
        ]
        return regions.compactMap { position, region, priority in
            let elements = elements(in: region)
            guard !elements.isEmpty else { return nil }
            let lines = stack("VStack(alignment: .leading, spacing: 4)", elements.map(lines))
            return ["position": position, "priority": priority, "lines": lines]
        }
    }

    /// Symbols before the texts, clocks behind them, bars below.
    private var lockScreen: [String] {
        let elements = elements(in: .lock)
        guard !elements.isEmpty else {
            return ["Text(context.attributes.device)", "    .font(.headline)"]
        }
        func lines(_ kinds: IslandElementKind...) -> [[String]] {
            elements.filter { kinds.contains($0.kind) }.map(self.lines)
        }
        var row = lines(.symbol)
        let texts = lines(.title, .text)
        if !texts.isEmpty { row.append(stack("VStack(alignment: .leading, spacing: 4)", texts)) }
        let clocks = lines(.countdown)
        if !clocks.isEmpty { row += [["Spacer()"]] + clocks.map { $0 + ["    .font(.title2)"] } }
        return stack("HStack(spacing: 12)", row) + lines(.progress).joined()
    }

    /// Views in a stack; one alone needs none.
    private func stack(_ head: String, _ views: [[String]]) -> [String] {
        if views.count < 2 { return views.first ?? [] }
        return [head + " {"] + views.joined().map { "    " + $0 } + ["}"]
    }
}

/// A colour as numbers of Swift.
private struct Colour {
    let hex: String
    private let parts: [Int]

    /// Reads `#rrggbb`.
    init?(_ hex: String) {
        guard let number = Int(hex.dropFirst(), radix: 16) else { return nil }
        self.hex = hex
        parts = [number >> 16 & 255, number >> 8 & 255, number & 255]
    }

    var context: [String: Any] {
        let shares = parts.map { part in
            let thousandths = (part * 1000 + 127) / 255
            let digits = String(thousandths % 1000 + 1000).dropFirst()
            return "\(thousandths / 1000).\(digits)"
        }
        return ["hex": hex, "red": shares[0], "green": shares[1], "blue": shares[2]]
    }
}
