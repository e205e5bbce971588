/// The few words that sinks add to the texts of definitions, in the language of the bridge.
///
/// See docs/decisions/0047-one-language.md.
package struct SinkWords: Hashable, Sendable {
    private enum Language: String, CaseIterable {
        case en, de, es, zh
    }

    private let language: Language

    /// Takes the words of a language by its tag, such as `de-AT`; English without one, and for one that is not known.
    package init(language tag: String? = nil) {
        let general = tag?.lowercased().prefix { $0 != "-" }
        language = Language.allCases.first { $0.rawValue == general.map(String.init) } ?? .en
    }

    /// The word for a truth value, as the page has it.
    func truth(_ value: Bool) -> String {
        switch language {
        case .en: value ? "yes" : "no"
        case .de: value ? "ja" : "nein"
        case .es: value ? "sí" : "no"
        case .zh: value ? "是" : "否"
        }
    }

    /// The words for a device that has been silent for too long.
    var silence: String {
        switch language {
        case .en: "not heard of for a while"
        case .de: "länger nichts gehört"
        case .es: "sin noticias desde hace un rato"
        case .zh: "有一阵没有消息"
        }
    }

    /// The words for an end, such as `until 14:35`.
    func until(_ time: String) -> String {
        switch language {
        case .en: "until \(time)"
        case .de: "bis \(time)"
        case .es: "hasta las \(time)"
        case .zh: "到 \(time)"
        }
    }
}
