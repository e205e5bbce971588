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

        /// The forecast if nothing more happens, as Skerry publishes it on `…/timeline`.
        nonisolated struct \(type)Timeline: Decodable, Hashable, Sendable {
            /// The time at which a widget should ask again.
            enum Policy: String, Decodable, Hashable, Sendable {
                /// After the last entry has passed.
                case atEnd
                /// At the moment that `after` tells.
                case after
                /// Not before it is told to.
                case never
            }

            /// The forecast from a moment on.
            struct Entry: Decodable, Hashable, Sendable {
                /// The moment, in Unix seconds.
                var date: Double
                /// The content; nil when the activity is gone by then.
                var state: \(type)Attributes.ContentState?
            }

            /// The time at which a widget should ask again.
            var policy = Policy.never
            /// The moment at which to ask again, in Unix seconds; with the policy `after`.
            var after: Double?
            /// The forecasts, in order.
            var entries: [Entry] = []
            /// The attributes, which stay the same for the run; the caller takes them from the activity.
            var attributes: \(type)Attributes?
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
        /// Ask Skerry for the timeline in `load`, such as by `SkerryGateway`, or read what the app has stored.
        nonisolated struct \(type)TimelineProvider: TimelineProvider {
            /// The view of a widget from a moment on; without a state, no device is running.
            struct Entry: TimelineEntry {
                /// The moment.
                var date: Date
                /// The attributes, which stay the same for the run.
                var attributes: \(type)Attributes?
                /// The content.
                var state: \(type)Attributes.ContentState?
                /// True if Skerry has answered.
                var isKnown: Bool
            }

            /// The source of the timeline; nil when Skerry does not answer, an empty one when no device is running.
            let load: @Sendable () async -> \(type)Timeline?

            func placeholder(in context: Context) -> Entry {
                Entry(date: Date(), isKnown: true)
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
                func entry(_ date: Date, _ state: \(type)Attributes.ContentState?) -> Entry {
                    Entry(date: date, attributes: timeline?.attributes, state: state, isKnown: timeline != nil)
                }
                let entries = (timeline?.entries ?? []).map {
                    entry(Date(timeIntervalSince1970: $0.date), $0.state)
                }
                let present = entries.last { $0.date <= now }?.state
                return [entry(now, present)] + entries.filter { $0.date > now }
            }

            /// Returns the time to ask again; after an hour if nothing is foretold, because a run may begin meanwhile.
            private static func policy(of timeline: \(type)Timeline?) -> TimelineReloadPolicy {
                switch timeline?.policy {
                case .atEnd: .atEnd
                case .after: .after(Date(timeIntervalSince1970: timeline?.after ?? 0))
                case .never: .after(Date().addingTimeInterval(3600))
                case nil: .after(Date().addingTimeInterval(900))
                }
            }
        }
        #endif
        """
    }
}
