package import ArgumentParser
package import SkerryFiles

extension TextLanguage {
    /// Reads the language of a tag, as a setting or an option.
    package init(argument tag: String) throws(ValidationError) {
        guard let language = TextLanguage(tag) else {
            throw ValidationError("'\(tag)' is no language: write its tag, such as de or pt-BR")
        }
        self = language
    }
}
