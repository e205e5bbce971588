import SkerryDevice
import SkerryValues

/// Writes a machine as a graph for Graphviz.
///
/// States with states are clusters. Edges from and to them end at their borders; a dot in each shows where it begins.
struct DOTGraph {
    private let outline: ChartOutline
    private let kind: String

    /// Takes the machine of a definition.
    init(_ draft: DefinitionDraft) {
        outline = ChartOutline(draft.machine)
        kind = draft.kind.text
    }

    var text: String {
        var lines = [
            "digraph \(quoted(kind)) {",
            "    compound=true",
            "    fontname=\"Helvetica\" fontsize=11",
            "    node [shape=box style=\"rounded,filled\" fillcolor=white fontname=\"Helvetica\" fontsize=11]",
            "    edge [fontname=\"Helvetica\" fontsize=9 arrowsize=0.7]",
        ]
        if outline.showsRoot {
            append(0, to: &lines, indentation: 1)
        } else {
            appendInside(0, to: &lines, indentation: 1)
        }
        for arrow in outline.arrows {
            for target in arrow.targets { lines.append("    " + edge(from: arrow, to: target)) }
        }
        lines.append("}")
        return lines.map { $0 + "\n" }.joined()
    }

    private func append(_ index: Int, to lines: inout [String], indentation: Int) {
        let node = outline.nodes[index]
        let margin = String(repeating: "    ", count: indentation)
        guard node.children.isEmpty else {
            let isRegion = node.parent.map { outline.nodes[$0].state.kind.isParallel } ?? false
            lines += [
                "\(margin)subgraph \(cluster(index)) {",
                "\(margin)    label=\(label(of: index))",
                "\(margin)    style=\"rounded\(isRegion ? ",dashed" : "")\" color=gray40",
            ]
            appendInside(index, to: &lines, indentation: indentation + 1)
            lines.append("\(margin)}")
            return
        }
        var look = "label=\(label(of: index))"
        if node.state.kind.isHistory {
            look = "label=\(historyLabel(node.state)) shape=circle width=0.3 margin=0"
        }
        if node.state.kind.isFinal { look += " peripheries=2" }
        lines.append("\(margin)\(self.node(index)) [\(look)]")
    }

    private func appendInside(_ parent: Int, to lines: inout [String], indentation: Int) {
        let margin = String(repeating: "    ", count: indentation)
        let node = outline.nodes[parent]
        let look = node.state.kind.isParallel ? "style=invis" : "shape=point width=0.1 fillcolor=black"
        lines.append("\(margin)\(dot(parent)) [\(look) label=\"\"]")
        for child in node.children { append(child, to: &lines, indentation: indentation) }
        for target in outline.initial(of: parent) {
            lines.append(margin + edge(End(node: dot(parent)), end(target, outOf: parent)))
        }
        for child in node.children where outline.nodes[child].state.kind.isHistory {
            for target in outline.initial(of: child) {
                lines.append(
                    margin + edge(End(node: self.node(child)), end(target, outOf: child), "style=dashed")
                )
            }
        }
    }

    // MARK: Edges

    private func edge(from arrow: ChartOutline.Arrow, to target: Int) -> String {
        let lines = arrow.label.wrapped(to: 30).map(\.dotEscaped)
        var look = "label=\"\(lines.joined(separator: "\\n"))\""
        let head = end(target, outOf: arrow.source)
        var tail = end(arrow.source, outOf: target)
        if tail.cluster != nil, let leaf = lastLeaf(of: arrow.source) { tail.node = node(leaf) }
        // Drawn the other way round, arrows back do not turn the order of the states.
        let isBack = target < arrow.source
        if isBack { look += " dir=back" }
        return edge(isBack ? head : tail, isBack ? tail : head, look)
    }

    private func edge(_ tail: End, _ head: End, _ look: String = "") -> String {
        var attributes = look.isEmpty ? [] : [look]
        if let cluster = tail.cluster { attributes.append("ltail=\(cluster)") }
        if let cluster = head.cluster { attributes.append("lhead=\(cluster)") }
        let list = attributes.isEmpty ? "" : " [\(attributes.joined(separator: " "))]"
        return "\(tail.node) -> \(head.node)\(list)"
    }

    /// The end of an edge: a node, or the border of the node's cluster.
    private struct End {
        var node: String
        var cluster: String?
    }

    /// The end of an edge at a state: at the border of one with states, unless the other end is within.
    private func end(_ index: Int, outOf other: Int) -> End {
        guard !outline.nodes[index].children.isEmpty else { return End(node: node(index)) }
        return End(node: dot(index), cluster: outline.isWithin(other, index) ? nil : cluster(index))
    }

    /// The last state in a state, so that the following ones are drawn below it; nil if it has only history states.
    private func lastLeaf(of index: Int) -> Int? {
        if outline.nodes[index].children.isEmpty { return index }
        let children = outline.nodes[index].children.filter { !outline.nodes[$0].state.kind.isHistory }
        return children.last.flatMap { lastLeaf(of: $0) }
    }

    // MARK: Names

    private func name(_ index: Int) -> String { index == 0 ? kind : outline.nodes[index].state.name.text }

    private func node(_ index: Int) -> String { quoted(name(index)) }

    private func dot(_ index: Int) -> String { quoted("start of " + name(index)) }

    private func cluster(_ index: Int) -> String { quoted("cluster " + name(index)) }

    private func quoted(_ text: String) -> String { "\"\(text.dotEscaped)\"" }

    private func historyLabel(_ state: StateDraft) -> String {
        if case .history(deep: true) = state.kind { "\"H*\"" } else { "\"H\"" }
    }

    /// The name in bold, the title, and the transitions that stay in the state.
    private func label(of index: Int) -> String {
        let title = outline.nodes[index].state.titleToShow.map { "<br/>\($0.markupEscaped)" } ?? ""
        let stays = outline.arrows.filter { $0.source == index && $0.targets.isEmpty }
            .map { "<br/><font point-size=\"9\">\($0.label.markupEscaped)</font>" }
        return "<<b>\(name(index).markupEscaped)</b>\(title)\(stays.joined())>"
    }
}

extension String {
    /// The text escaped for quotes in DOT.
    fileprivate var dotEscaped: String {
        replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: " ")
    }

    /// The text escaped for XML and for Graphviz's HTML-like labels.
    ///
    /// Control characters that XML does not allow become U+FFFD.
    var markupEscaped: String {
        rewritten { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\t", "\n", "\r": "&#\(scalar.value);"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: "\u{FFFD}"
            default: nil
            }
        }
    }
}
