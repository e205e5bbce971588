/// The files beside the store that have what people decided on the page.
enum FileBesideStore: String, CaseIterable {
    /// The kinds of definitions that the bridge has adopted.
    case adopted
    /// The devices that were found and are not to be shown.
    case hidden
    /// The rooms and the order of cards.
    case cards = "cards.json"
    /// Names and settings of devices; none where several gateways share a store.
    case devices
    /// The broker that was chosen, in place of that of the settings; with its password, so for the bridge alone.
    case broker

    func path(beside store: String) -> String { "\(store).\(rawValue)" }
}
