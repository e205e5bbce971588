/// The roles of the fields: state, power, time left, progress, subject.
struct ProposedRoles {
    private(set) var state: ProposedField?
    /// The number that shows whether the device works.
    private(set) var load: ProposedField?
    /// The time left.
    private(set) var remaining: ProposedField?
    /// The moment of the end.
    private(set) var end: ProposedField?
    /// True if the device tells when it will be done.
    var hasEnd: Bool { remaining != nil || end != nil }
    /// The progress, in percent.
    private(set) var progress: ProposedField?
    /// The subject of the run, such as a program or a file.
    private(set) var subject: ProposedField?

    init(_ fields: [ProposedField]) {
        state = Self.best(fields, atLeast: 2, Self.stateScore)
        if var field = Self.best(fields, atLeast: 1, Self.remainingScore) {
            if !field.survey.isNumber { field.time = field.survey.lengthForm.map { .length($0) } }
            remaining = field
        }
        if var field = Self.best(fields, atLeast: 1, Self.endScore) {
            field.time = field.survey.momentForm.map { .moment($0) }
            end = field
        }
        progress = Self.best(fields, atLeast: 1) { field in
            let isPercent = field.survey.least >= 0 && field.survey.most <= 100 && field.survey.most > 0
            let isNamed = field.says(["progress", "percent", "percentage", "pct", "completion"])
            let isElse = field.says(Self.levels)
            return isPercent && isNamed && !isElse && field.survey.isNumber ? 1 + changes(field) : 0
        }
        load = Self.best(fields, atLeast: 1, Self.loadScore)
        subject = Self.best(fields, atLeast: 1, Self.subjectScore)
    }

    /// Words for values in percent that are not progress.
    private static let levels: Set = [
        "battery", "bat", "batt", "soc", "level", "charge", "capacity", "filament", "humidity", "moisture",
        "brightness", "volume", "fan", "rssi", "signal", "wifi", "link", "linkquality", "health",
    ]

    /// Words for what can be left and is no time.
    private static let quantities: Set = [
        "percent", "percentage", "pct", "capacity", "filament", "battery", "ml", "l", "liter", "liters",
        "litre", "litres", "g", "kg", "gram", "grams", "weight", "volume", "km", "mi", "miles", "mm", "cm",
        "range", "distance", "kwh", "wh", "energy", "pages", "sheets", "layer", "layers", "cycles", "rounds",
        "doses", "pods", "tabs", "life",
    ]

    private static func best(
        _ fields: [ProposedField],
        atLeast limit: Double,
        _ score: (ProposedField) -> Double
    ) -> ProposedField? {
        var best: (field: ProposedField, score: Double)?
        for field in fields {
            // Of equal scores, the first and less nested field wins.
            let score = score(field) - 0.1 * Double(field.path.count)
            if score >= limit - 0.6, score > best?.score ?? 0 { best = (field, score) }
        }
        return best?.field
    }

    private static func stateScore(_ field: ProposedField) -> Double {
        let survey = field.survey
        let isNamed = field.says([
            "state", "status", "sta", "phase", "stage", "operation", "mode", "activity", "event",
        ])
        let isElse = field.says(["error", "wifi", "version", "ota", "upgrade", "firmware", "type"])
        var score = (isNamed ? 3.0 : 0) - (isElse ? 3 : 0)
        if survey.isTruth {
            guard survey.changes > 0 else { return 0 }
            if field.says(ProposedMachine.activeWords) { return 3.5 }
            return isNamed || field.says(["on", "open", "busy", "output", "contact"]) ? 2 : 0
        }
        if survey.isNumber {
            let isCode = Set(survey.sample).count <= 8 && survey.least >= 0 && survey.most < 1000
            return isNamed && !isElse && isCode && survey.changes > 0 ? 2 : 0
        }
        guard survey.isText, !survey.hasMoreTexts, (2...12).contains(survey.texts.count),
            survey.texts.allSatisfy({ $0.text.isStateWord })
        else { return 0 }
        let known = survey.texts.count { $0.text.words.contains { ProposedMachine.knownWords.contains($0) } }
        score += Double(min(known, 4)) + (survey.changes > 0 ? 1 : -1)
        return known > 0 || isNamed ? score : min(score, 1)
    }

    private static func remainingScore(_ field: ProposedField) -> Double {
        let survey = field.survey
        let isNumber = survey.isNumber && survey.momentForm == nil && survey.least >= 0 && survey.most > 0
        let isLength = isNumber || !survey.isNumber && survey.lengthForm != nil
        guard isLength, !field.says(Self.quantities) else { return 0 }
        let name = field.words.joined()
        let isNamed =
            field.says(["remaining", "remain", "rem", "left", "countdown", "eta"])
            || ["remaining", "timeleft", "timeto", "restzeit", "restlauf"].contains(where: name.contains)
        // Of 169 and 2:49, the number is the exact one.
        return isNamed ? (isNumber ? 1 : 0.5) + changes(field) : 0
    }

    private static func endScore(_ field: ProposedField) -> Double {
        let isNamed = field.says([
            "end", "ends", "ending", "finish", "finishes", "finished", "completion", "complete", "completes",
            "until", "eta",
            "done", "ready", "ende", "fertig",
        ])
        return isNamed && field.survey.momentForm != nil ? 1 + changes(field) : 0
    }

    private static func loadScore(_ field: ProposedField) -> Double {
        let survey = field.survey
        guard survey.isNumber, survey.changes > 0, survey.least >= -1000, survey.most > 0 else { return 0 }
        if field.says(["power", "watt", "watts", "apower", "consumption", "load"]) {
            return 2 + changes(field)
        }
        if field.says(["current", "speed", "rpm", "flow"]) { return 1 + changes(field) }
        return field.path.isEmpty ? 1 : 0
    }

    private static func subjectScore(_ field: ProposedField) -> Double {
        guard field.survey.isText, field.survey.texts.contains(where: { $0.text.contains(where: \.isLetter) })
        else { return 0 }
        if field.says(["program", "programme", "file", "filename", "recipe", "subtask"]) {
            return 2 + changes(field)
        }
        return field.says(["job", "task", "title"]) && !field.says(["id", "state", "status"]) ? 1 : 0
    }
}

/// A score for changes: a field that changes is more useful than a constant one.
private func changes(_ field: ProposedField) -> Double { field.survey.changes > 0 ? 1 : 0 }

extension String {
    /// True if it could be the name of a state: short, with a letter, nothing that an expression would have to escape.
    fileprivate var isStateWord: Bool {
        utf8.count <= 32 && contains(where: \.isLetter)
            && allSatisfy { $0.isLetter || $0.isNumber || [" ", "-", ".", "_"].contains($0) }
    }
}
