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
                    Button("Forget this gateway", role: .destructive) { isUnpairing = true }
                } footer: {
                    Text("The gateway forgets this phone, too, and removes its cards.")
                }
            }
            .navigationTitle("Settings")
            .confirmationDialog("Forget this gateway?", isPresented: $isUnpairing) {
                Button("Forget", role: .destructive) {
                    Task { await house.unpair() }
                }
            }
        }
    }
}
