import Foundation
import SkerryDevice
import SkerryGenerate
import Testing

/// The Xcode project that `skerry generate app` writes.
@Suite struct AppProjectTests {
    /// Eleven kinds, so that the Live Activities need two bundles, one of them with buttons; another test compiles what each kind has, in all modes.
    private static let project = Result {
        let samples = Sample.devices.prefix(10) + Sample.buttons
        return
            try AppProject(
                AppIdentity(name: "Home", bundleID: "org.example.home", team: "DEF123GHIJ"),
                definitions: samples.map(\.definition),
                // The last one has no tests, so it has no sample.
                revisions: Dictionary(
                    uniqueKeysWithValues: samples.dropLast().map { ($0.definition.kind, $0.updates) }
                )
            )
    }

    /// As Xcode does: each target has the files of its folders, and those of `Shared`.
    @Test(arguments: [Workshop.Mode(), Workshop.Mode(version: "5", isMain: true)], ["App", "Widgets"])
    func `each target compiles with the signatures of Apple's frameworks`(
        mode: Workshop.Mode,
        target: String
    ) throws {
        let workshop = try Workshop()
        let project = try Self.project.get()
        var files: [String] = []
        for file in project.generated + project.initial where file.name.hasSuffix(".swift") {
            guard file.name.hasPrefix(target) || file.name.hasPrefix("Shared") else { continue }
            let name = file.name.split(separator: "/").last.map(String.init) ?? ""
            files.append(try workshop.write(file.text, to: name))
        }
        let complaint = try workshop.compile(
            ["-Wwarning", "DeprecatedDeclaration", "-parse-as-library", "-module-name", "Home"]
                + ["-emit-sil", "-o", "home.sil"] + StandIns.forImport() + files,
            mode
        )
        #expect(complaint.isEmpty, "\(complaint)")
    }

