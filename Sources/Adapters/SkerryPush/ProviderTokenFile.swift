import Glibc
import SkerryValues

/// The file beside the store in which the provider token survives the process; only its owner may read it.
///
/// Apple limits new tokens, so a restarted daemon must continue with the former one. A copy beside it, `….copy`, is
/// read if the file is damaged: another token would be refused for twenty minutes.
struct ProviderTokenFile: Sendable {
    private static let sizeLimit = 4096

    let path: String
    let keyID: String
    let teamID: String

    /// The token of the file or of its copy; nil if there is none, or one of another key or team.
    func load() -> ProviderTokenRecord.Token? {
        let tokens = [path, path + Self.copySuffix].compactMap { load($0) }
        return tokens.max { $0.issuedAt < $1.issuedAt }
    }

    private static let copySuffix = ".copy"

    private func load(_ path: String) -> ProviderTokenRecord.Token? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.sizeLimit)
        let length = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
        guard length > 0 else { return nil }
        let content = Array(bytes.prefix(length))
        guard case .map(let map)? = try? JSONReader.value(of: content.span),
            case .string(keyID)? = map["key"], case .string(teamID)? = map["team"],
            case .string(let text)? = map["token"], case .int(let issuedAt)? = map["issued-at"]
        else { return nil }
        return .init(text: text, issuedAt: issuedAt)
    }

    /// Writes a token, all of it or nothing.
    ///
    /// - Returns: why it could not; nil if it could.
    func save(_ token: ProviderTokenRecord.Token) -> String? {
        var writer = JSONWriter()
        writer.beginObject()
        for (key, text) in [("key", keyID), ("team", teamID), ("token", token.text)] {
            writer.member(key, text)
        }
        writer.member("issued-at", token.issuedAt)
        writer.endObject()
        let bytes = writer.bytes
        return save(bytes, path) ?? save(bytes, path + Self.copySuffix)
    }

    private func save(_ bytes: [UInt8], _ path: String) -> String? {
        let other = path + ".new"
        let file = open(other, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { return String(cString: strerror(errno)) }
        let length = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        let isWritten = length == bytes.count && fsync(file) == 0
        close(file)
        guard isWritten, rename(other, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(other)
            return reason
        }
        return nil
    }
}
