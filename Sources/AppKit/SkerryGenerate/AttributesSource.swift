import SkerryActivity

/// The model, `…Attributes.swift`, which needs nothing but Foundation and so compiles everywhere.
///
/// Its types are `nonisolated`: ActivityKit decodes them on any thread, and new projects of Xcode 26 isolate what says
/// nothing to the main actor.
struct AttributesSource {
    /// The beginning of the names of its types.
    let type: String
    /// The kind of device, as a comment has it.
    let kind: String
    /// The members of its types.
    let model: AppModel

    /// The lines of the file.
    @SourceLines var lines: [String] {
        """
        import Foundation

        #if canImport(ActivityKit)
        @preconcurrency import ActivityKit

        nonisolated extension \(type)Attributes: ActivityAttributes {}
        #endif

        /// The attributes of one run of the kind `\(kind)`, which stay the same.
        ///
        /// Decodes what Skerry pushes, and the snapshots that it publishes on MQTT, with a `JSONDecoder` as it is.
        /// What is missing or of another type is nil, so that one wrong value never costs a whole update.
        nonisolated struct \(type)Attributes: Codable, Hashable, Sendable {
        """
        attributes
        contentState
        phase
        if let states = model.states { state(states) }
        if model.hasTimes { timerState }
        if model.hasScalars { scalar }
        """
        }

        // MARK: - Decoding
        """
        attributesDecoding
        membersDecoding("Attributes", model.attributes)
        contentStateDecoding
        membersDecoding("Content", model.content)
        if model.hasTimes { timerComputations }
        if model.hasScalars { scalarCoding }
    }
}

// MARK: - Types

extension AttributesSource {
    @SourceLines private var attributes: [String] {
        """
            /// The id of the activity: kind, device and run.
            var id = ""
            /// The name of the device.
            var device = ""
            /// 1 for the first activity of a run on this phone, one more each time it is renewed.
            var instance = 1
        """
        if !model.isLinkContent { link("    ") }
        """
            /// The attributes of the definition.
            var attributes = Attributes()
        """
        if !model.isLinkContent { url("    ") }
        """

            /// The attributes of the definition.
            struct Attributes: Codable, Hashable, Sendable {
        """
        for member in model.attributes {
            """
                    /// `attributes.\(member.name)`: \(member.type.meaning).
                    var \(member.property): \(member.type.swift)?
            """
        }
        """
            }

        """
    }

    @SourceLines private func link(_ margin: String) -> [String] {
        """
        \(margin)/// The link that opens at a tap.
        \(margin)var link: String?
        """
    }

    @SourceLines private func url(_ margin: String) -> [String] {
        """

        \(margin)/// The link that opens at a tap, as a URL.
        \(margin)var url: URL? { link.flatMap { URL(string: $0) } }
        """
    }

    @SourceLines private var contentState: [String] {
        """
            /// The content, which changes.
            struct ContentState: Codable, Hashable, Sendable {
                /// The phase of the activity's life.
                var phase = Phase.unknown
                /// The state of the device.
                var state = \(model.states.map { "State.\($0.unknown)" } ?? "\"\"")
                /// The number of the revision.
                var rev = 0
                /// The last message of the device, in Unix seconds; only while it is silent for too long.
                var heard: Double?
        """
        if model.isLinkContent { link("        ") }
        """
                /// The content of the definition.
                var content = Content()
        """
        if model.isLinkContent { url("        ") }
        """
            }

            /// The content of the definition.
            struct Content: Codable, Hashable, Sendable {
        """
        for member in model.content {
            """
                    /// `content.\(member.name)`: \(member.type.meaning).
                    var \(member.property): \(member.type.swift)?
            """
        }
        """
            }

        """
    }

    @SourceLines private var phase: [String] {
        """
            /// The phase of an activity's life.
            enum Phase: String, Codable, Hashable, Sendable {
                /// The device is at work and heard of.
                case active
                /// The device has been silent for too long.
                case stale
                /// The run is over.
                case ended
                /// Something that this app does not know.
                case unknown
            }
        """
    }

