import AppIntents

/// The questions that people ask Siri, and find in Shortcuts and Spotlight; `AppShortcuts.xcstrings` has them in German.
struct HouseShortcuts: AppShortcutsProvider {
    static var appShortcuts: [AppShortcut] {
        AppShortcut(
            intent: SkerryAskIntent(),
            phrases: [
                "Is \(\.$device) done in \(.applicationName)",
                "Is the \(\.$device) done in \(.applicationName)",
                "How long does \(\.$device) take in \(.applicationName)",
                "How long does the \(\.$device) take in \(.applicationName)",
                "Ask \(.applicationName) about \(\.$device)",
            ],
            shortTitle: "Ask about a device",
            systemImageName: "questionmark.bubble"
        )
        AppShortcut(
            intent: SkerryAskIntent(.whatever),
            phrases: [
                "What is at work in \(.applicationName)",
                "What is running in \(.applicationName)",
            ],
            shortTitle: "What is at work",
            systemImageName: "house"
        )
    }
}
