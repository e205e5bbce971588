import SkerryValues

/// The answers of all partitions to one question.
struct FrontAnswers: Sendable {
    /// The granted answers, with the numbers of their partitions.
    let found: [(number: Int, response: Response)]
    /// The partitions that gave none, or refused what others granted.
    let missing: [Int]
    /// The bodies of the granted answers; empty objects where they are none.
    let values: [ValueMap]
    /// The first answer that is no grant.
    let refusal: Response?

    init(_ answers: PartitionFront.Answers) {
        found = answers.enumerated().compactMap { number, answer in
            answer.flatMap { $0.status == .ok ? (number, $0) : nil }
        }
        values = found.map { if case .map(let map) = $0.response.value { map } else { ValueMap() } }
        missing = answers.indices.filter { answers[$0]?.status != .ok }
        let refusal = answers.compactMap(\.self).first { $0.status != .ok }
        // Partition 0 knows all phones, and may know the caller.
        let isOpen = refusal?.status == .unauthorized && answers[0] == nil
        self.refusal = isOpen ? Problem.missing([0]).response : refusal
    }

    /// All elements of a list that each body has.
    func elements(_ name: String) -> [ValueMap] {
        values.flatMap { $0.list(name).compactMap { if case .map(let map) = $0 { map } else { nil } } }
    }

    /// One answer made of these, which names the partitions that are missing in it; a refusal if none granted it.
    func merged(_ make: (FrontAnswers) -> Response) -> Response {
        guard !found.isEmpty else { return refusal ?? Problem.missing(missing).response }
        var response = make(self)
        if !missing.isEmpty {
            response.headers["Skerry-Missing"] = missing.map(String.init).joined(separator: ", ")
        }
        return response
    }

    /// A response of the members of the first answer, some of them replaced.
    func response(_ members: KeyValuePairs<String, Value>) -> Response {
        var map = values.first ?? ValueMap()
        for (name, value) in members { map.set(name, to: value) }
        if !missing.isEmpty { map.set("missing", to: .list(missing.map { .int(Int64($0)) })) }
        var writer = JSONWriter(capacity: 16_384)
        writer.value(.map(map))
        return Response(json: writer.bytes)
    }
}

/// One answer of those of all partitions, in the order that each of them has.
enum FrontMerge {
    /// `GET /v1/devices`.
    static func devices(_ answers: FrontAnswers) -> Response {
        let devices = answers.elements("devices").sorted {
            $0.order("kind", "device") < $1.order("kind", "device")
        }
        let left = answers.values.reduce(0) { $0 + ($1.int("left") ?? 0) }
        guard left > 0 else { return answers.response(["devices": .maps(devices)]) }
        return answers.response(["devices": .maps(devices), "left": .int(left)])
    }

    /// `GET /v1/activities`, with a tag.
    static func activities(_ answers: FrontAnswers, _ limit: Int, _ request: Request) -> Response {
        let all = answers.elements("activities").sorted { $0.text("id") < $1.text("id") }
        let page = Array(all.prefix(limit))
        let isMore = all.count > limit || answers.values.contains { !$0.text("next").isEmpty }
        let next = isMore ? page.last?["id"] ?? .null : .null
        let response = answers.response(["activities": .maps(page), "next": next])
        return RequestDesk.response(to: request, tag: RequestDesk.tag(of: response.body)) { response.body }
    }

    /// `GET /v1/runs`: the runs that go on, by their starts, and then those that have ended, by their ends.
    static func runs(
        _ answers: FrontAnswers,
        _ limit: Int,
        _ query: [(name: String, value: String)],
        after marks: [String]
    ) -> Response {
        let runs = zip(answers.found, answers.values).flatMap { answer, map in
            map.list("runs").compactMap { if case .map(let run) = $0 { (answer.number, run) } else { nil } }
        }.sorted { left, right in left.1.place > right.1.place }
        let page = runs.prefix(limit)
        let isMore = runs.count > limit || answers.values.contains { $0["next"] != nil }
        guard isMore, !page.isEmpty else {
            return answers.response(["runs": .maps(page.map(\.1))])
        }
        var marks = marks
        for (number, run) in page { marks[number] = run.text("id") }
        var writer = JSONWriter()
        writer.value(.list(marks.map { .string($0) }))
        let next = String(decoding: writer.bytes, as: UTF8.self)
        var response = answers.response(["runs": .maps(page.map(\.1)), "next": .string(next)])
        let further = PercentCoding.query(query + [(name: "before", value: next)])
        response.headers["Link"] = "<?\(further)>; rel=\"next\""
        return response
    }

