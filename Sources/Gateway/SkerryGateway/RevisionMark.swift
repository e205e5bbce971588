import SkerryValues

/// The revision of a snapshot or a timeline.
struct RevisionMark: Equatable {
    var id: String
    var epoch: Int64
    var rev: Int64

    /// Reads a payload; nil when it is neither.
    init?(_ payload: some Collection<UInt8>) {
        guard case .map(let members)? = try? JSONReader.value(of: Array(payload).span),
            case .string(let id)? = members["id"], case .int(let epoch)? = members["epoch"],
            case .int(let rev)? = members["rev"]
        else { return nil }
        self.id = id
        self.epoch = epoch
        self.rev = rev
    }

    /// The number of the run; later ones have higher numbers.
    private var run: Int64 { id.split(separator: "/").last.flatMap { Int64($0) } ?? .min }

    /// Returns whether it must be later than another revision of the same device and epoch, or is a different one with
    /// the same number.
    func isNews(to known: RevisionMark) -> Bool {
        guard epoch == known.epoch else { return false }
        return id == known.id ? rev >= known.rev : run > known.run
    }
}
