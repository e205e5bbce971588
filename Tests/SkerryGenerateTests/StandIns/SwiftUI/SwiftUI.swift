// What generated code uses of SwiftUI, with the signatures of the SDK of iOS 17.2. Nothing here draws.

public import Foundation

// MARK: - Views

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
    public var body: Never { fatalError("nothing to draw") }
}

/// A view of the system: it has no body that anybody sees.
@MainActor @preconcurrency public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
    public var body: Never { fatalError("nothing to draw") }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError("nothing to draw") }
}

@resultBuilder public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> { TupleView() }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<True: View, False: View>(
        first: True
    ) -> _ConditionalContent<True, False> { _ConditionalContent() }
    public static func buildEither<True: View, False: View>(
        second: False
    ) -> _ConditionalContent<True, False> { _ConditionalContent() }
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView { AnyView() }
}

public struct AnyView: PrimitiveView {
    nonisolated init() {}
}

public struct _ConditionalContent<True, False>: PrimitiveView {
    nonisolated init() {}
}

public struct TupleView<Content>: PrimitiveView {
    nonisolated init() {}
}

public struct EmptyView: PrimitiveView {
    public nonisolated init() {}
}

public struct Spacer: PrimitiveView {
    public nonisolated init(minLength: CGFloat? = nil) {}
}

public struct Image: PrimitiveView {
    public enum ResizingMode: Hashable, Sendable { case tile, stretch }

    public nonisolated init(systemName: String) {}
    public nonisolated init(_ name: String, bundle: Bundle? = nil) {}
    public nonisolated func resizable(
        capInsets: EdgeInsets = EdgeInsets(),
        resizingMode: ResizingMode = .stretch
    ) -> Image { self }
}

