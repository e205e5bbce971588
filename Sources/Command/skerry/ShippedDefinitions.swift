import ArgumentParser
import Glibc
import SkerryCommand
import SkerryFiles

/// The definitions that come with Skerry.
enum ShippedDefinitions {
    /// Their folder: that of the installation, or of the source tree that this program was built in; nil without one.
    static var folder: String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        guard readlink("/proc/self/exe", &path, Int(PATH_MAX)) > 0 else { return nil }
        let program = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let own = ReplacedFile.folder(of: program)
        var candidates = ["\(own)/../share/skerry/devices"]
        let names = own.split(separator: "/")
        if let build = names.lastIndex(of: ".build") {
            candidates.append("/\(names[..<build].joined(separator: "/"))/devices")
        }
        return candidates.lazy.compactMap { try? ReplacedFile.resolved($0) }.first
    }

    /// Their folder.
    ///
    /// - Throws: an exit code when there is none, after saying so.
    static func demandFolder() throws -> String {
        if let folder { return folder }
        Terminal.complain(
            "skerry: the definitions that come with Skerry are not beside it: name a folder of definitions\n"
        )
        throw ExitCode.badInput
    }
}
