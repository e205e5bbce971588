extension IslandLayout {
    /// The height in points at which iOS cuts a card on the Lock Screen, and the expanded island.
    static let longest = 160

    /// The height in points of a line of text, of a symbol, and of the other views of a card.
    ///
    /// The page draws with the same numbers, in `phone.css`.
    private enum Points {
        static let line = 22
        static let caption = 16
        static let clock = 28
        static let circle = 32
        static let bar = 4
        static let button = 34
        /// Between views, between the parts of a card, around a card.
        static let (gap, part, edge) = (4, 8, 16)
        /// The camera, and the space above and below the regions around it.
        static let (camera, beside, below, bottom, end) = (37, 17, 3, 12, 18)
    }

    /// The points that the card on the Lock Screen needs at least: a text without `lines` has one line.
    var lockHeight: Int {
        let clocks = lock.clocks.isEmpty ? 0 : Points.clock
        let row = max(Self.height(lock.symbols.prefix(1)), Self.height(lock.texts), clocks)
        var parts = lock.bars.map { Self.height(of: $0) }
        if row > 0 { parts.append(row) }
        if !buttons.isEmpty { parts.append(Points.button) }
        return Self.stacked(parts, gap: Points.part) + 2 * Points.edge
    }

    /// The points that the expanded island needs at least.
    var expandedHeight: Int {
        func height(_ position: Position) -> Int {
            Self.height(expanded.first { $0.position == position }?.elements ?? [])
        }
        let sides = Points.beside + max(height(.leading), height(.trailing))
        let center = height(.center)
        let middle = Points.camera + (center > 0 ? Points.below + center : 0)
        let bottom = [height(.bottom), buttons.isEmpty ? 0 : Points.button].filter { $0 > 0 }
        let below = bottom.isEmpty ? 0 : Points.bottom + Self.stacked(bottom, gap: Points.part)
        return max(sides, middle) + below + Points.end
    }

    private static func height(_ elements: some Sequence<Element>) -> Int {
        stacked(elements.map { height(of: $0) }, gap: Points.gap)
    }

    private static func stacked(_ heights: [Int], gap: Int) -> Int {
        heights.reduce(0, +) + gap * max(0, heights.count - 1)
    }

    private static func height(of element: Element) -> Int {
        switch element.view {
        case .symbol where element.circle != nil || element.image != nil: Points.circle
        case .symbol, .clock: Points.line
        case .title, .text: Points.line * (element.lines ?? 1)
        case .caption: Points.caption * (element.lines ?? 1)
        case .bar, .level, .steps: Points.bar
        case .row(let cells): cells.map { height($0) }.max() ?? 0
        }
    }
}
