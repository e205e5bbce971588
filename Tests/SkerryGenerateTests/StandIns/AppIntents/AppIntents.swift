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
    static var title: LocalizedStringResource { get }
    static var isDiscoverable: Bool { get }
    static var authenticationPolicy: IntentAuthenticationPolicy { get }
    init()
    func perform() async throws -> Self.PerformResult
}

extension AppIntent {
    public typealias Parameter = IntentParameter
    public static var isDiscoverable: Bool { true }
    public static var authenticationPolicy: IntentAuthenticationPolicy { .alwaysAllowed }
}

public enum IntentAuthenticationPolicy: Sendable {
    case alwaysAllowed
    case requiresAuthentication
    case requiresLocalDeviceAuthentication
}

public protocol SystemIntent: AppIntent {}

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

// MARK: - Parameters

public protocol _IntentValue {}

extension String: _IntentValue {}

extension Optional: _IntentValue where Wrapped: _IntentValue {}

@propertyWrapper public final class IntentParameter<Value: _IntentValue & Sendable>: @unchecked Sendable {
    private var stored: Value?

    public init(title: LocalizedStringResource) {}

    public var wrappedValue: Value {
        get { stored! }
        set { stored = newValue }
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
}

// MARK: - Buttons

extension Button {
    public nonisolated init<I: AppIntent, Label: View>(intent: I, @ViewBuilder label: () -> Label) {
        self.init("", action: {})
    }
}
