import CYAML

/// A step of libyaml through a text.
struct YAMLEvent {
    /// The way a text is written.
    enum Style {
        case plain
        case singleQuoted
        case doubleQuoted
        /// On lines of its own below a `|` or `>`.
        case block
    }

    /// What begins or ends at a step.
    enum Kind {
        /// The text or a document begins.
        case start
        /// What began last ends: a list, a mapping, a document or the text.
        case end
        /// An alias of the node with an anchor.
        case alias(String)
        /// A text as YAML understands it: without quotes, with escapes resolved.
        case scalar(String, Style)
        /// A list; its elements follow.
        case list
        /// A mapping; its keys and values follow in turn.
        case map
    }

    /// What begins or ends.
    var kind: Kind
    /// The anchor of a node.
    var anchor: String?
    /// Whether the node has a tag.
    var hasTag: Bool
    /// Where it starts, in scalars: with a node's anchor or tag, if it has one.
    var start: Int
    /// Where it ends, in scalars.
    var end: Int
}

/// The reason why libyaml reads a text no further.
struct YAMLComplaint: Error {
    /// What is wrong, in the words of libyaml.
    var problem: String
    /// What libyaml was doing, in its words; empty when it does not say.
    var context: String
    /// Where it stopped, in scalars.
    var index: Int
    /// Where the unfinished thing began, in scalars.
    var contextIndex: Int?
    /// The character that is not allowed anywhere in YAML, if that is the reason.
    var character: UInt32?
}

/// Reads the events of a YAML text, one after the other, by libyaml.
///
/// It owns the parser and a copy of the text, at addresses that never change: libyaml keeps a pointer to the parser in the
/// parser itself. What comes out of libyaml is copied, so that no pointer leaves this file.
struct YAMLEventReader: ~Copyable {
    private let escapes: JoinedEscapes
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// Begins to read a text; positions are those in the text before its escapes were joined.
    init(_ escapes: JoinedEscapes) {
        self.escapes = escapes
        parser = .allocate(capacity: 1)
        // A place for one byte more, because libyaml takes no null pointer for a text of none.
        bytes = .allocate(capacity: escapes.text.utf8.count + 1)
        let end = bytes.initialize(fromContentsOf: escapes.text.utf8)
        precondition(yaml_parser_initialize(parser) == 1, "no memory for a parser")
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, end)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        bytes.deallocate()
    }

    /// The next event; behind the last one always an end.
    mutating func next() throws(YAMLComplaint) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw complaint }
        defer { yaml_event_delete(&event) }
        switch event.type {
        case YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT:
            return copy(event, .start)
        case YAML_ALIAS_EVENT:
            return copy(event, .alias(String(cString: event.data.alias.anchor)))
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let text = String(decoding: bytes, as: UTF8.self)
            return copy(event, .scalar(text, YAMLEvent.Style(scalar.style)), scalar.anchor, scalar.tag)
        case YAML_SEQUENCE_START_EVENT:
            return copy(event, .list, event.data.sequence_start.anchor, event.data.sequence_start.tag)
        case YAML_MAPPING_START_EVENT:
            return copy(event, .map, event.data.mapping_start.anchor, event.data.mapping_start.tag)
        default:
            return copy(event, .end)
        }
    }

    private func copy(
        _ event: yaml_event_t,
        _ kind: YAMLEvent.Kind,
        _ anchor: UnsafePointer<UInt8>? = nil,
        _ tag: UnsafePointer<UInt8>? = nil
    ) -> YAMLEvent {
        YAMLEvent(
            kind: kind,
            anchor: anchor.map { String(cString: $0) },
            hasTag: tag != nil,
            start: escapes.original(event.start_mark.index),
            end: escapes.original(event.end_mark.index)
        )
    }

    /// What libyaml says of its last failure.
    private var complaint: YAMLComplaint {
        let failure = parser.pointee
        let context = failure.context.map { String(cString: $0) }
        let isCharacter = failure.error == YAML_READER_ERROR
        // The reader of characters counts bytes.
        let index =
            isCharacter
            ? bytes.prefix(failure.problem_offset).count { $0 & 0xC0 != 0x80 } : failure.problem_mark.index
        return YAMLComplaint(
            problem: failure.problem.map { String(cString: $0) } ?? "",
            context: context ?? "",
            index: escapes.original(index),
            contextIndex: context == nil ? nil : escapes.original(failure.context_mark.index),
            character: isCharacter ? UInt32(exactly: failure.problem_value) : nil
        )
    }
}

extension YAMLEvent.Style {
    fileprivate init(_ style: yaml_scalar_style_t) {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: self = .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: self = .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: self = .block
        default: self = .plain
        }
    }
}
