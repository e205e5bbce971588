import Foundation
import SwiftUI

/// The activities that are running, each as its island and its card on the Lock Screen.
struct ActivitiesView: View {
    @Environment(House.self) private var house

    var body: some View {
        @Bindable var paths = house
        NavigationStack(path: $paths[pages: .now]) {
            List {
                // What is below is what was known last.
                if !house.activities.isEmpty { SilenceView() }
                ForEach(house.activities) { activity in
                    NavigationLink(value: activity.page) { ActivityView(activity: activity) }
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
            .navigationDestination(for: String.self) { DeviceView(page: $0) }
            .refreshable { await house.refresh() }
        }
    }
}

/// An activity as its island and its card.
struct ActivityView: View {
    /// The activity.
    let activity: SkerrySnapshot

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            // The island loses an activity at its end, the Lock Screen keeps it for a while.
            if activity.phase != "ended" { SkerryIsland(activity: activity) }
            SkerryCard(activity: activity)
        }
        // In a row, buttons of the usual style are pressed by a touch of the row.
        .buttonStyle(.bordered)
    }
}

/// Why the gateway tells nothing; nothing while it answers.
struct SilenceView: View {
    @Environment(House.self) private var house

    var body: some View {
        if let silence = house.silence {
            Label(silence, systemImage: "wifi.exclamationmark")
                .font(.caption)
                .foregroundStyle(.secondary)
        }
    }
}

/// The page of a device: its card, what it does and why, what comes next, its buttons and its last runs.
struct DeviceView: View {
    /// The kind and the device, as in `washer/laundry`.
    let page: String

    @Environment(House.self) private var house

    private var activity: SkerrySnapshot? { house.activities.first { $0.page == page } }

    private var definition: SkerryDefinition? { house.definitions[SkerryDeviceName(page).kind] }

    var body: some View {
        List {
            SilenceView()
            if let activity {
                Section {
                    ActivityView(activity: activity)
                    if activity.phase != "ended" { mute(activity.id) }
                }
            }
            if let explanation = house.explanation(of: page) {
                Section("Why") {
                    ForEach(explanation.reasons(in: definition), id: \.self) { Text(verbatim: $0) }
                }
                future(explanation)
                // The card has its buttons.
                if activity == nil { buttons(explanation.buttons(in: definition)) }
            }
            if let runs = house.lastRuns[page], !runs.isEmpty {
                Section("Last runs") {
                    ForEach(runs) { RunView(run: $0) }
                }
            }
        }
        .navigationTitle(house.title(of: page))
        .refreshable { await house.read(page) }
        // Each run that begins or ends is one more.
        .task(id: activity.map { "\($0.id) \($0.phase)" }) { await house.read(page) }
    }

    @ViewBuilder private func future(_ explanation: SkerryExplanation) -> some View {
        let steps = explanation.steps(in: definition)
        if !steps.isEmpty {
            Section("What comes next") {
                ForEach(steps.indices, id: \.self) { index in
                    HStack(spacing: 8) {
                        Text(verbatim: steps[index].text)
                        Spacer()
                        Text(verbatim: explanation.moment(steps[index].date))
                            .foregroundStyle(.secondary)
                    }
                }
            }
        }
    }

    @ViewBuilder private func buttons(_ buttons: [SkerryDefinition.Button]) -> some View {
        if !buttons.isEmpty {
            Section {
                ForEach(buttons.indices, id: \.self) { index in
                    Button(buttons[index].title) {
                        Task { await house.send(buttons[index].event ?? "", to: page) }
                    }
                }
            }
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
    }
}
