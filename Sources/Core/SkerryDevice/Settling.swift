import SkerryActivity
import SkerryMachine
import SkerryValues

/// Changes of an activity that wait for one update: until they have settled, or because they are throttled.
struct Settling: Sendable, Hashable {
    /// The moment of the update.
    var due: Deadline
    /// True if a state changed, so that every field gets its exact value.
    var isExact: Bool

    mutating func move(by shift: ClockShift) {
        var moved: Deadline? = due
        shift.move(&moved)
        if let moved { due = moved }
    }
}

extension Settling {
    func write(to writer: inout ImageWriter) {
        due.write(to: &writer)
        writer.flag(isExact)
    }

    init(from reader: inout ImageReader) throws(ImageFault) {
        self.init(due: try Deadline(from: &reader), isExact: try reader.flag())
    }
}

extension Turn {
    /// Holds an update back until changes have settled.
    ///
    /// The time begins with the first change that people would see, and later ones do not lengthen it.
    ///
    /// - Parameters:
    ///   - definition: The activity of the definition.
    ///   - exactly: True if every field counts exactly.
    ///   - content: Gets the content if it was needed: nothing is evaluated, and no failure counted, twice.
    /// - Returns: True if the update comes later; false if it is to be published now, or there is none.
    mutating func isHeldBack(
        _ definition: ActivityDefinition,
        exactly: Bool,
        _ content: inout [ContentValue]?
    ) -> Bool {
        guard let length = definition.times.settle else { return false }
        assert(isFollowed, "changes settle without a run")
        // Throttled values may wait for longer, and nothing but other throttled values joins them then.
        if let settling = run[0].settling, settling.due.at <= scene.now + length {
            // A change of state among those that are collected makes the whole update exact.
            if exactly, !settling.isExact {
                run[0].settling?.isExact = true
                scene.mustKeep = true
            }
            return true
        }
        // A copy, so that the tolerance decides about the first change, but nothing is published yet.
        var trial = run[0].activity
        let rendered = scene.content(definition, machine, exactly: exactly)
        content = rendered
        guard trial.render(state: stateName, content: rendered, exactly: exactly, at: scene.now) != nil else {
            return false
        }
        run[0].settling = Settling(due: scene.clock.arm(at: scene.now + length), isExact: exactly)
        scene.mustKeep = true
        return true
    }

    /// Sees to it that values that changed too soon after the last update are told in time.
    ///
    /// - Parameter former: What waited before; the same wait is no reason to store the device again.
    mutating func waitForThrottled(after former: Settling?) {
        guard isFollowed, let due = run[0].activity.throttledUntil else { return }
        assert(due > scene.now, "values wait that may be told now")
        if let former, former.due.at == due, !former.isExact {
            run[0].settling = former
            return
        }
        run[0].settling = Settling(due: scene.clock.arm(at: due), isExact: false)
        scene.mustKeep = true
    }

    /// Publishes what has become of the changes that were held back.
    mutating func publishSettled() {
        guard let settling = run[0].settling else { return }
        assert(settling.due.at == scene.now, "changes settle at another time than their own")
        run[0].settling = nil
        guard let definition = scene.definition.activity, isFollowed else { return }
        let update = run[0].activity.render(
            state: stateName,
            content: scene.content(definition, machine, exactly: settling.isExact),
            exactly: settling.isExact,
            isDue: true,
            at: scene.now
        )
        boundInexactness(definition)
        tellContentFault()
        if let update { publish(update, definition) }
        assert(run[0].settling == nil, "changes that are told wait once more")
    }
}
