import Glibc

extension RequestDesk {
    /// The name of this machine in its network; nil when it has none.
    static var machineName: String? {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return nil }
        let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.isEmpty ? nil : name.contains(".") ? name : name + ".local"
    }
}
