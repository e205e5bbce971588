import CPage
import SkerryValues

/// A file of the page, ready to be sent.
struct PageFile: Sendable {
    let mediaType: String
    let bytes: [UInt8]
    /// The same as gzip; nil if that is not shorter.
    let packed: [UInt8]?
    /// A hash of the content.
    let tag: String
}

/// The files of the page, which are in the program.
enum PageFiles {
    /// The name of the file that is at `/`.
    static let start = "index.html"

    /// The rules for a browser: everything comes from this server, and no script or style stands within a page.
    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
        manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'
        """

    /// Reads and compresses all files.
    static func load() -> [String: PageFile] {
        var files: [String: PageFile] = [:]
        var number = 0
        while let file = skerry_page_file(number)?.pointee {
            number += 1
            guard let name = file.name, let mediaType = file.media_type else { continue }
            let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
            let packed = Gzip.file(bytes)
            files[String(cString: name)] = PageFile(
                mediaType: String(cString: mediaType),
                bytes: bytes,
                packed: packed.count < bytes.count ? packed : nil,
                tag: String(bytes.fingerprint, radix: 16)
            )
        }
        return files
    }
}
