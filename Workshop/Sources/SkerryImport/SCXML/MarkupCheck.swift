import Foundation
import SkerryDevice

#if canImport(FoundationXML)
import FoundationXML
#endif

/// A check that a text is well-formed XML and not nested too deeply; it never loads external entities.
final class MarkupCheck: NSObject, XMLParserDelegate {
    /// The deepest nesting of elements.
    static let depthLimit = 100
    /// The most elements in a document.
    static let elementLimit = 20_000

    private var depth = 0
    private var count = 0
    private var problem: DefinitionProblem?

    /// The first problem of a text; nil when it is well-formed.
    static func problem(of text: String) -> DefinitionProblem? {
        if let place = MarkupScanner.documentType(in: text) {
            return DefinitionProblem(
                .badImport,
                at: place,
                length: 9,
                "a document type can make a small file large, so there may be none",
                remedy: "remove the DOCTYPE; SCXML needs none"
            )
        }
        if let encoding = MarkupScanner.encoding(of: text),
            !["utf-8", "us-ascii", "utf8"].contains(encoding.text.lowercased())
        {
            return DefinitionProblem(
                .badImport,
                encoding,
                "the file must be UTF-8",
                remedy: "save it as UTF-8 and write encoding=\"UTF-8\""
            )
        }
        let check = MarkupCheck()
        let parser = XMLParser(data: Data(text.utf8))
        parser.shouldProcessNamespaces = true
        parser.shouldResolveExternalEntities = false
        parser.delegate = check
        let isRead = parser.parse()
        if let problem = check.problem { return problem }
        return isRead ? nil : check.problem(of: parser.parserError, in: parser)
    }

    private func problem(of error: (any Error)?, in parser: XMLParser) -> DefinitionProblem {
        let place = Place(line: max(1, parser.lineNumber), column: max(1, parser.columnNumber))
        return DefinitionProblem(.badImport, at: place, Self.message(of: (error as NSError?)?.code ?? 0))
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        if problem == nil { problem = problem(of: error, in: parser) }
    }

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        depth += 1
        count += 1
        guard problem == nil, depth > Self.depthLimit || count > Self.elementLimit else { return }
        problem = DefinitionProblem(
            .badImport,
            at: Place(line: max(1, parser.lineNumber), column: max(1, parser.columnNumber)),
            depth > Self.depthLimit
                ? "elements are nested more than \(Self.depthLimit) deep"
                : "there are more than \(Self.elementLimit) elements"
        )
        parser.abortParsing()
    }

    func parser(
        _ parser: XMLParser,
        didEndElement name: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        depth -= 1
    }

    /// The most common errors of libxml2 in words.
    private static func message(of code: Int) -> String {
        switch code {
        case 4: "the file is empty"
        case 5: "something follows the end of the document"
        case 26, 27: "this entity is not declared"
        case 38: "'<' can't stand in an attribute; write &lt;"
        case 39, 40: "the value of an attribute must stand in quotes"
        case 41: "an attribute is here without its value"
        case 42: "an attribute is written twice"
        case 68: "the name of an element is missing here"
        case 73: "a tag does not end with '>' here"
        case 76: "this end tag does not fit the start tag"
        case 77: "an element is not closed"
        case 201: "this namespace prefix is not declared"
        default: "this is not XML from here on"
        }
    }
}
