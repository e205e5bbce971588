import SkerryGateway
import SkerryValues

/// The runs of devices with their stages: those that go on, by their starts, and then those that have ended, by their ends;
/// the newest comes first.
struct RunsAnswer {
    /// The largest number of runs in an answer.
    static let limit = 500
    /// The number of ended runs among which those that a viewer may see are searched.
    private static let searchLimit = 10_000

    let kind: String?
    let device: String?
    /// The id of the run behind which the answer begins; nil for all runs.
    let before: String?
    let limit: Int
    let viewer: Viewer
    /// The runs that go on, as the bridge tells them.
    var current: [CurrentRun] = []
    /// The names that people gave to devices, as the bridge tells them.
    var names: [DeviceKey: String] = [:]

    private struct Run {
        var id: String
        var device: DeviceKey
        var attributes: ValueMap?
        var start: Timestamp
        var end: Timestamp?
        var updates: Int64
    }

    /// The answer as JSON.
    func read(from history: any RunHistory) -> HouseAnswer {
        let count = min(max(1, limit), Self.limit)
        var runs = goingOn
        let isMore: Bool
        let stages: [ExactText: [RunStage]]
        do throws(StoreFault) {
            runs += try ended(count + 1 - runs.count, in: history).map {
                Run(
                    id: $0.id,
                    device: DeviceKey(kind: $0.kind, name: $0.device),
                    attributes: $0.attributeValues,
                    start: $0.startedAt,
                    end: $0.endedAt,
                    updates: $0.revisions
                )
            }
            isMore = runs.count > count
            runs = Array(runs.prefix(count))
            stages = try history.stages(of: runs.map(\.id))
        } catch {
            return .problem(.noHistory("history", error))
        }
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        if isMore, let last = runs.last {
            writer.member("next", last.id)
        }
        writer.key("runs")
        writer.beginArray()
        for run in runs { write(run, stages[ExactText(run.id)] ?? [], to: &writer) }
        writer.endArray()
        writer.endObject()
        return .found(writer.bytes)
    }

    /// The runs that go on.
    private var goingOn: [Run] {
        let runs = current.map {
            Run(
                id: $0.id,
                device: $0.device,
                attributes: $0.attributes,
                start: $0.startedAt,
                end: nil,
                updates: $0.revisions
            )
        }.sorted { ($0.start, $0.id) > ($1.start, $1.id) }
        guard let before else { return runs }
        return runs.firstIndex { $0.id.hasSameCodePoints(as: before) }.map { Array(runs[($0 + 1)...]) } ?? []
    }

    /// The ended runs that the viewer may see; a run whose person the history does not know is left out.
    private func ended(_ count: Int, in history: any RunHistory) throws(StoreFault) -> [EndedActivity] {
        var seen: [EndedActivity] = []
        var searched = 0
        var last = before.flatMap { before in
            current.contains { $0.id.hasSameCodePoints(as: before) } ? nil : before
        }
        var wanted: String?
        // The place of a run that the viewer may not see would tell that there was one.
        if !viewer.seesEverything { swap(&last, &wanted) }
        while seen.count < count, searched < Self.searchLimit {
            let asked = searched == 0 ? count : max(count, 1000)
            let found = try history.runs(kind: kind, device: device, before: last, limit: asked)
            for run in found
            where viewer.sees(kind: run.kind, device: run.device, attributes: run.attributeValues) {
                if wanted == nil { seen.append(run) }
                if wanted?.hasSameCodePoints(as: run.id) == true { wanted = nil }
            }
            if found.count < asked { break }
            searched += found.count
            last = found.last?.id
        }
        return Array(seen.prefix(max(0, count)))
    }

    /// The name that people give the device of a run: the present one, or else that with which the run began; nil if they
    /// give it none.
    private func name(_ run: Run) -> String? {
        if let name = names[run.device] { return name }
        guard case .string(let name)? = run.attributes?["name"], !name.isEmpty else { return nil }
        return name.hasSameCodePoints(as: run.device.name) ? nil : name
    }

    private func write(_ run: Run, _ stages: [RunStage], to writer: inout JSONWriter) {
        writer.beginObject()
        for (name, text) in [("id", run.id), ("kind", run.device.kind), ("device", run.device.name)] {
            writer.member(name, text)
        }
        if let name = name(run) { writer.member("name", name) }
        writer.member("start", run.start)
        writer.end("end", run.end)
        writer.member("ended", run.end != nil)
        writer.member("updates", run.updates)
        writer.key("phases")
        writer.beginArray()
        for (number, stage) in stages.enumerated() {
            writer.beginObject()
            writer.member("state", stage.state)
            writer.member("title", stage.title)
            writer.member("from", stage.from)
            writer.end("to", number + 1 < stages.count ? stages[number + 1].from : run.end)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }
}

extension EndedActivity {
    /// The attributes; nil if they can't be read.
    fileprivate var attributeValues: ValueMap? {
        guard case .map(let map)? = try? JSONReader.value(of: attributes.span) else { return nil }
        return map
    }
}

extension JSONWriter {
    fileprivate mutating func end(_ name: String, _ moment: Timestamp?) {
        key(name)
        if let moment { seconds(moment) } else { null() }
    }
}
