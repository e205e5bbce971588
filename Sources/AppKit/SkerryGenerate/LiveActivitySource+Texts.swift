import SkerryActivity

// The functions of those views: they choose symbols and colours, and write links and texts.

extension LiveActivitySource {
    /// A function that chooses a symbol or a colour.
    @SourceLines func chooser(_ choosing: AppView.Choosing) -> [String] {
        let isSymbol = choosing.name == "symbol"
        """

        /// \(isSymbol ? "The symbol" : "The colour of the island") that \(choosing.label == "byState" ? "a state" : "a value") chooses.
        private func \(choosing.name)(\(choosing.label) value: \(choosing.argument)) -> \(isSymbol ? "String" : "Color?") {
        """
        if choosing.isJoined {
            """
                for state in value.split(separator: ",") {
                    switch state {
            """
            for one in choosing.cases {
                """
                        case \(one.pattern): return \(one.result)
                """
            }
            """
                    default: continue
                    }
                }
                return \(choosing.otherwise)
            }
            """
        } else {
            """
                switch value {
            """
            for one in choosing.cases {
                """
                    case \(one.pattern): \(one.result)
                """
            }
            """
                default: \(choosing.otherwise)
                }
            }
            """
        }
    }

    @SourceLines var links: [String] {
        """

        // MARK: - Links

        /// The link with these parts; nil when one of them is missing.
        private func url(_ parts: String?...) -> URL? {
            let found = parts.compactMap { $0 }
            return found.count == parts.count ? URL(string: found.joined()) : nil
        }
        """
        for type in view.linkedTypes { linked(type) }
    }

    /// The function that writes values of a type into links, as they were published.
    @SourceLines private func linked(_ valueType: FieldType) -> [String] {
        switch valueType {
        case .any:
            """

            /// The value as links contain it; nil when there is none.
            private func linked(_ value: \(type)Attributes.Scalar?) -> String? {
                switch value {
                case .text(let text): text.isEmpty ? nil : text
                case .number(let number): linked(number)
                case .truth(let truth): truth ? "true" : "false"
                case nil: nil
                }
            }
            """
        case .string:
            """

            /// The text; nil when there is none.
            private func linked(_ value: String?) -> String? { value?.isEmpty == false ? value : nil }
            """
        case .int:
            """

            /// The number in digits.
            private func linked(_ value: Int?) -> String? { value.map { String($0) } }
            """
        case .double:
            """

            /// The number in digits, a whole one without a fraction.
            private func linked(_ value: Double?) -> String? {
                value.map { number in Int(exactly: number).map { String($0) } ?? String(number) }
            }
            """
        case .bool:
            """

            /// The truth value in words.
            private func linked(_ value: Bool?) -> String? { value.map { $0 ? "true" : "false" } }
            """
        case .timestamp, .duration, .time, .structure: []
        }
    }

    @SourceLines var measure: [String] {
        """

        /// The number as people write it, with its unit; nothing when there is none.
        private func text(_ value: Double?, digits: Int, unit: String) -> String {
            guard let value else { return "" }
            if unit == "%" { return (value / 100).formatted(.percent.precision(.fractionLength(0...digits))) }
            let number = value.formatted(.number.precision(.fractionLength(0...digits)))
            return unit.isEmpty ? number : number + "\\u{00A0}" + unit
        }
        """
    }

    @SourceLines var wholeMeasure: [String] {
        """

        /// The whole number as people write it, with its unit; nothing when there is none.
        private func text(_ value: Int?, digits: Int, unit: String) -> String {
            text(value.map { Double($0) }, digits: digits, unit: unit)
        }
        """
    }

    /// The rule by which a missing value takes along what belongs to it, as Skerry has it.
    @SourceLines var joining: [String] {
        """

        /// The pieces as one text, without what belongs to missing values.
        private func joined(_ pieces: TextPiece...) -> String { pieces.joined() }

        """
        for file in EmbeddedSources.files(in: "views") {
            file.text.replacing("public enum", with: "private enum").replacing("public ", with: "")
                .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
    }

    /// Returns the function that writes values of a type as text.
    @SourceLines func text(of valueType: FieldType) -> [String] {
        switch valueType {
        case .any:
            """

            /// The value as people write it; nothing when there is none.
            private func text(_ value: \(type)Attributes.Scalar?) -> String {
                switch value {
                case .text(let text): text
                case .number(let number): number.formatted(.number.precision(.fractionLength(0...2)))
                case .truth(let truth): truth ? "true" : "false"
                case nil: ""
                }
            }
            """
        case .string: text("The text; nothing when there is none.", of: "String", #"value ?? """#)
        case .int: text("The number as people write it.", of: "Int", #"value?.formatted() ?? """#)
        case .double:
            text(
                "The number with at most two digits of a fraction.",
                of: "Double",
                #"value?.formatted(.number.precision(.fractionLength(0...2))) ?? """#
            )
        case .bool:
            text("The truth value in words.", of: "Bool", #"value.map { $0 ? "true" : "false" } ?? """#)
        case .timestamp:
            text(
                "The moment as a time of day.",
                of: "Date",
                #"value?.formatted(date: .omitted, time: .shortened) ?? """#
            )
        case .duration:
            text(
                "The length in hours and minutes.",
                of: "Duration",
                #"value?.formatted(.time(pattern: .hourMinute)) ?? """#
            )
        case .time, .structure:
            []
        }
    }

    @SourceLines private func text(_ meaning: String, of valueType: String, _ body: String) -> [String] {
        """

        /// \(meaning)
        private func text(_ value: \(valueType)?) -> String {
            \(body)
        }
        """
    }
}
