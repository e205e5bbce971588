import SwiftUI

/// The view of a widget while no device of its kind is running.
struct IdleWidget: View {
    /// True if the gateway has answered.
    let isKnown: Bool

    var body: some View {
        VStack(spacing: 8) {
            Image(systemName: isKnown ? "powersleep" : "wifi.exclamationmark")
            Text(isKnown ? "Nothing is at work" : "The gateway does not answer")
                .font(.caption)
        }
        .foregroundStyle(.secondary)
    }
}
