import SkerryDevice
import SkerryFiles
import SkerryGateway
import Testing

@testable import SkerryHouse

/// Several desks of a process that change one file.
@Suite struct SavingTests {
    @Test func `a name and a setting that two desks save at once are both kept`() async throws {
        let folder = try Folder()
        let text = """
            skerry: 1
            kind: plug
            settings: { threshold: 10 }
            sources: [{ topic: "plug/{device}", signals: { power: payload.power } }]
            machine: { states: { idle: { always: { guard: power > settings.threshold, target: idle } } } }
            """
        let files = CompiledFiles([DefinitionFile(path: "plug.yaml", bytes: Array(text.utf8))])
        try #require(files.definitions.count == 1, "\(files.problems)")
        let file = DevicesFile("\(folder.path)/skerry.db.devices")
        var sources = HouseSources(
            mailbox: QuestionMailbox(),
            wake: {},
            files: { files.files },
            history: MemoryRunHistory(),
            makeBus: { QuietBus() }
        )
        sources.devicesFile = file
        let (desk, other) = (sources, sources)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                let device = DeviceKey(kind: "plug", name: "d\(number)")
                group.addTask {
                    try SettingsSaving(desk).save(nil, "Plug \(number)", of: device)
                }
                group.addTask {
                    let setting = GivenSetting("threshold", "\(number)", isText: false)
                    try SettingsSaving(other).save([setting], nil, of: device)
                }
            }
            try await group.waitForAll()
        }
        let kept = try file.read().devices
        for number in 0..<100 {
            #expect(kept.name(of: "d\(number)", kind: "plug")?.text == "Plug \(number)")
            #expect(kept.settings(of: "d\(number)", kind: "plug").count == 1)
        }
    }
}
