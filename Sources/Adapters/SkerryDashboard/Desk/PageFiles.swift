import CPage
import SkerryFiles
import SkerryValues

/// A file in the program, ready to be sent.
struct PageFile: Sendable {
    let mediaType: String
    let bytes: [UInt8]
    /// The same as gzip; nil if that is not shorter.
    let packed: [UInt8]?
    /// A hash of the content.
    let tag: String

    fileprivate init(_ file: skerry_page_file) {
        let mediaType = String(cString: file.media_type)
        let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
        let isCode = mediaType.hasPrefix("text/javascript") || mediaType.hasPrefix("text/css")
        self.init(mediaType, isCode ? Self.withoutComments(bytes) : bytes)
    }

    fileprivate init(_ mediaType: String, _ bytes: [UInt8]) {
        self.mediaType = mediaType
        self.bytes = bytes
        let gzip = Gzip.file(bytes)
        packed = gzip.count < bytes.count ? gzip : nil
        tag = String(bytes.fingerprint, radix: 16)
    }

    /// A script or style sheet with an empty line for each line that is only a comment.
    ///
    /// So a browser names the lines of the source. Comments are a tenth of the page.
    private static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
        let newline = UInt8(ascii: "\n")
        var isInComment = false
        let lines = bytes.split(separator: newline, omittingEmptySubsequences: false)
        let code = lines.map { line -> ArraySlice<UInt8> in
            let text = line.drop { $0 == UInt8(ascii: " ") }
            if isInComment || text.starts(with: "/*".utf8) {
                isInComment = !text.suffix(2).elementsEqual("*/".utf8)
                return []
            }
            return text.starts(with: "//".utf8) ? [] : line
        }
        return Array(code.joined(separator: [newline]))
    }
}

/// The files of the page, which are in the program.
enum PageFiles {
    /// The name of the file that is at `/`.
    static let start = "index.html"

    /// The name of the list of all files, and of the script that keeps them in a browser.
    static let (list, worker) = ("files.json", "worker.js")

    /// The rules for a browser: everything comes from this server, and no script or style stands within a page.
    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
        manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'
        """

    /// All files by name, and their list.
    static let served: [String: PageFile] = {
        let files = load()
        return files.merging([list: list(of: files)]) { $1 }
    }()

    /// Reads and compresses all files.
    static func load() -> [String: PageFile] {
        var files: [String: PageFile] = [:]
        var number = 0
        while let file = skerry_page_file(number)?.pointee {
            number += 1
            files[String(cString: file.name)] = PageFile(file)
        }
        return files
    }

    /// The names of files, and a mark of all that is in them, for the script that keeps them in a browser.
    static func list(of files: [String: PageFile]) -> PageFile {
        let names = files.keys.sorted()
        let mark = names.map { "\($0) \(files[$0]?.tag ?? "")" }.joined(separator: "\n")
        var writer = JSONWriter(capacity: 2048)
        writer.beginObject()
        writer.member("version", String(mark.utf8.fingerprint, radix: 16))
        writer.member("files", names)
        writer.endObject()
        return PageFile("application/json", writer.bytes)
    }

    /// The JSON Schema of definitions, which is made when it is asked for.
    static let schema = PageFile("application/schema+json", LanguageSchema.compactBytes)

    /// Reads and compresses the description of the API, `docs/openapi.yaml`.
    static func loadDescription() -> PageFile { PageFile(skerry_api_description().pointee) }
}
