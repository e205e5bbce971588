import ArgumentParser
import SkerryCommand
import SkerryFiles

/// `skerry schema`: the language for editors.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the definition language, or the settings, as a JSON Schema, for editors.",
        discussion: """
            With it an editor completes keys, explains them and marks wrong ones while you type. Editors with the YAML \
            language server (VS Code with its YAML extension, Neovim, Helix, Zed) read the first line of a file:
              skerry schema > skerry.schema.json
              # yaml-language-server: $schema=skerry.schema.json

            The path is relative to the definition. The schema can't check everything, such as whether a state exists \
            or an expression is right; 'skerry check' does.

            With --parts it is the schema of parts that definitions extend, such as _plug.yaml: no key has to be there. With \
            --settings it is the schema of skerry.yaml. With --markdown it is a page for people: docs/reference/keys.md, or \
            with --settings, too, the table in docs/reference/settings.md.

            Exit status: 0.
            """
    )

    @Flag(help: "Print the schema of parts, which definitions extend.")
    var parts = false

    @Flag(help: "Print the schema of the configuration file skerry.yaml.")
    var settings = false

    @Flag(help: "Print the keys, or the settings, for people, in Markdown.")
    var markdown = false

    func validate() throws {
        if parts, settings || markdown { throw ValidationError("--parts stands alone") }
    }

    func run() {
        if parts {
            Terminal.write(LanguageSchema.bytesOfParts)
        } else if markdown {
            Terminal.write(Array((settings ? SettingsSchema.table : LanguageReference.page).utf8))
        } else {
            Terminal.write(settings ? SettingsSchema.bytes : LanguageSchema.bytes)
        }
    }
}
