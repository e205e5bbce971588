import SkerryDevice
import SkerryValues

/// A trial that reads bytes as a compiled definition, and runs it if it is one.
public struct CompiledTrial {
    /// True if the bytes are a definition, as they are or with the right checksum.
    public let isAccepted: Bool
    /// The promise that was broken; nil if all were kept.
    public let brokenPromise: String?

    /// Reads bytes, as they are and with the checksum that they should have, then handles this many random messages.
    ///
    /// Without the second reading a mutation would never come beyond the checksum.
    public init(_ bytes: [UInt8], messages: Int) {
        var isAccepted = false
        var brokenPromise: String?
        for bytes in [bytes, Self.sealed(bytes)] {
            do throws(CompiledFault) {
                let definition = try Definition.read(compiled: bytes[...])
                isAccepted = true
                brokenPromise = brokenPromise ?? Self.brokenPromise(definition, bytes, messages: messages)
            } catch {
                if error.message.isEmpty || error.remedy.isEmpty { brokenPromise = "a fault without words" }
            }
        }
        self.isAccepted = isAccepted
        self.brokenPromise = brokenPromise
    }

    private static func brokenPromise(_ definition: Definition, _ bytes: [UInt8], messages: Int) -> String? {
        guard let written = try? definition.compiled(),
            let again = try? Definition.read(compiled: written[...])
        else { return "a definition is written in bytes that can't be read" }
        if (try? again.compiled()) != written { return "a definition changes when it is written and read" }
        var traffic = RandomTraffic(for: definition, text: String(decoding: bytes, as: UTF8.self))
        return traffic.brokenPromise(messages: messages)
    }

    /// The bytes with the checksum of all but the last eight in their place.
    private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        var writer = ImageWriter()
        for byte in bytes.dropLast(8) { writer.tag(byte) }
        writer.seal()
        return writer.bytes
    }
}
