import SkerryActivity
import SkerryValues
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
        let sounds: [ActivityAlert.Sound] = [.standard, .silent, .named("bell.caf")]
        update.alert = ActivityAlert(
            title: "Look",
            body: "",
            sound: sounds[Int(seed % 3)],
            level: ActivityAlert.Level.allCases[Int(seed % 4)]
        )
        update.link = "skerry://ä"
        update.isLinkContent = seed % 2 == 1
        update.showsRelevance = seed % 3 == 1
        update.heardAt = seed % 5 == 1 ? RandomActivity.start : nil
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

    @Test func `an update from before alerts had a sound is read`() throws {
        var update = Self.updates(seed: 0)[0]
        update.alert = ActivityAlert(title: "Look", body: "down")
        update.staleness = .silence(until: RandomActivity.start + .minutes(3))
        // Version 1 ends after the body; then come "default" with its length, the level, and the seal.
        var bytes = update.image()[...]
        let sound = try #require(bytes.firstRange(of: [7] + Array("default".utf8)))
        bytes = bytes[..<sound.lowerBound]
        var old = ImageWriter(capacity: 256)
        old.tag(1)
        for byte in bytes.dropFirst() { old.tag(byte) }
        old.seal()
        #expect("\(try ActivityUpdate(image: old.bytes[...]))" == "\(update)")
    }

    @Test(
        arguments: [
            ("default", ActivityAlert.Sound.standard), ("none", .silent), ("bell.caf", .named("bell.caf")),
            ("US-EN_1.wav", .named("US-EN_1.wav")), ("", nil), ("loud", nil), ("../bell.caf", nil),
            ("bell .caf", nil),
            ("é.caf", nil), (String(repeating: "a", count: 61) + ".caf", nil),
        ] as [(String, ActivityAlert.Sound?)]
    )
    func `a sound has a name`(name: String, sound: ActivityAlert.Sound?) {
        #expect(ActivityAlert.Sound(name) == sound)
        if let sound { #expect(sound.name == name) }
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
