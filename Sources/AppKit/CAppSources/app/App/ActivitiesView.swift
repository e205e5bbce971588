import SwiftUI

/// The activities that are running, each as its island and its card on the Lock Screen.
struct ActivitiesView: View {
    @Environment(House.self) private var house

    var body: some View {
        NavigationStack {
            List {
                if let silence = house.silence, !house.activities.isEmpty {
                    // What is below is what was known last.
                    Label(silence, systemImage: "wifi.exclamationmark")
                        .font(.caption)
                        .foregroundStyle(.secondary)
                }
                ForEach(house.activities) { activity in
                    VStack(alignment: .leading, spacing: 8) {
                        // The island loses an activity at its end, the Lock Screen keeps it for a while.
                        let isOver = activity.phase == "ended"
                        if !isOver { SkerryIsland(activity: activity) }
                        SkerryCard(activity: activity)
                        if !isOver { mute(activity.id) }
                    }
                }
            }
            .overlay {
                if house.activities.isEmpty {
                    ContentUnavailableView(
                        house.silence ?? skerryText("Nothing is at work"),
                        systemImage: house.silence == nil ? "powersleep" : "wifi.exclamationmark"
                    )
                }
            }
            .navigationTitle("Now")
            .refreshable { await house.refresh() }
            .task { await house.follow() }
        }
    }

    /// The button that leaves the alerts of a run out on this phone.
    private func mute(_ activity: String) -> some View {
        let isMuted = house.muted.contains(activity)
        return Button(
            isMuted ? "Alerts are off for this run" : "Turn alerts off for this run",
            systemImage: isMuted ? "bell.slash" : "bell"
        ) {
            Task { await house.mute(activity, !isMuted) }
        }
        .buttonStyle(.borderless)
        .font(.caption)
    }
}
