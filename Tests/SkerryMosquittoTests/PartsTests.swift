@testable import SkerryGateway
import SkerryValues
import Testing

@testable import SkerryMosquitto

/// The parts that need no broker.
struct PartsTests {
    /// A generator that always gives the same.
    ///
    /// Not zero: the standard library draws again for some small values, here for ever.
    struct Same: RandomNumberGenerator {
        var value: UInt64
        mutating func next() -> UInt64 { value }
    }

    @Test(
        "a broker without one of the versions is told with the other one, in the words of its own version",
        arguments: [
            (MosquittoOptions.Version.v5, 0x84, "Unsupported Protocol Version; try mqtt.version: 3.1.1"),
            (.v5, 1, "unacceptable protocol version; try mqtt.version: 3.1.1"),
            (.v311, 1, "unacceptable protocol version; try mqtt.version: 5"),
            (.v311, 3, "broker unavailable"),
        ] as [(MosquittoOptions.Version, Int32, String)]
    )
    func versions(version: MosquittoOptions.Version, code: Int32, words: String) {
        var options = MosquittoOptions(host: "hub", clientID: "skerry")
        options.version = version
        let fault = BusFault.greeting(options, .init(code: code, isResumed: false, reason: ""))
        #expect(fault.message == "the broker at hub:1883 refused the connection: \(words)")
    }

    /// Something that happens on a connection, and when.
    enum Sign {
        case ping(Int64)
        case message(Int64)
        case answer(Int64)
    }

    @Test(
        "a broker whose answer to a ping comes behind messages is kept, and hears of the bus; a silent one is not",
        arguments: [
            // Nothing comes, or nothing was asked: the library looks.
            ([.ping(30)], 59, .look), ([.message(40)], 100, .look), ([.ping(30), .answer(31)], 100, .look),
            // The answer is not overdue yet.
            ([.ping(30), .message(57)], 57, .look),
            // It is, and messages come.
            ([.ping(30), .message(58)], 58, .sign), ([.ping(30), .message(59)], 80, .sign),
            // They came too long ago.
            ([.ping(30), .message(59)], 89, .look),
            // It came at last.
            ([.ping(30), .message(59), .answer(60), .message(61)], 62, .look),
        ] as [([Sign], Int64, KeepAlive.Step)]
    )
    func keepAlive(signs: [Sign], second: Int64, step: KeepAlive.Step) {
        var keepAlive = KeepAlive(.seconds(30), at: .zero)
        for sign in signs {
            switch sign {
            case .ping(let second): keepAlive.pinged(at: .seconds(second))
            case .message(let second): keepAlive.heard(mayBeAnswer: false, at: .seconds(second))
            case .answer(let second): keepAlive.heard(mayBeAnswer: true, at: .seconds(second))
            }
        }
        #expect(keepAlive.step(at: .seconds(second)) == step)
    }

    @Test("signs of life come before the broker gives up; without a keep-alive there is none")
    func signsOfLife() {
        var (keepAlive, never) = (KeepAlive(.seconds(30), at: .zero), KeepAlive(.zero, at: .zero))
        keepAlive.pinged(at: .seconds(30))
        never.pinged(at: .seconds(30))
        let steps = (31...200 as ClosedRange<Int64>).map { second in
            keepAlive.heard(mayBeAnswer: false, at: .seconds(second))
            never.heard(mayBeAnswer: false, at: .seconds(second))
            #expect(never.step(at: .seconds(second)) == .look)
            return (second: second, step: keepAlive.step(at: .seconds(second)))
        }
        #expect(steps.filter { $0.step == .sign }.map(\.second) == [58, 86, 114, 142, 170, 198])
        #expect(steps.allSatisfy { ($0.step == .look) == ($0.second < 58) })
    }

    @Test(
        "pauses double up to the longest, are randomly shortened by at most half, and begin again after a reset"
    )
    func retrySchedule() {
        var random = Same(value: 1 << 32)
        var retries = RetrySchedule(first: .milliseconds(250), longest: .seconds(2))
        let whole = (0..<6).map { _ in retries.pause(using: &random).microseconds / 1000 }
        #expect(whole == [250, 500, 1000, 2000, 2000, 2000])
        retries.reset()
        #expect(retries.pause(using: &random) == .milliseconds(250))
        random.value = .max
        retries.reset()
        #expect(retries.pause(using: &random) == .milliseconds(125))
    }

    @Test("the window gives each publication back once, and forgets the unconfirmed with the connection")
    func window() throws {
        var window = PublicationWindow()
        func publication(_ id: UInt64) -> Publication { Publication(id: id, topic: "t/\(id)", payload: []) }
        window.add(1, publication(10), isConfirmed: true)
        window.add(2, publication(20), isConfirmed: false)
        window.add(3, publication(30), isConfirmed: true)
        let found = window.remove(3)
        let answered = try #require(found)
        #expect(answered.id == 30 && answered.topic == "t/30")
        #expect(window.remove(3)?.id == nil)
        #expect(window.forgetUnconfirmed() == [20])
        #expect(window.count == 1)
        #expect(window.remove(1)?.id == 10)
        #expect(window.isEmpty)
    }

    @Test("a batch keeps bytes, order and flags, and gives large storage back")
    func batch() {
        var batch = MessageBatch()
        batch.append(topic: "a/b".utf8, payload: "one".utf8, isRetained: true, quality: .atMostOnce)
        batch.append(topic: "".utf8, payload: [UInt8](), arrival: .seconds(3))
        #expect(batch.count == 2)
        #expect(batch.byteCount == 6)
        #expect(batch[0].topic.elementsEqual("a/b".utf8))
        #expect(batch[0].payload.elementsEqual("one".utf8))
        #expect(batch[0].isRetained && batch[0].quality == .atMostOnce)
        #expect(batch[1].topic.isEmpty && batch[1].payload.isEmpty)
        #expect(!batch[1].isRetained && batch[1].arrival == .seconds(3))
        batch.append(topic: "t".utf8, payload: [UInt8](repeating: 0, count: 5000))
        batch.oversizedCount = 2
        batch.removeAll(capacityLimit: 1000)
        #expect(batch.isEmpty && batch.oversizedCount == 0)
        #expect(batch.bytes.capacity < 1000)
    }
}
