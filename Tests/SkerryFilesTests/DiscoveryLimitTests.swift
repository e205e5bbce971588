import SkerryDevice
import SkerryValues
import Testing

@testable import SkerryFiles

/// What a search for devices remembers of a broker that says too much.
@Suite struct DiscoveryLimitTests {
    private static let mill = """
        skerry: 1
        kind: mill
        name: Mill
        sources: [{ topic: "mill/{device}/+", signals: { fast: payload.fast } }]
        recognise: [{ topic: "mill/{device}/+", when: has(payload.fast), sure: likely, name: payload.name }]
        machine:
          states:
            idle: { title: Still, always: { guard: fast, target: turning } }
            turning: { title: Turning, always: { guard: "!fast", target: idle } }
        activity: { starts: turning, ends: idle, content: { status: state.title } }
        """

    private let files: [CompiledFiles.File]

    init() throws {
        files = CompiledFiles([DefinitionFile(path: "mill.yaml", bytes: Array(Self.mill.utf8))]).files
        try #require(files.first?.definition != nil, "\(files.map(\.problems))")
    }

    private func add(_ topic: String, _ payload: String, to search: inout DeviceSearch) {
        search.add(
            RecordedMessage(
                at: Timestamp(seconds: 1_767_225_600),
                topic: ArraySlice(topic.utf8),
                payload: ArraySlice(payload.utf8)
            )
        )
    }

    @Test func `names, topics and other bridges are bounded`() {
        var search = DeviceSearch(files, prefix: "skerry")
        let long = String(repeating: "ü", count: 100_000)
        add("mill/red/state", #"{"fast":true,"name":"\#(long)"}"#, to: &search)
        add("mill/red/\(long.prefix(10_000))", #"{"fast":true}"#, to: &search)
        #expect(search.devices(at: .distantPast).map { $0.name?.count } == [256])
        #expect(search.findings.values.map { Array($0.topics.keys) } == [["mill/red/state"]])
        #expect(Set(search.readers.keys) == ["mill/red/state"])
        for number in 0..<200 {
            let info = #"{"owner":"x","client":"x","epoch":1,"definitions":[]}"#
            add("house\(number)/bridge/info", info, to: &search)
        }
        #expect(search.bridges.count == 100)
    }

    @Test func `all texts together have a limit, and what is known by then stays`() {
        var search = DeviceSearch(files, prefix: "skerry", textLimit: 20_000)
        let long = String(repeating: "x", count: 900)
        for number in 0..<100 { add("mill/red\(number)/\(long)", #"{"fast":true}"#, to: &search) }
        #expect((1..<20).contains(search.deviceCount))
        #expect(search.devices(at: .distantPast).first?.device == "red0")
        let size = search.findings.values.reduce(0) { $0 + $1.topics.keys.reduce(0) { $0 + $1.utf8.count } }
        #expect(size + search.readers.keys.reduce(0) { $0 + $1.utf8.count } < 20_000)
    }
}
