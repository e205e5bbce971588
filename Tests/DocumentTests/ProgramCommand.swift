import Foundation

/// A command of the program with its options and arguments, as its own parser describes them.
struct ProgramCommand: Decodable {
    struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String

            /// The name with its dashes.
            var text: String { (kind == "long" ? "--" : "-") + name }
        }

        var kind: String
        var names: [Name]?
        var isRepeating: Bool
        var parsingStrategy: String
    }

    var commandName: String
    var abstract: String?
    var discussion: String?
    var arguments: [Argument]?
    var subcommands: [ProgramCommand]?

    private struct Description: Decodable {
        var command: ProgramCommand
    }

    /// The program itself.
    static func program() throws -> ProgramCommand {
        let text = try Walkthrough(Page(path: "-", text: "")).output(of: "skerry --experimental-dump-help")
            .text
        return try JSONDecoder().decode(Description.self, from: Data(text.utf8)).command
    }

    /// What the program says of itself and of all of its commands.
    var helpTexts: [String] {
        [abstract, discussion].compactMap(\.self) + (subcommands ?? []).flatMap(\.helpTexts)
    }

    /// Returns why the program would not accept the words behind its name; nil if it would, as far as names and numbers tell.
    func refusal(of words: ArraySlice<String>) -> String? {
        var words = words
        if let word = words.first, let command = subcommands?.first(where: { $0.commandName == word }) {
            return command.refusal(of: words.dropFirst())
        }
        if let word = words.first, subcommands != nil, !word.hasPrefix("-") {
            return word == word.uppercased() || word == "help" ? nil : "no command '\(word)'"
        }
        let places = arguments?.filter { $0.kind == "positional" } ?? []
        // Commands of the workshop pass everything on.
        if places.contains(where: {
            $0.parsingStrategy.hasPrefix("all") || $0.parsingStrategy.hasPrefix("uncond")
        }) {
            return nil
        }
        var given = 0
        while let word = words.popFirst() {
            // What is left out may be anything, also another command.
            if word == "…" { return nil }
            if word == "--" {
                given += words.count
                break
            } else if word.hasPrefix("-"), word.count > 1 {
                let name = String(word.prefix { $0 != "=" })
                // Of the library: it writes the scripts that complete commands.
                if name == "--generate-completion-script" { return nil }
                guard
                    let argument = arguments?.first(where: { $0.names?.contains { $0.text == name } == true })
                else {
                    return "no option '\(name)'"
                }
                if argument.kind == "option", name == word { words = words.dropFirst() }
            } else {
                given += 1
            }
        }
        let isOpen = places.contains { $0.isRepeating }
        return given <= places.count || isOpen ? nil : "\(given) arguments, it takes \(places.count)"
    }

    /// The words of a command line as a shell reads them, up to its end, a pipe or a redirection.
    static func words(of line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            switch character {
            case quote: quote = nil
            case _ where quote != nil: word = (word ?? "") + String(character)
            case "'", "\"":
                quote = character
                word = word ?? ""
            case "|", ">", "<", ";", "&", "#", "(": return words + [word].compactMap(\.self)
            case " ", "\n":
                words += [word].compactMap(\.self)
                word = nil
            // Marks of what may be left out.
            case "[", "]", "\\": break
            default: word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap(\.self)
    }
}
