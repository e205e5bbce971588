/// Matching of event names as SCXML 3.12.1 defines it: by whole tokens between dots, from the left.
public enum EventDescriptor {
    /// Returns the descriptor without the endings `.*` and `.`, which mean nothing.
    public static func normalized(_ descriptor: String) -> String {
        var bytes = Substring(descriptor)
        if bytes.utf8.count > 2, bytes.hasSuffix(".*") {
            bytes = bytes.dropLast(2)
        } else if bytes.utf8.count > 1, bytes.hasSuffix(".") {
            bytes = bytes.dropLast(1)
        }
        return String(bytes)
    }

    /// True if a normalized descriptor matches the name of an event.
    public static func matches(_ descriptor: String, _ event: String) -> Bool {
        var pattern = descriptor.utf8.makeIterator()
        var name = event.utf8.makeIterator()
        let asterisk = UInt8(ascii: "*")
        let dot = UInt8(ascii: ".")
        var isFirst = true
        while let wanted = pattern.next() {
            if isFirst, wanted == asterisk, descriptor.utf8.count == 1 { return true }
            isFirst = false
            guard name.next() == wanted else { return false }
        }
        guard let rest = name.next() else { return true }
        return rest == dot
    }
}
