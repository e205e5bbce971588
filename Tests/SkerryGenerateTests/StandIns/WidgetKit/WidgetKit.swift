// What generated code uses of WidgetKit, with the signatures of the SDK of iOS 26. Nothing here draws.

public import AppIntents
public import Foundation
public import SwiftUI

// MARK: - Widgets

@MainActor @preconcurrency public protocol Widget {
    associatedtype Body: WidgetConfiguration
    @MainActor @preconcurrency init()
    @MainActor @preconcurrency var body: Self.Body { get }
}

@MainActor @preconcurrency public protocol WidgetConfiguration {
    associatedtype Body: WidgetConfiguration
    @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: WidgetConfiguration {}

extension View {
    public nonisolated func widgetURL(_ url: URL?) -> some View { self }
}

@MainActor @preconcurrency public protocol WidgetBundle {
    associatedtype Body: Widget
    @MainActor @preconcurrency init()
    @WidgetBundleBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension WidgetBundle {
    @MainActor public static func main() {}
}

public protocol _LimitedAvailabilityWidgetMarker {}

/// A bundle has ten parts at most.
@resultBuilder public struct WidgetBundleBuilder {
    public static func buildExpression<Content: Widget>(_ content: Content) -> Content { content }
    @available(iOS 18.0, *)
    public static func buildExpression<Content: ControlWidget>(_ content: Content) -> some Widget { Unseen() }
    /// An `if` has no `else`, and asks for nothing but the availability.
    public static func buildLimitedAvailability(
        _ widget: some Widget
    ) -> any Widget & _LimitedAvailabilityWidgetMarker { Unseen() }
    public static func buildOptional(
        _ widget: (any Widget & _LimitedAvailabilityWidgetMarker)?
    ) -> some Widget { Unseen() }
    public static func buildBlock<C0: Widget>(_ c0: C0) -> some Widget { c0 }
    public static func buildBlock<C0: Widget, C1: Widget>(_ c0: C0, _ c1: C1) -> some Widget { c0 }
    public static func buildBlock<C0: Widget, C1: Widget, C2: Widget>(
        _ c0: C0,
        _ c1: C1,
        _ c2: C2
    ) -> some Widget { c0 }
    public static func buildBlock<C0: Widget, C1: Widget, C2: Widget, C3: Widget>(
        _ c0: C0,
        _ c1: C1,
        _ c2: C2,
        _ c3: C3
    ) -> some Widget { c0 }
    public static func buildBlock<C0: Widget, C1: Widget, C2: Widget, C3: Widget, C4: Widget>(
        _ c0: C0,
        _ c1: C1,
        _ c2: C2,
        _ c3: C3,
        _ c4: C4
    ) -> some Widget { c0 }
    public static func buildBlock<C0: Widget, C1: Widget, C2: Widget, C3: Widget, C4: Widget, C5: Widget>(
        _ c0: C0,
        _ c1: C1,
        _ c2: C2,
        _ c3: C3,
        _ c4: C4,
        _ c5: C5
    ) -> some Widget { c0 }
    public static func buildBlock<
        C0: Widget,
        C1: Widget,
        C2: Widget,
        C3: Widget,
        C4: Widget,
        C5: Widget,
        C6: Widget
    >(_ c0: C0, _ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4, _ c5: C5, _ c6: C6) -> some Widget { c0 }
    public static func buildBlock<
        C0: Widget,
        C1: Widget,
        C2: Widget,
        C3: Widget,
        C4: Widget,
        C5: Widget,
        C6: Widget,
        C7: Widget
    >(_ c0: C0, _ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4, _ c5: C5, _ c6: C6, _ c7: C7) -> some Widget { c0 }
    public static func buildBlock<
        C0: Widget,
        C1: Widget,
        C2: Widget,
        C3: Widget,
        C4: Widget,
        C5: Widget,
        C6: Widget,
        C7: Widget,
        C8: Widget
    >(_ c0: C0, _ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4, _ c5: C5, _ c6: C6, _ c7: C7, _ c8: C8) -> some Widget
    { c0 }
    public static func buildBlock<
        C0: Widget,
        C1: Widget,
        C2: Widget,
        C3: Widget,
        C4: Widget,
        C5: Widget,
        C6: Widget,
        C7: Widget,
        C8: Widget,
        C9: Widget
    >(
        _ c0: C0,
        _ c1: C1,
        _ c2: C2,
        _ c3: C3,
        _ c4: C4,
        _ c5: C5,
        _ c6: C6,
        _ c7: C7,
        _ c8: C8,
        _ c9: C9
    ) -> some Widget { c0 }
}

struct Unseen: Widget, _LimitedAvailabilityWidgetMarker {
    nonisolated init() {}
    var body: some WidgetConfiguration { UnseenConfiguration() }
}

struct UnseenConfiguration: WidgetConfiguration {
    var body: Never { fatalError("nothing to draw") }
}

public struct AppIntentConfiguration<Intent: WidgetConfigurationIntent, Content: View>: WidgetConfiguration {
    public nonisolated init<Provider: AppIntentTimelineProvider>(
        kind: String,
        intent: Intent.Type = Intent.self,
        provider: Provider,
        @ViewBuilder content: @escaping (Provider.Entry) -> Content
    ) where Intent == Provider.Intent {}
    public var body: Never { fatalError("nothing to draw") }
}

public enum WidgetFamily: Int, Sendable {
    case systemSmall, systemMedium, systemLarge, accessoryCircular, accessoryRectangular, accessoryInline
}

extension EnvironmentValues {
    public var widgetFamily: WidgetFamily { .systemMedium }
}

public struct AccessoryWidgetBackground: View {
    public nonisolated init() {}
    public var body: some View { EmptyView() }
}

extension View {
    public nonisolated func widgetAccentable(_ accentable: Bool = true) -> some View { self }
}

@available(iOS 18.0, *)
public struct WidgetAccentedRenderingMode: Equatable, Sendable {
    public static let fullColor = WidgetAccentedRenderingMode()
}

extension Image {
    @available(iOS 18.0, *)
    public nonisolated func widgetAccentedRenderingMode(
        _ renderingMode: WidgetAccentedRenderingMode?
    ) -> some View { self }
}

extension WidgetConfiguration {
    public nonisolated func configurationDisplayName(
        _ displayNameKey: LocalizedStringKey
    ) -> some WidgetConfiguration { self }
    public nonisolated func description(
        _ descriptionKey: LocalizedStringKey
    ) -> some WidgetConfiguration { self }
    public nonisolated func supportedFamilies(_ families: [WidgetFamily]) -> some WidgetConfiguration { self }
    public nonisolated func contentMarginsDisabled() -> some WidgetConfiguration { self }
}

public struct ContainerBackgroundPlacement: Sendable {
    public static let widget = ContainerBackgroundPlacement()
}

extension View {
    public nonisolated func containerBackground<S: ShapeStyle>(
        _ style: S,
        for container: ContainerBackgroundPlacement
    ) -> some View { self }
}

public final class WidgetCenter: Sendable {
    public static let shared = WidgetCenter()
    public func reloadTimelines(ofKind kind: String) {}
    public func reloadAllTimelines() {}
    @available(iOS 18.0, *)
    public func currentConfigurations() async throws -> [WidgetInfo] { [] }
    @available(iOS 26.0, *)
    public var currentPushInfo: WidgetPushInfo? { get async { nil } }
}

/// It also has the family, and an intent that does not cross between actors.
public struct WidgetInfo {
    public let kind: String
    private let intent: (any WidgetConfigurationIntent)?
    private let configuration: AnyObject? = nil

