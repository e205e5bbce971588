import SkerryDevice
import SkerryHouse
import SkerryValues
import Testing

@testable import SkerryFiles

@Suite("Texts in several languages")
struct TextLanguageTests {
    @Test(
        "tags of languages",
        arguments: [
            ("de", true), ("gsw", true), ("DE", true), ("de-AT", true), ("zh-Hant-TW", true), ("d", false),
            ("deut", false),
            ("de-", false), ("de_AT", false), ("d3", false), ("", false), ("-de", false),
            ("de-123456789", false),
            ("text", false), ("dé", false), ("de-" + String(repeating: "a-", count: 17) + "a", false),
        ]
    )
    func tags(text: String, isTag: Bool) {
        #expect((TextLanguage(text) != nil) == isTag)
    }

    @Test(
        "the best language for people of another one",
        arguments: [
            ("de", ["en", "de"], "de"), ("de-AT", ["en", "de"], "de"), ("DE-at", ["de", "de-AT"], "de-AT"),
            ("de", ["en", "de-AT", "de-CH"], "de-AT"), ("de-LU", ["de-AT", "de"], "de"),
            ("fr", ["en", "de"], nil),
            ("de", ["den", "nds"], nil), ("de", [], nil),
        ] as [(String, [String], String?)]
    )
    func best(wish: String, among tags: [String], best: String?) throws {
        let languages = try tags.map { try #require(TextLanguage($0)) }
        let found = try #require(TextLanguage(wish)).best(among: languages)
        #expect(found.map { tags[$0] } == best)
    }

    /// A definition with a text in each place that people read, and a test that goes through them.
    static func lamp(_ expected: [String]) -> String {
        """
        skerry: 1
        kind: lamp
        name: { en: Lamp, de: Lampe }
        settings: { limit: { default: 3, text: { en: Most lamps, de: Höchstens } } }
        sources:
          - topic: lamp/{device}
            signals: { on: payload.on, count: payload.count }
        machine:
          initial: dark
          states:
            dark: { title: { en: Dark, de: Dunkel, de-AT: Finster }, always: { guard: on, target: lit } }
            lit: { title: { de: "{count} brennen", en: "{count} lit" }, always: { guard: "!on", target: dark } }
        activity:
          starts: lit
          ends: dark
          attributes: { place: { en: '"in the " + device', de: '"im " + device' } }
          content:
            status: state.title
            many: { value: { en: 'count > settings.limit ? "many" : "few"', de: 'count > settings.limit ? "viele" : "wenige"' } }
            count: { value: count, round: 0, unit: { en: pcs, de: Stk } }
          alerts:
            - { state: lit, title: { en: It is lit, de: Sie brennt }, body: { en: "{count} of them", de: "{count} davon" } }
            - { when: count == 7, title: { en: Seven, de: Sieben } }
        island:
          lock:
            title: { en: Lamps, de: Lampen }
            text: { value: { en: "Count: {count}", de: "Zahl: {count}" }, lines: 1 }
            caption: { de: "{status} hier", en: "{status} here" }
        tests:
          - name: through the places
            steps:
              - send: { lamp/hall: { "on": true, count: 2 } }
              - expect: { attributes: { place: \(expected[0]) }, content: { status: \(expected[1]), many: \(expected[2]) } }
              - expect: { alert: { title: \(expected[3]), body: \(expected[4]) } }
              - send: { lamp/hall: { "on": true, count: 7 } }
              - expect: { content: { status: \(expected[5]), many: \(expected[6]) }, alert: { title: \(expected[7]) } }
              - send: { lamp/hall: { "on": false } }
              - expect: { content: { status: \(expected[8]) }, ended: true }

        """
    }

    static let english = [
        "in the hall", "2 lit", "few", "It is lit", "2 of them", "7 lit", "many", "Seven", "Dark",
    ]
    static let german = [
        "im hall", "2 brennen", "wenige", "Sie brennt", "2 davon", "7 brennen", "viele", "Sieben", "Dunkel",
    ]
    static let austrian = Array(german.dropLast()) + ["Finster"]

    @Test(
        "each place is read in the language that was asked for, and in the first one of the definition otherwise",
        arguments: [
            (nil, "Lamp", english), ("en", "Lamp", english), ("fr", "Lamp", english), ("de", "Lampe", german),
            ("de-CH", "Lampe", german), ("de-AT", "Lampe", austrian),
        ] as [(String?, String, [String])]
    )
    func chosen(tag: String?, name: String, expected: [String]) throws {
        let file = DefinitionFile(path: "lamp.yaml", bytes: Array(Self.lamp(expected).utf8))
        let language = try tag.map { try #require(TextLanguage($0)) }
        let compiled = CompiledFiles([file], in: language)
        let definition = try #require(compiled.definitions.first, "\(compiled.report(DiagnosticPrinter()))")
        let outcomes = DefinitionTestRunner(definition).run(file.reading.tests)
        #expect(outcomes.flatMap(\.failures).map(\.problem.message) == [])
        let description = try #require(DefinitionDescription(compiled.files[0]))
        var writer = JSONWriter(capacity: 4096)
        description.write(to: &writer, file: nil)
        let json = String(decoding: writer.bytes, as: UTF8.self)
        let isGerman = name == "Lampe"
        for (english, german) in [
            (#""name":"Lamp""#, #""name":"Lampe""#), (#""literal":"Lamps""#, #""literal":"Lampen""#),
            (#""literal":"Count: ""#, #""literal":"Zahl: ""#), (#""literal":" here""#, #""literal":" hier""#),
            (#""unit":"pcs""#, #""unit":"Stk""#), (#""title":"{count} lit""#, #""title":"{count} brennen""#),
        ] {
            #expect(json.contains(isGerman ? german : english))
            #expect(!json.contains(isGerman ? english : german))
        }
    }

    @Test(
        "what a bridge keeps of a file has one language and no tests, and becomes the same definition",
        arguments: [nil, "en", "de", "de-AT", "fr"] as [String?]
    )
    func keptOnly(tag: String?) throws {
        // The second one extends a part.
        let paths = ["devices/washer.yaml", "devices/washer-plug.yaml"]
        let language = try tag.map { try #require(TextLanguage($0)) }
        let whole = CompiledFiles(try DefinitionFiles.load(paths), in: language)
        let few = CompiledFiles(try DefinitionFiles.load(paths, keepsTests: false), in: language)
        let kept = few.keptOnly(in: language).files
        #expect(kept.count == 2)
        for (file, before) in zip(kept, whole.files) {
            #expect(file.source.reading.tests.isEmpty && !before.source.reading.tests.isEmpty)
            #expect(file.source.reading.translations.isEmpty && !before.source.reading.translations.isEmpty)
            #expect(file.source.isSame(as: before.source))
            #expect(DefinitionDescription(file) != nil)
            for again in [language, nil] {
                let definition = CompiledFiles([file.source], in: again).definitions.first
                #expect(definition?.fingerprint == before.definition?.fingerprint)
            }
        }
    }

    @Test("another language is another definition, and a text alone is the same one as before")
    func fingerprints() throws {
        let bytes = Array(Self.lamp(Self.english).utf8)
        let prints = try [nil, "en", "de", "de-AT"].map { tag in
            let files = CompiledFiles(
                [DefinitionFile(path: "", bytes: bytes)],
                in: tag.flatMap { TextLanguage($0) }
            )
            return try #require(files.definitions.first).fingerprint
        }
        #expect(prints[0] == prints[1])
        #expect(Set(prints).count == 3)
        #expect(prints[0] == bytes.fingerprint)
    }

    @Test(
        "what the texts of one language read is read",
        arguments: [
            ("{watts} W, {context.times}, {settings.room}, {timer.shine}", []),
            ("Lit", ["SK0503", "SK0504", "SK0519", "SK0530"]),
        ] as [(String, [String])]
    )
    func readInOneLanguage(english: String, expected: [String]) {
        let text = """
            skerry: 1
            kind: lamp
            settings: { room: Hall }
            sources:
              - topic: lamp/{device}
                signals: { on: payload.on, watts: payload.watts }
            context: { times: 1 }
            timers: { shine: { count: up, while: inState("lit") } }
            machine:
              initial: dark
              states:
                dark: { title: { en: Dark, de: Aus }, always: { guard: on, target: lit } }
                lit: { title: { en: Lit, de: An }, always: { guard: "!on", target: dark } }
            activity:
              starts: lit
              ends: dark
              content: { status: state.title }
              alerts: { lit: { title: { en: "\(english)", de: An } } }

            """
        let compiled = CompiledFiles([DefinitionFile(path: "lamp.yaml", bytes: Array(text.utf8))])
        #expect(compiled.problems.map(\.code.name).sorted() == expected)
    }

    @Test(
        "problems with languages",
        arguments: [
            // What is written in place of `Done`, and the problems with their texts.
            ("{ en: Done, de: Fertig }", []),
            ("Off", []),
            ("'{state} {1 > 0 ? \"elapsed\" : \"\"} kWh'", []),
            ("{ en: Done }", ["SK0527 this text is not written in 'de'"]),
            ("{ de: Fertig }", ["SK0527 this text is not written in 'en'"]),
            ("{ en: Done, de: Fertig, fr: Fini }", ["SK0527 this text is not written in 'fr'"]),
            ("{ en: Done, de-AT: Fertig }", ["SK0527 this text is not written in 'de'"]),
            ("Finished", ["SK0527 this text is the same in all languages"]),
            ("{ en: Done, de: '{fertig}' }", ["SK0202 unknown name 'fertig'"]),
            ("{ en: '{finished}', de: Fertig }", ["SK0202 unknown name 'finished'"]),
            ("{ en: Done, de: { en: Fertig } }", ["SK0004 'title' must be a text, not a mapping"]),
            ("{ en: Done, de: }", ["SK0004 'title' has no value"]),
            ("{ en: Done, german: Fertig }", ["SK0004 'title' must be a text, not a mapping"]),
            ("{de}", ["SK0004 'title' must be a text, not a mapping"]),
            (
                "{ en: Done, de: a, fr: a, it: a, es: a, nl: a, pt: a, sv: a, da: a }",
                ["SK0102 a definition may have at most 8 languages"]
            ),
        ] as [(String, [String])]
    )
    func problems(title: String, expected: [String]) {
        let text = """
            skerry: 1
            kind: lamp
            sources:
              - topic: lamp/{device}
                signals: { on: payload.on }
            machine:
              initial: dark
              states:
                dark: { title: \(title), always: { guard: on, target: lit } }
                lit: { title: { en: Lit, de: An }, always: { guard: "!on", target: dark } }
            activity: { starts: lit, ends: dark, content: { status: state.title } }

            """
        let compiled = CompiledFiles([DefinitionFile(path: "lamp.yaml", bytes: Array(text.utf8))])
        let found = Set(compiled.problems.map { "\($0.code.name) \($0.message)" })
        #expect(found == Set(expected))
        #expect((compiled.definitions.count == 1) == expected.allSatisfy { $0.hasPrefix("SK05") })
    }

    @Test("a definition that extends another one adds a language")
    func extended() throws {
        let base = """
            skerry: 1
            kind: lamp
            sources: [{ topic: "lamp/{device}", signals: { on: payload.on } }]
            machine:
              states:
                dark: { title: { en: Dark }, always: { guard: on, target: lit } }
                lit: { title: Lit, always: { guard: "!on", target: dark } }
            activity: { starts: lit, ends: dark, content: { status: state.title } }
            """
        let own = """
            skerry: 1
            kind: lampe
            extends: lamp
            machine: { states: { dark: { title: { de: Dunkel } }, lit: { title: { en: Lit, de: An } } } }
            tests:
              - name: both
                steps:
                  - send: { lamp/hall: { "on": true } }
                  - expect: { content: { status: An } }
                  - send: { lamp/hall: { "on": false } }
                  - expect: { content: { status: Dunkel } }
            """
        let bases = DefinitionBases(of: [DefinitionFile(path: "lamp.yaml", bytes: Array(base.utf8))])
        let file = DefinitionFile(path: "lampe.yaml", bytes: Array(own.utf8), extending: bases)
        let compiled = CompiledFiles([file], in: TextLanguage("de"))
        let definition = try #require(compiled.definitions.first, "\(compiled.report(DiagnosticPrinter()))")
        #expect(compiled.problems == [])
        let outcomes = DefinitionTestRunner(definition).run(file.reading.tests)
        #expect(outcomes.flatMap(\.failures).map(\.problem.message) == [])
    }
}
