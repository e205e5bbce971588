import SkerryGateway

/// Somebody who follows the topics, and finds everything that a careful reader could complain of.
struct Reader {
    private struct Held {
        var id: String
        var rev: Double
        var epoch: Double
        var phase: String
        var attributes: JSON
        /// What patches change: `phase`, `state` and `content`.
        var mutable: JSON
    }

    /// What is wrong.
    private(set) var complaints: [String] = []
    /// Revisions seen.
    private(set) var revisions = 0

    private var held: [String: Held] = [:]
    /// Snapshots whose diff has to come next.
    private var awaited: (topic: String, before: Held, snapshot: JSON)?
    private var seenIDs: Set<String> = []

    /// Complaints about everything that was published in one history.
    static func complaints(about sent: some Sequence<Publication>) throws -> [String] {
        var reader = Reader()
        for publication in sent { try reader.take(publication) }
        reader.finish()
        return reader.complaints
    }

    mutating func take(_ publication: Publication) throws {
        let topic = publication.topic
        if let awaited {
            self.awaited = nil
            guard topic == "\(awaited.topic)/diff" else {
                complaints.append("\(awaited.topic): a revision without a diff, then \(topic)")
                return
            }
            check(try JSON(publication.payload), leadsFrom: awaited.before, to: awaited.snapshot, topic)
        } else if topic.hasSuffix("/activity") {
            if publication.payload.isEmpty {
                dismiss(topic)
            } else {
                takeSnapshot(try JSON(publication.payload), topic)
            }
        } else if topic.hasSuffix("/diff") {
            complaints.append("\(topic): a diff without a snapshot before it")
        }
    }

    mutating func finish() {
        if let awaited { complaints.append("\(awaited.topic): the last revision has no diff") }
    }

    private mutating func dismiss(_ topic: String) {
        if held[topic]?.phase != "ended" { complaints.append("\(topic): dismissed, but it has not ended") }
        held[topic] = nil
    }

    private mutating func takeSnapshot(_ snapshot: JSON, _ topic: String) {
        revisions += 1
        guard let id = snapshot["id"]?.text, let rev = snapshot["rev"]?.number,
            let epoch = snapshot["epoch"]?.number, let phase = snapshot["phase"]?.text,
            let attributes = snapshot["attributes"], let state = snapshot["state"],
            let content = snapshot["content"]
        else {
            complaints.append("\(topic): a member is missing in \(snapshot)")
            return
        }
        let now = Held(
            id: id,
            rev: rev,
            epoch: epoch,
            phase: phase,
            attributes: attributes,
            mutable: .object(["phase": .string(Array(phase.utf8)), "state": state, "content": content])
        )
        if let before = held[topic], before.id == id {
            if before.phase == "ended" { complaints.append("\(id): \(rev) comes after the end") }
            if rev != before.rev + 1 { complaints.append("\(id): \(rev) comes after \(before.rev)") }
            if epoch != before.epoch { complaints.append("\(id): another epoch") }
            if attributes != before.attributes { complaints.append("\(id): other attributes") }
            if now.mutable == before.mutable { complaints.append("\(id): \(rev) tells nothing new") }
            awaited = (topic, before, snapshot)
        } else {
            if rev != 1 { complaints.append("\(id): the first revision is \(rev)") }
            if !seenIDs.insert(id).inserted { complaints.append("\(id): two runs have this name") }
        }
        held[topic] = now
    }

    private mutating func check(_ diff: JSON, leadsFrom before: Held, to snapshot: JSON, _ topic: String) {
        let name = "\(before.id) \(before.rev + 1)"
        for member in ["id", "rev", "epoch", "at"] where diff[member] != snapshot[member] {
            complaints.append("\(name): \(member) of diff and snapshot differ")
        }
        if diff["prev"]?.number != before.rev { complaints.append("\(name): prev is not \(before.rev)") }
        guard let patch = diff["patch"], let after = held[String(topic.dropLast(5))]?.mutable else {
            complaints.append("\(name): no patch")
            return
        }
        if before.mutable.patched(with: patch) != after {
            complaints.append("\(name): \(patch) does not lead from \(before.mutable) to \(after)")
        }
        for smaller in patch.reductions where before.mutable.patched(with: smaller) == after {
            complaints.append("\(name): \(smaller) would do instead of \(patch)")
        }
    }
}
