import SkerryDevice
import SkerryFiles

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