public struct EdgeInsets: Equatable, Sendable {
    public nonisolated init() {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content>: PrimitiveView {}

extension ForEach where Content: View {
    public nonisolated init(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {}
    public nonisolated init(
        _ data: Data,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) where Data.Element: Identifiable, ID == Data.Element.ID {}
}

public struct Link<Label: View>: View {
    public nonisolated init(destination: URL, @ViewBuilder label: () -> Label) {}
    public var body: some View { EmptyView() }
}

public struct Text: PrimitiveView {
    public nonisolated init(verbatim content: String) {}
    public nonisolated init<S: StringProtocol>(_ content: S) {}
    public nonisolated init(
        timerInterval: ClosedRange<Date>,
        pauseTime: Date? = nil,
        countsDown: Bool = true,
        showsHours: Bool = true
    ) {}
}

extension Text {
    @available(iOS 18.0, *)
    public nonisolated init<V, F: FormatStyle & Sendable>(
        _ source: TimeDataSource<V>,
        format: F
    ) where V == F.FormatInput, F.FormatOutput == AttributedString {}
    public nonisolated func font(_ font: Font?) -> Text { self }
    public nonisolated func monospacedDigit() -> Text { self }
}

@available(iOS 18.0, *)
public struct TimeDataSource<Value>: Sendable {}

@available(iOS 18.0, *)
extension TimeDataSource where Value == Date {
    public static var currentDate: TimeDataSource<Date> { TimeDataSource() }
}

@available(iOS 18.0, *)
public enum SystemFormatStyle {
    public struct DateOffset: FormatStyle, Sendable {
        public func format(_ value: Date) -> AttributedString { AttributedString() }
    }
}

@available(iOS 18.0, *)
extension FormatStyle where Self == SystemFormatStyle.DateOffset {
    public static func offset(
        to anchor: Date,
        allowedFields: Set<Date.ComponentsFormatStyle.Field> = [
            .year, .month, .day, .hour, .minute, .second,
        ],
        maxFieldCount: Int = 2,
        sign: NumberFormatStyleConfiguration.SignDisplayStrategy = .automatic
    ) -> SystemFormatStyle.DateOffset { SystemFormatStyle.DateOffset() }
}

@available(iOS 18.0, *)
public protocol TextVariantPreference: Sendable {}

@available(iOS 18.0, *)
public struct SizeDependentTextVariant: TextVariantPreference {}

@available(iOS 18.0, *)
extension TextVariantPreference where Self == SizeDependentTextVariant {
    public static var sizeDependent: SizeDependentTextVariant { SizeDependentTextVariant() }
}

extension View {
    @available(iOS 18.0, *)
    public nonisolated func textVariant<V: TextVariantPreference>(_ preference: V) -> some View { self }
}

// MARK: - Stacks

public struct HorizontalAlignment: Equatable, Sendable {
    public static let leading = HorizontalAlignment()
    public static let center = HorizontalAlignment()
    public static let trailing = HorizontalAlignment()
}

public struct VerticalAlignment: Equatable, Sendable {
    public static let top = VerticalAlignment()
    public static let center = VerticalAlignment()
    public static let bottom = VerticalAlignment()
}

public struct Alignment: Equatable, Sendable {
    public static let center = Alignment()
    public static let leading = Alignment()
    public static let trailing = Alignment()
    public static let bottomTrailing = Alignment()
}

public enum TextAlignment: Hashable, CaseIterable, Sendable {
    case leading
    case center
    case trailing
}

public struct HStack<Content: View>: PrimitiveView {
    public nonisolated init(
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {}
}

public struct VStack<Content: View>: PrimitiveView {
    public nonisolated init(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {}
}

public struct ZStack<Content: View>: PrimitiveView {
    public nonisolated init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {}
}

// MARK: - Progress

public struct DefaultDateProgressLabel: View {
    public var body: some View { EmptyView() }
}

public struct ProgressView<Label: View, CurrentValueLabel: View>: View {
    public var body: some View { EmptyView() }
}

extension ProgressView {
    public nonisolated init<V: BinaryFloatingPoint>(
        value: V?,
        total: V = 1.0
    ) where Label == EmptyView, CurrentValueLabel == EmptyView {}
    public nonisolated init(
        timerInterval: ClosedRange<Date>,
        countsDown: Bool = true,
        @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel
    ) {}
    public nonisolated init(
        timerInterval: ClosedRange<Date>,
        countsDown: Bool = true
    ) where Label == EmptyView, CurrentValueLabel == DefaultDateProgressLabel {}
}

@MainActor @preconcurrency public protocol ProgressViewStyle {}

public struct CircularProgressViewStyle: ProgressViewStyle {
    public init() {}
}

extension ProgressViewStyle where Self == CircularProgressViewStyle {
    public static var circular: CircularProgressViewStyle { CircularProgressViewStyle() }
}

extension View {
    public nonisolated func progressViewStyle<S: ProgressViewStyle>(_ style: S) -> some View { self }
}

// MARK: - Colours, fonts, transitions

public struct Color: View, Hashable, Sendable {
    public enum RGBColorSpace: Sendable {
        case sRGB
        case sRGBLinear
        case displayP3
    }

    public nonisolated init(
        _ colorSpace: RGBColorSpace = .sRGB,
        red: Double,
        green: Double,
        blue: Double,
        opacity: Double = 1
    ) {}
    public static let primary = Color(red: 0, green: 0, blue: 0)
    public static let gray = Color(red: 0, green: 0, blue: 0)
    public nonisolated var gradient: AnyGradient { AnyGradient() }
    public nonisolated func opacity(_ opacity: Double) -> Color { self }
    public var body: some View { EmptyView() }
}

public protocol ShapeStyle: Sendable {}

extension Color: ShapeStyle {}

extension ShapeStyle where Self == Color {
    public static var black: Color { Color(red: 0, green: 0, blue: 0) }
    public static var white: Color { Color(red: 1, green: 1, blue: 1) }
}

public struct AnyGradient: Hashable, ShapeStyle {}

public protocol Shape: Sendable, View {}

public struct Circle: Shape {
    public nonisolated init() {}
    public var body: some View { EmptyView() }
}

public struct Capsule: Shape {
    public nonisolated init() {}
    public var body: some View { EmptyView() }
}

public struct AccessibilityChildBehavior: Hashable, Sendable {
    public static let ignore = AccessibilityChildBehavior()
    public static let combine = AccessibilityChildBehavior()
}

public struct Font: Hashable, Sendable {
    public static let headline = Font()
    public static let title = Font()
    public static let title2 = Font()
    public static let title3 = Font()
    public static let footnote = Font()
    public static let caption = Font()
    public static let caption2 = Font()
}

public struct ContentTransition: Equatable, Sendable {
    public static let opacity = ContentTransition()
    public static let identity = ContentTransition()
    public static func numericText(countsDown: Bool = false) -> ContentTransition { ContentTransition() }
    public static func numericText(value: Double) -> ContentTransition { ContentTransition() }
}

public struct AnyTransition {
    public static func push(from edge: Edge) -> AnyTransition { AnyTransition() }
    public static var opacity: AnyTransition { AnyTransition() }
}

// MARK: - Modifiers

public enum Edge: Int8, Sendable {
    case top, leading, bottom, trailing

    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let all = Set(rawValue: 15)
        public static let horizontal = Set(rawValue: 10)
        public static let vertical = Set(rawValue: 5)
        public static let leading = Set(rawValue: 2)
        public static let trailing = Set(rawValue: 8)
    }
}

extension View {
    public nonisolated func frame(
        width: CGFloat? = nil,
        height: CGFloat? = nil,
        alignment: Alignment = .center
    ) -> some View { self }
    public nonisolated func background<S: ShapeStyle, T: Shape>(_ style: S, in shape: T) -> some View { self }
    public nonisolated func frame(
        minWidth: CGFloat? = nil,
        idealWidth: CGFloat? = nil,
        maxWidth: CGFloat? = nil,
        alignment: Alignment = .center
    ) -> some View { self }
    public nonisolated func scaledToFit() -> some View { self }
    public nonisolated func layoutPriority(_ value: Double) -> some View { self }
    public nonisolated func lineLimit(_ number: Int?) -> some View { self }
    public nonisolated func minimumScaleFactor(_ factor: CGFloat) -> some View { self }
    public nonisolated func tint(_ tint: Color?) -> some View { self }
    public nonisolated func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { self }
    public nonisolated func accessibilityElement(
        children: AccessibilityChildBehavior = .ignore
    ) -> some View { self }
    public nonisolated func accessibilityLabel(_ label: Text) -> some View { self }
    public nonisolated func accessibilityHidden(_ hidden: Bool) -> some View { self }
    public nonisolated func accessibilityHint(_ hint: Text) -> some View { self }
    public nonisolated func accessibilityValue(_ valueDescription: Text) -> some View { self }
    public nonisolated func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { self }
    public nonisolated func opacity(_ opacity: Double) -> some View { self }
    public nonisolated func hidden() -> some View { self }
    public nonisolated func font(_ font: Font?) -> some View { self }
    public nonisolated func monospacedDigit() -> some View { self }
    public nonisolated func multilineTextAlignment(_ alignment: TextAlignment) -> some View { self }
    public nonisolated func id<ID: Hashable>(_ id: ID) -> some View { self }
    public nonisolated func transition(_ transition: AnyTransition) -> some View { self }
    public nonisolated func contentTransition(_ transition: ContentTransition) -> some View { self }
    public nonisolated func overlay<V: View>(
        alignment: Alignment = .center,
        @ViewBuilder content: () -> V
    ) -> some View { self }
}
