import ArgumentParser
import SkerryCommand
import SkerryFiles
import SkerryValues

/// `skerry manual`: writes the man pages, for installers and packages.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Write the man pages of all commands into a folder.",
        shouldDisplay: false
    )

    @Argument(help: "The folder.", completion: .directory)
    var folder: String

    func run() throws {
        let dump = Array(Skerry._dumpHelp().utf8)
        // The bounds are for what comes from a network, and the description of all commands is longer.
        let limits = JSONLimits(bytes: dump.count)
        guard case .map(let root)? = try? JSONReader.value(of: dump.span, limits: limits),
            let command = root["command"]?.members
        else {
            Terminal.complain("skerry: the description of the commands can't be read: report this\n")
            throw ExitCode.failure
        }
        let subcommands = (command["subcommands"]?.elements.compactMap(\.members) ?? [])
            .filter { $0["shouldDisplay"]?.truth != false && $0["commandName"]?.text != "help" }
        do throws(FileError) {
            try Folder.make(folder)
            try write(ManualPage(command, of: subcommands), "skerry.1")
            for subcommand in subcommands {
                let name = subcommand["commandName"]?.text ?? ""
                try write(ManualPage(subcommand), "skerry-\(name).1")
            }
        } catch {
            Terminal.complain("skerry: \(error)\n")
            throw ExitCode.badInput
        }
    }

    private func write(_ page: ManualPage, _ name: String) throws(FileError) {
        try NewFile.write(page.text, to: "\(folder)/\(name)", overwriting: true)
    }
}

/// A page of the manual in roff with the macros of man(7), from the description that the argument parser gives of a command.
struct ManualPage {
    private(set) var text = ""

    /// The page of `skerry` itself, with a list of its commands.
    init(_ command: ValueMap, of subcommands: [ValueMap]) {
        begin("skerry", command)
        add(".SH COMMANDS")
        for subcommand in subcommands {
            let name = subcommand["commandName"]?.text ?? ""
            add(".TP\n.BR skerry\\-\(Self.escaped(name)) (1)")
            add(Self.escaped(subcommand["abstract"]?.text ?? ""))
        }
        addOptions(of: command)
        end()
    }

    init(_ command: ValueMap) {
        begin("skerry \(command["commandName"]?.text ?? "")", command)
        addOptions(of: command)
        for subcommand in command["subcommands"]?.elements.compactMap(\.members) ?? []
        where subcommand["commandName"]?.text != "help" {
            let name = subcommand["commandName"]?.text ?? ""
            add(".SH \(Self.escaped(name.uppercased()))")
            add(Self.escaped(subcommand["abstract"]?.text ?? ""))
            addText(subcommand["discussion"]?.text ?? "")
            addArguments(of: subcommand)
        }
        end()
    }

    private mutating func add(_ line: String) { text += line + "\n" }

    private mutating func begin(_ name: String, _ command: ValueMap) {
        let page = name.split(separator: " ").joined(separator: "-")
        add(".TH \(Self.escaped(page.uppercased())) 1 \"\" \"skerry \(Version.current)\" \"Skerry\"")
        add(".SH NAME\n\(Self.escaped(page)) \\- \(Self.escaped(command["abstract"]?.text ?? ""))")
        add(".SH SYNOPSIS\n.B \(Self.escaped(name))")
        add(Self.synopsis(of: command))
        if let discussion = command["discussion"]?.text {
            add(".SH DESCRIPTION")
            addText(discussion)
        }
    }

    private mutating func end() { add(".SH SEE ALSO\n.BR skerry (1), /usr/share/doc/skerry") }

    /// The arguments of a command in one line.
    private static func synopsis(of command: ValueMap) -> String {
        var words: [String] = []
        if command["subcommands"]?.elements.isEmpty == false { words.append("<command>") }
        let arguments = (command["arguments"]?.elements.compactMap(\.members) ?? []).filter(\.isShown)
        if arguments.contains(where: { $0["kind"]?.text != "positional" }) { words.append("[options]") }
        for argument in arguments where argument["kind"]?.text == "positional" {
            var word = "<\(argument["valueName"]?.text ?? "")>"
            if argument["isRepeating"]?.truth == true { word += " ..." }
            words.append(argument["isOptional"]?.truth == true ? "[\(word)]" : word)
        }
        return escaped(words.joined(separator: " "))
    }

    private mutating func addOptions(of command: ValueMap) {
        add(".SH OPTIONS")
        addArguments(of: command)
    }

    private mutating func addArguments(of command: ValueMap) {
        for argument in (command["arguments"]?.elements.compactMap(\.members) ?? []).filter(\.isShown) {
            let value = "<\(argument["valueName"]?.text ?? "")>"
            let head: String
            if argument["kind"]?.text == "positional" {
                head = value
            } else {
                let names = (argument["names"]?.elements.compactMap(\.members) ?? []).map { name in
                    (name["kind"]?.text == "short" ? "-" : "--") + (name["name"]?.text ?? "")
                }
                head = names.joined(separator: ", ") + (argument["kind"]?.text == "option" ? " \(value)" : "")
            }
            add(".TP\n.B \(Self.escaped(head))")
            var help = argument["abstract"]?.text ?? ""
            if let usual = argument["defaultValue"]?.text { help += " (default: \(usual))" }
            add(Self.escaped(help))
        }
    }

    /// Paragraphs; indented lines stay as they are.
    private mutating func addText(_ text: String) {
        var isIndented = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("  ") != isIndented {
                isIndented.toggle()
                add(isIndented ? ".PP\n.nf" : ".fi")
            }
            add(line.isEmpty ? ".PP" : Self.escaped(String(line)))
        }
        if isIndented { add(".fi") }
    }

    /// A text in which nothing is a command of roff.
    private static func escaped(_ text: String) -> String {
        let result = text.rewritten { scalar in
            switch scalar {
            case "\\": "\\e"
            case "-": "\\-"
            case "…": "..."
            default: nil
            }
        }
        let isCommand = result.hasPrefix(".") || result.hasPrefix("'")
        return isCommand ? "\\&" + result : result
    }
}

extension ValueMap {
    /// True if an argument is for people.
    fileprivate var isShown: Bool { self["shouldDisplay"]?.truth != false }
}
