import SkerryDevice
import SkerryImport
import Testing

/// What the reader of detector models takes, and what it says of the rest.
@Suite("Reading detector models")
struct DetectorModelReaderTests {
    /// A model that sets a timer and goes on when it is over, as JSON.
    private static let model = """
        {
          "detectorModelName": "door",
          "detectorModelDefinition": {
            "initialStateName": "shut",
            "states": [
              {
                "stateName": "shut",
                "onInput": {
                  "events": [{ "eventName": "e", "actions": [
                    { "setTimer": { "timerName": "t", "seconds": 60, "durationExpression": null } }
                  ] }],
                  "transitionEvents": [{ "eventName": "go", "condition": "timeout(\\"t\\")", "nextState": "open" }]
                }
              },
              { "stateName": "open" }
            ]
          },
          "evaluationMethod": "SERIAL"
        }
        """

    private func onlyModel(_ text: String) throws -> DetectorModel {
        let result = DetectorModelReader.read(text)
        #expect(result.problems.isEmpty, "\(result.problems)")
        return try #require(result.models.first)
    }

    /// Problems as `line:column message`.
    private func problems(_ text: String, model: String? = nil) -> [String] {
        DetectorTranslation.definition(from: text, file: "m.json", model: model).problems
            .filter { $0.severity == .error }
            .map { "\($0.place.line):\($0.place.column) \($0.message)" }
    }

    @Test func `a model as it is created, and as it is described`() throws {
        let described = """
            { "detectorModel": { "detectorModelDefinition": \(Self.definition),
              "detectorModelConfiguration": { "detectorModelName": "door", "key": "id",
                "evaluationMethod": "SERIAL" } } }
            """
        for text in [Self.model, described] {
            let model = try onlyModel(text)
            #expect(model.name?.text == "door")
            #expect(model.initial.text == "shut")
            #expect(model.states.map(\.name.text) == ["shut", "open"])
            #expect(model.states[0].transitions[0].condition == .call(.timeout, [.text("t")]))
            guard case .serial = model.evaluation else {
                Issue.record("not SERIAL")
                continue
            }
        }
        #expect(try onlyModel(described).key?.text == "id")
    }

    private static let definition = """
        { "initialStateName": "shut", "states": [
          { "stateName": "shut", "onInput": { "transitionEvents": [
            { "eventName": "go", "condition": "timeout(\\"t\\")", "nextState": "open" } ] } },
          { "stateName": "open" } ] }
        """

    // MARK: Templates

    private static let yamlTemplate = """
        AWSTemplateFormatVersion: "2010-09-09"
        Parameters:
          Limit: { Type: Number, Default: 40 }
          Wait: { Type: Number, Default: 300 }
          Name: { Type: String, Default: boiler }
          Topic: { Type: String }
        Resources:
          Queue: { Type: "AWS::SQS::Queue" }
          Boiler:
            Type: AWS::IoTEvents::DetectorModel
            Properties:
              DetectorModelName: !Sub "${Name}-alarm"
              EvaluationMethod: SERIAL
              Key: id
              DetectorModelDefinition:
                InitialStateName: Cold
                States:
                  - StateName: Cold
                    OnInput:
                      Events:
                        - EventName: e
                          Actions:
                            - SetTimer: { TimerName: t, DurationExpression: !Ref Wait }
                            - SetVariable: { VariableName: x, Value: !Sub "'${!$variable.n} is ${Name}'" }
                            - Sns: { TargetArn: !Ref Topic }
                      TransitionEvents:
                        - EventName: hot
                          Condition: !Sub $input.Boiler.temperature > ${Limit}
                          NextState: Hot
                  - StateName: Hot
        """

    @Test func `a template in YAML, with its parameters put in`() throws {
        let model = try onlyModel(Self.yamlTemplate)
        #expect(model.name?.text == "boiler-alarm")
        #expect(model.key?.text == "id")
        let reading = DetectorExpression.input("Boiler", [.field("temperature")])
        #expect(model.states[0].transitions[0].condition == .binary(.greater, reading, .integer(40)))
        let actions = model.states[0].onInput[0].actions.map(\.kind)
        guard case .setTimer("t", .integer(300)) = actions[0],
            case .setVariable("x", .template([.variable("n"), .text(" is boiler")])) = actions[1]
        else {
            Issue.record("\(actions)")
            return
        }
        #expect(actions[2].words == "notifies 'Topic'")
    }

