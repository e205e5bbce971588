import Foundation
import SkerryGenerate
import Testing

/// The app's own words, and their translations in the string catalogues.
@Suite struct AppWordsTests {
    /// Kinds of all sorts, so that each view that can be generated is there.
    private static let project = Result {
        let some = Sample.buttons + Sample.links
        let samples = Sample.devices.prefix(AppProject.kindLimit - some.count) + some
        return try AppProject(.home, definitions: samples.map(\.definition))
    }

    @Test func `each text of the app's own is in the catalogue in German, and nothing else is`() throws {
        let project = try Self.project.get()
        var texts: Set<String> = []
        for file in project.generated + project.initial where file.name.hasSuffix(".swift") {
            texts.formUnion(SwiftTokens(file.text).texts)
        }
        let catalogue = try Catalogue(project, "Shared/Localizable.xcstrings")
        #expect(texts.subtracting(catalogue.entries.keys).sorted() == [], "not in the catalogue")
        #expect(Set(catalogue.entries.keys).subtracting(texts).sorted() == [], "in the catalogue alone")
        for (text, translations) in catalogue.entries {
            let german = try #require(translations["de"], "\(text)")
            let places = german.matches(of: /%(\d\$)?@/)
            #expect(places.count == text.matches(of: /%@/).count, "\(german)")
            let parameters = { (words: String) in Set(words.matches(of: /\$\{\w+\}/).map(\.output)) }
            #expect(parameters(german) == parameters(text), "\(german)")
            // Another language may need another order.
            #expect(places.count < 2 || places.allSatisfy { $0.1 != nil }, "\(german)")
        }
    }

    @Test func `a question in Shortcuts is a sentence with its device in it`() throws {
        let project = try Self.project.get()
        let file = try #require(project.generated.first { $0.text.contains("struct SkerryAskIntent:") })
        #expect(SwiftTokens(file.text).texts.contains("Ask about ${device}"))
    }

    @Test func `what iOS asks for the app is in the catalogue as the property list has it`() throws {
        let project = try Self.project.get()
        let file = try #require(project.initial.first { $0.name == "Support/App-Info.plist" })
        let list = try PropertyListSerialization.propertyList(from: Data(file.text.utf8), format: nil)
        let members = try #require(list as? [String: Any]).filter { $0.key.hasSuffix("UsageDescription") }
        let catalogue = try Catalogue(project, "App/InfoPlist.xcstrings")
        #expect(catalogue.entries.mapValues { $0["en"] } == members.mapValues { $0 as? String })
        #expect(catalogue.entries.values.allSatisfy { $0["de"]?.isEmpty == false })
    }

    @Test func `the project knows the languages of its catalogues`() throws {
        let project = try Self.project.get()
        let file = try #require(project.initial.first { $0.name.hasSuffix("project.pbxproj") })
        let regions = try #require(file.text.firstMatch(of: /knownRegions = \(([^)]*)\)/)?.1)
        #expect(regions.contains("en,") && regions.contains("de,"))
    }

