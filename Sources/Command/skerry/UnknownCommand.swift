import ArgumentParser
import SkerryExpressions

/// The message if the first word is not a command.
enum UnknownCommand {
    /// Words of similar tools that people type for a command.
    private static let meant: [(command: String, words: [String])] = [
        ("check", ["lint", "validate", "verify", "compile", "doctor"]),
        ("run", ["start", "serve", "server", "daemon", "bridge", "up", "connect"]),
        ("record", ["subscribe", "sub", "listen", "capture", "dump"]),
        ("explain", ["why", "show", "get", "inspect"]), ("devices", ["list", "ls", "device"]),
        ("status", ["info", "state", "health"]), ("watch", ["follow", "top", "monitor", "tail"]),
        ("send", ["event", "fire", "publish", "pub"]),
        ("explain-code", ["error", "code"]),
        ("replay", ["dry-run"]), ("play", ["playback"]),
        ("new", ["init", "create", "add", "propose", "scaffold"]),
        ("history", ["log", "logs", "runs", "past"]),
        ("graph", ["draw", "diagram", "plot", "visualize"]),
        ("generate swift", ["swift", "codegen", "gen", "app"]),
        ("import", ["convert"]),
        ("pair", ["login", "qr"]),
        ("phones", ["phone", "unpair"]),
    ]

    /// Why the first of the arguments is no command, and which one is likely meant; nil when it is one, or an option.
    static func refusal(of arguments: [String]) -> String? {
        let words = arguments.dropFirst()
        // `skerry help` alone lists all commands.
        guard let word = words.first == "help" ? words.dropFirst().first : words.first, !word.isEmpty,
            !word.hasPrefix("-")
        else { return nil }
        let commands = Skerry.configuration.subcommands.compactMap { $0.configuration.commandName }
        // The library adds 'help'.
        guard word != "help", !commands.contains(word) else { return nil }
        let command =
            meant.first { $0.words.contains(word.lowercased()) && isThere($0.command, commands) }?.command
            ?? nearestName(to: word.lowercased(), among: commands)
        let remedy = command.map { "did you mean 'skerry \($0)'?" } ?? "'skerry help' lists all commands"
        return "there is no command '\(word)'; \(remedy)"
    }

    private static func isThere(_ command: String, _ commands: [String]) -> Bool {
        command.split(separator: " ").first.map { commands.contains(String($0)) } ?? false
    }
}
