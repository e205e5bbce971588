import Foundation
import SwiftUI

/// Past runs of all devices.
struct RunsView: View {
    @Environment(House.self) private var house

    var body: some View {
        @Bindable var paths = house
        NavigationStack(path: $paths[pages: .before]) {
            List(house.runs) { run in
                NavigationLink(value: "\(run.kind)/\(run.device)") {
                    VStack(alignment: .leading, spacing: 4) {
                        Text(verbatim: house.title(of: "\(run.kind)/\(run.device)"))
                            .font(.headline)
                        RunView(run: run)
                    }
                }
            }
            .overlay {
                if house.runs.isEmpty {
                    ContentUnavailableView("No run yet", systemImage: "clock")
                }
            }
            .navigationTitle("Before")
            .navigationDestination(for: String.self) { DeviceView(page: $0) }
            .refreshable { await house.readRuns() }
            .task { await house.readRuns() }
        }
    }
}

/// A past run: when it was, and how long each phase took.
struct RunView: View {
    /// The run.
    let run: SkerryRun

    var body: some View {
        VStack(alignment: .leading, spacing: 4) {
            Text(verbatim: Self.span(from: run.start, to: run.end))
                .font(.caption)
                .foregroundStyle(.secondary)
            ForEach(run.phases.indices, id: \.self) { index in
                let phase = run.phases[index]
                HStack(spacing: 8) {
                    Text(verbatim: phase.title ?? phase.state)
                    Spacer()
                    Text(verbatim: Self.length(from: phase.from, to: phase.to))
                        .foregroundStyle(.secondary)
                }
                .font(.caption)
            }
        }
    }

    private static func span(from start: Double, to end: Double?) -> String {
        let begin = Date(timeIntervalSince1970: start).formatted(date: .abbreviated, time: .shortened)
        return "\(begin) · \(length(from: start, to: end))"
    }

    private static func length(from start: Double, to end: Double?) -> String {
        guard let end else { return "…" }
        let style = Duration.UnitsFormatStyle(allowedUnits: [.hours, .minutes], width: .narrow)
        return Duration.seconds(max(end - start, 0)).formatted(style)
    }
}