    @Test(arguments: [
        (#"Text("Now")"#, ["Now"]), (#"Text(verbatim: "Now")"#, []), (#"Text("")"#, []),
        (#"Text(isOn ? "On" : "Off")"#, ["On", "Off"]), (#"Image(systemName: "Bell")"#, []),
        (#"Button("Go", systemImage: "Bell") { print("Gone") }"#, ["Go"]),
        (#".alert("Oh \(a("x", b)) no", isPresented: $isOn)"#, ["Oh %@ no"]),
        (#"Text("\(a), \(b)")"#, []), (#"// Text("Not this")"#, []), (#"skerryText(\#n"Long")"#, ["Long"]),
        (#"var a: LocalizedStringKey { b ? "C" : "D" }; let e = "F""#, ["C", "D"]),
        (#"let a: LocalizedStringResource = "B"; let c = "D""#, ["B"]),
        (#"@Parameter(title: "Kind") var a; Choice(title: "Stop")"#, ["Kind"]),
        (#"DisplayRepresentation(title: "All"); AppShortcut(shortTitle: "Ask", b: "C")"#, ["All", "Ask"]),
        (#"Summary("Ask \(\.$device) now")"#, ["Ask ${device} now"]),
        (#"Text("say \"A\" (b)")"#, [#"say "A" (b)"#]),
    ])
    func `texts are found where Swift shows them`(source: String, texts: [String]) {
        #expect(SwiftTokens(source).texts == texts)
    }
}

/// A string catalogue of Xcode.
private struct Catalogue {
    /// The translations of each text, by their languages.
    let entries: [String: [String: String]]

    init(_ project: AppProject, _ name: String) throws {
        struct File: Decodable {
            struct Entry: Decodable { var localizations: [String: Localization] }
            struct Localization: Decodable { var stringUnit: Unit }
            struct Unit: Decodable { var state, value: String }

            var sourceLanguage: String
            var strings: [String: Entry]
        }
        let file = try #require(project.initial.first { $0.name == name })
        let read = try JSONDecoder().decode(File.self, from: Data(file.text.utf8))
        #expect(read.sourceLanguage == "en")
        entries = read.strings.mapValues { entry in
            #expect(entry.localizations.values.allSatisfy { $0.stringUnit.state == "translated" })
            return entry.localizations.mapValues(\.stringUnit.value)
        }
    }
}

/// The words, signs and texts of a file of Swift.
private struct SwiftTokens {
    private enum Token: Equatable {
        case word(String)
        case sign(Character)
        case text(String)
    }

    /// What takes a text to be translated as its first argument.
    private static let calls: Set = [
        "Text", "Label", "Button", "Section", "TextField", "LabeledContent", "ContentUnavailableView",
        "Toggle", "navigationTitle", "alert", "confirmationDialog", "displayName", "configurationDisplayName",
        "description", "skerryText", "IntentDialog", "Summary",
    ]
    /// What takes one with the label `title`.
    private static let titled: Set = ["Parameter", "DisplayRepresentation"]
    /// The types of texts to be translated.
    private static let types: Set = [
        "LocalizedStringKey", "LocalizedStringResource", "TypeDisplayRepresentation",
    ]

    private var tokens: [Token] = []

    init(_ source: String) {
        var rest = source[...]
        while let first = rest.first {
            if rest.hasPrefix("//") {
                rest = rest.drop { !$0.isNewline }
            } else if first == "\"" {
                tokens.append(.text(Self.takeText(&rest)))
            } else if first.isLetter || first == "_" {
                let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                tokens.append(.word(String(word)))
                rest = rest.dropFirst(word.count)
            } else {
                if !first.isWhitespace { tokens.append(.sign(first)) }
                rest = rest.dropFirst()
            }
        }
    }

    /// Takes a literal, with a place for each value in it.
    private static func takeText(_ rest: inout Substring) -> String {
        var text = ""
        rest = rest.dropFirst()
        while let letter = rest.popFirst(), letter != "\"" {
            guard letter == "\\", let next = rest.popFirst() else {
                text.append(letter)
                continue
            }
            if next != "(" {
                text.append(next)
                continue
            }
            var depth = 1
            var value = ""
            while depth > 0, let inner = rest.first {
                if inner == "\"" {
                    _ = takeText(&rest)
                    continue
                }
                depth += inner == "(" ? 1 : inner == ")" ? -1 : 0
                value.append(inner)
                rest = rest.dropFirst()
            }
            // A parameter of an intent has its place by its name.
            text += value.hasPrefix(#"\.$"#) ? "${\(value.dropFirst(3).dropLast())}" : "%@"
        }
        return text
    }

    /// The texts that are to be translated, in their order; one without letters is none.
    var texts: [String] {
        var found: [String] = []
        for (place, token) in tokens.enumerated() {
            guard case .word(let word) = token else { continue }
            let rest = tokens[(place + 1)...]
            if Self.calls.contains(word), rest.first == .sign("(") {
                found += Self.firstArgument(rest.dropFirst())
            } else if Self.titled.contains(word),
                rest.starts(with: [.sign("("), .word("title"), .sign(":")])
            {
                found += Self.firstArgument(rest.dropFirst(3))
            } else if word == "shortTitle", rest.first == .sign(":") {
                found += Self.firstArgument(rest.dropFirst())
            } else if Self.types.contains(word), [.sign("="), .sign("{")].contains(rest.first) {
                let value = rest.dropFirst()
                found += rest.first == .sign("{") ? Self.firstArgument(value) : Self.text(of: value.first)
            }
        }
        return found.filter { $0.replacing("%@", with: "").contains(where: \.isLetter) }
    }

    /// The texts up to the end of an argument; none of one with a label, such as `verbatim`.
    private static func firstArgument(_ tokens: ArraySlice<Token>) -> [String] {
        if case .word = tokens.first, tokens.dropFirst().first == .sign(":") { return [] }
        var depth = 0
        var found: [String] = []
        for token in tokens {
            if case .sign(let sign) = token {
                if "([{".contains(sign) { depth += 1 }
                if ")]}".contains(sign) { depth -= 1 }
                if depth < 0 || depth == 0 && sign == "," { break }
            }
            if depth == 0 { found += text(of: token) }
        }
        return found
    }

    private static func text(of token: Token?) -> [String] {
        if case .text(let text) = token { [text] } else { [] }
    }
}
