import SkerryDevice

/// A key of the language with its place in a draft: the reader, the writer and the schema all go by this one declaration.
struct DraftKey<Draft>: Sendable {
    typealias Reader = @Sendable (inout DefinitionBuilder, YAMLPair, inout Draft) -> Void
    typealias Writer = @Sendable (DefinitionWriter, Draft) -> YAMLOutput?

    private(set) var declaration: LanguageKey
    /// True if it is written below all others, as signals are.
    private(set) var isLast = false
    /// Reads its value into a draft; nil if the reader of the mapping has a rule of its own for it.
    let read: Reader?
    /// Returns its value in a draft; nil if the writer of the mapping has a rule of its own for it.
    let write: Writer?

    var name: String { declaration.name }

    /// Makes a key without a place of its own in a draft.
    init(_ declaration: LanguageKey) {
        (self.declaration, read, write) = (declaration, nil, nil)
    }

    /// Makes a key that is read and written as no other one is.
    init(_ name: String, _ value: LanguageValue, read: Reader?, write: Writer? = nil) {
        (declaration, self.read, self.write) = (LanguageKey(name, value), read, write)
    }

    /// Makes a key whose value a draft may lack.
    init<Value>(
        _ name: String,
        _ form: KeyForm<Value>,
        _ path: any WritableKeyPath<Draft, Value?> & Sendable
    ) {
        self.init(name, form.value) {
            $2[keyPath: path] = form.read(&$0, $1)
        } write: { writer, draft in
            draft[keyPath: path].flatMap { form.write(writer, $0) }
        }
    }

    /// Makes a key whose value every draft has; what can't be read leaves the default.
    init<Value>(
        _ name: String,
        _ form: KeyForm<Value>,
        _ path: any WritableKeyPath<Draft, Value> & Sendable
    ) {
        self.init(name, form.value) {
            if let value = form.read(&$0, $1) { $2[keyPath: path] = value }
        } write: {
            form.write($0, $1[keyPath: path])
        }
    }

    /// Makes a key for one case of what a draft has.
    init<Value, Choice>(
        _ name: String,
        _ form: KeyForm<Value>,
        _ path: any WritableKeyPath<Draft, Choice> & Sendable,
        _ choice: @escaping @Sendable (Value) -> Choice,
        _ value: @escaping @Sendable (Choice) -> Value?
    ) {
        self.init(name, form.value) {
            if let value = form.read(&$0, $1) { $2[keyPath: path] = choice(value) }
        } write: { writer, draft in
            value(draft[keyPath: path]).flatMap { form.write(writer, $0) }
        }
    }

    /// Adds what people read about the key: a title, its effect in sentences, and values as one would write them.
    func help(_ title: String, _ summary: String, _ examples: String...) -> DraftKey {
        var key = self
        (key.declaration.title, key.declaration.summary) = (title, summary)
        key.declaration.examples = examples
        return key
    }

    /// The same key where it must be there.
    var required: DraftKey {
        var key = self
        key.declaration.isRequired = true
        return key
    }

    /// The same key, written below all others.
    var writtenLast: DraftKey {
        var key = self
        key.isLast = true
        return key
    }

    /// The same key with names of a kind below it, which are unknown while it can't be read.
    func introduces(_ names: DefinitionDraft.NameKind) -> DraftKey {
        var key = self
        key.declaration.names = names
        return key
    }

    /// The same key in a draft that has this one.
    func within<Outer>(_ path: any WritableKeyPath<Outer, Draft> & Sendable) -> DraftKey<Outer> {
        DraftKey<Outer>(self, at: path)
    }

    private init<Inner>(_ key: DraftKey<Inner>, at path: any WritableKeyPath<Draft, Inner> & Sendable) {
        (declaration, isLast) = (key.declaration, key.isLast)
        let (inner, written) = (key.read, key.write)
        read = { inner?(&$0, $1, &$2[keyPath: path]) }
        write = { written?($0, $1[keyPath: path]) }
    }
}

/// Collects the keys of a table, each on its own or in lists that tables share.
@resultBuilder
enum KeyList<Draft> {
    static func buildExpression(_ key: DraftKey<Draft>) -> [DraftKey<Draft>] { [key] }
    static func buildExpression(_ key: LanguageKey) -> [DraftKey<Draft>] { [DraftKey(key)] }
    static func buildExpression(_ keys: [DraftKey<Draft>]) -> [DraftKey<Draft>] { keys }
    static func buildBlock(_ keys: [DraftKey<Draft>]...) -> [DraftKey<Draft>] { keys.flatMap { $0 } }
}

/// The keys of a mapping, in the order in which one would write them.
struct KeyTable<Draft>: Sendable {
    let mapping: LanguageMapping
    let keys: [DraftKey<Draft>]
    /// True if the order in which the values are written counts, as that of views does.
    let isOrdered: Bool

    init(
        _ title: String,
        _ summary: String,
        choice: [String] = [],
        isOrdered: Bool = false,
        @KeyList<Draft> _ keys: () -> [DraftKey<Draft>]
    ) {
        let keys = keys()
        (self.keys, self.isOrdered) = (keys, isOrdered)
        mapping = LanguageMapping(
            title: title,
            summary: summary,
            keys: keys.map(\.declaration),
            choice: choice
        )
    }

    /// The keys of a draft with their values, as they are written.
    func written(_ draft: Draft, by writer: DefinitionWriter) -> [(String, YAMLOutput?)] {
        (keys.filter { !$0.isLast } + keys.filter(\.isLast)).compactMap { key in
            key.write.map { (key.name, $0(writer, draft)) }
        }
    }
}

extension DefinitionBuilder {
    /// Reads a mapping into a draft; returns its keys, or nil if it is no mapping.
    @discardableResult
    mutating func read<Draft>(
        _ node: YAMLNode,
        of what: String,
        _ table: KeyTable<Draft>,
        into draft: inout Draft
    ) -> Keys? {
        guard let keys = keys(node, of: what, table.mapping) else { return nil }
        read(keys, table, into: &draft)
        return keys
    }

    /// Reads the values of known keys into a draft, in the order of their table unless that in which they are written counts.
    mutating func read<Draft>(_ keys: Keys, _ table: KeyTable<Draft>, into draft: inout Draft) {
        let names = table.isOrdered ? keys.pairs.map(\.key.text) : table.keys.map(\.name)
        for name in names {
            guard let read = table.keys.first(where: { $0.name == name })?.read, let pair = keys.pair(name)
            else { continue }
            read(&self, pair, &draft)
        }
    }
}