    @Test func `a template in JSON, with its parameters put in`() throws {
        let text = """
            { "Parameters": { "Limit": { "Type": "Number", "Default": 7 }, "First": { "Default": "shut" } },
              "Resources": { "Door": { "Type": "AWS::IoTEvents::DetectorModel", "Properties": {
                "DetectorModelDefinition": { "InitialStateName": { "Ref": "First" }, "States": [
                  { "StateName": "shut", "OnInput": { "TransitionEvents": [
                    { "EventName": "go", "Condition": { "Fn::Sub": "$input.Door.v >= ${Limit}" },
                      "NextState": "open" } ] } },
                  { "StateName": "open" } ] } } } } }
            """
        let model = try onlyModel(text)
        // A model without a name has that of its resource.
        #expect(model.name?.text == "Door")
        #expect(model.initial.text == "shut")
        let reading = DetectorExpression.input("Door", [.field("v")])
        #expect(model.states[0].transitions[0].condition == .binary(.greaterOrEqual, reading, .integer(7)))
    }

    private static let two = """
        Resources:
          A: { Type: "AWS::IoTEvents::DetectorModel", Properties: { DetectorModelDefinition: { States: [{ StateName: a }] } } }
          B: { Type: "AWS::IoTEvents::DetectorModel", Properties: { DetectorModelDefinition: { States: [{ StateName: b }] } } }
        """

    @Test func `of several models one is named`() throws {
        #expect(problems(Self.two) == ["1:1 the file has several models"])
        #expect(problems(Self.two, model: "C") == ["1:1 there is no such model"])
        let imported = DetectorTranslation.definition(from: Self.two, file: "two.yaml", model: "B")
        #expect(imported.draft?.machine.states.map(\.name.text) == ["b"])
        #expect(imported.draft?.kind.text == "b")
    }

    // MARK: Problems

    @Test(arguments: [
        ("", ["1:1 the file is empty"]),
        ("{}", ["1:1 there is no detector model in this file"]),
        (#"{"detectorModelDefinition": {"states": []}}"#, ["1:29 the model has no states"]),
        (
            model.replacing("SERIAL", with: "BOTH"),
            ["18:24 'evaluationMethod' can't be 'BOTH'"]
        ),
        (
            model.replacing("\"nextState\": \"open\"", with: "\"nextState\": \"ajar\""),
            ["12:98 there is no state 'ajar'"]
        ),
        (
            model.replacing("\"stateName\": \"open\"", with: "\"stateName\": \"shut\"")
                .replacing("\"nextState\": \"open\"", with: "\"nextState\": \"shut\""),
            ["7:23 two states are called 'shut'", "15:23 two states are called 'shut'"]
        ),
        (
            model.replacing(", \"nextState\": \"open\"", with: ""),
            ["12:48 the transition 'go' has no 'nextState'"]
        ),
        (
            model.replacing("\"condition\": \"timeout(\\\"t\\\")\", ", with: ""),
            ["12:48 the transition 'go' has no 'condition'"]
        ),
        (
            model.replacing("\"timerName\": \"t\", ", with: ""),
            ["10:27 the action has no 'timerName'"]
        ),
        (
            model.replacing("\"seconds\": 60", with: "\"minutes\": 1"),
            ["10:27 'setTimer' has neither 'seconds' nor 'durationExpression'"]
        ),
    ])
    func `mistakes are reported with their places`(text: String, expected: [String]) {
        #expect(problems(text) == expected)
    }

    @Test func `a mistake in an expression is reported at its place`() {
        let text = """
            { "detectorModelDefinition": { "states": [ { "stateName": "a", "onInput": { "transitionEvents": [
              { "eventName": "go",
                "condition": "1 + $nothing.x",
                "nextState": "a" } ] } } ] } }
            """
        let found = problems(text)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("3:23 ") == true, "\(found)")
    }

    @Test func `a pair of escapes is one character, and the following places are right`() throws {
        let text = #"""
            { "detectorModelName": "\ud83d\ude00 \\ud83d \uD83D\uDE00!", "evaluationMethod": "NONE",
              "detectorModelDefinition": { "states": [{ "stateName": "a" }] } }
            """#
        #expect(problems(text) == ["1:83 'evaluationMethod' can't be 'NONE'"])
        let model = try onlyModel(text.replacing("NONE", with: "BATCH"))
        #expect(model.name?.text == #"😀 \ud83d 😀!"#)
        let half = DetectorModelReader.read(text.replacing(#"\ude00"#, with: ""))
        #expect(half.problems.map(\.code) == [.notYAML])
    }
}

extension DetectorAction.Kind {
    /// What an action outside does.
    fileprivate var words: String? {
        if case .outside(let words) = self { words } else { nil }
    }
}
