/// The parts of a regular expression, children before their parents.
struct PatternSyntax {
    typealias ID = Int

    enum Node {
        case empty
        case scalar(UInt32, ignoresCase: Bool)
        /// Any scalar; `.` without the flag `s` leaves out the newline.
        case any(withNewline: Bool)
        case set(ScalarSet)
        case assertion(PatternAssertion)
        case sequence([ID])
        case choice([ID])
        /// `maximum` is nil for any number.
        case repetition(ID, minimum: Int, maximum: Int?)
    }

    var nodes: [Node] = []
    var root: ID = 0
}

/// A condition on the place between two scalars.
enum PatternAssertion: UInt8, Sendable {
    case textStart, textEnd, lineStart, lineEnd, wordBoundary, noWordBoundary
}

/// A set of Unicode scalars, as a bracket expression describes it.
struct ScalarSet: Sendable {
    var ranges: [ClosedRange<UInt32>] = []
    /// Everything outside of each of these groups is in the set as well.
    var exclusions: [[ClosedRange<UInt32>]] = []
    /// Letters by general category: each counts when it is in the category, or when it is not.
    var categories: [(category: ScalarCategory, isNegated: Bool)] = []
    var isNegated = false
    var ignoresCase = false

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        // Case is looked at before a part is negated: with the flag `i`, `[:^upper:]` has no letters at all.
        let others = ignoresCase ? caseVariants(of: scalar) : []
        return hasMember(scalar, others) != isNegated
    }

    private func hasMember(_ scalar: Unicode.Scalar, _ others: [Unicode.Scalar]) -> Bool {
        func isOne(_ condition: (Unicode.Scalar) -> Bool) -> Bool {
            condition(scalar) || others.contains(where: condition)
        }
        for range in ranges where isOne({ range.contains($0.value) }) { return true }
        for group in exclusions
        where !isOne({ scalar in group.contains { $0.contains(scalar.value) } }) {
            return true
        }
        for (category, isNegated) in categories where isOne(category.contains) != isNegated { return true }
        return false
    }
}

/// A general category of Unicode, or a group of them such as all letters.
struct ScalarCategory: Sendable {
    private let members: [Unicode.GeneralCategory]

    /// Finds a category by its short name, such as `L` or `Nd`; nil when there is none.
    init?(_ name: String) {
        switch name {
        case "L":
            members = [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter]
        case "Lu": members = [.uppercaseLetter]
        case "Ll": members = [.lowercaseLetter]
        case "Lt": members = [.titlecaseLetter]
        case "Lm": members = [.modifierLetter]
        case "Lo": members = [.otherLetter]
        case "M": members = [.nonspacingMark, .spacingMark, .enclosingMark]
        case "Mn": members = [.nonspacingMark]
        case "Mc": members = [.spacingMark]
        case "Me": members = [.enclosingMark]
        case "N": members = [.decimalNumber, .letterNumber, .otherNumber]
        case "Nd": members = [.decimalNumber]
        case "Nl": members = [.letterNumber]
        case "No": members = [.otherNumber]
        case "P":
            members = [
                .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
                .initialPunctuation, .finalPunctuation, .otherPunctuation,
            ]
        case "Pc": members = [.connectorPunctuation]
        case "Pd": members = [.dashPunctuation]
        case "Ps": members = [.openPunctuation]
        case "Pe": members = [.closePunctuation]
        case "Pi": members = [.initialPunctuation]
        case "Pf": members = [.finalPunctuation]
        case "Po": members = [.otherPunctuation]
        case "S": members = [.mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol]
        case "Sm": members = [.mathSymbol]
        case "Sc": members = [.currencySymbol]
        case "Sk": members = [.modifierSymbol]
        case "So": members = [.otherSymbol]
        case "Z": members = [.spaceSeparator, .lineSeparator, .paragraphSeparator]
        case "Zs": members = [.spaceSeparator]
        case "Zl": members = [.lineSeparator]
        case "Zp": members = [.paragraphSeparator]
        case "C": members = [.control, .format, .surrogate, .privateUse]
        case "Cc": members = [.control]
        case "Cf": members = [.format]
        case "Cs": members = [.surrogate]
        case "Co": members = [.privateUse]
        default: return nil
        }
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let category = scalar.properties.generalCategory
        return members.contains { $0 == category }
    }
}

/// The other spellings of a scalar when case does not matter.
func caseVariants(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    if scalar.isASCII {
        let isLetter = (UInt32(97)...122).contains(scalar.value | 32)
        return isLetter ? [Unicode.Scalar(UInt8(scalar.value) ^ 32)] : []
    }
    let upper = single(scalar.properties.uppercaseMapping) ?? scalar
    let lower = single(scalar.properties.lowercaseMapping) ?? scalar
    return [upper, lower, single(upper.properties.lowercaseMapping) ?? upper]
}

/// The form of a scalar for comparisons that ignore case.
func caseFolded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isASCII {
        return ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar
    }
    let upper = single(scalar.properties.uppercaseMapping) ?? scalar
    return single(upper.properties.lowercaseMapping) ?? upper
}

private func single(_ mapping: String) -> Unicode.Scalar? {
    let scalars = mapping.unicodeScalars
    guard let first = scalars.first, scalars.count == 1 else { return nil }
    return first
}
