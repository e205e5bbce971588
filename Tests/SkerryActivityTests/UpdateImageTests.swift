import SkerryActivity
import SkerryValues
import SkerryTesting
import Testing

/// Updates in bytes, and back.
@Suite struct UpdateImageTests {
    static func updates(seed: UInt64) -> [ActivityUpdate] {
        var random = RandomActivity(seed: seed)
        let plan = random.plan()
        var (activity, update) = Activity.start(
            plan,
            device: "ä",
            run: 3,
            epoch: -7,
            state: "on",
            attributes: random.object(depth: 1),
            content: random.content(for: plan),
            at: RandomActivity.start,
            startedAt: RandomActivity.start - .seconds(9)
        )
        update.alert = ActivityAlert(title: "Look", body: "")
        update.link = "home://ä"
        var updates = [update]
        let end = activity.end(
            state: "off",
            content: random.content(for: plan),
            at: RandomActivity.start + .hours(1)
        )
        if let end { updates.append(end) }
        return updates
    }

    @Test func `an update is read back as it was written`() throws {
        for seed in 0..<200 as Range<UInt64> {
            for update in Self.updates(seed: seed) {
                let image = update.image()
                let back = try ActivityUpdate(image: image[...])
                #expect(back.image() == image)
                #expect("\(back)" == "\(update)")
            }
        }
    }

    @Test func `bytes that no update has written are refused`() throws {
        let image = Self.updates(seed: 1)[0].image()
        for count in 0..<image.count {
            #expect(throws: ImageFault.self) { try ActivityUpdate(image: image.prefix(count)) }
        }
        for index in image.indices {
            var changed = image
            changed[index] ^= 0x41
            #expect(throws: ImageFault.self) { try ActivityUpdate(image: changed[...]) }
        }
    }
}
