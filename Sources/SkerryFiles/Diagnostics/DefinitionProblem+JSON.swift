public import SkerryDevice
public import SkerryValues

extension DefinitionProblem {
    /// Writes the problem as an object, with its place.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("code")
        writer.string(code.name)
        writer.key("severity")
        writer.string(severity == .error ? "error" : "warning")
        writer.key("message")
        writer.string(message)
        writer.key("help")
        if let remedy { writer.string(remedy) } else { writer.null() }
        writer.key("line")
        writer.int(Int64(place.line))
        writer.key("column")
        writer.int(Int64(place.column))
        writer.key("endColumn")
        writer.int(Int64(place.column + max(1, length)))
        writer.endObject()
    }
}
