public import SkerryValues

extension ActivityUpdate {
    /// The version of the bytes that ``image()`` writes.
    ///
    /// Version 1 has no sound and no urgency of alerts, and does not tell countdowns from silence. Up to version 2 each link
    /// belongs to the attributes. Up to version 3 no relevance changes, and the last message is unknown.
    private static var version: UInt8 { 4 }

    /// The update in bytes that outlive the process; read back by ``init(image:)``.
    public func image() -> [UInt8] {
        var writer = ImageWriter(capacity: 512)
        writer.tag(Self.version)
        writer.tag(kind.rawValue)
        writer.text(id)
        writer.signed(rev)
        writer.signed(epoch)
        writer.moment(at)
        writer.moment(startedAt)
        writer.tag(phase.rawValue)
        writer.text(state)
        writer.map(attributes)
        writer.map(content)
        writer.optional(patch) { $0.map($1) }
        writer.flag(isNewState)
        writer.double(relevance)
        staleness.write(to: &writer)
        writer.optional(link) { $0.text($1) }
        writer.optional(dismissAt) { $0.moment($1) }
        writer.optional(alert) { $1.write(to: &$0) }
        writer.flag(isLinkContent)
        writer.flag(showsRelevance)
        writer.optional(heardAt) { $0.moment($1) }
        writer.seal()
        return writer.bytes
    }

    /// Reads an update back.
    ///
    /// - Throws: ``ImageFault`` for bytes that no update has written.
    public init(image: ArraySlice<UInt8>) throws(ImageFault) {
        var reader = try ImageReader(sealed: image)
        let version = try reader.tag()
        guard (1...Self.version).contains(version) else { throw .unknownVersion(version) }
        guard let kind = Kind(rawValue: try reader.tag()) else { throw .malformed }
        self.kind = kind
        id = try reader.text()
        rev = try reader.signed()
        epoch = try reader.signed()
        at = try reader.moment()
        startedAt = try reader.moment()
        guard let phase = ActivityPhase(rawValue: try reader.tag()) else { throw .malformed }
        self.phase = phase
        state = try reader.text()
        attributes = try reader.map()
        content = try reader.map()
        patch = try reader.optional { reader throws(ImageFault) in try reader.map() }
        isNewState = try reader.flag()
        relevance = try reader.double()
        staleness = try Staleness(from: &reader)
        link = try reader.optional { reader throws(ImageFault) in try reader.text() }
        dismissAt = try reader.optional { reader throws(ImageFault) in try reader.moment() }
        alert = try reader.optional { reader throws(ImageFault) in
            try ActivityAlert(from: &reader, hasSound: version > 1)
        }
        if version > 2 { isLinkContent = try reader.flag() }
        if version > 3 {
            showsRelevance = try reader.flag()
            heardAt = try reader.optional { reader throws(ImageFault) in try reader.moment() }
        }
        guard reader.rest == 0 else { throw .malformed }
    }
}
