/// The text of a file that a program reads once and then replaces as a whole; what it could not read, it never writes over.
package struct KeptText: Sendable {
    private let path: String
    /// The text that was read; empty without a file.
    package let text: String
    /// Why there is a file that can't be read; nil if it was read, or is not there.
    private let fault: FileError?

    /// Reads the file, if it is there.
    ///
    /// - Parameters:
    ///   - path: The file, which is UTF-8.
    ///   - limit: The longest file, in bytes.
    package init(_ path: String, limit: Int) {
        self.path = path
        guard (try? ReplacedFile.resolved(path)) != nil else {
            text = ""
            fault = nil
            return
        }
        do throws(FileError) {
            text = try FileBytes.text(path, limit: limit)
            fault = nil
        } catch {
            text = ""
            fault = FileError(
                path: error.path,
                reason: "\(error.reason): mend or remove it, and start the bridge again"
            )
        }
    }

    /// Replaces the text, or makes the file.
    ///
    /// - Throws: The reason why it can't be replaced; then the file is as it was.
    package func replace(with text: String) throws(FileError) {
        if let fault { throw fault }
        try ReplacedFile.keep(text, in: path)
    }
}
