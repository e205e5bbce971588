extension ScriptNode {
    /// The names of a chain such as `_event.data.a`; nil for any other expression.
    var path: [String]? {
        switch kind {
        case .name(let name): return [name]
        case .member(let owner, let key):
            guard case .text(let name) = key.kind else { return nil }
            return owner.path.map { $0 + [name] }
        default: return nil
        }
    }
}
