import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryExpressions
import SkerryPhones
import SkerryValues

extension Bridge {
    /// The number of devices that an answer names, and the number searched for a similar name.
    private static var nameLimit: (told: Int, compared: Int) { (100, 500) }

    /// The number of questions answered in a batch: an answer takes longer than a message, and all messages wait for it.
    static var questionLimit: Int { 16 }

    /// The number of waiting publications up to which an answer is added: it must not displace diffs.
    private static var waitingLimit: Int { 100 }

    /// Answers a question, unless there are too many.
    func take(_ question: Question, at now: Timestamp) {
        guard questionsLeft > 0, outbox.count < Self.waitingLimit else {
            note("more questions than can be answered", kind: "too many questions", at: now)
            return
        }
        questionsLeft -= 1
        answer(question, at: now)
    }

    /// Answers a question, not retained.
    private func answer(_ question: Question, at now: Timestamp) {
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        switch question {
        case .explain(let kind, let device):
            if !explain(kind, device, at: now, to: &writer) {
                writer.key("error")
                writer.string("nothing was heard of this device")
            }
        case .devices(let name): nameDevices(name, to: &writer)
        case .forget(let kind, let device):
            writer.key("asked")
            writer.string("\(kind)/\(device)")
            writer.key("forgotten")
            writer.bool(forgetDevice(kind: kind, device: device, at: now))
        }
        writer.endObject()
        announce(sink.answer(writer.bytes, to: question))
    }

    /// Writes the explanation of a device as members of an object, with its kind, its name and the time.
    ///
    /// - Returns: false if there is no such device; then only those three are written.
    func explain(
        _ kind: String,
        _ device: String,
        at now: Timestamp,
        to writer: inout JSONWriter
    ) -> Bool {
        writer.key("kind")
        writer.string(kind)
        writer.key("device")
        writer.string(device)
        writer.key("at")
        writer.seconds(now)
        // See docs/decisions/0027-explanations.md.
        guard engine.explain(kind: kind, device: device, at: now, to: &writer) else { return false }
        writer.key("phones")
        writer.beginArray()
        for decision in decisions(kind, device) { decision.write(to: &writer) }
        writer.endArray()
        return true
    }

    /// Lists the devices with this name, or the closest match if there is none.
    private func nameDevices(_ name: String, to writer: inout JSONWriter) {
        var found: [String] = []
        var others: [String] = []
        var count = 0
        engine.forEachDevice { kind, device in
            let path = "\(kind)/\(device.name)"
            let isMeant = name.isEmpty || path == name || device.name == name
            if isMeant {
                count += 1
                if found.count < Self.nameLimit.told { found.append(path) }
            } else if others.count < Self.nameLimit.compared {
                others.append(path)
            }
        }
        writer.key("asked")
        writer.string(name)
        writer.key("count")
        writer.int(Int64(count))
        writer.key("devices")
        writer.beginArray()
        for path in found { writer.string(path) }
        writer.endArray()
        guard found.isEmpty else { return }
        let names =
            name.contains("/")
            ? others : others.map { $0.split(separator: "/").dropFirst().joined(separator: "/") }
        guard let near = nearestName(to: name, among: names), let place = names.firstIndex(of: near) else {
            return
        }
        writer.key("near")
        writer.string(others[place])
    }
}

extension PhoneDecision {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("at")
        writer.seconds(at)
        writer.key("phone")
        writer.string(phone)
        writer.key("activity")
        writer.string(activity)
        writer.key("decision")
        writer.string(kind.name)
        writer.key("why")
        writer.string(text)
        if let until {
            writer.key("until")
            writer.seconds(until)
        }
        writer.endObject()
    }
}
