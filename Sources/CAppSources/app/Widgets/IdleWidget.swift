import SwiftUI

/// What a widget shows while no device of its kind is at work.
struct IdleWidget: View {
    /// Whether the gateway has answered.
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
