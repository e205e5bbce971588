import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryPhones
import SkerryValues

extension Bridge {
    /// The number of questions answered in a batch: an answer takes longer than a message, and all messages wait for it.
    static var questionLimit: Int { 16 }

    /// The number of waiting publications up to which an answer is added: it must not displace diffs.
    private static var waitingLimit: Int { 100 }

    /// Answers a question, unless there are too many.
    func take(_ question: Question, at now: Timestamp) {
        if mayAnswer(at: now) { answer(question, at: now) }
    }

    /// Returns whether one more question or request of this batch is answered.
    func mayAnswer(at now: Timestamp) -> Bool {
        guard questionsLeft > 0, ledger.waiting < Self.waitingLimit else {
            journal.note(
                .questionsRefused,
                "more questions than can be answered",
                kind: "too many questions",
                at: now
            )
            return false
        }
        questionsLeft -= 1
        return true
    }

    /// Answers a question, not retained.
    private func answer(_ question: Question, at now: Timestamp) {
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        switch question {
        case .explain(let kind, let device):
            if !explain(kind, device, for: .unrestricted, at: now, to: &writer) {
                writer.member("error", "nothing was heard of this device")
            }
        }
        writer.endObject()
        announce(sink.answer(writer.bytes, to: question))
    }

    /// Writes the explanation of a device as members of an object, with its kind, its name and the time, and with the
    /// decisions about phones that a viewer is told of.
    ///
    /// - Returns: false if there is no such device; then only those three are written.
    func explain(
        _ kind: String,
        _ device: String,
        for viewer: Viewer,
        at now: Timestamp,
        to writer: inout JSONWriter
    ) -> Bool {
        writer.member("kind", kind)
        writer.member("device", device)
        writer.member("at", now)
        // See docs/decisions/0027-explanations.md.
        guard engine.explain(kind: kind, device: device, at: now, to: &writer) else { return false }
        writer.key("phones")
        writer.beginArray()
        let run = engine.device(kind: kind, named: device)?.device.activity?.id
        let isAboutRun = viewer.seesSingleRuns(ofKind: kind)
        for decision in watcher.decisions(kind, device) where viewer.learns(of: decision) {
            if !isAboutRun || run.map(decision.activity.hasSameCodePoints) ?? false {
                decision.write(to: &writer)
            }
        }
        writer.endArray()
        return true
    }
}

extension PhoneDecision {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", at)
        writer.member("phone", phone)
        writer.member("activity", activity)
        writer.member("decision", kind.name)
        writer.member("why", text)
        if let until { writer.member("until", until) }
        writer.endObject()
    }
}
