// Timers as running clocks: in digits, in minutes, and where there is no room for either.

extension LiveActivitySource {
    @SourceLines var timerText: [String] {
        """

            /// A timer as a running clock.
            ///
            /// A clock takes all the width that it is offered, so it stands on a hidden text as wide as it will ever be.
            struct TimerText: View {
                /// The timer; nothing is drawn without one.
                let timer: \(type)Attributes.TimerState?

                var body: some View {
                    FittedClock(timer: timer) {
                        if let timer, let clock = Self.clock(of: timer) {
                            Text(verbatim: timer.widestText)
                                .hidden()
                                .overlay(alignment: .trailing) {
                                    clock
                                        .multilineTextAlignment(.trailing)
                                }
                                .monospacedDigit()
                                .contentTransition(.numericText(countsDown: timer.countsDown))
                                .accessibilityElement(children: .ignore)
                                .accessibilityLabel(Self.spoken(timer))
                        } else if timer?.interval != nil {
                            Image(systemName: "hourglass")
                                .accessibilityLabel(Text("Time is up"))
                        }
                    }
                }

                /// The running clock alone; nil without a timer, and when its time is up.
                static func clock(of timer: \(type)Attributes.TimerState?) -> Text? {
                    guard let timer, let interval = timer.interval, !timer.hasEnded() else { return nil }
                    return Text(
                        timerInterval: interval,
                        pauseTime: timer.pauseDate,
                        countsDown: timer.countsDown,
                        showsHours: true
                    )
                }

                /// The timer in words that stay true while it runs.
                static func spoken(_ timer: \(type)Attributes.TimerState) -> Text {
                    func time(_ date: Date) -> String { date.formatted(date: .omitted, time: .shortened) }
                    func length(_ seconds: Double) -> String {
                        Duration.seconds(seconds).formatted(.units(allowed: [.hours, .minutes, .seconds]))
                    }
                    if let end = timer.endDate { return Text("until \\(time(end))") }
                    if let remaining = timer.remaining { return Text("paused, \\(length(remaining)) left") }
                    if let start = timer.startDate { return Text("since \\(time(start))") }
                    return Text("paused after \\(length(timer.elapsed ?? 0))")
                }
            }
        """
    }

    /// The key of the environment came with Xcode 27, whose compiler is 6.4: an earlier one does not know it.
    @SourceLines var fittedClock: [String] {
        """

            /// A clock; where the Dynamic Island can't grow for its digits, as in landscape, a ring or the clock alone.
            struct FittedClock<Clock: View>: View {
                /// The timer.
                let timer: \(type)Attributes.TimerState?
                /// The clock, with room for all its digits.
                @ViewBuilder let clock: Clock

                var body: some View {
                    #if compiler(>=6.4)
                    if #available(iOS 27.0, *) {
                        NarrowClock(timer: timer, clock: clock)
                    } else {
                        clock
                    }
                    #else
                    clock
                    #endif
                }
            }

            #if compiler(>=6.4)
            /// A clock that knows how much room the Dynamic Island has; a countdown is a ring where there is little.
            @available(iOS 27.0, *)
            struct NarrowClock<Clock: View>: View {
                /// The timer.
                let timer: \(type)Attributes.TimerState?
                /// The clock, with room for all its digits.
                let clock: Clock

                @Environment(\\.isDynamicIslandLimitedInWidth) private var isNarrow

                var body: some View {
                    if isNarrow, let timer, let digits = TimerText.clock(of: timer) {
                        Group {
                            if timer.countsDown {
                                TimerBar(timer: timer)
                                    .progressViewStyle(.circular)
                            } else {
                                digits
                                    .monospacedDigit()
                                    .lineLimit(1)
                                    .minimumScaleFactor(0.5)
                            }
                        }
                        .accessibilityElement(children: .ignore)
                        .accessibilityLabel(TimerText.spoken(timer))
                    } else {
                        clock
                    }
                }
            }
            #endif
        """
    }

    @SourceLines var timerMinutes: [String] {
        """

            /// A timer in whole minutes, such as "12 min", which the phone counts; before iOS 18 a running clock.
            struct TimerMinutes: View {
                /// The timer; nothing is drawn without one.
                let timer: \(type)Attributes.TimerState?

                var body: some View {
                    FittedClock(timer: timer) {
                        if #available(iOS 18.0, *), let timer, let minutes = Self.minutes(of: timer) {
                            Text(verbatim: Self.widest(timer))
                                .hidden()
                                .overlay(alignment: .trailing) {
                                    minutes
                                        .textVariant(.sizeDependent)
                                        .lineLimit(1)
                                        .multilineTextAlignment(.trailing)
                                }
                                .monospacedDigit()
                                .contentTransition(.numericText(countsDown: timer.countsDown))
                                .accessibilityElement(children: .ignore)
                                .accessibilityLabel(TimerText.spoken(timer))
                        } else {
                            TimerText(timer: timer)
                        }
                    }
                }

                /// The minutes; nil without any, and when the time is up.
                @available(iOS 18.0, *)
                private static func minutes(of timer: \(type)Attributes.TimerState) -> Text? {
                    guard timer.interval != nil, !timer.hasEnded() else { return nil }
                    // Of a countdown, a minute that has begun counts in full.
                    if let end = timer.endDate { return running(end.addingTimeInterval(59)) }
                    if let remaining = timer.remaining { return Text(verbatim: text((remaining / 60).rounded(.up))) }
                    if let start = timer.startDate { return running(start) }
                    return Text(verbatim: text(((timer.elapsed ?? 0) / 60).rounded(.down)))
                }

                /// The minutes to a moment or since it, in the longest words for which there is room.
                @available(iOS 18.0, *)
                private static func running(_ date: Date) -> Text {
                    Text(.currentDate, format: .offset(to: date, allowedFields: [.hour, .minute], sign: .never))
                }
        """
        minutesInWords
    }

    private var minutesInWords: String {
        """

                /// A text as wide as the minutes will ever be.
                private static func widest(_ timer: \(type)Attributes.TimerState) -> String {
                    guard timer.countsDown, let interval = timer.interval else { return text(599) }
                    let hours = interval.upperBound.timeIntervalSince(interval.lowerBound) / 3600
                    return text(min(hours, 10).rounded(.down) * 60 + 59)
                }

                /// Minutes in short words; with hours in the shortest.
                private static func text(_ minutes: Double) -> String {
                    Duration.seconds(minutes * 60).formatted(
                        .units(allowed: [.hours, .minutes], width: minutes < 60 ? .abbreviated : .narrow)
                    )
                }
            }
        """
    }
}
