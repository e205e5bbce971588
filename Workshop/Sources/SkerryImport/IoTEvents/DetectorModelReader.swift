package import SkerryDevice
import SkerryFiles

/// A reader of detector models in JSON or YAML.
///
/// It accepts the input of `aws iotevents create-detector-model`, the output of `describe-detector-model`, and the
/// resources of CloudFormation templates.
package struct DetectorModelReader {
    /// The models and problems of a file.
    package struct Result: Sendable {
        /// The models of the file.
        package var models: [DetectorModel] = []
        /// The parts that could not be read.
        package var problems: [DefinitionProblem] = []
    }

    private(set) var problems: [DefinitionProblem] = []
    /// The parameters of a template, with their default values.
    private(set) var parameters: [String: String] = [:]

    /// Reads a text.
    package static func read(_ text: String) -> Result {
        let (root, found) = YAMLComposer.foreign(text)
        var reader = DetectorModelReader()
        reader.problems = found
        var models: [DetectorModel] = []
        if let root, found.isEmpty {
            models = reader.models(in: root)
            if models.isEmpty, reader.problems.isEmpty {
                reader.report(
                    root,
                    "there is no detector model in this file",
                    "it needs 'detectorModelDefinition'"
                )
            }
        } else if found.isEmpty {
            reader.problems.append(
                DefinitionProblem(.badImport, at: Place(line: 1, column: 1), "the file is empty")
            )
        }
        return Result(models: models, problems: reader.problems)
    }

    // MARK: Finding models

    private mutating func models(in root: YAMLNode) -> [DetectorModel] {
        if let resources = root["resources"] {
            for (name, parameter) in root["parameters"]?.pairs ?? [] {
                if let value = parameter["default"]?.scalar { parameters[name] = value.source.text }
            }
            var models: [DetectorModel] = []
            for (name, resource) in resources.pairs {
                guard resource["type"]?.scalar?.source.text == "AWS::IoTEvents::DetectorModel",
                    let properties = resource["properties"], var model = model(properties, of: properties)
                else { continue }
                if model.name == nil { model.name = SourceText(name, at: resource.place) }
                models.append(model)
            }
            return models
        }
        let model = root["detectorModel"] ?? root
        guard model["detectorModelDefinition"] != nil else { return [] }
        return self.model(model, of: model["detectorModelConfiguration"] ?? model).map { [$0] } ?? []
    }

    private mutating func model(_ node: YAMLNode, of settings: YAMLNode) -> DetectorModel? {
        guard let definition = node["detectorModelDefinition"] else {
            report(node, "the model has no 'detectorModelDefinition'")
            return nil
        }
        let states = list(definition["states"], of: "states").compactMap { state($0) }
        guard let first = states.first else {
            report(definition, "the model has no states")
            return nil
        }
        var model = DetectorModel(initial: text(definition["initialStateName"]) ?? first.name)
        model.states = states
        model.name = text(settings["detectorModelName"])
        model.summary = text(settings["detectorModelDescription"])
        model.key = text(settings["key"])
        if let method = text(settings["evaluationMethod"]) {
            switch method.text {
            case "SERIAL": model.evaluation = .serial
            case "BATCH": break
            default: report(method, "'evaluationMethod' can't be '\(method.text)'", "it is BATCH or SERIAL")
            }
        }
        checkStates(of: model)
        return model
    }

    private mutating func checkStates(of model: DetectorModel) {
        let names = model.states.map(\.name.text)
        for state in model.states where names.filter({ $0 == state.name.text }).count > 1 {
            report(state.name, "two states are called '\(state.name.text)'")
        }
        let targets = [model.initial] + model.states.flatMap { $0.transitions.compactMap(\.next) }
        for target in targets where !names.contains(target.text) {
            report(
                target,
                "there is no state '\(target.text)'",
                "there are: \(names.prefix(12).joined(separator: ", "))"
            )
        }
    }

    // MARK: States and events

    private mutating func state(_ node: YAMLNode) -> DetectorState? {
        guard let name = text(node["stateName"]) else {
            report(node, "a state has no 'stateName'")
            return nil
        }
        var state = DetectorState(name: name)
        state.onEnter = events(node["onEnter"]?["events"])
        state.onInput = events(node["onInput"]?["events"])
        state.onExit = events(node["onExit"]?["events"])
        state.transitions = events(node["onInput"]?["transitionEvents"], leadSomewhere: true)
        return state
    }

    private mutating func events(_ node: YAMLNode?, leadSomewhere: Bool = false) -> [DetectorEvent] {
        list(node, of: "events").compactMap { event($0, leadsSomewhere: leadSomewhere) }
    }

    private mutating func event(_ node: YAMLNode, leadsSomewhere: Bool) -> DetectorEvent? {
        var event = DetectorEvent(name: text(node["eventName"]) ?? SourceText("event", at: node.place))
        event.condition = node["condition"].flatMap { expression($0) }
        event.actions = list(node["actions"], of: "actions").flatMap { actions($0) }
        guard leadsSomewhere else { return event }
        event.next = text(node["nextState"])
        if event.next == nil {
            report(event.name, "the transition '\(event.name.text)' has no 'nextState'")
            return nil
        }
        if event.condition == nil, node["condition"] == nil {
            report(
                event.name,
                "the transition '\(event.name.text)' has no 'condition'",
                "write \"true\" for always"
            )
        }
        return event
    }

    // MARK: Values

    /// The expression in a value; nil, with a problem, when the value is no text.
    mutating func expression(_ node: YAMLNode) -> DetectorExpression? {
        guard let source = text(node) else {
            if !node.isNull { report(node, "an expression must be a text, not \(node.shape)") }
            return nil
        }
        do throws(DetectorExpressionParser.Failure) {
            return try DetectorExpressionParser.parse(source.text)
        } catch {
            problems.append(
                DefinitionProblem(
                    .badImport,
                    at: source.place(atUTF8Offset: error.offset),
                    error.message,
                    remedy: error.remedy
                )
            )
            return nil
        }
    }

    /// The elements of a list; none when the key is missing.
    mutating func list(_ node: YAMLNode?, of what: String) -> [YAMLNode] {
        guard let node, !node.isNull else { return [] }
        guard case .list(let elements) = node.content else {
            report(node, "'\(what)' must be a list, not \(node.shape)")
            return []
        }
        return elements
    }

    /// A text, with simple functions of templates resolved; nil for null and for values that are no text.
    mutating func text(_ node: YAMLNode?) -> SourceText? {
        guard let node, !node.isNull else { return nil }
        if let scalar = node.scalar {
            var source = scalar.source
            switch node.tag {
            case "!Ref": source.text = parameters[source.text] ?? source.text
            case "!Sub": source.text = substituted(source.text)
            default: break
            }
            return source.text.isEmpty ? nil : source
        }
        if let inner = node["ref"]?.scalar?.source {
            return SourceText(parameters[inner.text] ?? inner.text, at: inner.place)
        }
        if let inner = node["fn::Sub"]?.scalar?.source {
            return SourceText(substituted(inner.text), at: inner.place)
        }
        return nil
    }

    /// A text with the parameters of the template inserted; `${!a}` stands for `${a}`.
    private func substituted(_ text: String) -> String {
        var result = text
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            result = result.replacing("${\(name)}", with: value)
        }
        return result.replacing("${!", with: "${")
    }

    mutating func report(_ node: YAMLNode, _ message: String, _ remedy: String? = nil) {
        problems.append(DefinitionProblem(.badImport, at: node.place, message, remedy: remedy))
    }

    mutating func report(_ source: SourceText, _ message: String, _ remedy: String? = nil) {
        problems.append(DefinitionProblem(.badImport, source, message, remedy: remedy))
    }
}

