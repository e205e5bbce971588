import SkerryGateway
import SkerryValues

/// The runs of devices with their stages: those that go on, and those that have ended.
struct RunsAnswer {
    /// The largest number of runs in an answer.
    static let limit = 500

    let kind: String?
    let device: String?
    let limit: Int
    let current: [CurrentRun]

    private struct Run {
        var id: String
        var device: DeviceKey
        var start: Timestamp
        var end: Timestamp?
        var updates: Int64
    }

    /// The answer as JSON, newest first.
    func read(from history: any RunHistory) -> HouseAnswer {
        let count = min(max(1, limit), Self.limit)
        var runs = current.map {
            Run(id: $0.id, device: $0.device, start: $0.startedAt, end: nil, updates: $0.revisions)
        }
        let stages: [String: [RunStage]]
        do throws(StoreFault) {
            runs += try history.runs(kind: kind, device: device, limit: count).map {
                Run(
                    id: $0.id,
                    device: DeviceKey(kind: $0.kind, name: $0.device),
                    start: $0.startedAt,
                    end: $0.endedAt,
                    updates: $0.revisions
                )
            }
            runs.sort { ($0.start, $0.id) > ($1.start, $1.id) }
            runs = Array(runs.prefix(count))
            stages = try history.stages(of: runs.map(\.id))
        } catch {
            return .problem(
                HouseProblem(
                    .unavailable,
                    code: "no-history",
                    detail: "The history can't be read: \(error.message)."
                )
            )
        }
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        writer.key("runs")
        writer.beginArray()
        for run in runs { write(run, stages[run.id] ?? [], to: &writer) }
        writer.endArray()
        writer.endObject()
        return .found(writer.bytes)
    }

    private func write(_ run: Run, _ stages: [RunStage], to writer: inout JSONWriter) {
        writer.beginObject()
        for (name, text) in [("id", run.id), ("kind", run.device.kind), ("device", run.device.name)] {
            writer.key(name)
            writer.string(text)
        }
        writer.key("start")
        writer.seconds(run.start)
        writer.end("end", run.end)
        writer.key("ended")
        writer.bool(run.end != nil)
        writer.key("updates")
        writer.int(run.updates)
        writer.key("phases")
        writer.beginArray()
        for (number, stage) in stages.enumerated() {
            writer.beginObject()
            writer.key("state")
            writer.string(stage.state)
            writer.key("title")
            if let title = stage.title { writer.string(title) } else { writer.null() }
            writer.key("from")
            writer.seconds(stage.from)
            writer.end("to", number + 1 < stages.count ? stages[number + 1].from : run.end)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }
}

extension JSONWriter {
    fileprivate mutating func end(_ name: String, _ moment: Timestamp?) {
        key(name)
        if let moment { seconds(moment) } else { null() }
    }
}
