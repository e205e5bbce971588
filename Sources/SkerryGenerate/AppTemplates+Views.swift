extension AppTemplates {
    /// `…LiveActivity.swift`: what the phone draws.
    static let liveActivity =
        head + """
            import ActivityKit
            import Foundation
            import SwiftUI
            import WidgetKit

            /// What the Lock Screen and the Dynamic Island show of one run of the kind `{{kind}}`.
            struct {{type}}LiveActivity: Widget {
            {{#tint}}
                /// The colour of the definition, `{{hex}}`.
                static let tint = Color(red: {{red}}, green: {{green}}, blue: {{blue}})

            {{/tint}}
                var body: some WidgetConfiguration {
                    ActivityConfiguration(for: {{type}}Attributes.self) { context in
                        LockScreen(context: context)
            {{#tint}}
                            .activityBackgroundTint(Self.tint.opacity(0.15))
            {{/tint}}
                            .widgetURL(context.attributes.url)
                    } dynamicIsland: { context in
                        DynamicIsland {
            {{#expanded}}
                            DynamicIslandExpandedRegion(.{{position}}, priority: {{priority}}) {
                                Linked(url: context.attributes.url) {
            {{#lines}}
                                    {{.}}
            {{/lines}}
                                }
                            }
            {{/expanded}}
                        } compactLeading: {
            {{#compactLeading}}
                            {{.}}
            {{/compactLeading}}
                        } compactTrailing: {
            {{#compactTrailing}}
                            {{.}}
            {{/compactTrailing}}
                        } minimal: {
            {{#minimal}}
                            {{.}}
            {{/minimal}}
                        }
            {{#tint}}
                        .keylineTint(Self.tint)
            {{/tint}}
                        .widgetURL(context.attributes.url)
                    }
                }
            }

            // MARK: - Lock Screen

            extension {{type}}LiveActivity {
                /// The banner on the Lock Screen; fainter when it may be outdated.
                struct LockScreen: View {
                    /// What is known of the activity.
                    let context: ActivityViewContext<{{type}}Attributes>

                    var body: some View {
                        Linked(url: context.attributes.url) {
                            VStack(alignment: .leading, spacing: 8) {
            {{#lock}}
                                {{.}}
            {{/lock}}
                            }
                            .padding()
                        }
                        .opacity(isOutdated ? 0.6 : 1)
                    }

                    private var isOutdated: Bool { context.isStale || context.state.phase == .stale }
                }

                /// A view that opens the activity's link when it is touched; as it is without one.
                struct Linked<Content: View>: View {
                    /// What opens.
                    let url: URL?
                    /// What is touched.
                    @ViewBuilder let content: Content

                    var body: some View {
                        if let url {
                            Link(destination: url) { content }
                        } else {
                            content
                        }
                    }
                }
            {{#drawsClock}}

                /// A timer as a running clock.
                ///
                /// A clock takes all the width that it is offered, so it stands on a hidden text as wide as it will ever be.
                struct TimerText: View {
                    /// The timer; nothing is drawn without one.
                    let timer: {{type}}Attributes.TimerState?

                    var body: some View {
                        if let timer, let interval = timer.interval {
                            if timer.hasEnded() {
                                Image(systemName: "hourglass")
                            } else {
                                Text(verbatim: timer.widestText)
                                    .hidden()
                                    .overlay(alignment: .trailing) {
                                        Text(
                                            timerInterval: interval,
                                            pauseTime: timer.pauseDate,
                                            countsDown: timer.countsDown,
                                            showsHours: true
                                        )
                                        .multilineTextAlignment(.trailing)
                                    }
                                    .monospacedDigit()
                                    .contentTransition(.numericText(countsDown: timer.countsDown))
                            }
                        }
                    }
                }
            {{/drawsClock}}
            {{#drawsBar}}

                /// A countdown as a bar that fills.
                struct TimerBar: View {
                    /// The timer; nothing is drawn of one that has no end.
                    let timer: {{type}}Attributes.TimerState?

                    var body: some View {
                        if let timer, timer.countsDown, let interval = timer.interval {
                            if timer.hasEnded() {
                                ProgressView(value: 1)
                            } else if timer.pauseDate != nil {
                                ProgressView(value: timer.fraction)
                            } else {
                                ProgressView(timerInterval: interval, countsDown: false) {
                                    EmptyView()
                                } currentValueLabel: {
                                    EmptyView()
                                }
                            }
                        }
                    }
                }
            {{/drawsBar}}
            }
            {{#hasTexts}}

            // MARK: - Texts
            {{#texts}}

            /// {{meaning}}
            private func text(_ value: {{swiftType}}?) -> String {
            {{#body}}
                {{.}}
            {{/body}}
            }
            {{/texts}}
            {{/hasTexts}}

            """

    /// `…Timeline.swift`: the known future, for widgets.
    static let timeline =
        head + """
            import Foundation

            /// What will be seen if nothing more happens: what Skerry publishes on `…/timeline`.
            struct {{type}}Timeline: Decodable, Hashable, Sendable {
                /// When a widget should ask again.
                enum Policy: String, Decodable, Hashable, Sendable {
                    /// When the last entry has passed.
                    case atEnd
                    /// At the moment that `after` tells.
                    case after
                    /// Not before it is told to.
                    case never
                }

                /// What will be seen from a moment on.
                struct Entry: Decodable, Hashable, Sendable {
                    /// The moment, in Unix seconds.
                    var date: Double
                    /// What will be seen; nil when the activity is gone by then.
                    var state: {{type}}Attributes.ContentState?
                }

                /// When a widget should ask again.
                var policy = Policy.never
                /// When to ask again, in Unix seconds; with the policy `after`.
                var after: Double?
                /// What will be seen, in order.
                var entries: [Entry] = []
            }

            extension {{type}}Timeline {
                private enum CodingKeys: String, CodingKey {
                    case policy
                    case after
                    case entries
                }

                init(from decoder: any Decoder) throws {
                    let members = try decoder.container(keyedBy: CodingKeys.self)
                    policy = (try? members.decode(Policy.self, forKey: .policy)) ?? .never
                    after = try? members.decode(Double.self, forKey: .after)
                    entries = (try? members.decode([Entry].self, forKey: .entries)) ?? []
                }
            }

            extension {{type}}Timeline.Entry {
                private enum CodingKeys: String, CodingKey {
                    case date
                    case phase
                }

                init(from decoder: any Decoder) throws {
                    let members = try decoder.container(keyedBy: CodingKeys.self)
                    date = try members.decode(Double.self, forKey: .date)
                    let isGone = (try? members.decode(String.self, forKey: .phase)) == "gone"
                    state = isGone ? nil : try {{type}}Attributes.ContentState(from: decoder)
                }
            }

            #if canImport(WidgetKit)
            import WidgetKit

            /// Gives widgets the entries of a timeline.
            ///
            /// Ask Skerry for the timeline in `load`, such as with a `URLSession`, or read what the app has stored.
            struct {{type}}TimelineProvider: TimelineProvider {
                /// What a widget shows from a moment on; nothing is at work without a state.
                struct Entry: TimelineEntry {
                    /// The moment.
                    var date: Date
                    /// What is seen.
                    var state: {{type}}Attributes.ContentState?
                }

                /// Where the timeline comes from; nil when nothing is known.
                let load: @Sendable () async -> {{type}}Timeline?

                func placeholder(in context: Context) -> Entry {
                    Entry(date: Date(), state: nil)
                }

                func getSnapshot(in context: Context, completion: @escaping @Sendable (Entry) -> Void) {
                    Task { [load] in
                        completion(Self.entries(of: await load(), at: Date())[0])
                    }
                }

                func getTimeline(
                    in context: Context,
                    completion: @escaping @Sendable (Timeline<Entry>) -> Void
                ) {
                    Task { [load] in
                        let timeline = await load()
                        let entries = Self.entries(of: timeline, at: Date())
                        completion(Timeline(entries: entries, policy: Self.policy(of: timeline)))
                    }
                }

                /// The entry that is seen now and those that follow; at least one.
                private static func entries(of timeline: {{type}}Timeline?, at now: Date) -> [Entry] {
                    let entries = (timeline?.entries ?? []).map {
                        Entry(date: Date(timeIntervalSince1970: $0.date), state: $0.state)
                    }
                    let present = entries.last { $0.date <= now }?.state
                    return [Entry(date: now, state: present)] + entries.filter { $0.date > now }
                }

                private static func policy(of timeline: {{type}}Timeline?) -> TimelineReloadPolicy {
                    switch timeline?.policy {
                    case .atEnd: .atEnd
                    case .after: .after(Date(timeIntervalSince1970: timeline?.after ?? 0))
                    case .never: .never
                    case nil: .after(Date().addingTimeInterval(900))
                    }
                }
            }
            #endif

            """
}
