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
