import SkerryDevice
import SkerryValues

/// Writes a machine as a state diagram of Mermaid.
///
/// Mermaid knows no history states and no transitions that stay: the former are states called H, the latter notes.
struct MermaidGraph {
    private let outline: ChartOutline
    private let name: String
    private var ids: [String] = []

    /// Takes the machine of a definition.
    init(_ draft: DefinitionDraft) {
        outline = ChartOutline(draft.machine)
        name = draft.kind.text
        for (index, node) in outline.nodes.enumerated() {
            let wanted = index == 0 ? name : node.state.name.text
            let isUsable = wanted.isMermaidName && !ids.contains(wanted)
            ids.append(isUsable ? wanted : "state_\(index)")
        }
    }

    /// The diagram.
    var text: String {
        var lines = ["stateDiagram-v2"]
        if outline.showsRoot {
            append(0, to: &lines, indentation: 1)
        } else {
            appendInside(0, to: &lines, indentation: 1)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func append(_ index: Int, to lines: inout [String], indentation: Int) {
        let node = outline.nodes[index]
        let margin = String(repeating: "    ", count: indentation)
        let label = label(of: index)
        let isComposite = !node.children.isEmpty
        if isComposite || label != ids[index] {
            let named = label == ids[index] ? ids[index] : "\"\(label.mermaidTitle)\" as \(ids[index])"
            // Older versions take a space before the brace for a part of the name.
            lines.append("\(margin)state \(named)\(isComposite ? "{" : "")")
        } else {
            lines.append("\(margin)\(ids[index])")
        }
        if isComposite {
            appendInside(index, to: &lines, indentation: indentation + 1)
            lines.append("\(margin)}")
        }
        let stays = outline.arrows.filter { $0.source == index && $0.targets.isEmpty }
        guard !stays.isEmpty else { return }
        lines.append("\(margin)note right of \(ids[index])")
        lines += stays.map { "\(margin)    \($0.label.mermaidLabel)" }
        lines.append("\(margin)end note")
    }

    private func appendInside(_ parent: Int, to lines: inout [String], indentation: Int) {
        let margin = String(repeating: "    ", count: indentation)
        let node = outline.nodes[parent]
        for (position, child) in node.children.enumerated() {
            if node.state.kind.isParallel, position > 0 { lines.append("\(margin)--") }
            append(child, to: &lines, indentation: indentation)
        }
        for target in outline.initial(of: parent) { lines.append("\(margin)[*] --> \(ids[target])") }
        for child in node.children {
            let state = outline.nodes[child].state
            if state.kind.isFinal { lines.append("\(margin)\(ids[child]) --> [*]") }
            guard state.kind.isHistory else { continue }
            for target in outline.initial(of: child) {
                lines.append("\(margin)\(ids[child]) --> \(ids[target])")
            }
        }
        for arrow in outline.arrows {
            for target in arrow.targets {
                let isOutermost = parent == 0 && arrow.source == 0
                let home = isOutermost ? 0 : outline.home(of: arrow.source, target)
                guard home == parent else { continue }
                lines.append(
                    "\(margin)\(ids[arrow.source]) --> \(ids[target]) : \(arrow.label.mermaidLabel)"
                )
            }
        }
    }

    private func label(of index: Int) -> String {
        let state = outline.nodes[index].state
        switch state.kind {
        case .history(let deep): return deep ? "H*" : "H"
        case .single, .parallel, .final: break
        }
        let name = index == 0 ? name : state.name.text
        return state.titleToShow.map { "\(name): \($0)" } ?? name
    }
}

extension String {
    /// True if it can be the id of a state in Mermaid: letters, digits and `_`, and not a word of Mermaid.
    fileprivate var isMermaidName: Bool {
        let words = [
            "as", "accdescr", "acctitle", "class", "classdef", "click", "default", "direction", "end", "hide",
            "href", "note", "scale", "state", "statediagram", "style", "title",
        ]
        guard let first = utf8.first, UInt8(ascii: "A") <= first, !words.contains(lowercased()) else {
            return false
        }
        return utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    /// The text escaped for an arrow or a note.
    fileprivate var mermaidLabel: String { encoded("#%:;<>") }

    /// The text escaped for quotes.
    fileprivate var mermaidTitle: String { encoded("#%;<>\"[]") }

    /// The text with Mermaid's codes for characters that mean something to it.
    private func encoded(_ special: String) -> String {
        rewritten { scalar in
            if special.unicodeScalars.contains(scalar) { return "#\(scalar.value);" }
            return scalar.value < 0x20 ? " " : nil
        }
    }
}
