/// A pattern that is laid over the data, so that no large areas or false patterns come about (section 7.8.2).
enum QRMask: Int, CaseIterable {
    case checkers, rows, columns, diagonals, bricks, flowers, diamonds, meadow

    func inverts(row: Int, column: Int) -> Bool {
        switch self {
        case .checkers: (row + column) % 2 == 0
        case .rows: row % 2 == 0
        case .columns: column % 3 == 0
        case .diagonals: (row + column) % 3 == 0
        case .bricks: (row / 2 + column / 3) % 2 == 0
        case .flowers: row * column % 2 + row * column % 3 == 0
        case .diamonds: (row * column % 2 + row * column % 3) % 2 == 0
        case .meadow: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }
}

extension QRDrawing {
    /// The penalty of the drawing, by the rules of section 7.8.3.
    var penalty: Int {
        var penalty = 0
        for index in 0..<size {
            let row = Array(modules[index * size..<(index + 1) * size])
            let column = (0..<size).map { self[$0, index] }
            for line in [row, column] { penalty += Self.runs(in: line) + Self.falseFinders(in: line) }
        }
        for row in 0..<size - 1 {
            for column in 0..<size - 1 {
                let corner = self[row, column]
                if corner == self[row, column + 1], corner == self[row + 1, column],
                    corner == self[row + 1, column + 1]
                {
                    penalty += 3
                }
            }
        }
        let dark = modules.count { $0 == .dark }
        return penalty + 10 * (abs(20 * dark - 10 * modules.count) / modules.count)
    }

    /// Five or more modules alike in a line.
    private static func runs(in line: [Module]) -> Int {
        var penalty = 0
        var length = 0
        for (place, module) in line.enumerated() {
            length = place > 0 && line[place - 1] == module ? length + 1 : 1
            if length == 5 { penalty += 3 } else if length > 5 { penalty += 1 }
        }
        return penalty
    }

    /// The penalty for sequences that look like a line through a finder pattern, with four light modules before or after.
    private static func falseFinders(in line: [Module]) -> Int {
        let finder: [Module] = [.dark, .light, .dark, .dark, .dark, .light, .dark]
        let space = [Module](repeating: .light, count: 4)
        return (0...(line.count - finder.count - space.count)).reduce(0) { penalty, start in
            let window = line[start..<start + finder.count + space.count]
            let isFinder = window.elementsEqual(finder + space) || window.elementsEqual(space + finder)
            return isFinder ? penalty + 40 : penalty
        }
    }
}