    @SourceLines private func state(_ states: AppModel.States) -> [String] {
        """

            /// The states of the device.
            enum State: String, Codable, Hashable, Sendable {
        """
        for state in states.cases {
            """
                    /// The state `\(state.meaning)`.
                    case \(state.swift)
            """
        }
        """
                /// A state that this app does not know.
                case \(states.unknown)
            }
        """
    }

    @SourceLines private var timerState: [String] {
        """

            /// A timer: moments from which a phone draws a running clock without being told again.
            struct TimerState: Codable, Hashable, Sendable {
                /// The start, in Unix seconds; while it runs.
                var start: Double?
                /// The moment at which it reaches zero, in Unix seconds; while it counts down.
                var end: Double?
                /// The probable distance from the true end at most, in seconds; only if it is learned from past runs.
                var tolerance: Double?
                /// The time left, in seconds; while a countdown stands still.
                var remaining: Double?
                /// The whole length of a countdown that stands still, in seconds.
                var duration: Double?
                /// The time counted, in seconds; while a count stands still.
                var elapsed: Double?
            }
        """
    }

    @SourceLines private var scalar: [String] {
        """

            /// A value of a field whose type the definition does not tell.
            enum Scalar: Hashable, Sendable {
                /// A text.
                case text(String)
                /// A number.
                case number(Double)
                /// A truth value.
                case truth(Bool)
            }
        """
    }
}

// MARK: - Decoding

extension AttributesSource {
    @SourceLines private var attributesDecoding: [String] {
        """

        nonisolated extension \(type)Attributes {
            init(from decoder: any Decoder) throws {
                let members = try decoder.container(keyedBy: CodingKeys.self)
                id = (try? members.decode(String.self, forKey: .id)) ?? ""
                device = (try? members.decode(String.self, forKey: .device)) ?? ""
                instance = (try? members.decode(Int.self, forKey: .instance)) ?? 1
        """
        if !model.isLinkContent { linkDecoding }
        """
                attributes = (try? members.decode(Attributes.self, forKey: .attributes)) ?? Attributes()
            }
        }
        """
    }

    @SourceLines private var linkDecoding: [String] {
        """
                link = try? members.decode(String.self, forKey: .link)
        """
    }

    @SourceLines private var contentStateDecoding: [String] {
        """

        nonisolated extension \(type)Attributes.ContentState {
            init(from decoder: any Decoder) throws {
                let members = try decoder.container(keyedBy: CodingKeys.self)
                phase = (try? members.decode(\(type)Attributes.Phase.self, forKey: .phase)) ?? .unknown
        """
        if let states = model.states {
            """
                    state = (try? members.decode(\(type)Attributes.State.self, forKey: .state)) ?? .\(states.unknown)
            """
        } else {
            """
                    state = (try? members.decode(String.self, forKey: .state)) ?? ""
            """
        }
        """
                rev = (try? members.decode(Int.self, forKey: .rev)) ?? 0
                heard = try? members.decode(Double.self, forKey: .heard)
        """
        if model.isLinkContent { linkDecoding }
        """
                let content = try? members.decode(\(type)Attributes.Content.self, forKey: .content)
                self.content = content ?? \(type)Attributes.Content()
            }
        }
        """
    }

    /// Returns the decoding of a type's members: each decodes by itself, and a wrong value becomes nil.
    @SourceLines private func membersDecoding(_ name: String, _ members: [AppModel.Member]) -> [String] {
        if !members.isEmpty {
            """

            nonisolated extension \(type)Attributes.\(name) {
                private enum CodingKeys: String, CodingKey {
            """
            for member in members {
                """
                        case \(member.key)
                """
            }
            """
                }

                init(from decoder: any Decoder) throws {
                    let members = try decoder.container(keyedBy: CodingKeys.self)
            """
            for member in members {
                """
                        \(member.property) = try? members.decode(\(decoded(member)).self, forKey: .\(member.property))
                """
            }
            "    }"
            for member in members { conversion(member) }
            "}"
        }
    }

