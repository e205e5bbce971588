/// What the publishers' log and the reader say together.
struct CrashFigures {
    var kills = 0
    var early = 0
    private(set) var complaints: [String] = []
    private var lost = 0
    private var again = 0
    private var wrongStates = 0
    private var lostTimers = 0
    private var doubleTimers = 0
    private var wrongTimes = 0
    private let log: CrashLog
    private let reader: CrashReader

    init(_ log: CrashLog, _ reader: CrashReader) {
        self.log = log
        self.reader = reader
        for (meter, count) in log.messages.sorted(by: { $0.key < $1.key }) { judge(meter, count) }
        for alarm in log.alarms.sorted() { judge(alarm) }
    }

    private mutating func judge(_ meter: String, _ count: Int) {
        let news = reader.newest["skerry/meter/\(meter)"]
        let seen = news?.content?.seen ?? 0
        let missing = count - seen + (news?.content?.gaps ?? 0)
        again += news?.content?.again ?? 0
        if missing != 0 {
            lost += missing
            complaints.append("\(meter): sent \(count), kept \(seen), gaps \(news?.content?.gaps ?? 0)")
        }
        if news?.state != log.modes[meter] {
            wrongStates += 1
            complaints.append("\(meter): in \(news?.state ?? "no state"), not in \(log.modes[meter] ?? "")")
        }
    }

    private mutating func judge(_ alarm: String) {
        let armed = reader.armed["skerry/alarm/\(alarm)"] ?? []
        let rung = reader.rung["skerry/alarm/\(alarm)"] ?? []
        if armed.count > 1 { complaints.append("\(alarm): armed \(armed.count) times") }
        if rung.isEmpty { lostTimers += 1 }
        if rung.count > 1 { doubleTimers += 1 }
        if rung.count != 1 { complaints.append("\(alarm): rang \(rung.count) times") }
        guard let start = armed.first, let end = rung.first else { return }
        if abs(end - start - CrashLog.alarmLength) > 0.0011 {
            wrongTimes += 1
            complaints.append("\(alarm): rang after \(end - start) s")
        }
    }

    /// One figure on a line.
    var text: String {
        let sent = log.messages.values.reduce(0, +) + log.alarms.count
        let contradictions = reader.complaints.count
        let lines: [(String, Int)] = [
            ("SIGKILLs", kills), ("  of these before it was connected", early),
            ("messages acknowledged to publishers", sent), ("  lost", lost),
            ("  handled again after a crash before the acknowledgement", again),
            ("devices in a wrong state at the end", wrongStates),
            ("timers armed", log.alarms.count), ("  lost", lostTimers), ("  elapsed twice", doubleTimers),
            ("  told with another time than the deadline", wrongTimes),
            ("revisions told", reader.revisions.count), ("messages to the reader", reader.deliveries),
            ("  delivered again, byte for byte", reader.repeats),
            ("  revisions with two contents, or gaps that stayed", contradictions),
            ("  gaps that a snapshot healed", reader.healedGaps),
        ]
        return lines.map { name, figure in
            let digits = String(figure)
            return name + String(repeating: " ", count: max(1, 68 - name.count - digits.count)) + digits
        }.joined(separator: "\n")
    }
}
