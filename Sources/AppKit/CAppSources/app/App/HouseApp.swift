import Foundation
import SwiftUI

/// The app: pairs the phone, shows what is at work and what was, and reports tokens to the gateway.
@main
struct HouseApp: App {
    @UIApplicationDelegateAdaptor(SkerryAppDelegate.self) private var delegate
    @State private var house = House()

    var body: some Scene {
        WindowGroup {
            HouseView()
                .environment(house)
                .onOpenURL { link in
                    Task { await house.open(link) }
                }
        }
    }
}

/// The stream that the app follows; another value begins anew.
private nonisolated struct Following: Equatable {
    /// True while the app is in front, and paired.
    let isOn: Bool
    /// The device that is explained.
    let page: String?
}

/// The whole screen: the tabs, or what pairs the phone.
struct HouseView: View {
    @Environment(House.self) private var house
    @Environment(\.scenePhase) private var phase

    var body: some View {
        @Bindable var house = house
        Group {
            if house.isPaired {
                TabView(selection: $house.tab) {
                    ActivitiesView()
                        .tabItem { Label("Now", systemImage: "house") }
                        .tag(House.Tab.now)
                    RunsView()
                        .tabItem { Label("Before", systemImage: "clock.arrow.circlepath") }
                        .tag(House.Tab.before)
                    SettingsView()
                        .tabItem { Label("Settings", systemImage: "gearshape") }
                        .tag(House.Tab.settings)
                }
            } else {
                PairingView()
            }
        }
        .onChange(of: phase, initial: true) {
            if phase == .active { house.wake() }
        }
        .onChange(of: [phase == .active, house.isPaired], initial: true) {
            // Siri learns the names of the devices.
            if phase == .active, house.isPaired { HouseShortcuts.updateAppShortcutParameters() }
        }
        // Nothing runs while the app is not in front; the page on the screen is explained, too.
        .task(id: Following(isOn: house.isPaired && phase != .background, page: house.page)) {
            if house.isPaired, phase != .background { await house.follow() }
        }
        .alert("This did not work", isPresented: $house.isInTrouble) {
            Button("OK") {}
        } message: {
            Text(house.trouble ?? "")
        }
    }
}
