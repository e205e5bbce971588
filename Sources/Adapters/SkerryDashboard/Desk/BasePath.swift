/// The prefix below which the page is, where a reverse proxy shows several programs under one name.
package enum BasePath {
    /// Returns whether a text is such a prefix: parts of letters, digits and a few signs, each after a slash.
    package static func isPath(_ text: String) -> Bool {
        guard text.hasPrefix("/"), text.utf8.count <= 256 else { return false }
        return text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part != "." && part != ".."
                && part.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                        UInt8(ascii: "."), UInt8(ascii: "~"):
                        true
                    default: false
                    }
                }
        }
    }
}

extension RequestHead {
    /// Takes a prefix off the target, if it begins with it.
    ///
    /// - Returns: true if it did.
    mutating func remove(base: String) -> Bool {
        guard !base.isEmpty, target.hasPrefix(base) else { return false }
        let rest = target.dropFirst(base.count)
        guard rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?") else { return false }
        target = rest.hasPrefix("/") ? String(rest) : "/\(rest)"
        return true
    }
}