    @Test func `the project names its folders, its settings and nothing that is not there`() throws {
        let project = try Self.project.get()
        let paths = (project.generated + project.initial).map(\.name)
        #expect(Set(paths).count == paths.count)
        let text = try #require(project.initial.first { $0.name == "Home.xcodeproj/project.pbxproj" }).text
        let list = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
        let objects = try #require((list as? [String: Any])?["objects"] as? [String: [String: Any]])
        var named: Set<String> = [try #require((list as? [String: Any])?["rootObject"] as? String)]
        for object in objects.values { Self.collect(object, into: &named) }
        #expect(named == Set(objects.keys), "each object is named, and each name is an object")
        let folders = objects.values.filter { $0["isa"] as? String == "PBXFileSystemSynchronizedRootGroup" }
            .compactMap { $0["path"] as? String }
        #expect(folders.sorted() == ["App", "Shared", "Widgets"])
        for folder in folders { #expect(paths.contains { $0.hasPrefix(folder + "/") }) }
        for object in objects.values {
            guard let settings = object["buildSettings"] as? [String: Any] else { continue }
            // Without it a string catalogue stays empty, so that nobody can translate the app.
            if settings["IPHONEOS_DEPLOYMENT_TARGET"] != nil {
                #expect(settings["SWIFT_EMIT_LOC_STRINGS"] as? String == "YES")
            }
            for key in ["CODE_SIGN_ENTITLEMENTS", "INFOPLIST_FILE"] {
                if let path = settings[key] as? String { #expect(paths.contains(path), "\(path)") }
            }
            // App Store Connect refuses an app for the iPad that can't be turned to all sides.
            let family = settings["TARGETED_DEVICE_FAMILY"] as? String
            if family?.contains("2") == true, settings["INFOPLIST_KEY_CFBundleDisplayName"] != nil,
                settings["SKIP_INSTALL"] == nil
            {
                let key = "INFOPLIST_KEY_UISupportedInterfaceOrientations_iPad"
                #expect((settings[key] as? String)?.split(separator: " ").count == 4)
            }
        }
        let settings = try #require(project.initial.first { $0.name == "Settings.xcconfig" }).text
        #expect(settings.contains("SKERRY_BUNDLE_ID = org.example.home\n"))
        #expect(settings.contains("DEVELOPMENT_TEAM = DEF123GHIJ\n"))
        for file in project.initial { #expect(!file.text.contains("__"), "\(file.name)") }
    }

    @Test func `what belongs to the definitions bears the mark, and what belongs to the user does not`()
        throws
    {
        let project = try Self.project.get()
        for file in project.generated {
            #expect(file.text.contains(AppSources.mark) && file.name.contains("/Generated/"), "\(file.name)")
        }
        for file in project.initial {
            #expect(!file.text.contains(AppSources.mark) && !file.name.contains("Generated"), "\(file.name)")
        }
    }

    @Test func `property lists and asset catalogues can be read, and one is the privacy manifest`() throws {
        let files = try Self.project.get().initial
        #expect(files.contains { $0.name == "Shared/PrivacyInfo.xcprivacy" }, "in both targets")
        for file in files {
            let data = Data(file.text.utf8)
            if ["plist", "entitlements", "xcprivacy"].contains(where: file.name.hasSuffix) {
                let list = try PropertyListSerialization.propertyList(from: data, format: nil)
                #expect(list is [String: Any], "\(file.name)")
            } else if file.name.hasSuffix("json") || file.name.hasSuffix("xcstrings") {
                #expect(try JSONSerialization.jsonObject(with: data) is [String: Any], "\(file.name)")
            }
        }
    }

    /// Siri finds the words of another language by the first phrase of a shortcut.
    @Test func `the string catalogue has the phrases of each shortcut, in English as they are`() throws {
        struct Catalogue: Decodable {
            struct Entry: Decodable { var localizations: [String: Language] }
            struct Language: Decodable { var stringSet: Phrases }
            struct Phrases: Decodable { var values: [String] }

            var strings: [String: Entry]
        }
        let files = try Self.project.get().initial
        let shortcuts = try #require(files.first { $0.name == "App/Shortcuts.swift" }).text
            .replacing(#"\(\.$device)"#, with: "${device}")
            .replacing(#"\(.applicationName)"#, with: "${applicationName}")
        let phrases = shortcuts.split(separator: "phrases: [").dropFirst().map { part in
            part.prefix { $0 != "]" }.split(separator: "\"").map(String.init).filter { $0.contains("$") }
        }
        let text = try #require(files.first { $0.name == "App/AppShortcuts.xcstrings" }).text
        let catalogue = try JSONDecoder().decode(Catalogue.self, from: Data(text.utf8))
        #expect(Set(catalogue.strings.keys) == Set(phrases.compactMap(\.first)))
        for phrases in phrases {
            let entry = try #require(catalogue.strings[phrases[0]])
            #expect(entry.localizations["en"]?.stringSet.values == phrases)
            let german = try #require(entry.localizations["de"]).stringSet.values
            #expect(german.allSatisfy { $0.contains("${applicationName}") })
            #expect(german.allSatisfy { $0.contains("${device}") == phrases[0].contains("${device}") })
        }
    }

    @Test func `an app has at most fifty kinds`() throws {
        let washer = try #require(Sample.devices.first { $0.definition.kind == "washer" }).definition
        #expect(throws: AppSources.Fault.tooManyKinds) {
            try AppProject(
                .home,
                definitions: Array(repeating: washer, count: AppProject.kindLimit + 1)
            )
        }
    }

    @Test(
        arguments: [
            (["a-b", "a_b"], .sameNames(kinds: ["a-b", "a_b"], type: "AB")),
            (["ab", "a-b"], .sameNames(kinds: ["a-b", "ab"], type: "Ab")),
            (["1", "device-1"], .sameNames(kinds: ["1", "device-1"], type: "Device1")),
        ] as [([String], AppSources.Fault)]
    )
    func `two kinds never share a name`(
        kinds: [String],
        fault: AppSources.Fault
    ) throws {
        let definitions = try kinds.map { try Self.definition(of: $0) }
        #expect(throws: fault) { try ReporterSources(definitions) }
        #expect(throws: fault) {
            try AppProject(.home, definitions: definitions)
        }
    }

    @Test(arguments: ["skerry", "activity", "swift-ui", "class", "1", "灯"])
    func `a kind that is called as a type of each app has another name there`(kind: String) throws {
        let definition = try Self.definition(of: kind)
        _ = try ReporterSources([definition])
        _ = try AppProject(.home, definitions: [definition])
    }

    @Test func `no module is called as the app, which may be called as one of Apple`() throws {
        let washer = try Self.definition(of: "washer")
        let project = try AppProject(
            AppIdentity(name: "SwiftUI", bundleID: "a.b", team: ""),
            definitions: [washer]
        )
        let file = try #require(project.initial.first { $0.name == "SwiftUI.xcodeproj/project.pbxproj" })
        let lines = file.text.split(separator: "\n").map { $0.drop { $0 == "\t" } }
        let names = lines.filter { $0.hasPrefix("PRODUCT_NAME = ") }
        let modules = lines.filter { $0.hasPrefix("PRODUCT_MODULE_NAME = ") }
        #expect(names.count == 4 && modules.count == 4)
        #expect(Set(modules) == [#"PRODUCT_MODULE_NAME = "$(TARGET_NAME)Module";"#])
    }

    private static func definition(of kind: String) throws -> Definition {
        let sample = Sample(
            """
            skerry: 1
            kind: \(kind)
            sources: [{ topic: "\(kind)/{device}", signals: { power: payload.power } }]
            machine:
              initial: "off"
              states:
                "off": { always: { guard: power > 1, target: "on" } }
                "on": { always: { guard: power < 1, target: "off" } }
            activity: { starts: "on", ends: "off", content: { status: state.title } }
            """
        )
        return try #require(sample).definition
    }

    /// Finds what looks like the id of an object, such as `534B45525259000000000001`.
    private static func collect(_ value: Any, into named: inout Set<String>) {
        switch value {
        case let text as String: if text.wholeMatch(of: /[0-9A-F]{24}/) != nil { named.insert(text) }
        case let list as [Any]: for element in list { collect(element, into: &named) }
        case let members as [String: Any]: for element in members.values { collect(element, into: &named) }
        default: break
        }
    }
}

extension AppIdentity {
    static let home = AppIdentity(name: "Home", bundleID: "a.b", team: "")
}
