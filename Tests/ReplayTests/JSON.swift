import Foundation

/// JSON by way of Foundation, and RFC 7396 anew, so that our reader, writer and patches do not judge themselves.
indirect enum JSON: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    /// The bytes of UTF-8: texts are equal only when their code points are.
    case string([UInt8])
    case list([JSON])
    case object([String: JSON])

    struct Unreadable: Error {
        var text: String
    }

    init(_ bytes: [UInt8]) throws {
        self = try JSON(any: JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
    }

    private init(any value: Any) throws {
        switch value {
        case is NSNull: self = .null
        case let number as NSNumber where String(cString: number.objCType) == "c":
            self = .bool(number.boolValue)
        case let number as NSNumber: self = .number(number.doubleValue)
        case let text as String: self = .string(Array(text.utf8))
        case let list as [Any]: self = .list(try list.map { try JSON(any: $0) })
        case let members as [String: Any]: self = .object(try members.mapValues { try JSON(any: $0) })
        default: throw Unreadable(text: "\(value)")
        }
    }

    subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    var text: String? {
        guard case .string(let bytes) = self else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `MergePatch(Target, Patch)` of RFC 7396, section 2.
    func patched(with patch: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        var members: [String: JSON] = [:]
        if case .object(let own) = self { members = own }
        for (name, change) in changes {
            members[name] = change == .null ? nil : (members[name] ?? .null).patched(with: change)
        }
        return .object(members)
    }

    /// The object without one of its members, for each member at any depth.
    var reductions: [JSON] {
        guard case .object(let members) = self else { return [] }
        return members.flatMap { name, value in
            var without = members
            without[name] = nil
            let smaller = value.reductions.map { reduced in
                var changed = members
                changed[name] = reduced
                return JSON.object(changed)
            }
            return [.object(without)] + smaller
        }
    }
}
