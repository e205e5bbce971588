import CYAML

/// An event of libyaml.
struct YAMLEvent {
    /// The way a text is written.
    enum Style {
        case plain
        case singleQuoted
        case doubleQuoted
        /// On lines of its own below a `|` or `>`.
        case block
    }

    enum Kind {
        /// The start of the text or of a document.
        case start
        /// The end of the list, the mapping, the document or the text that began last.
        case end
        /// An alias, with the name of its anchor.
        case alias(String)
        /// A text without its quotes and with its escapes resolved.
        case scalar(String, Style)
        /// The start of a list; its elements follow.
        case list
        /// The start of a mapping; its keys and values follow in turn.
        case map
    }

    var kind: Kind
    /// The anchor of the node.
    var anchor: String?
    /// True for a node with a tag.
    var hasTag: Bool
    /// The position of its start, that of its anchor or tag if it has one.
    var start: Int
    /// The position after it.
    var end: Int
}

/// The reason why libyaml reads a text no further.
struct YAMLComplaint: Error {
    /// The problem in the words of libyaml.
    var problem: String
    /// The construct that libyaml was reading, in its words; empty when it does not say.
    var context: String
    /// The position at which it stopped.
    var index: Int
    /// The position at which that construct began.
    var contextIndex: Int?
    /// The character that YAML does not allow anywhere, if that is the problem.
    var character: UInt32?
}

/// A parser of libyaml on a text.
///
/// The parser and a copy of the text keep their addresses until the end, because libyaml stores pointers to both. All results
/// are copies, so that no pointer leaves this file.
struct YAMLEventReader: ~Copyable {
    private let escapes: JoinedEscapes
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// Makes a parser; its positions are those in the text before escapes were joined.
    init(_ escapes: JoinedEscapes) {
        self.escapes = escapes
        parser = .allocate(capacity: 1)
        // One byte more, because libyaml refuses a null pointer for an empty text.
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

    /// The next event; after the last one, always an end.
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

    /// The failure that libyaml reports.
    private var complaint: YAMLComplaint {
        let failure = parser.pointee
        let context = failure.context.map { String(cString: $0) }
        let isCharacter = failure.error == YAML_READER_ERROR
        // For forbidden characters libyaml counts bytes.
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
