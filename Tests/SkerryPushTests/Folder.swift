import Glibc

/// A folder of a test, gone when the object goes.
final class Folder {
    let path: String
    private var names: Set<String> = ["token", "token.copy"]

    init() throws {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/skerry-push-tests-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw NoFolder() }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    func write(_ name: String, _ text: String, mode: mode_t = 0o600) {
        names.insert(name)
        let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, mode)
        defer { close(file) }
        fchmod(file, mode)
        var text = text
        _ = text.withUTF8 { Glibc.write(file, $0.baseAddress, $0.count) }
    }

    func mode(_ name: String) -> mode_t {
        var status = stat()
        stat("\(path)/\(name)", &status)
        return status.st_mode & 0o777
    }
}

struct NoFolder: Error {}