    /// A widget that a test has placed.
    public init(kind: String, intent: (any WidgetConfigurationIntent)? = nil) {
        self.kind = kind
        self.intent = intent
    }

    public func widgetConfigurationIntent<Intent: WidgetConfigurationIntent>(
        of intentType: Intent.Type = Intent.self
    ) -> Intent? { intent as? Intent }
}

// MARK: - Pushes

@available(iOS 26.0, *)
public struct WidgetPushInfo: Sendable {
    public let token: Data
}

@available(iOS 26.0, *)
public protocol WidgetPushHandler {
    init()
    func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo])
}

extension WidgetConfiguration {
    @available(iOS 26.0, *)
    @MainActor @preconcurrency public func pushHandler(
        _ pushHandlerType: any WidgetPushHandler.Type
    ) -> some WidgetConfiguration { self }
}

// MARK: - Timelines

public protocol TimelineEntry {
    var date: Date { get }
    var relevance: TimelineEntryRelevance? { get }
}

extension TimelineEntry {
    public var relevance: TimelineEntryRelevance? { nil }
}

public struct TimelineEntryRelevance: Hashable, Sendable {
    public let score: Float
    public let duration: TimeInterval

    public init(score: Float, duration: TimeInterval = 0) {
        self.score = score
        self.duration = duration
    }
}

public struct TimelineReloadPolicy: Equatable, Sendable {
    private let date: Date
    public static func after(_ date: Date) -> TimelineReloadPolicy { TimelineReloadPolicy(date: date) }
}

public struct Timeline<EntryType: TimelineEntry> {
    public let entries: [EntryType]
    public let policy: TimelineReloadPolicy

    public init(entries: [EntryType], policy: TimelineReloadPolicy) {
        self.entries = entries
        self.policy = policy
    }
}

public struct TimelineProviderContext {
    public let family: WidgetFamily
    public let isPreview: Bool

    /// The context of a widget that a test draws.
    public init(family: WidgetFamily, isPreview: Bool = false) {
        self.family = family
        self.isPreview = isPreview
    }
}

public protocol AppIntentTimelineProvider {
    associatedtype Entry: TimelineEntry
    associatedtype Intent: WidgetConfigurationIntent
    typealias Context = TimelineProviderContext
    func placeholder(in context: Self.Context) -> Self.Entry
    func snapshot(for configuration: Self.Intent, in context: Self.Context) async -> Self.Entry
    func timeline(for configuration: Self.Intent, in context: Self.Context) async -> Timeline<Self.Entry>
}
