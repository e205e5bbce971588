/// The definitions that come with Skerry.
package enum ShippedDefinitions {
    /// Their folder: that of the installation, or of the source tree that this program was built in; nil without one.
    package static var folder: String? {
        guard let program = try? ReplacedFile.resolved("/proc/self/exe") else { return nil }
        let own = ReplacedFile.folder(of: program)
        var candidates = ["\(own)/../share/skerry/devices"]
        let names = own.split(separator: "/")
        if let build = names.lastIndex(of: ".build") {
            candidates.append("/\(names[..<build].joined(separator: "/"))/devices")
        }
        return candidates.lazy.compactMap { try? ReplacedFile.resolved($0) }.first
    }
}
