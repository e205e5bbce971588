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

    /// A region of the island when it is open.
    struct ExpandedRegion {
        /// Where it is, as a case of `DynamicIslandExpandedRegionPosition`.
        var position: String
        /// Which regions get room first.
        var priority: Int
        /// What is drawn in it.
        var lines: [String]
    }

    /// The colour of the definition.
    let tint: Colour?
    /// The types of values that the views write as text.
    let writtenTypes: [FieldType]

    private let elements: [Element]

    init(_ island: Island?, _ model: AppModel) {
        var written = WrittenTypes()
        if let island, !island.elements.isEmpty {
            elements = island.elements.compactMap { Self.element($0, of: island, model, &written) }
        } else {
            elements = Self.plainElements(model, &written)
        }
        tint = island?.tint.flatMap { Colour($0) }
        writtenTypes = written.inOrder
    }

    /// Whether a timer is drawn as a clock.
    var drawsClock: Bool { elements.contains { $0.kind == .countdown } }

    /// Whether a timer is drawn as a bar.
    var drawsBar: Bool { elements.contains { $0.kind == .progress } }

    /// What is drawn at the left of the island.
    var compactLeading: [String] { compact(.compactLeading, or: [symbolLine]) }

    /// What is drawn at the right of the island.
    var compactTrailing: [String] { compact(.compactTrailing, or: ["EmptyView()"]) }

    /// What is drawn when several apps share the island.
    var minimal: [String] { compact(.minimal, or: [symbolLine]) }
}

// MARK: - Elements

extension AppView {
    private static func element(
        _ element: Island.Element,
        of island: Island,
        _ model: AppModel,
        _ written: inout WrittenTypes
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
                    return island.shown(by: program).flatMap { Self.piece($0, model, &written) }
                }
            }
            return Element(region: element.region, kind: element.kind, swift: TextPiece.swift(pieces))
        }
    }

    private static func piece(
        _ shown: Island.Shown,
        _ model: AppModel,
        _ written: inout WrittenTypes
    ) -> TextPiece? {
        switch shown {
        case .device: .expression("context.attributes.device")
        case .attribute(let name):
            model.attributes.first { $0.name == name }
                .flatMap { written.text(of: $0, in: "context.attributes.attributes") }
        case .field(let name):
            model.content.first { $0.name == name }
                .flatMap { written.text(of: $0, in: "context.state.content") }
        }
    }

    /// What is drawn of a definition without an island: the device, the first text and the first timer.
    private static func plainElements(_ model: AppModel, _ written: inout WrittenTypes) -> [Element] {
        let device = TextPiece.swift([.expression("context.attributes.device")])
        var elements = [
            Element(region: .minimal, kind: .symbol, swift: SwiftName.literal(IslandSymbol.fallback)),
            Element(region: .expandedCenter, kind: .title, swift: device),
            Element(region: .lock, kind: .title, swift: device),
        ]
        let shown = model.content.first { $0.type == .string } ?? model.content.first { $0.type != .time }
        if let shown, let piece = written.text(of: shown, in: "context.state.content") {
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

    /// What is drawn in the island when it is open.
    var expanded: [ExpandedRegion] {
        let regions: [(String, IslandRegion, Int)] = [
            ("leading", .expandedLeading, 1), ("trailing", .expandedTrailing, 1),
            ("center", .expandedCenter, 2), ("bottom", .expandedBottom, 0),
        ]
        return regions.compactMap { position, region, priority in
            let elements = elements(in: region)
            guard !elements.isEmpty else { return nil }
            let lines = stack("VStack(alignment: .leading, spacing: 4)", elements.map(lines))
            return ExpandedRegion(position: position, priority: priority, lines: lines)
        }
    }

    /// What is drawn on the Lock Screen: symbols before the texts, clocks behind them, bars below.
    var lockScreen: [String] {
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
        return [head + " {"] + Array(views.joined()).indented(by: 4) + ["}"]
    }
}

/// A colour as numbers of Swift.
struct Colour {
    /// The colour as `#rrggbb`.
    let hex: String
    /// The share of red, such as `0.502`.
    let red: String
    /// The share of green.
    let green: String
    /// The share of blue.
    let blue: String

    /// Reads `#rrggbb`.
    init?(_ hex: String) {
        guard let number = Int(hex.dropFirst(), radix: 16) else { return nil }
        self.hex = hex
        red = Self.share(number >> 16 & 255)
        green = Self.share(number >> 8 & 255)
        blue = Self.share(number & 255)
    }

    private static func share(_ part: Int) -> String {
        let thousandths = (part * 1000 + 127) / 255
        let digits = String(thousandths % 1000 + 1000).dropFirst()
        return "\(thousandths / 1000).\(digits)"
    }
}