extension YAMLNode {
    /// The value of a key, whose first letter may also be upper case, as in templates.
    subscript(key: String) -> YAMLNode? {
        guard case .map(let pairs) = content else { return nil }
        return pairs.first { $0.key.text.withSmallStart == key }?.value
    }

    /// The keys as written, with their values.
    var pairs: [(key: String, value: YAMLNode)] {
        guard case .map(let pairs) = content else { return [] }
        return pairs.map { ($0.key.text, $0.value) }
    }

    /// True for an empty value and for null.
    var isNull: Bool {
        guard let scalar else { return false }
        return scalar.isPlain && ["", "~", "null"].contains(scalar.source.text)
    }
}

extension String {
    /// The text with a lower-case first letter.
    var withSmallStart: String { prefix(1).lowercased() + dropFirst() }
}

extension DetectorModelReader {
    /// The actions in one element of `actions`, which should be exactly one.
    mutating func actions(_ node: YAMLNode) -> [DetectorAction] {
        guard case .map(let pairs) = node.content else {
            report(node, "an action must be a mapping, not \(node.shape)")
            return []
        }
        return pairs.filter { !$0.value.isNull }.compactMap { pair in
            kind(pair.key.text.withSmallStart, pair.value).map { DetectorAction($0, at: pair.key) }
        }
    }

    private mutating func kind(_ word: String, _ node: YAMLNode) -> DetectorAction.Kind? {
        switch word {
        case "setVariable":
            guard let name = name(node, "variableName") else { return nil }
            guard let value = node["value"] else {
                report(node, "'setVariable' has no 'value'")
                return nil
            }
            return expression(value).map { .setVariable(name, $0) }
        case "setTimer":
            guard let name = name(node, "timerName") else { return nil }
            let length = [node["seconds"], node["durationExpression"]].compactMap { $0 }.first { !$0.isNull }
            guard let length else {
                report(node, "'setTimer' has neither 'seconds' nor 'durationExpression'")
                return nil
            }
            return expression(length).map { .setTimer(name, $0) }
        case "resetTimer": return name(node, "timerName").map { .resetTimer($0) }
        case "clearTimer": return name(node, "timerName").map { .clearTimer($0) }
        case "iotTopicPublish": return .outside("publishes to \(detail(node, "mqttTopic"))")
        case "sns": return .outside("notifies \(detail(node, "targetArn"))")
        case "lambda": return .outside("calls the function \(detail(node, "functionArn"))")
        case "iotEvents": return .outside("sends itself to the input \(detail(node, "inputName"))")
        case "sqs": return .outside("puts into the queue \(detail(node, "queueUrl"))")
        case "firehose": return .outside("puts into the stream \(detail(node, "deliveryStreamName"))")
        case "dynamoDB", "dynamoDBv2": return .outside("writes to the table \(detail(node, "tableName"))")
        case "iotSiteWise": return .outside("sends to \(detail(node, "propertyAlias"))")
        default: return .outside("does '\(word)'")
        }
    }

    private mutating func name(_ node: YAMLNode, _ key: String) -> String? {
        if let name = text(node[key]) { return name.text }
        report(node, "the action has no '\(key)'")
        return nil
    }

    private mutating func detail(_ node: YAMLNode, _ key: String) -> String {
        text(node[key]).map { "'\($0.text)'" } ?? "something"
    }
}
