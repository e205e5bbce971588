package import SkerryDevice
package import SkerryValues

/// A test of a definition, as written under `tests:`.
package struct TestDraft: Sendable {
    /// The largest number of steps, those of repetitions counted each time.
    static let stepLimit = 10_000

    /// The name of the test: what it shows, in a sentence.
    package var name: SourceText
    /// The events and expectations, in order.
    package var steps: [TestStep]
    /// The place whose clocks and whose sun count; UTC without a sun when nothing is written.
    package var location = Location.utc
}

/// A step of a test with its place.
package struct TestStep: Sendable {
    package enum Kind: Sendable {
        /// A device is here before anything happens.
        case given(TestGiven)
        /// The device sends messages, in the order written; `retained` ones describe the past.
        case send([TestMessage], isRetained: Bool)
        /// This much time passes.
        case wait(SourceInterval)
        /// The clock moves to a moment.
        case at(Timestamp)
        /// Somebody sends an event to the machine of a device; without a name to the only one there is.
        case event(SourceText, device: SourceText?)
        /// All of this is so.
        case expect([TestEntry])
    }

    package var kind: Kind
    package var place: Place
    /// True if the same step was done before, by a repetition.
    package private(set) var isAgain = false

    package init(_ kind: Kind, at place: Place) {
        self.kind = kind
        self.place = place
    }

    /// The same step in a repetition.
    var again: TestStep {
        var step = self
        step.isAgain = true
        return step
    }
}

/// The situation of a device before the test.
package struct TestGiven: Sendable {
    /// The device; nil for the only one of the test.
    package var device: SourceText?
    /// The states it is in; none when the machine is in its initial ones, or has not started.
    package var states: [SourceText] = []
    /// Settings with the values that were chosen for the device.
    package var settings: [WrittenChoice] = []
    /// Signals with their values.
    package var signals: [TestEntry] = []
    /// Variables with their values.
    package var context: [TestEntry] = []
    /// Timers with the time that they have left, or have counted.
    package var timers: [TestTimer] = []

    /// Makes one in which nothing is given.
    package init() {}

    /// True if the machine has started; signals alone can be there before that.
    package var hasStarted: Bool { !states.isEmpty || !context.isEmpty || !timers.isEmpty }
}

/// A timer that is given.
package struct TestTimer: Sendable {
    package var name: SourceText
    /// The time that it has left, or has counted.
    package var length: SourceInterval
}

/// A message that a test sends.
package struct TestMessage: Sendable {
    package var topic: SourceText
    /// Its payload: a text's UTF-8, or the compact JSON of a mapping or list with the keys in the order written.
    package var payload: [UInt8]
}

/// A name of a test with the value that belongs to it.
package struct TestEntry: Sendable {
    /// The name, such as `state` or `updates`.
    package var name: SourceText
    package var value: TestValue

    package init(name: SourceText, value: TestValue) {
        self.name = name
        self.value = value
    }
}

/// A value of a test with its place.
package struct TestValue: Sendable {
    /// The content of a value; plain texts are read by the core schema of YAML 1.2.
    package indirect enum Content: Sendable {
        /// No value.
        case null
        /// `true` or `false`.
        case bool(Bool)
        /// A whole number.
        case int(Int64)
        /// Any other number.
        case double(Double)
        case text(String)
        case list([TestValue])
        /// A mapping in the order written.
        case map([TestEntry])
    }

    /// The value itself.
    package var content: Content
    /// The value as written, with its place; empty for lists and mappings.
    package var source: SourceText

    package init(_ content: Content, source: SourceText) {
        self.content = content
        self.source = source
    }
}

extension TestValue {
    /// The same value as expressions and payloads have it.
    package var value: Value {
        switch content {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .double(let value): .double(value)
        case .text(let value): .string(value)
        case .list(let elements): .list(elements.map(\.value))
        case .map(let entries):
            .map(
                ValueMap(
                    uniqueEntries: entries.map { entry in
                        ValueMap.Entry(key: .string(entry.name.text), value: entry.value.value)
                    }
                )
            )
        }
    }
}
