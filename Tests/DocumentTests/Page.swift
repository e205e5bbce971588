import Foundation

/// A page of the documentation, cut into what tests look at.
struct Page {
    /// A block of code between two lines of three back quotes.
    struct Block {
        /// What stands behind the opening quotes, such as `yaml frame`.
        var info: [String]
        var text: String
        /// The line of its first line of text, counted from 1.
        var line: Int

        var language: String { info.first ?? "" }
    }

    /// A table with the texts of its cells.
    struct Table {
        var header: [String]
        var rows: [[String]]
        var line: Int
    }

    struct Link {
        var target: String
        var line: Int
    }

    /// Its path from the root of the repository.
    let path: String
    private(set) var blocks: [Block] = []
    private(set) var tables: [Table] = []
    private(set) var links: [Link] = []
    /// What links to a place on the page may name, made of the headings as GitHub does it.
    private(set) var anchors: [String] = []

    init(path: String, text: String) {
        self.path = path
        var open: Block?
        var isInTable = false
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            let number = index + 1
            if line.hasPrefix("```") {
                if let block = open { blocks.append(block) }
                let info = line.dropFirst(3).split(separator: " ").map(String.init)
                open = open == nil ? Block(info: info, text: "", line: number + 1) : nil
            } else if open != nil {
                open?.text += line + "\n"
            } else {
                isInTable = read(line, number, isInTable: isInTable)
            }
        }
    }

    /// Reads a line that is no code; returns whether it belongs to a table.
    private mutating func read(_ line: String, _ number: Int, isInTable: Bool) -> Bool {
        if line.hasPrefix("#") {
            anchors.append(Self.anchor(of: String(line.drop { $0 == "#" }.dropFirst())))
        }
        for match in line.matches(of: /\]\(([^)\s]+)\)/) {
            links.append(Link(target: String(match.output.1), line: number))
        }
        guard line.hasPrefix("|") else { return false }
        let cells = Self.cells(of: line)
        if !isInTable {
            tables.append(Table(header: cells, rows: [], line: number))
        } else if !line.hasPrefix("|---") {
            tables[tables.count - 1].rows.append(cells)
        }
        return true
    }

    private static func cells(of line: String) -> [String] {
        let escaped = line.replacing("\\|", with: "\u{0}")
        return escaped.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
            .map { $0.replacing("\u{0}", with: "|").trimmingCharacters(in: .whitespaces) }
    }

    /// Letters in small, digits, `-` and `_`; blanks become `-`, everything else goes.
    private static func anchor(of heading: String) -> String {
        let kept = heading.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
        return kept.replacing(" ", with: "-")
    }
}

extension Page {
    /// The root of the repository.
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A page of the repository.
    static func read(_ path: String) throws -> Page { Page(path: path, text: try text(path)) }

    /// The whole text of a page.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The paths of all pages below a folder.
    static func paths(below folder: String) -> [String] {
        let paths = FileManager.default.subpaths(atPath: root.appending(path: folder).path) ?? []
        return paths.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
    }

    /// All pages below a folder.
    static func all(below folder: String) throws -> [Page] { try paths(below: folder).map { try read($0) } }

    /// The blocks of a language, each with the place for messages.
    func blocks(_ language: String) -> [Block] { blocks.filter { $0.language == language } }
}

extension String {
    /// The pieces of Markdown text that stand between back quotes.
    var codeSpans: [String] { matches(of: /`([^`]+)`/).map { String($0.output.1) } }
}
