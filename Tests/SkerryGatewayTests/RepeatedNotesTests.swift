import SkerryValues
import Testing

@testable import SkerryGateway

@Suite("Repeated log messages")
struct RepeatedNotesTests {
    private let start = Timestamp(seconds: 1000)

    @Test func `are logged at once the first time, and then as a number each minute`() {
        var notes = RepeatedNotes()
        #expect(notes.due == nil)
        var told = [notes.isFirst("lamp: no number", at: start), notes.isFirst("lamp: no JSON", at: start)]
        for second in 1...500 {
            told.append(notes.isFirst("lamp: no number", at: start + .seconds(Int64(second % 50))))
        }
        #expect(told.count { $0 } == 2)
        #expect(notes.due == start + .minutes(1))
        let early = notes.summary(at: start + .seconds(59))
        let first = notes.summary(at: start + .minutes(1))
        #expect(early == [])
        #expect(first == ["500 more in the last minute: lamp: no number"])
        told = [
            notes.isFirst("lamp: no number", at: start + .seconds(61)),
            notes.isFirst("lamp: no JSON", at: start + .seconds(61)),
        ]
        #expect(told == [false, true])
        let second = notes.summary(at: start + .minutes(2))
        let third = notes.summary(at: start + .minutes(3))
        #expect(second == ["1 more in the last minute: lamp: no number"])
        #expect(third == [])
        #expect(notes.due == nil)
    }

    @Test func `count together when they are of too many kinds`() {
        var notes = RepeatedNotes()
        let told = (0..<1000).count { notes.isFirst("kind \($0)", at: start) }
        #expect(told == RepeatedNotes.kindLimit + 1)
        let summary = notes.summary(at: start + .minutes(1))
        #expect(summary == ["935 more in the last minute: others"])
    }
}
