import SwiftUI
import WidgetKit

/// The view of a widget while no device of its kind is running.
struct IdleWidget: View {
    /// True if the gateway has answered.
    let isKnown: Bool

    @Environment(\.widgetFamily) private var family

    var body: some View {
        Group {
            switch family {
            case .accessoryCircular:
                ZStack {
                    AccessoryWidgetBackground()
                    Image(systemName: symbol)
                        .accessibilityLabel(Text(words))
                }
            case .accessoryInline, .accessoryRectangular:
                Label(words, systemImage: symbol)
            default:
                VStack(spacing: 8) {
                    Image(systemName: symbol)
                        .accessibilityHidden(true)
                    Text(words)
                        .font(.caption)
                        .multilineTextAlignment(.center)
                }
            }
        }
        .foregroundStyle(.secondary)
    }

    private var symbol: String { isKnown ? "powersleep" : "wifi.exclamationmark" }

    private var words: LocalizedStringKey {
        isKnown ? "Nothing is at work" : "The gateway does not answer"
    }
}