    /// Returns the name of a member's type outside the attributes.
    private func decoded(_ member: AppModel.Member) -> String {
        member.type.isNested ? "\(type)Attributes.\(member.type.swift)" : member.type.swift
    }

    /// Returns the property with the value of a member as a date or a length of time.
    @SourceLines private func conversion(_ member: AppModel.Member) -> [String] {
        if let converted = member.converted {
            if member.type == .timestamp {
                """

                    /// `\(member.property)` as a date.
                    var \(converted): Date? { \(member.property).map { Date(timeIntervalSince1970: $0) } }
                """
            } else {
                """

                    /// `\(member.property)` as a length of time.
                    var \(converted): Duration? { \(member.property).map { .seconds($0) } }
                """
            }
        }
    }

    @SourceLines private var timerComputations: [String] {
        """

        // MARK: - Timers

        nonisolated extension \(type)Attributes.TimerState {
            /// The start; nil while it stands still.
            var startDate: Date? { start.map { Date(timeIntervalSince1970: $0) } }

            /// The moment at which it reaches zero; nil unless it counts down.
            var endDate: Date? { end.map { Date(timeIntervalSince1970: $0) } }

            /// True if it counts down to an end, or stands still on its way there.
            var countsDown: Bool { end != nil || remaining != nil }

            /// Returns whether its countdown is over.
            func hasEnded(at date: Date = Date()) -> Bool { endDate.map { $0 <= date } ?? false }

            /// From its start to its end, also for one that stands still; nil when there is no such range.
            ///
            /// A range from now on would stop the app once the end has passed.
            var interval: ClosedRange<Date>? {
                let begin = startDate ?? Date(timeIntervalSince1970: 0)
                if let endDate { return begin < endDate ? begin...endDate : nil }
                if let remaining {
                    return begin...begin.addingTimeInterval(max(duration ?? 0, remaining, 1))
                }
                return start != nil || elapsed != nil ? begin...Date.distantFuture : nil
            }

            /// The moment within `interval` at which it stands still; nil while it runs.
            var pauseDate: Date? {
                guard let interval, start == nil else { return nil }
                if let remaining { return interval.upperBound.addingTimeInterval(-max(remaining, 0)) }
                return elapsed.map { interval.lowerBound.addingTimeInterval(max($0, 0)) }
            }

            /// The finished part of a countdown, from 0 to 1, while it stands still.
            var fraction: Double {
                guard let remaining, let duration, duration > 0 else { return 0 }
                return min(max(1 - remaining / duration, 0), 1)
            }

            /// A text as wide as its clock will ever be.
            var widestText: String {
                guard countsDown, let interval else { return "00:00:00" }
                let length = interval.upperBound.timeIntervalSince(interval.lowerBound)
                return length < 3600 ? "00:00" : length < 36_000 ? "0:00:00" : "00:00:00"
            }
        }
        """
    }
}

extension AttributesSource {
    @SourceLines var scalarCoding: [String] {
        """

        // MARK: - Values of any type

        nonisolated extension \(type)Attributes.Scalar: Codable {
            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                if let truth = try? value.decode(Bool.self) {
                    self = .truth(truth)
                } else if let number = try? value.decode(Double.self) {
                    self = .number(number)
                } else {
                    self = .text(try value.decode(String.self))
                }
            }

            func encode(to encoder: any Encoder) throws {
                var value = encoder.singleValueContainer()
                switch self {
                case .text(let text): try value.encode(text)
                case .number(let number): try value.encode(number)
                case .truth(let truth): try value.encode(truth)
                }
            }
        }
        """
    }
}
