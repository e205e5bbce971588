/// The name that a misspelt one most likely meant; nil when none is near.
///
/// Nearness is the number of inserted, dropped, changed or swapped letters: at most one for every three
/// letters of the longer name. Of equally near names the first one wins.
public func nearestName(to name: String, among names: [String]) -> String? {
    var best: (name: String, distance: Int)?
    let letters = Array(name.utf8)
    guard letters.count <= 100 else { return nil }
    for candidate in names where candidate.utf8.count <= 100 {
        let limit = max(1, max(letters.count, candidate.utf8.count) / 3)
        guard abs(letters.count - candidate.utf8.count) <= limit else { continue }
        let distance = editDistance(letters, Array(candidate.utf8))
        if distance <= limit, distance < candidate.utf8.count, distance < best?.distance ?? .max {
            best = (candidate, distance)
        }
    }
    return best?.name
}

/// The hint "did you mean …?" for a misspelt name.
func nearestHint(to name: String, among names: [String]) -> String? {
    nearestName(to: name, among: names).map { "did you mean '" + $0 + "'?" }
}

private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforePrevious = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    for row in left.indices {
        var current = [row + 1] + [Int](repeating: 0, count: right.count)
        for column in right.indices {
            let change = lowercased(left[row]) == lowercased(right[column]) ? 0 : 1
            var best = min(previous[column + 1] + 1, current[column] + 1, previous[column] + change)
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                best = min(best, beforePrevious[column - 1] + 1)
            }
            current[column + 1] = best
        }
        (beforePrevious, previous) = (previous, current)
    }
    return previous[right.count]
}

private func lowercased(_ letter: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) ? letter + 32 : letter
}
