/// `…Timeline.swift`: the known future, for widgets.
struct TimelineSource {
    /// The beginning of the names of its types.
    let type: String

    /// The lines of the file.
    @SourceLines var lines: [String] {
        timeline
        ""
        decoding
        ""
        provider
        ""
        providerEntries
    }

    @SourceLines private var timeline: [String] {
        """
        import Foundation

        /// What will be seen if nothing more happens: what Skerry publishes on `…/timeline`.
        nonisolated struct \(type)Timeline: Decodable, Hashable, Sendable {
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
                var state: \(type)Attributes.ContentState?
            }

            /// When a widget should ask again.
            var policy = Policy.never
            /// When to ask again, in Unix seconds; with the policy `after`.
            var after: Double?
            /// What will be seen, in order.
            var entries: [Entry] = []
        }
        """
    }

    @SourceLines private var decoding: [String] {
        """
        nonisolated extension \(type)Timeline {
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

        nonisolated extension \(type)Timeline.Entry {
            private enum CodingKeys: String, CodingKey {
                case date
                case phase
            }

            init(from decoder: any Decoder) throws {
                let members = try decoder.container(keyedBy: CodingKeys.self)
                date = try members.decode(Double.self, forKey: .date)
                let isGone = (try? members.decode(String.self, forKey: .phase)) == "gone"
                state = isGone ? nil : try \(type)Attributes.ContentState(from: decoder)
            }
        }
        """
    }

    @SourceLines private var provider: [String] {
        """
        #if canImport(WidgetKit)
        import WidgetKit

        /// Gives widgets the entries of a timeline.
        ///
        /// Ask Skerry for the timeline in `load`, such as with a `URLSession`, or read what the app has stored.
        nonisolated struct \(type)TimelineProvider: TimelineProvider {
            /// What a widget shows from a moment on; nothing is at work without a state.
            struct Entry: TimelineEntry {
                /// The moment.
                var date: Date
                /// What is seen.
                var state: \(type)Attributes.ContentState?
            }

            /// Where the timeline comes from; nil when nothing is known.
            let load: @Sendable () async -> \(type)Timeline?

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
        """
    }

    @SourceLines private var providerEntries: [String] {
        """
            /// The entry that is seen now and those that follow; at least one.
            private static func entries(of timeline: \(type)Timeline?, at now: Date) -> [Entry] {
                let entries = (timeline?.entries ?? []).map {
                    Entry(date: Date(timeIntervalSince1970: $0.date), state: $0.state)
                }
                let present = entries.last { $0.date <= now }?.state
                return [Entry(date: now, state: present)] + entries.filter { $0.date > now }
            }

            private static func policy(of timeline: \(type)Timeline?) -> TimelineReloadPolicy {
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
}