    /// `GET /v1/errors`, newest first.
    static func errors(_ answers: FrontAnswers, _ limit: Int) -> Response {
        let errors = answers.elements("errors").sorted { $0.number("at") > $1.number("at") }
        return answers.response(["errors": .maps(Array(errors.prefix(limit)))])
    }

    /// `GET /v1/definitions`, which count their devices.
    static func definitions(_ answers: FrontAnswers) -> Response {
        var counts: [ExactText: Int64] = [:]
        for definition in answers.elements("definitions") {
            counts[ExactText(definition.text("kind")), default: 0] += definition.int("devices") ?? 0
        }
        let definitions = (answers.values.first?.list("definitions") ?? []).map { definition -> Value in
            guard case .map(var map) = definition else { return definition }
            map.set("devices", to: .int(counts[ExactText(map.text("kind"))] ?? 0))
            return .map(map)
        }
        return answers.response(["definitions": .list(definitions)])
    }

    /// `GET /v1/status`: the counts together, and of the rest what the first partition says.
    static func status(_ answers: FrontAnswers) -> Response {
        let first = answers.values.first ?? ValueMap()
        let days = Dictionary(grouping: answers.elements("days")) { $0.number("from") }
            .sorted { $0.key > $1.key }.prefix(7)
        let broker = answers.values.first { $0.map("broker")["connected"]?.isFalse ?? false } ?? first
        return answers.response([
            "broker": broker["broker"] ?? .null,
            "messages": answers.sum("messages"), "updates": answers.sum("updates"),
            "days": .list(days.map { $0.value.sum }), "health": answers.sum("health"),
            "storing": .bool(!answers.values.contains { $0["storing"]?.isFalse ?? false }),
        ])
    }

    /// `GET /v1/session`: a guest is known to the partition that has the run.
    static func session(_ answers: FrontAnswers) -> Response {
        let known = zip(answers.found, answers.values).first { $1.text("role") != "none" }
        return (known?.0 ?? answers.found[0]).response
    }

    /// `GET /v1/phones`, and what is known of one.
    static func phones(_ answers: FrontAnswers) -> Response {
        var ids: [String] = []
        var records: [String: [ValueMap]] = [:]
        for phone in answers.elements("phones") {
            let id = phone.text("phone")
            if records[id] == nil { ids.append(id) }
            records[id, default: []].append(phone)
        }
        return answers.response(["phones": .maps(ids.map { phone(records[$0] ?? []) })])
    }

    /// `GET /v1/phones/{phone}`: the activities and counts of all partitions, and of the rest what the first one says.
    static func phone(_ answers: FrontAnswers) -> Response {
        let phone = phone(answers.values)
        return answers.response([
            "activities": phone["activities"] ?? .null, "budgets": phone["budgets"] ?? .null,
            "pushes": phone["pushes"] ?? .null,
        ])
    }

    private static func phone(_ records: [ValueMap]) -> ValueMap {
        guard var phone = records.first else { return ValueMap() }
        phone.set("activities", to: .list(records.flatMap { $0.list("activities") }))
        for name in ["budgets", "pushes"] { phone.set(name, to: records.sum(name)) }
        return phone
    }

    /// `GET /readyz`: ready if all partitions are.
    static func readiness(_ answers: FrontAnswers) -> Response {
        if answers.missing.isEmpty { return answers.found[0].response }
        return answers.refusal ?? Problem.missing(answers.missing).response
    }

