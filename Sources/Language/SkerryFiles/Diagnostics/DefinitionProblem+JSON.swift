public import SkerryDevice
public import SkerryValues

extension DefinitionProblem {
    /// Writes the problem as an object, with its place.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("code", code.name)
        writer.member("severity", severity == .error ? "error" : "warning")
        writer.member("message", message)
        writer.member("help", remedy)
        writer.member("line", Int64(place.line))
        writer.member("column", Int64(place.column))
        writer.member("endColumn", Int64(place.column + max(1, length)))
        writer.endObject()
    }
}
