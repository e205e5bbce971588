import SkerryExpressions

/// Finds the key that somebody probably meant.
enum MeantKey {
    /// Words that other tools use, with the key that does the same here.
    private static let synonyms = [
        "cond": "guard", "condition": "guard", "if": "guard", "when": "guard", "goto": "target",
        "then": "target", "to": "target", "do": "actions", "action": "actions", "onEntry": "entry",
        "on_entry": "entry", "onExit": "exit", "on_exit": "exit", "onEnter": "entry", "enter": "entry",
        "leave": "exit", "subscribe": "sources", "mqtt": "sources", "statechart": "machine",
        "format": "payload", "values": "signals", "variables": "context", "availability": "available",
        "description": "title", "label": "title", "message": "body", "icon": "symbol", "image": "symbol",
        "timer": "countdown", "bar": "progress", "color": "tint", "colour": "tint",
        "assert": "expect", "sleep": "wait", "publish": "send", "delay": "after", "timeout": "after",
        "version": "skerry",
        "state_machine": "machine", "stateMachine": "machine", "fsm": "machine", "inputs": "sources",
        "value_template": "value", "expression": "value", "threshold": "tolerance",
    ]

    /// The words of an automation of Home Assistant.
    static let ofAutomations = [
        "alias", "trigger", "triggers", "condition", "conditions", "action", "actions", "platform",
        "entity_id",
        "service", "mode",
    ]

    /// Returns whether a key is another one with a slip of the pen, rather than a word of another tool.
    static func isMisspelt(_ name: String, _ key: String) -> Bool {
        synonyms[name] != key && nearestName(to: name, among: [key]) != nil
    }

    /// The key that was probably meant: the nearest name, or the word that does the same here.
    static func of(_ name: String, among keys: [String]) -> String? {
        nearestName(to: name, among: keys) ?? synonyms[name].flatMap { keys.contains($0) ? $0 : nil }
    }
}
