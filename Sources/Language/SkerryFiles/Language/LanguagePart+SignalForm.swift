import SkerryDevice

extension LanguagePart {
    static let signalMapping = LanguageMapping(
        "Signal with possible values",
        "A number of which not every value is possible. Without `valid` the expression alone is enough.",
        [
            LanguageKey(
                "value",
                "Value",
                "The expression.",
                .expression,
                isRequired: true,
                examples: ["payload.temperature"]
            ),
            LanguageKey(
                "valid",
                "Possible values",
                "Any other value makes the signal unknown, as if it had never been told.",
                .mapping(.validRange),
                isRequired: true,
                examples: ["{ min: -40, max: 60 }"]
            ),
        ]
    )

    static let validRangeMapping = LanguageMapping(
        "Possible values",
        "The smallest and the greatest number that a signal can have.",
        [
            LanguageKey(
                "min",
                "Smallest",
                "The smallest possible value; no bound when left out.",
                .number(validBounds),
                examples: ["-40"]
            ),
            LanguageKey(
                "max",
                "Greatest",
                "The greatest possible value; no bound when left out.",
                .number(validBounds),
                examples: ["60"]
            ),
        ]
    )

    /// The bounds of what a bound can be: beyond, numbers of JSON are no longer exact.
    static let validBounds = -1e15...1e15

    static let signalFormMapping = LanguageMapping(
        "Signal over time",
        "A signal that is made of the values that an expression has had over time.",
        choice: SignalFormKind.allCases.map(\.name),
        [
            LanguageKey(
                "integral",
                "Sum over time",
                "The sum of a value over time, such as the energy of a power. Each value counts until the next one comes.",
                .expression,
                examples: ["power / 1000.0"]
            ),
            LanguageKey(
                "rate",
                "Rate of change",
                "By how much a value changes in a unit of time.",
                .expression,
                examples: ["level"]
            ),
            LanguageKey(
                "mean",
                "Moving mean",
                "The mean of the last values, as many as `over` says.",
                .expression,
                examples: ["power"]
            ),
            LanguageKey(
                "median",
                "Moving median",
                "The median of the last values, as many as `over` says.",
                .expression,
                examples: ["power"]
            ),
            LanguageKey(
                "min",
                "Smallest value",
                "The smallest value so far.",
                .expression,
                examples: ["power"]
            ),
            LanguageKey(
                "max",
                "Greatest value",
                "The greatest value so far.",
                .expression,
                examples: ["power"]
            ),
            LanguageKey(
                "counter",
                "Increase of a counter",
                "What a counter has added so far. One that goes back has begun at 0 again, unless `wraps` tells where it "
                    + "wraps.",
                .expression,
                examples: ["payload.total"]
            ),
            LanguageKey(
                "on",
                "Condition for true",
                "The signal turns true when this holds, and false when `off` does.",
                .expression,
                examples: ["power > 10"]
            ),
            LanguageKey(
                "pace",
                "Time between reports",
                "The usual time between two reports of a signal, in seconds.",
                .expression,
                examples: ["power"]
            ),
            LanguageKey(
                "off",
                "Condition for false",
                "The signal turns false when this holds and `on` does not. Without it: when `on` does not hold.",
                .expression,
                examples: ["power < 5"]
            ),
            LanguageKey(
                "for",
                "Time before it turns",
                "With `on`: how long the signal must have differed before it turns.",
                .duration,
                examples: ["2s"]
            ),
            LanguageKey(
                "over",
                "Values looked at",
                "The values of a mean, a median or a rate: those of a length of time, or so many, 2 to 64.",
                .either([.duration, .number(2...64)]),
                examples: ["10m", "5"]
            ),
            LanguageKey(
                "per",
                "Unit of time",
                "The unit of time of an integral or a rate, `1h` when left out.",
                .duration,
                examples: ["1m"]
            ),
            LanguageKey(
                "gap",
                "Longest gap",
                "For how long a value counts in an integral when no other comes, `15m` when left out.",
                .duration,
                examples: ["1h"]
            ),
            LanguageKey(
                "wraps",
                "Wrap of a counter",
                "The number at which the counter begins at 0 again.",
                .number(1...1e15),
                examples: ["65536"]
            ),
        ]
    )
}
