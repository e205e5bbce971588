import SkerryActivity
import SkerryDevice

/// A definition as a page of Markdown for people: what it reads, what it shows, and how many updates a run takes.
package struct DefinitionPage {
    private let source: DefinitionFile
    private let draft: DefinitionDraft
    private let definition: Definition
    private let tests: [TestOutcome]

    /// Makes the page of a definition; nil for a file that has errors.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - tests: The outcomes of its tests.
    package init?(_ file: CompiledFiles.File, tests: [TestOutcome]) {
        guard let draft = file.draft, let definition = file.definition else { return nil }
        source = file.source
        self.draft = draft
        self.definition = definition
        self.tests = tests
    }

    /// The name of the device for people.
    private var title: String { draft.name?.text ?? definition.kind }

    package var text: String {
        var blocks = ["# \(title)", introduction, "```mermaid\n\(MermaidGraph(draft).text)```"]
        blocks.append("## What it reads\n\n" + sources)
        if !fields.isEmpty { blocks.append("## What it shows\n\n" + fields) }
        if !alerts.isEmpty { blocks.append("Alerts: \(alerts).") }
        if !island.isEmpty { blocks.append("## On the phone\n\n" + island) }
        if !settings.isEmpty { blocks.append("## Settings\n\n" + settings) }
        if !lives.isEmpty { blocks.append("## Lives that its tests walk\n\n" + lives) }
        return blocks.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    /// The row of the page in a table of all definitions.
    ///
    /// - Parameter link: The address of the page.
    /// - Returns: The device, the fields shown, the cost of a life, and the sources of facts; the page has its topics.
    package func row(link: String) -> String {
        let shown = (definition.contract?.content ?? []).map(\.name).joined(separator: ", ")
        let most = tests.map(\.tally).filter { $0.runs == 1 }.max { $0.messages < $1.messages }
        let life = most.map { "\($0.messages) → \($0.updates)" } ?? ""
        return Self.row([
            "[\(title)](\(link))", definition.kind.code, shown, life,
            facts.map { "[\($0.name)](\($0.address))" }.joined(separator: ", "),
        ])
    }

    /// The sources of what the definition knows of its devices: the addresses in lines of the comment that begin with `Facts:`.
    private var facts: [(name: Substring, address: Substring)] {
        comment.filter { $0.hasPrefix("Facts: ") }
            .flatMap { $0.split(separator: " ").dropFirst() }
            .map { ($0.split(separator: "/").last ?? $0, $0) }
    }

    package static var tableHead: String {
        row(["device", "kind", "what is shown", "messages → updates", "facts"])
            + row(["---", "---", "---", "--:", "---"])
    }

    /// The lines of the comment at the top of the file.
    private var comment: [Substring] {
        source.text.split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { $0.hasPrefix("#") }
            .map { $0.drop { $0 == "#" || $0 == " " } }
    }

    private var introduction: String {
        comment.joined(separator: "\n") + "\n\nThe kind is \(definition.kind.code)."
    }

    /// The topics, in one row those from which the same is read.
    private var sources: String {
        var groups: [(topics: [String], read: [String])] = []
        for source in draft.sources {
            let topic = source.topic.text.code
            let signals = source.signals.map { $0.name.text.code }.joined(separator: ", ")
            let read = [source.payload.name, signals]
            let place = groups.firstIndex { $0.read == read } ?? groups.endIndex
            if place == groups.endIndex { groups.append(([], read)) }
            if !groups[place].topics.contains(topic) { groups[place].topics.append(topic) }
        }
        let rows = groups.map { [$0.topics.joined(separator: "<br>")] + $0.read }
        return ([["topics", "payload", "signals"], ["---", "---", "---"]] + rows).map(Self.row).joined()
    }

    private var fields: String {
        let contract = definition.contract
        let attributes = (contract?.attributes ?? []).map {
            [$0.name.code, $0.type.words, "for the whole run"]
        }
        let content = (contract?.content ?? []).map { [$0.name.code, $0.type.words, "as it changes"] }
        guard !attributes.isEmpty || !content.isEmpty else { return "" }
        let head = [["field", "what it is", "when it is told"], ["---", "---", "---"]]
        return (head + attributes + content).map(Self.row).joined()
    }

    private var alerts: String {
        (draft.activity?.alerts ?? []).map { "“\($0.title.text)”" }.joined(separator: ", ")
    }

    private var island: String {
        guard let elements = draft.island?.views, !elements.isEmpty else { return "" }
        var rows = [["place", "what is drawn"], ["---", "---"]]
        for region in IslandRegion.allCases {
            let drawn = elements.filter { $0.region == region }.map {
                "\($0.kind.words) \($0.value.text.code)"
            }
            if !drawn.isEmpty { rows.append([region.words, drawn.joined(separator: ", ")]) }
        }
        return rows.map(Self.row).joined()
    }

    private var settings: String {
        guard !definition.settings.isEmpty else { return "" }
        var rows = [["setting", "what it is"], ["---", "---"]]
        for setting in definition.settings { rows.append([setting.name.code, setting.text ?? ""]) }
        return rows.map(Self.row).joined()
    }

    private var lives: String {
        guard !tests.isEmpty else { return "" }
        var rows = [["life", "messages", "runs", "updates"], ["---", "--:", "--:", "--:"]]
        for test in tests {
            let tally = test.tally
            rows.append([test.name.text, "\(tally.messages)", "\(tally.runs)", "\(tally.updates)"])
        }
        return rows.map(Self.row).joined()
    }

    private static func row(_ cells: [String]) -> String {
        "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
    }
}

extension String {
    /// Text as code of Markdown.
    fileprivate var code: String { "`\(self)`" }
}

extension FieldType {
    fileprivate var words: String {
        switch self {
        case .any: "text, number or truth value"
        case .string: "text"
        case .int: "whole number"
        case .double: "number"
        case .bool: "truth value"
        case .timestamp: "moment"
        case .duration: "length of time"
        case .time: "countdown or count"
        case .structure: "list or object, on MQTT only"
        }
    }
}

extension IslandRegion {
    fileprivate var words: String {
        switch self {
        case .minimal: "minimal"
        case .compactLeading: "compact, left"
        case .compactTrailing: "compact, right"
        case .expandedLeading: "expanded, left"
        case .expandedTrailing: "expanded, right"
        case .expandedCenter: "expanded, centre"
        case .expandedBottom: "expanded, bottom"
        case .lock: "Lock Screen"
        }
    }
}

extension IslandElementKind {
    fileprivate var words: String {
        switch self {
        case .progress: "bar"
        case .caption: "small text"
        case .symbol, .text, .title, .countdown, .minutes, .row: word
        }
    }
}
