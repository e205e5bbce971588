import SkerryDevice

/// A scanner for the elements of an XML document and their places.
///
/// The document is already known to be well-formed. `XMLParser` checks that, but reports places too roughly for
/// messages.
struct MarkupScanner {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var place = Place(line: 1, column: 1)

    private init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        if scalars.first == "\u{FEFF}" { index = 1 }
    }

    /// The place of a document type declaration; nil if there is none.
    static func documentType(in text: String) -> Place? {
        var scanner = MarkupScanner(text)
        while scanner.skipAside() {}
        return scanner.isNext("<!") ? scanner.place : nil
    }

    /// The encoding in the XML declaration; nil if there is none.
    static func encoding(of text: String) -> SourceText? {
        var scanner = MarkupScanner(text)
        guard scanner.isNext("<?xml ") else { return nil }
        scanner.skip(count: 5)
        return scanner.attributes().first { $0.name.text == "encoding" }?.value
    }

    /// The root element; nil if there is none.
    static func root(of text: String) -> MarkupElement? {
        var scanner = MarkupScanner(text)
        while scanner.skipAside() {}
        return scanner.element(namespaces: [:])
    }

    // MARK: Characters

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private func isNext(_ text: String) -> Bool { scalars[index...].starts(with: text.unicodeScalars) }

    private mutating func skip(count: Int = 1) {
        for _ in 0..<count where index < scalars.count {
            let scalar = scalars[index]
            index += 1
            if scalar == "\n" || (scalar == "\r" && next != "\n") {
                place = Place(line: place.line + 1, column: 1)
            } else if scalar != "\r" {
                place.column += 1
            }
        }
    }

    private mutating func skip(to end: String) {
        while next != nil, !isNext(end) { skip() }
        skip(count: end.unicodeScalars.count)
    }

    private mutating func skipBlanks() {
        while let scalar = next, scalar.properties.isWhitespace { skip() }
    }

    /// Skips blanks and a comment or instruction after them; false if there was neither.
    private mutating func skipAside() -> Bool {
        skipBlanks()
        if isNext("<!--") {
            skip(to: "-->")
        } else if isNext("<?") {
            skip(to: "?>")
        } else {
            return false
        }
        return true
    }

    private mutating func name() -> SourceText {
        let start = place
        var name = String.UnicodeScalarView()
        while let scalar = next, !scalar.properties.isWhitespace, !"=/><".unicodeScalars.contains(scalar) {
            name.append(scalar)
            skip()
        }
        return SourceText(String(name), at: start)
    }

    /// Adds the next character to a text, with an entity replaced by its character.
    private mutating func read(into text: inout SourceText, isAttribute: Bool) {
        guard let scalar = next else { return }
        var added = String(scalar)
        var breaks = false
        if scalar == "&" {
            skip()
            var entity = ""
            while let scalar = next, scalar != ";", entity.utf8.count < 12 {
                entity.unicodeScalars.append(scalar)
                skip()
            }
            added = Self.character(of: entity)
            breaks = true
        } else if scalar == "\n" || scalar == "\r" {
            if isNext("\r\n") { skip() }
            added = isAttribute ? " " : "\n"
            breaks = true
        }
        skip()
        text.text += added
        if breaks { text.pieces.append(SourceText.Piece(offset: text.text.utf8.count, at: place)) }
    }

    private static func character(of entity: String) -> String {
        switch entity {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard entity.hasPrefix("#") else { return "" }
            let digits = entity.dropFirst()
            let code = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return code.flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
        }
    }

    // MARK: Elements

    private mutating func attributes() -> [(name: SourceText, value: SourceText)] {
        var attributes: [(name: SourceText, value: SourceText)] = []
        while true {
            skipBlanks()
            let name = name()
            if name.text.isEmpty { return attributes }
            skipBlanks()
            guard next == "=" else { return attributes }
            skip()
            skipBlanks()
            let quote = next
            skip()
            var value = SourceText("", at: place)
            while let scalar = next, scalar != quote { read(into: &value, isAttribute: true) }
            skip()
            attributes.append((name, value))
        }
    }

    private mutating func element(namespaces outer: [String: String]) -> MarkupElement? {
        guard next == "<" else { return nil }
        skip()
        let name = name()
        let attributes = attributes()
        var namespaces = outer
        for attribute in attributes {
            if attribute.name.text == "xmlns" { namespaces[""] = attribute.value.text }
            if attribute.name.text.hasPrefix("xmlns:") {
                namespaces[String(attribute.name.text.dropFirst(6))] = attribute.value.text
            }
        }
        let parts = name.text.split(separator: ":", maxSplits: 1)
        let prefix = parts.count > 1 ? String(parts[0]) : ""
        var element = MarkupElement(
            name: SourceText(String(parts.last ?? ""), at: name.place),
            namespace: namespaces[prefix] ?? ""
        )
        element.attributes = attributes.filter { !$0.name.text.contains(":") && $0.name.text != "xmlns" }
        if isNext("/>") {
            skip(count: 2)
            return element
        }
        skip()
        readContent(of: &element, namespaces)
        return element
    }

    private mutating func readContent(of element: inout MarkupElement, _ namespaces: [String: String]) {
        var text = SourceText("", at: place)
        while next != nil {
            if isNext("</") {
                skip(to: ">")
                break
            }
            if isNext("<!--") {
                skip(to: "-->")
                text.pieces.append(SourceText.Piece(offset: text.text.utf8.count, at: place))
            } else if isNext("<?") {
                skip(to: "?>")
                text.pieces.append(SourceText.Piece(offset: text.text.utf8.count, at: place))
            } else if isNext("<![CDATA[") {
                skip(count: 9)
                text.pieces.append(SourceText.Piece(offset: text.text.utf8.count, at: place))
                while next != nil, !isNext("]]>") {
                    let isEntity = next == "&"
                    if isEntity {
                        text.text += "&"
                        skip()
                    } else {
                        read(into: &text, isAttribute: false)
                    }
                }
                skip(count: 3)
            } else if next == "<" {
                if let child = self.element(namespaces: namespaces) { element.children.append(child) }
                text.pieces.append(SourceText.Piece(offset: text.text.utf8.count, at: place))
            } else {
                read(into: &text, isAttribute: false)
            }
        }
        element.text = text.trimmed
    }
}

extension SourceText {
    /// The text without surrounding blanks, with the right places; nil if it is blank.
    fileprivate var trimmed: SourceText? {
        let blank = { (character: Character) in character.isWhitespace }
        let rest = text.drop(while: blank)
        guard let last = rest.lastIndex(where: { !blank($0) }) else { return nil }
        let offset = text.utf8.distance(from: text.startIndex, to: rest.startIndex)
        return SourceText(
            String(rest[...last]),
            at: place(atUTF8Offset: offset),
            pieces: pieces.compactMap {
                $0.offset > offset ? Piece(offset: $0.offset - offset, at: $0.place) : nil
            }
        )
    }
}
