public import SkerryExpressions
import SkerryMachine
import SkerryValues

// A compiled definition in bytes, the file *.skd: "SKD" and the version of the format, programs, parts, a checksum.
// Devices that have no room for the compiler of definitions read it, see docs/embedded.md.

extension Definition {
    /// The version of the format of compiled definitions.
    ///
    /// Everything that the language gets changes it: a reader knows exactly one.
    public static let compiledVersion: UInt8 = 10
    /// The largest compiled definition that is read: 1 MiB.
    public static let compiledSizeLimit = 1 << 20

    private static let mark = Array("SKD".utf8)

    /// True if bytes begin as a compiled definition does.
    public static func isCompiled(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: mark) }

    /// The definition in bytes that are the same on every platform, without the choices of people and without a location.
    ///
    /// - Throws: ``CompiledFault/tooLarge`` if it has more of something than a reader takes.
    public func compiled() throws(CompiledFault) -> [UInt8] {
        let plain = base ?? self
        let definition = plain.unlocated ?? plain
        var body = CompiledWriter()
        let written = (parts: definition.parts, chart: definition.chart)
        do throws(ImageFault) {
            _ = try DefinitionParts.coded(written, limits: definition.limits, by: &body)
        } catch {
            throw .tooLarge
        }
        var writer = ImageWriter(capacity: 4096)
        for byte in Self.mark { writer.tag(byte) }
        writer.tag(Self.compiledVersion)
        writer.list(body.programs) { writer, program in for byte in program { writer.tag(byte) } }
        for byte in body.image.bytes { writer.tag(byte) }
        writer.seal()
        return writer.bytes
    }

    /// Reads a compiled definition; whatever the bytes are, it answers with a definition that runs, or with a fault.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of ``compiled()``.
    ///   - limits: The bounds that apply to devices of the definition.
    ///   - timeZone: The rules of a named time zone, for expressions; must return the same rules every time.
    /// - Returns: The definition; its devices do what those of the text do.
    /// - Throws: The reason why the bytes can't be read, and what to do.
    public static func read(
        compiled bytes: ArraySlice<UInt8>,
        limits: DeviceLimits = DeviceLimits(),
        timeZone: @escaping @Sendable (String) -> TimeZoneRules? = { _ in nil }
    ) throws(CompiledFault) -> Definition {
        guard isCompiled(bytes) else { throw .other }
        guard bytes.count <= compiledSizeLimit else { throw .tooLarge }
        guard let version = bytes.dropFirst(mark.count).first else { throw .damaged }
        if version < compiledVersion { throw .older(version) }
        if version > compiledVersion { throw .newer(version) }
        do throws(ImageFault) {
            var image = try ImageReader(sealed: bytes)
            for _ in 0...mark.count { _ = try image.tag() }
            let programs = try image.list { image throws(ImageFault) in
                try Program(from: &image, timeZone: timeZone)
            }
            var reader = CompiledReader(image: image, programs: programs)
            let (parts, chart) = try DefinitionParts.coded(nil, limits: limits, by: &reader)
            guard reader.image.rest == 0 else { throw .malformed }
            return Definition(parts, chart: chart)
        } catch {
            throw .damaged
        }
    }
}

/// The reason why a compiled definition can't be read.
public enum CompiledFault: Error, Hashable, Sendable {
    /// The bytes are something else.
    case other
    /// The bytes are more than ``Definition/compiledSizeLimit``.
    case tooLarge
    /// An older Skerry compiled it, in this version of the format.
    case older(UInt8)
    /// A newer Skerry compiled it, in this version of the format.
    case newer(UInt8)
    /// The bytes are cut short or changed.
    case damaged

    /// The reason in words.
    public var message: String {
        switch self {
        case .other: "this is no compiled definition"
        case .tooLarge: "a compiled definition has at most \(Definition.compiledSizeLimit) bytes"
        case .older(let version):
            "it has the format \(version) of an older Skerry, and this one reads \(Definition.compiledVersion)"
        case .newer(let version):
            "it has the format \(version) of a newer Skerry, and this one reads \(Definition.compiledVersion)"
        case .damaged: "the compiled definition is damaged or cut short"
        }
    }

    /// The remedy.
    public var remedy: String {
        switch self {
        case .other, .older, .tooLarge: "compile the definition with 'skerry compile'"
        case .newer: "update Skerry, or compile the definition with the 'skerry compile' of this version"
        case .damaged: "copy the file again, or compile the definition again with 'skerry compile'"
        }
    }
}
