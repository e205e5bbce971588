// Live Activities, see WidgetKit.swift.

public import ActivityKit
public import AppIntents
public import Foundation
public import SwiftUI

public struct ActivityViewContext<Attributes: ActivityAttributes> {
    public let activityID: String
    public let attributes: Attributes
    public let state: Attributes.ContentState
    public let isStale: Bool
}

public struct ActivityConfiguration<Attributes: ActivityAttributes>: WidgetConfiguration {
    public init<ActivityContent: View>(
        for attributesType: Attributes.Type,
        @ViewBuilder content: @escaping (ActivityViewContext<Attributes>) -> ActivityContent,
        dynamicIsland: @escaping (ActivityViewContext<Attributes>) -> DynamicIsland
    ) {}
    public var body: Never { fatalError("nothing to draw") }
}

@MainActor @preconcurrency public struct DynamicIsland {
    public init<Expanded: View, CompactLeading: View, CompactTrailing: View, Minimal: View>(
        @DynamicIslandExpandedContentBuilder content expanded:
            @escaping () -> DynamicIslandExpandedContent<Expanded>,
        @ViewBuilder compactLeading: @escaping () -> CompactLeading,
        @ViewBuilder compactTrailing: @escaping () -> CompactTrailing,
        @ViewBuilder minimal: @escaping () -> Minimal
    ) {}
    public func keylineTint(_ color: Color?) -> DynamicIsland { self }
    public func widgetURL(_ url: URL?) -> DynamicIsland { self }
}

public struct DynamicIslandExpandedContent<Content: View> {}

public struct DynamicIslandExpandedRegionPosition: Hashable, Sendable {
    private let number: Int
    public static let leading = DynamicIslandExpandedRegionPosition(number: 0)
    public static let trailing = DynamicIslandExpandedRegionPosition(number: 1)
    public static let center = DynamicIslandExpandedRegionPosition(number: 2)
    public static let bottom = DynamicIslandExpandedRegionPosition(number: 3)
}

@MainActor @preconcurrency public struct DynamicIslandExpandedRegion<Content: View> {
    public init(
        _ position: DynamicIslandExpandedRegionPosition,
        priority: Double = 0,
        @ViewBuilder content: @escaping () -> Content
    ) {}
}

@MainActor @preconcurrency @resultBuilder public struct DynamicIslandExpandedContentBuilder {
    public static func buildBlock<each Content: View>(
        _ content: repeat DynamicIslandExpandedRegion<each Content>
    ) -> DynamicIslandExpandedContent<TupleView<(repeat each Content)>> { DynamicIslandExpandedContent() }
}

@available(iOS 18.0, *)
public enum ActivityFamily: Hashable, Sendable {
    case small
    case medium
}

extension EnvironmentValues {
    @available(iOS 18.0, *)
    public var activityFamily: ActivityFamily { .medium }
    @available(iOS 27.0, *)
    public var isDynamicIslandLimitedInWidth: Bool { false }
}

extension WidgetConfiguration {
    @available(iOS 18.0, *)
    @MainActor @preconcurrency public func supplementalActivityFamilies(
        _ families: [ActivityFamily]
    ) -> some WidgetConfiguration { self }
}

extension View {
    public nonisolated func activityBackgroundTint(_ color: Color?) -> some View { self }
    public nonisolated func activitySystemActionForegroundColor(_ color: Color?) -> some View { self }
}

// MARK: - Controls

@available(iOS 18.0, *)
@MainActor @preconcurrency public protocol ControlWidget {
    associatedtype Body: ControlWidgetConfiguration
    @MainActor @preconcurrency init()
    @MainActor @preconcurrency var body: Self.Body { get }
}

@available(iOS 18.0, *)
@MainActor @preconcurrency public protocol ControlWidgetConfiguration {
    associatedtype Body: ControlWidgetConfiguration
    @MainActor @preconcurrency var body: Self.Body { get }
}

@available(iOS 18.0, *)
@MainActor @preconcurrency public protocol ControlWidgetTemplate {
    associatedtype Body: ControlWidgetTemplate
    @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: ControlWidgetConfiguration, ControlWidgetTemplate {}

@available(iOS 18.0, *)
@resultBuilder public struct ControlWidgetTemplateBuilder {
    public static func buildBlock<Content: ControlWidgetTemplate>(_ content: Content) -> Content { content }
}

@available(iOS 18.0, *)
@MainActor @preconcurrency
public struct AppIntentControlConfiguration<
    Configuration: ControlConfigurationIntent,
    Content: ControlWidgetTemplate
>: ControlWidgetConfiguration {
    public init(
        kind: String,
        intent: Configuration.Type = Configuration.self,
        @ControlWidgetTemplateBuilder content: @escaping (Configuration) -> Content
    ) {}
    public var body: Never { fatalError("nothing to draw") }
}

@available(iOS 18.0, *)
public struct ControlWidgetButtonDefaultActionLabel: View {
    public var body: some View { EmptyView() }
}

@available(iOS 18.0, *)
@MainActor @preconcurrency
public struct ControlWidgetButton<
    Label: View,
    ActionLabel: View,
    Action: AppIntent
>: ControlWidgetTemplate {
    public init(
        action: Action,
        @ViewBuilder label: @escaping () -> Label
    ) where ActionLabel == ControlWidgetButtonDefaultActionLabel {}
    public var body: Never { fatalError("nothing to draw") }
}

@available(iOS 18.0, *)
extension ControlWidgetTemplate {
    @MainActor @preconcurrency public func disabled(_ disabled: Bool) -> some ControlWidgetTemplate { self }
}

@available(iOS 18.0, *)
extension ControlWidgetConfiguration {
    @MainActor @preconcurrency public func displayName(
        _ displayName: LocalizedStringResource
    ) -> some ControlWidgetConfiguration { self }
    @MainActor @preconcurrency public func description(
        _ description: LocalizedStringResource
    ) -> some ControlWidgetConfiguration { self }
    @MainActor @preconcurrency public func promptsForUserConfiguration() -> some ControlWidgetConfiguration {
        self
    }
}
