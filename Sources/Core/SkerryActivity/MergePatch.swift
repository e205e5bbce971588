public import SkerryValues

/// JSON Merge Patch (RFC 7396) on values.
///
/// Null in a patch deletes a member, so that objects to be patched hold no null. Arrays are replaced whole.
/// Numbers are the same when they are equal, texts when their code points are; the order of members means nothing.
public enum MergePatch {
    /// The smallest patch that turns `old` into `new`, or nil when both are the same.
    ///
    /// It names only members that changed, at every level. Members of `new` that are null count as absent.
    public static func between(_ old: Value, _ new: Value) -> Value? {
        guard case .map(let old) = old, case .map(let new) = new else {
            return old.isSameJSON(as: new) ? nil : new
        }
        let patch = between(old, new)
        return patch.entries.isEmpty ? nil : .map(patch)
    }

    /// The value of a member in the patch between two objects, of which one or both may lack the member; nil if the
    /// patch does not name it.
    static func change(from old: Value?, to new: Value?) -> Value? {
        switch (old, new) {
        case (nil, let new): new
        case (_, nil): .null
        case (let old?, let new?): between(old, new)
        }
    }

    /// The smallest patch between two objects; empty when both are the same.
    ///
    /// Changed and new members come in the order of `new`, deleted ones after them in the order of `old`.
    static func between(_ old: ValueMap, _ new: ValueMap) -> ValueMap {
        var patch: [ValueMap.Entry] = []
        for entry in new.entries {
            if case .null = entry.value { continue }
            guard let before = old.value(of: entry.key) else {
                patch.append(entry)
                continue
            }
            if let change = between(before, entry.value) {
                patch.append(ValueMap.Entry(key: entry.key, value: change))
            }
        }
        for entry in old.entries {
            if case .null = new.value(of: entry.key) ?? .null {
                patch.append(ValueMap.Entry(key: entry.key, value: .null))
            }
        }
        return ValueMap(uniqueEntries: patch)
    }

    /// The target after the patch, as section 2 of the RFC computes it; nil means an absent target.
    public static func apply(_ patch: Value, to target: Value?) -> Value {
        guard case .map(let changes) = patch else { return patch }
        var entries: [ValueMap.Entry] = []
        if case .map(let members)? = target { entries = members.entries }
        for change in changes.entries {
            let index = entries.firstIndex { $0.key.isSameJSON(as: change.key) }
            if case .null = change.value {
                if let index { entries.remove(at: index) }
            } else if let index {
                entries[index].value = apply(change.value, to: entries[index].value)
            } else {
                entries.append(ValueMap.Entry(key: change.key, value: apply(change.value, to: nil)))
            }
        }
        return .map(ValueMap(uniqueEntries: entries))
    }
}
