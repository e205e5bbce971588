// What generated code uses of AppIntents, and of SwiftUI together with it, with the signatures of the SDK of iOS 18.
// Nothing here is performed.

public import SwiftUI

/// Of Foundation on Apple's platforms.
public struct LocalizedStringResource: ExpressibleByStringInterpolation, Equatable, Sendable {
    public init(stringLiteral value: String) {}
}

// MARK: - Intents

public protocol PersistentlyIdentifiable {
    static var persistentIdentifier: String { get }
}

extension PersistentlyIdentifiable {
    public static var persistentIdentifier: String { "" }
}

public protocol _SupportsAppDependencies {}

public protocol AppIntent: PersistentlyIdentifiable, _SupportsAppDependencies, Sendable {
    associatedtype PerformResult: IntentResult
    associatedtype SummaryContent: ParameterSummary
    static var parameterSummary: Self.SummaryContent { get }
    static var title: LocalizedStringResource { get }
    static var isDiscoverable: Bool { get }
    static var authenticationPolicy: IntentAuthenticationPolicy { get }
    init()
    func perform() async throws -> Self.PerformResult
}

extension AppIntent {
    public typealias Parameter = IntentParameter
    public typealias Summary = IntentParameterSummary<Self>
    public static var parameterSummary: some ParameterSummary { Summary("") }
    public static var isDiscoverable: Bool { true }
    public static var authenticationPolicy: IntentAuthenticationPolicy { .alwaysAllowed }
}

public enum IntentAuthenticationPolicy: Sendable {
    case alwaysAllowed
    case requiresAuthentication
    case requiresLocalDeviceAuthentication
}

public protocol SystemIntent: AppIntent {}

public protocol WidgetConfigurationIntent: SystemIntent {}

extension WidgetConfigurationIntent {
    public func perform() async throws -> Never { fatalError("a configuration is never performed") }
}

public protocol LiveActivityIntent: SystemIntent {}

@available(iOS 18.0, *)
public protocol ControlConfigurationIntent: SystemIntent {}

@available(iOS 18.0, *)
extension ControlConfigurationIntent {
    public func perform() async throws -> Never { fatalError("a configuration is never performed") }
}

extension Never: IntentResult {
    public var value: Never? { nil }
}

// MARK: - Results

public protocol IntentResult: Sendable {
    associatedtype Value: Sendable = Never
    var value: Self.Value? { get }
}

public struct IntentResultContainer<
    Value: Sendable,
    OpensIntent: Sendable,
    Snippet: Sendable,
    Dialog: Sendable
>:
    IntentResult
{
    public var value: Value? { nil }
}

extension IntentResult {
    public static func result() -> Self where Self == IntentResultContainer<Never, Never, Never, Never> {
        IntentResultContainer()
    }
}

public struct IntentDialog: ExpressibleByStringInterpolation, Sendable {
    public init(stringLiteral value: String) {}
}

public protocol ProvidesDialog: IntentResult {}

public protocol ShowsSnippetView: IntentResult {}

public struct _SnippetViewContainer: Sendable {}

extension IntentResultContainer: ProvidesDialog where Dialog == IntentDialog {}

extension IntentResultContainer: ShowsSnippetView where Snippet == _SnippetViewContainer {}

extension IntentResult {
    public static func result<Content: View>(
        dialog: IntentDialog,
        view: Content = EmptyView()
    ) -> Self where Self == IntentResultContainer<Never, Never, _SnippetViewContainer, IntentDialog> {
        IntentResultContainer()
    }
}

// MARK: - Parameters

public protocol _IntentValue {}

extension String: _IntentValue {}

extension Optional: _IntentValue where Wrapped: _IntentValue {}

@propertyWrapper public final class IntentParameter<Value: _IntentValue & Sendable>: @unchecked Sendable {
    private var stored: Value?

    public init(title: LocalizedStringResource) {}

    public var wrappedValue: Value {
        get {
            // An optional one is nil at first.
            guard let value = stored ?? (Any?.none as? Value) else { fatalError("there is no value") }
            return value
        }
        set { stored = newValue }
    }

