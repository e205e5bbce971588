/// The regions of the Dynamic Island and the Lock Screen.
public enum IslandRegion: UInt8, Sendable, CaseIterable {
    /// The detached dot.
    case minimal
    /// Left of the camera.
    case compactLeading
    /// Right of the camera.
    case compactTrailing
    /// Expanded, left.
    case expandedLeading
    /// Expanded, right.
    case expandedTrailing
    /// Expanded, below the camera.
    case expandedCenter
    /// Expanded, below everything.
    case expandedBottom
    /// The Lock Screen.
    case lock

    /// True if the region is large: parts of it can open links of their own, and it can have rows.
    ///
    /// From the other regions, iOS opens the link of the activity.
    public var isLarge: Bool {
        switch self {
        case .minimal, .compactLeading, .compactTrailing: false
        case .expandedLeading, .expandedTrailing, .expandedCenter, .expandedBottom, .lock: true
        }
    }
}

/// The kinds of elements that a region can draw.
public enum IslandElementKind: UInt8, Sendable, CaseIterable {
    /// A symbol by name.
    case symbol
    /// Text, a template over attributes and content.
    case text
    /// A title, a template over attributes and content.
    case title
    /// A timer as a running clock.
    case countdown
    /// A timer or a number as a bar.
    case progress
    /// A small text, a template over attributes and content.
    case caption
    /// Cells side by side.
    case row
    /// A timer in whole minutes.
    case minutes

    /// True for the kinds that are texts.
    public var isText: Bool {
        switch self {
        case .text, .title, .caption: true
        case .symbol, .countdown, .minutes, .progress, .row: false
        }
    }
}

/// The ways in which a text changes into another one.
public enum IslandTransition: UInt8, Sendable, CaseIterable {
    /// Its digits roll, up when the numbers grow and down when they fall.
    case numeric
    /// The old text fades out and the new one in.
    case opacity
    /// The new text pushes the old one up and out.
    case push
    /// The new text is there at once.
    case identity

    /// The name that definitions and the JSON have for it.
    public var name: String {
        switch self {
        case .numeric: "numeric"
        case .opacity: "opacity"
        case .push: "push"
        case .identity: "identity"
        }
    }
}

/// The edge at which a region has its views.
public enum IslandAlignment: UInt8, Sendable, CaseIterable {
    /// The edge at which lines begin.
    case leading
    /// The middle.
    case center
    /// The edge at which lines end.
    case trailing

    /// The name that SwiftUI, definitions and the JSON have for it.
    public var name: String {
        switch self {
        case .leading: "leading"
        case .center: "center"
        case .trailing: "trailing"
        }
    }
}
