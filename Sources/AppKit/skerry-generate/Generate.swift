import ArgumentParser
import SkerryActivity
import SkerryCommand
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGenerate
import Synchronization

/// `skerry-generate`, which `skerry generate` runs: what others need to know of a definition, as code.
@main
enum Generate {
    static func main() {
        Terminal.openStandardStreams()
        var command = GenerateCommand.readArguments()
        do {
            switch command {
            case let command as GenerateSwiftCommand: try command.generate()
            case let command as GenerateAppCommand: try command.generate()
            default: try command.run()
            }
        } catch {
            GenerateCommand.end(type(of: command), with: error)
        }
    }
}

extension GeneratedKinds {
    /// The definitions of the kinds, each once, and the revisions that their tests publish.
    func chosen() throws -> (definitions: [Definition], revisions: [String: [ActivityUpdate]]) {
        let paths = definitions.isEmpty ? ["devices"] : definitions
        let files = try DefinitionLoading.loadFiles(paths, in: language)
        let loaded = files.definitions
        var chosen: [Definition] = []
        var revisions: [String: [ActivityUpdate]] = [:]
        for kind in kinds where !chosen.contains(where: { $0.kind == kind }) {
            guard let definition = loaded.first(where: { $0.kind == kind }) else {
                let known = loaded.map { $0.kind }.joined(separator: ", ")
                throw ValidationError("there is no kind '\(kind)'; there are: \(known)")
            }
            chosen.append(definition)
            let tests = files.files.first { $0.definition?.kind == kind }?.source.reading.tests ?? []
            let published = Mutex<[ActivityUpdate]>([])
            let runner = DefinitionTestRunner(definition) { effect in
                if case .update(let update) = effect.what { published.withLock { $0.append(update) } }
                return []
            }
            _ = runner.run(tests)
            revisions[kind] = published.withLock { $0 }
        }
        return (chosen, revisions)
    }
}

extension GenerateSwiftCommand {
    /// Writes the iOS side of the kinds.
    func generate() throws {
        let (definitions, revisions) = try chosen.chosen()
        try GeneratedFolder(path: folder).write { () throws(AppSources.Fault) in
            var files: [AppSources.File] = []
            for definition in definitions {
                files += try AppSources(definition, revisions: revisions[definition.kind] ?? []).files
            }
            return (files + (try ReporterSources(definitions, revisions: revisions).files), [])
        }
    }
}

extension GenerateAppCommand {
    /// Writes a whole app.
    func generate() throws {
        let (definitions, revisions) = try chosen.chosen()
        let identifier = bundleID ?? "org.example.\(name.lowercased())"
        let folder = folder ?? name
        try GeneratedFolder(path: folder).write { () throws(AppSources.Fault) in
            let project = try AppProject(
                AppIdentity(name: name, bundleID: identifier, team: team),
                definitions: definitions,
                revisions: revisions
            )
            return (project.generated, project.initial)
        }
        Terminal.write(
            Array(
                """

                Open \(folder)/\(name).xcodeproj in Xcode, \(team.isEmpty ? "choose your team, " : "")and run it on a phone.
                Give the gateway your key (docs/phones.md), with push.apns.bundle-id as in \(folder)/Settings.xcconfig.

                """.utf8
            )
        )
    }
}

/// The folder that code is written to.
private struct GeneratedFolder {
    let path: String

    /// Makes the files and writes them; the initial ones only where there is none.
    func write(
        _ make: () throws(AppSources.Fault) -> (generated: [AppSources.File], initial: [AppSources.File])
    ) throws {
        do {
            let files = try make()
            for file in files.generated { try write(file, mark: AppSources.mark) }
            for file in files.initial { try write(file, mark: nil) }
        } catch let fault as AppSources.Fault {
            Terminal.complain("skerry: \(fault.message)\n")
            throw ExitCode.badInput
        } catch {
            Terminal.complain("skerry: \(error)\n")
            throw ExitCode.badInput
        }
    }

    private func write(_ file: AppSources.File, mark: String?) throws(FileError) {
        let target = path + (path.hasSuffix("/") ? "" : "/") + file.name
        try Folder.make(String(target[..<(target.lastIndex(of: "/") ?? target.endIndex)]))
        let outcome =
            switch try GeneratedFile.write(file.text, to: target, mark: mark) {
            case .written: "written"
            case .unchanged: "unchanged"
            case .kept: "yours, left as it is"
            }
        Terminal.write(Array("\(target): \(outcome)\n".utf8))
    }
}