    /// `GET /metrics`: each number with the label of its partition.
    static func metrics(_ answers: FrontAnswers) -> Response {
        var names: [Substring] = []
        var heads: [Substring: [Substring]] = [:]
        var samples: [Substring: [String]] = [:]
        for (number, response) in answers.found {
            for line in String(decoding: response.body, as: UTF8.self).split(separator: "\n") {
                if line.hasPrefix("# ") {
                    let name = line.split(separator: " ").dropFirst(2).first ?? ""
                    if heads[name] == nil { names.append(name) }
                    if !heads[name, default: []].contains(line) { heads[name, default: []].append(line) }
                    continue
                }
                let name = line.prefix { $0 != "{" && $0 != " " }
                let family = Self.family(of: name, among: heads)
                let label = "partition=\"\(number)\""
                let rest = line.dropFirst(name.count)
                let labels = rest.first == "{" ? "{\(label),\(rest.dropFirst())" : "{\(label)}\(rest)"
                samples[family, default: []].append("\(name)\(labels)")
            }
        }
        let lines = names.flatMap { (heads[$0] ?? []).map(String.init) + (samples[$0] ?? []) }
        var response = answers.found[0].response
        response.body = Array((lines.joined(separator: "\n") + "\n").utf8)
        return response
    }
}

extension FrontMerge {
    /// The family of a sample: that of a histogram has names with an ending.
    private static func family(of name: Substring, among heads: [Substring: [Substring]]) -> Substring {
        if heads[name] != nil { return name }
        let ending = ["_bucket", "_sum", "_count"].first { name.hasSuffix($0) }
        return name.dropLast(ending?.count ?? 0)
    }
}

extension FrontAnswers {
    fileprivate func sum(_ name: String) -> Value { values.sum(name) }
}

extension [ValueMap] {
    /// The sum of the numbers in a member, and of lists and objects the sums of what is in them.
    fileprivate func sum(_ name: String) -> Value {
        compactMap { $0[name] }.reduce(nil as Value?) { $0?.adding($1) ?? $1 } ?? .null
    }

    fileprivate var sum: Value { map { .map($0) }.reduce(.null) { $0.adding($1) } }
}

extension Value {
    fileprivate static func maps(_ maps: [ValueMap]) -> Value { .list(maps.map { .map($0) }) }

    fileprivate var isFalse: Bool { if case .bool(false) = self { true } else { false } }

    /// The members that are no counts.
    private static let uncounted: Set = ["uptime", "from", "at", "since", "connects", "number"]

    /// Adds counts: texts, times and the like stay as they are.
    fileprivate func adding(_ other: Value) -> Value {
        switch (self, other) {
        case (.int(let left), .int(let right)): return .int(left.addingReportingOverflow(right).partialValue)
        case (.null, _): return other
        case (.list(let left), .list(let right)):
            return .list(
                zip(left, right).map { $0.adding($1) } + right.dropFirst(left.count)
                    + left.dropFirst(right.count)
            )
        case (.map(var left), .map(let right)):
            for entry in right.entries {
                guard case .string(let name) = entry.key, !Self.uncounted.contains(name) else { continue }
                left.set(name, to: left[name]?.adding(entry.value) ?? entry.value)
            }
            return .map(left)
        default: return self
        }
    }
}

extension ValueMap {
    func text(_ name: String) -> String {
        if case .string(let text)? = self[name] { text } else { "" }
    }

    fileprivate func int(_ name: String) -> Int64? {
        if case .int(let number)? = self[name] { number } else { nil }
    }

    fileprivate func number(_ name: String) -> Double {
        switch self[name] {
        case .int(let number): Double(number)
        case .double(let number): number
        default: 0
        }
    }

    fileprivate func list(_ name: String) -> [Value] {
        if case .list(let list)? = self[name] { list } else { [] }
    }

    fileprivate func map(_ name: String) -> ValueMap {
        if case .map(let map)? = self[name] { map } else { ValueMap() }
    }

    fileprivate func order(_ first: String, _ second: String) -> (String, String) {
        (text(first), text(second))
    }

    /// The place of a run in a list, the first one is the greatest.
    fileprivate var place: (Int, Double, String) {
        let isOver = if case .bool(true)? = self["ended"] { true } else { false }
        return (isOver ? 0 : 1, number(isOver ? "end" : "start"), text("id"))
    }
}
