import SkerryExpressions
import SkerryMachine
import SkerryValues

extension DefinitionCompiler {
    /// Compiles the alerts of the activity.
    mutating func alerts(of activity: ActivityDraft) -> [ActivityDefinition.Alert] {
        var alerts: [ActivityDefinition.Alert] = []
        for alert in activity.alerts {
            let title = template(alert.title, in: scope)
            let body = alert.body.flatMap { template($0, in: scope) }
            guard let occasion = occasion(alert.occasion), let title else { continue }
            alerts.append(
                ActivityDefinition.Alert(
                    occasion: occasion,
                    title: title,
                    body: body,
                    sound: alert.sound,
                    level: alert.level
                )
            )
        }
        let limit = ActivityDefinition.alertLimit
        if activity.alerts.count > limit {
            report(.tooMany, activity.alerts[limit].title, "an activity may have at most \(limit) alerts")
        }
        return alerts
    }

    private mutating func occasion(_ occasion: AlertDraft.Occasion) -> ActivityDefinition.Occasion? {
        switch occasion {
        case .state(let name): return stateSet([name]).first.map { .state($0) }
        case .condition(let source):
            guard let program = condition(source) else { return nil }
            let fingerprint = Array(source.text.utf8).fingerprint
            return .condition(program, Dependencies(program), fingerprint: fingerprint)
        case .event(let source):
            return .event(source.text.split(separator: " ").map { EventDescriptor.normalized(String($0)) })
        }
    }
}