    public var projectedValue: IntentParameter<Value> { self }
}

public protocol ParameterSummary {}

public struct IntentParameterSummary<Intent: AppIntent>: ParameterSummary {
    public init(_ summary: ParameterSummaryString<Intent>) {}
}

public struct ParameterSummaryString<Intent: AppIntent>: ExpressibleByStringInterpolation, Sendable {
    public init(stringLiteral value: String) {}
    public init(stringInterpolation: StringInterpolation) {}

    public struct StringInterpolation: StringInterpolationProtocol {
        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) {}
        public mutating func appendInterpolation<Value>(
            _ keyPath: KeyPath<Intent, IntentParameter<Value>>
        ) where Value: _IntentValue & Sendable {}
    }
}

// MARK: - Entities

public struct TypeDisplayRepresentation: ExpressibleByStringLiteral, Sendable {
    public init(stringLiteral value: String) {}
}

public struct DisplayRepresentation: Sendable {
    public init(title: LocalizedStringResource, subtitle: LocalizedStringResource? = nil) {}
}

public protocol TypeDisplayRepresentable {
    static var typeDisplayRepresentation: TypeDisplayRepresentation { get }
}

public protocol InstanceDisplayRepresentable: TypeDisplayRepresentable {
    var displayRepresentation: DisplayRepresentation { get }
}

public protocol AppValue: _IntentValue, PersistentlyIdentifiable, TypeDisplayRepresentable, Sendable {}

public protocol AppEntity: AppValue, InstanceDisplayRepresentable, Identifiable where ID: Sendable {
    associatedtype DefaultQuery: EntityQuery where DefaultQuery.Entity == Self
    static var defaultQuery: DefaultQuery { get }
}

public protocol EntityQuery: PersistentlyIdentifiable, _SupportsAppDependencies, Sendable {
    associatedtype Entity: AppEntity
    associatedtype Result: Collection<Entity> = [Entity]
    init()
    func entities(for identifiers: [Entity.ID]) async throws -> [Entity]
    func suggestedEntities() async throws -> Result
    /// Of `DynamicOptionsProvider`, from which it inherits.
    func defaultResult() async -> Entity?
}

extension EntityQuery {
    public func defaultResult() async -> Entity? { nil }
}

public protocol EntityStringQuery: EntityQuery {
    func entities(matching string: String) async throws -> Result
}

// MARK: - App Shortcuts

public protocol AppShortcutsProvider: Sendable {
    @AppShortcutsBuilder static var appShortcuts: [AppShortcut] { get }
}

extension AppShortcutsProvider {
    public static func updateAppShortcutParameters() {}
}

public struct AppShortcut: Sendable {
    public init<Intent: AppIntent>(
        intent: Intent,
        phrases: [AppShortcutPhrase<Intent>],
        shortTitle: LocalizedStringResource,
        systemImageName: String
    ) {}
}

@resultBuilder public enum AppShortcutsBuilder {
    public static func buildExpression(_ expression: AppShortcut) -> AppShortcut { expression }
    public static func buildBlock(_ components: AppShortcut...) -> [AppShortcut] { components }
}

public enum AppShortcutPhraseToken: Hashable, Sendable {
    case applicationName
}

public struct AppShortcutPhrase<Intent: AppIntent>: ExpressibleByStringInterpolation, Sendable {
    public init(stringLiteral value: String) {}
    public init(stringInterpolation: StringInterpolation) {}

    public struct StringInterpolation: StringInterpolationProtocol {
        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) {}
        public mutating func appendInterpolation(_ token: AppShortcutPhraseToken) {}
        public mutating func appendInterpolation<Value, Subject: KeyPath<Intent, IntentParameter<Value>>>(
            _ subject: Subject
        ) where Value: _IntentValue & Sendable {}
    }
}

// MARK: - Buttons

extension Button {
    public nonisolated init<I: AppIntent, Label: View>(intent: I, @ViewBuilder label: () -> Label) {
        self.init("", action: {})
    }
}
