import SkerryCommand
import SkerryDevice
import SkerryFiles

extension Unread {
    /// The part that is not read in one line, after its place in the definition, or after the file and the device.
    func line(in file: DefinitionFile) -> String {
        let beginning =
            place.map { "\(file.file(of: $0).path):\($0.line):\($0.column)" } ?? "\(file.path): \(device)"
        return Terminal.printable("\(beginning): \(text)") + "\n"
    }
}
