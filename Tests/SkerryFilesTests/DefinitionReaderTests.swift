import SkerryDevice
import SkerryFiles
import SkerryValues
import Testing

@Suite("Definitions read from YAML")
struct DefinitionReaderTests {
    private func read(_ text: String) throws -> DefinitionDraft {
        let reading = DefinitionReader.read(text: text)
        #expect(reading.problems == [])
        return try #require(reading.draft)
    }

    @Test func `a whole definition`() throws {
        let draft = try read(Samples.washer)
        #expect(draft.kind == SourceText("washer", at: Place(line: 3, column: 7)))
        #expect(draft.name?.text == "Washing machine")
        #expect(
            draft.sources.map(\.topic.text) == ["homeconnect/{device}/state", "homeconnect/{device}/LWT"]
        )
        #expect(draft.sources.map(\.payload) == [.json, .text])
        #expect(draft.sources[0].signals.map(\.name.text) == ["operation", "program", "remaining"])
        #expect(draft.sources[0].signals[2].text.text == "seconds(payload.RemainingProgramTime)")
        #expect(draft.sources[1].available?.text == #"payload == "online""#)
        #expect(draft.context.map(\.text.text) == ["0", "true", "null", "[1, 2]"])
        #expect(draft.machine.initial.map(\.text) == ["idle"])
        #expect(draft.machine.states.map(\.name.text) == ["idle", "running", "finishing", "paused", "done"])
        #expect(draft.machine.states[1].title?.text == "Running")
        #expect(draft.migrations.map { [$0.name.text, $0.text.text] } == [["washing", "running"]])
    }

    @Test func `timers`() throws {
        let timers = try read(Samples.washer).timers
        #expect(timers.map(\.name.text) == ["cycle", "rest", "soak", "total"])
        #expect(timers.map(\.tolerance?.interval) == [.minutes(1), nil, nil, nil])
        #expect(timers.map(\.runsWhile?.text) == [#"inState("running")"#, nil, nil, nil])
        #expect(timers.map(\.onRestart) == [.deadline, .remaining, .drop, .restart])
        #expect(timers.map(\.onNewEnd) == [.restart, .keep, .keep, .keep])
        #expect(timers[3].from?.text == "since")
        guard case .remaining(let remaining) = timers[0].kind, case .until(let end) = timers[1].kind,
            case .duration(let length) = timers[2].kind, case .countUp = timers[3].kind
        else {
            Issue.record("\(timers.map(\.kind))")
            return
        }
        #expect([remaining.text, end.text, length.text] == ["remaining", "ends", #"duration("90m")"#])
    }

    @Test func `transitions stand in the order of the document`() throws {
        let state = try read(Samples.machine).machine.states[0]
        let triggers = state.transitions.map { transition in
            switch transition.trigger {
            case .always: "always"
            case .event(let names):
                "on " + names.map { "\($0.text)@\($0.place.column)" }.joined(separator: "+")
            case .after(let delay): "after \(delay.interval.microseconds)"
            case .sustained(let hold, let dropout, _):
                "for \(hold.interval.microseconds) \(dropout?.interval.microseconds ?? -1)"
            case .quiet(let silence): "quiet \(silence.length.interval.microseconds)\(silence.subject)"
            case .at(let time): "at \(time.text)"
            case .past(let moment): "past \(moment.text)"
            }
        }
        #expect(
            triggers == [
                "after 900000000", "always", "for 180000000 10000000", "for 500000 -1", "quiet 600000000",
                "quiet 600000000 of power, left", "quiet 600000000 without a change of left",
                "on a.b@9+c.*@14", "on d@9", "on d@9", "on e@9", "on f@9",
            ]
        )
        #expect(
            state.transitions.map { $0.targets.map(\.text) }.suffix(5) == [
                ["two"], ["two"], [], [], ["two", "three"],
            ]
        )
        #expect(state.transitions[7].condition?.text == "power > 5")
        #expect(state.transitions.map(\.isInternal).suffix(3) == [false, true, false])
        #expect(state.transitions[1].place == Place(line: 9, column: 11))
    }

    @Test func `kinds of states`() throws {
        let machine = try read(Samples.machine).machine
        guard case .parallel = machine.kind else {
            Issue.record("\(machine.kind)")
            return
        }
        let kinds = machine.states.map { state in
            switch state.kind {
            case .single: "single"
            case .parallel: "parallel"
            case .final: "final"
            case .history(let deep): deep ? "deep" : "shallow"
            }
        }
        #expect(kinds == ["single", "single", "shallow", "deep", "final", "parallel"])
        #expect(machine.states[3].initial.map(\.text) == ["one", "two"])
        #expect(machine.states[5].states.map(\.name.text) == ["left", "right"])
        #expect(machine.transitions.count == 1)
    }

    @Test func `actions`() throws {
        let machine = try read(Samples.machine).machine
        let actions = (machine.entry + machine.exit + machine.states[1].entry).map { action in
            switch action {
            case .start(let timer, let duration): "start \(timer.text) \(duration?.text ?? "-")"
            case .stop(let timer): "stop \(timer.text)"
            case .pause(let timer, let moment): "pause \(timer.text) \(moment?.text ?? "-")"
            case .resume(let timer): "resume \(timer.text)"
            case .extend(let timer, let length): "extend \(timer.text) \(length.text)"
            case .raise(let event): "raise \(event.text)"
            case .send(let event, let delay, let id):
                "send \(event.text) \(delay?.text ?? "-") \(id?.text ?? "-")"
            case .cancel(let id): "cancel \(id.text)"
            case .guarded(let condition, let then, let otherwise):
                "guard \(condition.text) \(then.count) \(otherwise.count)"
            case .publish(let message): "publish \(message.topic.text)"
            case .attempt(let actions): "try \(actions.count)"
            case .assign(let name, let value): "assign \(name.text) \(value.text)"
            }
        }
        #expect(
            actions == [
                "start cycle -", "stop cycle", "start cycle left", "pause cycle -", "pause cycle halted",
                "resume cycle",
                "extend cycle left",
                "raise ready", "send ready - -", "send ready left first", "cancel first",
                "assign count count + 1",
                "assign open true", "guard power > 5 2 1", "guard power < 2 0 0", "try 1", "try 2",
            ]
        )
    }

    @Test func `an activity and an island`() throws {
        let draft = try read(Samples.washer)
        let activity = try #require(draft.activity)
        #expect(activity.starts.map(\.text) == ["running"])
        #expect(activity.ends.map(\.text) == ["done", "idle"])
        #expect(activity.attributes.map(\.value.text) == ["device.name", "program"])
        #expect(activity.content.map(\.value.text) == ["state.title", "timer.cycle", "power"])
        #expect(activity.content.map(\.tolerance) == [nil, nil, 2.5])
        #expect(activity.alerts.map(\.title.text) == ["Laundry is done"])
        #expect(activity.alerts.map(\.body?.text) == ["{program} has finished"])
        #expect(activity.relevance == 75)
        #expect(activity.stale?.length.interval == .minutes(15))
        #expect("\(activity.dismissal)".hasPrefix("after("))
        #expect(activity.link?.text == "skerry://washer/{device}")
        let island = try #require(draft.island)
        #expect(island.tint?.text == "#2a9d8f")
        #expect(
            island.elements.map(\.region) == [
                .minimal, .compactLeading, .compactTrailing, .expandedLeading, .expandedCenter,
                .expandedBottom,
                .lock, .lock, .lock,
            ]
        )
        #expect(
            island.elements.map(\.kind) == [
                .symbol, .symbol, .countdown, .symbol, .text, .progress, .title, .text, .progress,
            ]
        )
        #expect(island.elements[4].value == SourceText("{status}", at: Place(line: 58, column: 22)))
    }

    @Test func `tests`() throws {
        let tests = DefinitionReader.read(text: Samples.washer).tests
        #expect(tests.map(\.name.text) == ["an hour's wash sends two updates"])
        var sent: [String] = []
        var kinds: [String] = []
        for step in try #require(tests.first).steps {
            switch step.kind {
            case .send(let messages, let isRetained):
                kinds.append(isRetained ? "retained" : "send")
                sent += messages.map { "\($0.topic.text) \(String(decoding: $0.payload, as: UTF8.self))" }
            case .given(let given): kinds.append("given \(given.states.map(\.text))")
            case .wait(let length): kinds.append("wait \(length.interval.microseconds)")
            case .at(let moment): kinds.append("at \(moment.flooredSeconds)")
            case .event(let name, let device): kinds.append("event \(name.text) \(device?.text ?? "-")")
            case .expect(let entries):
                kinds.append("expect \(entries.map { "\($0.name.text)=\($0.value.content)" })")
            }
        }
        #expect(
            sent == [
                #"a/state {"OperationState":"Run","left":[3600,1.50,true,null,"2","\"\n"],"x":{}}"#,
                "a/LWT online",
                "a/n 007", "a/t true",
            ]
        )
        #expect(
            kinds == [
                #"given ["idle"]"#, "send", "retained", "wait 3540000000", "at 1772366400", "event snooze -",
                "event snooze laundry",
                #"expect ["state=text(\"done\")", "updates=int(2)", "ended=bool(true)"]"#,
            ]
        )
    }

    @Test(arguments: [
        ("500ms", 500_000), ("10s", 10_000_000), ("15m", 900_000_000), ("1h30m", 5_400_000_000),
        ("2d", 172_800_000_000), ("1d2h3m4s5ms", 93_784_005_000), ("0s", 0), ("3650d", 315_360_000_000_000),
    ])
    func `a length of time`(text: String, microseconds: Int64) throws {
        let state = try read("skerry: 1\nkind: a\nmachine: { states: { b: { after: { \(text): b } } } }")
            .machine.states[0]
        guard case .after(let length) = state.transitions[0].trigger else { return }
        #expect(length.interval.microseconds == microseconds)
    }

    @Test(arguments: [
        "", "m", "15", "1.5h", "30m1h", "1m1m", "-5m", "+5m", "5 m", "5M", "٥m", "3651d", "3650d1ms", "1x",
        "999999999999999999d", "99999999999999999999999999999999m", "5ms4s",
    ])
    func `no length of time`(text: String) {
        let text = "skerry: 1\nkind: a\nmachine: { states: { b: { after: { \"\(text)\": b } } } }"
        #expect(DefinitionReader.read(text: text).problems.map(\.code) == [.badDuration])
    }

    @Test func `aliases and merge keys are resolved`() throws {
        let draft = try read(
            """
            skerry: 1
            kind: a
            context: { product: 2 *x, list: "*x", <<: [&more { one: 1, product: 3 }, { two: 2 }] }
            machine:
              states:
                first: &base
                  title: &title First
                  after: { 5m: second }
                second:
                  <<: *base
                  title: Second
                third: *base
                fourth: { title: *title }
            """
        )
        let states = draft.machine.states
        #expect(states.map(\.title?.text) == ["First", "Second", "First", "First"])
        #expect(states.map(\.transitions.count) == [1, 1, 1, 0])
        #expect(
            draft.context.map { "\($0.name.text)=\($0.text.text)" } == [
                "product=2 *x", "list=*x", "one=1", "two=2",
            ]
        )
    }

    @Test func `places count characters and lines as editors do`() throws {
        let text =
            "skerry: 1\r\nkind: 'a'\r\ncontext: { \"é👩‍👩‍👧\": x, b: \"y\", c: !!str &z v,\r\n  d: |-\r\n    }\r\n"
        let fixed = text.replacing(
            "d: |-\r\n    }",
            with: "d: w }\r\nmachine:\r\n  states: {}\r\n  title: |\r\n\r\n     two\r\n     lines"
        )
        let draft = try read(fixed)
        #expect(draft.kind.place == Place(line: 2, column: 8))
        #expect(draft.context.map(\.text.place.column) == [18, 25, 41, 6])
        let title = try #require(draft.machine.title)
        #expect(title.text == "\ntwo\nlines\n")
        #expect(title.place == Place(line: 8, column: 1), "the line is empty, an editor has no other column")
        #expect(title.place(atUTF8Offset: 2) == Place(line: 9, column: 7))
        #expect(title.place(atUTF8Offset: 6) == Place(line: 10, column: 7))
    }

    @Test(arguments: [
        "'it''s ''one'' here'", "\"a \\\"b\\\" \\u00e9\\x41\\U0001F600 \\\n   here\"", "a  b\n\n\n    c here",
        "'a\n   b\n  \n  here'", "|\n    a\n\n      b\n    here",
        ">-\n\n    a\n    b\n\n      c\n      d\n\n    here",
        "&x !!str \"é\\t here\"", ">2-\n  a\n    here", "\"a\t  \n \t here\"", "|\n  ü\n  é here",
    ])
    func `every letter of a text has its place`(written: String) throws {
        let text = "skerry: 1\nkind: k\nmachine: { states: {} }\nname: \(written)\n"
        let name = try #require(try read(text).name)
        let letters = name.text.ranges(of: "here")
        let offset = name.text.utf8.distance(
            from: name.text.startIndex,
            to: try #require(letters.first).lowerBound
        )
        let place = name.place(atUTF8Offset: offset)
        let line = text.split(separator: "\n", omittingEmptySubsequences: false)[place.line - 1]
        #expect(line.dropFirst(place.column - 1).hasPrefix("here"), "\(place)")
        #expect(name.place(atUTF8Offset: offset + 3) == Place(line: place.line, column: place.column + 3))
    }
}
