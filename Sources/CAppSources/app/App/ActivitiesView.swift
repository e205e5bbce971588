import SwiftUI

/// The activities that are running, each as its card on the Lock Screen.
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
                ForEach(house.activities) { SkerryCard(activity: $0) }
            }
            .overlay {
                if house.activities.isEmpty {
                    ContentUnavailableView(
                        house.silence ?? "Nothing is at work",
                        systemImage: house.silence == nil ? "powersleep" : "wifi.exclamationmark"
                    )
                }
            }
            .navigationTitle("Now")
            .refreshable { await house.refresh() }
            .task { await house.follow() }
        }
    }
}
