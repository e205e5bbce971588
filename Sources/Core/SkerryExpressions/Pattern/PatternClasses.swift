extension PatternParser {
    /// Reads a bracket expression after its `[`.
    mutating func bracketExpression() throws(Pattern.Problem) -> ScalarSet {
        var set = ScalarSet()
        set.ignoresCase = flags.ignoresCase
        set.isNegated = take("^" as Unicode.Scalar)
        var isFirst = true
        while let scalar = next, scalar != "]" || isFirst {
            isFirst = false
            if scalar == "[", isAtNamedClass, take("[:") {
                try namedClass(into: &set)
                continue
            }
            if scalar == "\\" {
                position += 1
                if try classEscape(into: &set) { continue }
                position -= 1
            }
            let low = try bracketScalar()
            var high = low
            if next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" {
                position += 1
                high = try bracketScalar()
            }
            guard low.value <= high.value else {
                throw Pattern.Problem(message: "a range that runs backwards")
            }
            set.ranges.append(low.value...high.value)
        }
        guard take("]" as Unicode.Scalar) else { throw Pattern.Problem(message: "a '[' without its ']'") }
        return set
    }

    /// True if `[:` here has its `:]`; without it, it is two ordinary characters.
    private var isAtNamedClass: Bool {
        let rest = scalars[position...]
        guard rest.starts(with: ["[", ":"]) else { return false }
        return zip(rest.dropFirst(2), rest.dropFirst(3)).contains { $0 == ":" && $1 == "]" }
    }

    private mutating func bracketScalar() throws(Pattern.Problem) -> Unicode.Scalar {
        guard let scalar = next else { throw Pattern.Problem(message: "a '[' without its ']'") }
        position += 1
        return scalar == "\\" ? try scalarEscape() : scalar
    }

    /// Reads a class such as `alpha:]` after its `[:`.
    private mutating func namedClass(into set: inout ScalarSet) throws(Pattern.Problem) {
        let isNegated = take("^" as Unicode.Scalar)
        var name = ""
        while let scalar = next, scalar != ":" {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        guard take(":]"), let ranges = namedRanges(name) else {
            throw Pattern.Problem(message: "no such class: '[:" + name + ":]'")
        }
        if isNegated { set.exclusions.append(ranges) } else { set.ranges += ranges }
    }

    private func namedRanges(_ name: String) -> [ClosedRange<UInt32>]? {
        switch name {
        case "alnum": [0x30...0x39, 0x41...0x5A, 0x61...0x7A]
        case "alpha": [0x41...0x5A, 0x61...0x7A]
        case "ascii": [0...0x7F]
        case "blank": [0x09...0x09, 0x20...0x20]
        case "cntrl": [0...0x1F, 0x7F...0x7F]
        case "digit": [0x30...0x39]
        case "graph": [0x21...0x7E]
        case "lower": [0x61...0x7A]
        case "print": [0x20...0x7E]
        case "punct": [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E]
        case "space": [0x09...0x0D, 0x20...0x20]
        case "upper": [0x41...0x5A]
        case "word": [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
        case "xdigit": [0x30...0x39, 0x41...0x46, 0x61...0x66]
        default: nil
        }
    }

    /// Reads `d`, `W`, `pL` and the like after a backslash; false when it is something else.
    mutating func classEscape(into set: inout ScalarSet) throws(Pattern.Problem) -> Bool {
        guard let letter = next else { return false }
        switch letter {
        case "d": set.ranges += [0x30...0x39]
        case "D": set.exclusions.append([0x30...0x39])
        case "s": set.ranges += [0x09...0x0A, 0x0C...0x0D, 0x20...0x20]
        case "S": set.exclusions.append([0x09...0x0A, 0x0C...0x0D, 0x20...0x20])
        case "w": set.ranges += [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
        case "W": set.exclusions.append([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
        case "p", "P":
            position += 1
            try category(isNegated: letter == "P", into: &set)
            return true
        default: return false
        }
        position += 1
        return true
    }

    private mutating func category(
        isNegated: Bool,
        into set: inout ScalarSet
    ) throws(Pattern.Problem) {
        var name = ""
        var isNegated = isNegated
        if take("{" as Unicode.Scalar) {
            if take("^" as Unicode.Scalar) { isNegated.toggle() }
            while let scalar = next, scalar != "}" {
                name.unicodeScalars.append(scalar)
                position += 1
            }
            guard take("}" as Unicode.Scalar) else {
                throw Pattern.Problem(message: "a '\\p{' without its '}'")
            }
        } else if let scalar = next {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        if name == "Any" {
            set.ranges += isNegated ? [] : [0...0x10FFFF]
            return
        }
        guard let category = ScalarCategory(name) else {
            throw Pattern.Problem(message: "no such class of characters: '\\p{" + name + "}'")
        }
        set.categories.append((category, isNegated))
    }

    /// Reads what stands for one scalar after a backslash.
    mutating func scalarEscape() throws(Pattern.Problem) -> Unicode.Scalar {
        guard let letter = next else { throw Pattern.Problem(message: "a '\\' at the end") }
        position += 1
        switch letter {
        case "a": return "\u{07}"
        case "f": return "\u{0C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "v": return "\u{0B}"
        case "x": return try hexadecimalEscape()
        case "0"..."7":
            // A single digit other than 0 would be a reference back to a group, which RE2 has not.
            guard letter == "0" || octalDigit(0) != nil else { break }
            var value = letter.value - 48
            for _ in 0..<2 {
                guard let digit = octalDigit(0) else { break }
                value = value * 8 + digit
                position += 1
            }
            if let scalar = Unicode.Scalar(value) { return scalar }
        default:
            guard letter.isASCII else { break }
            let byte = UInt8(letter.value)
            if letter == "_" || !(isLetter(byte) || isDigit(byte)) { return letter }
        }
        throw Pattern.Problem(message: "no such escape: '\\" + String(letter) + "'")
    }

    private func octalDigit(_ distance: Int) -> UInt32? {
        guard position + distance < scalars.count, ("0"..."7").contains(scalars[position + distance]) else {
            return nil
        }
        return scalars[position + distance].value - 48
    }

    private mutating func hexadecimalEscape() throws(Pattern.Problem) -> Unicode.Scalar {
        let isBraced = take("{" as Unicode.Scalar)
        var value: UInt32 = 0
        var digits = 0
        while digits < (isBraced ? 8 : 2), let scalar = next, scalar.isASCII,
            let digit = hexValue(UInt8(scalar.value))
        {
            value = value << 4 | digit
            digits += 1
            position += 1
        }
        guard digits > 0, isBraced ? take("}" as Unicode.Scalar) : digits == 2,
            let scalar = Unicode.Scalar(value)
        else { throw Pattern.Problem(message: "a bad '\\x' escape") }
        return scalar
    }
}
