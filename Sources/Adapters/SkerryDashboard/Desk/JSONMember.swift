/// Looks into JSON that is known to be well formed, without reading all of it into values.
enum JSONMember {
    /// The place of the value of a member of the outermost object; nil when it has no such member.
    static func place(of key: String, in json: [UInt8]) -> Range<Int>? {
        let key = Array("\"\(key)\"".utf8)
        var depth = 0
        var index = 0
        var start: Int?
        while index < json.count {
            switch json[index] {
            case UInt8(ascii: "\""):
                let end = self.end(ofText: index, in: json)
                if depth == 1, start == nil, end < json.count, json[end] == UInt8(ascii: ":"),
                    json[index..<end].elementsEqual(key)
                {
                    start = end + 1
                }
                index = end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0, let start { return start..<index }
            case UInt8(ascii: ","):
                if depth == 1, let start { return start..<index }
            default: break
            }
            index += 1
        }
        return nil
    }

    /// The index behind a text.
    private static func end(ofText start: Int, in json: [UInt8]) -> Int {
        var index = start + 1
        while index < json.count, json[index] != UInt8(ascii: "\"") {
            index += json[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, json.count)
    }
}
