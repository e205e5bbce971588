import ActivityKit
import Foundation
import SwiftUI
import UIKit

/// The gateway, and what the user allows.
struct SettingsView: View {
    @Environment(House.self) private var house
    @State private var isUnpairing = false

    var body: some View {
        NavigationStack {
            Form {
                if let pairing = house.pairing {
                    Section("Gateway") {
                        LabeledContent("Address", value: pairing.gateway.absoluteString)
                        LabeledContent("This phone", value: pairing.name)
                    }
                }
                if !ActivityAuthorizationInfo().areActivitiesEnabled,
                    let settings = URL(string: UIApplication.openSettingsURLString)
                {
                    Section {
                        Link(destination: settings) { Text("Allow Live Activities") }
                    } footer: {
                        Text("Live Activities of this app are off, so the Lock Screen shows nothing.")
                    }
                }
                Section {
                    ForEach(house.choices, id: \.self) { toggle($0) }
                } footer: {
                    Text("What is off has no card on this phone, and tells no alerts. It stays under Now.")
                }
                Section {
                    Button("Forget this gateway", role: .destructive) { isUnpairing = true }
                } footer: {
                    Text("The gateway forgets this phone, too, and removes its cards.")
                }
            }
            .navigationTitle("Settings")
            .task { await house.readDevices() }
            .confirmationDialog("Forget this gateway?", isPresented: $isUnpairing) {
                Button("Forget", role: .destructive) {
                    Task { await house.unpair() }
                }
            }
        }
    }

    /// The switch for the cards of a kind, or, indented below it, of a device.
    private func toggle(_ choice: String) -> some View {
        @Bindable var house = house
        let kind = SkerryDeviceName(choice).kind
        return Toggle(house.title(of: choice), isOn: $house[shows: choice])
            .disabled(choice != kind && !house[shows: kind])
            .padding(.leading, choice == kind ? 0 : 16)
    }
}
