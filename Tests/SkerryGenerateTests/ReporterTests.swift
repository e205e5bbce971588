import Foundation
import SkerryDevice
import SkerryGenerate
import Testing

/// The generated reporter, compiled with a stand-in for ActivityKit and run on this machine.
@Suite struct ReporterTests {
    /// The programs in `Reporter/` print each expectation that does not hold.
    @Test func `the reporter tells the bridge all that happens, and loses nothing on the way`() throws {
        let workshop = try Workshop()
        let washer = try #require(Sample.devices.first { $0.definition.kind == "washer" })
        try workshop.compileReporter(
            [washer.definition],
            programs: ["Checks", "Following", "Sentences", "Streams", "Main"]
        )
        let run = try workshop.run("/usr/bin/env", ["timeout", "300", "./program"])
        #expect(run.output == "all is well\n", "\(run.errors)")
        #expect(run.status == 0)
    }

    @Test func `a report that begins in the background leaves at once, while iOS grants time`() throws {
        let workshop = try Workshop()
        let washer = try #require(Sample.devices.first { $0.definition.kind == "washer" })
        try workshop.compileApp(washer.definition, programs: ["Checks", "Uploads"])
        var run = try workshop.run("/usr/bin/env", ["timeout", "60", "./program"])
        // Foundation on Linux ends the process when a connection is refused while it goes on with an upload.
        for _ in 0..<4 where run.errors.contains("FoundationNetworking/EasyHandle.swift") {
            run = try workshop.run("/usr/bin/env", ["timeout", "60", "./program"])
        }
        #expect(run.output == "all is well\n", "\(run.errors)")
    }

    @Test func `the app reads the keychain once it is unlocked, and forgets it for no answer of the network`()
        throws
    {
        let workshop = try Workshop()
        let washer = try #require(Sample.devices.first { $0.definition.kind == "washer" })
        try workshop.compileApp(
            washer.definition,
            programs: ["Answering", "Checks", "Home"],
            with: ["App/House.swift"],
            transport: "ScriptedTransport()"
        )
        var run = try workshop.run("/usr/bin/env", ["timeout", "60", "./program"])
        // Foundation on Linux may end the process when a question is taken back that is just being answered.
        for _ in 0..<4 where run.errors.contains("FoundationNetworking/TaskRegistry.swift") {
            run = try workshop.run("/usr/bin/env", ["timeout", "60", "./program"])
        }
        #expect(run.output == "all is well\n", "\(run.errors)")
    }

    @Test func `a widget and Siri show the device that a person chose, or whatever is at work`() throws {
        let workshop = try Workshop()
        let washer = try #require(Sample.devices.first { $0.definition.kind == "washer" })
        try workshop.compileApp(
            washer.definition,
            revisions: washer.updates,
            programs: ["Answering", "Checks", "Devices"]
        )
        let run = try workshop.run("/usr/bin/env", ["TZ=UTC", "timeout", "60", "./program"])
        #expect(run.output == "all is well\n", "\(run.errors)")
    }

    @Test func `each kind is followed once, in the order of its name`() throws {
        let washer = try #require(Sample.devices.first { $0.definition.kind == "washer" }).definition
        let dryer = try #require(Sample.devices.first { $0.definition.kind == "dryer-plug" }).definition
        let sources = try ReporterSources([washer, dryer, washer])
        #expect(
            sources.files.map(\.name) == [
                "SkerryApp.swift", "SkerryCard.swift", "SkerryChosenDevice.swift", "SkerryCourier.swift",
                "SkerryDeviceWidget.swift", "SkerryExplanation.swift", "SkerryFollower.swift",
                "SkerryGateway.swift", "SkerryKeychain.swift", "SkerryKinds.swift", "SkerryPairing.swift",
                "SkerryReporter.swift", "SkerryReports.swift", "SkerryStream.swift", "SkerryTimeline.swift",
                "SkerryWidgetPushes.swift",
            ]
        )
        let kinds = try #require(sources.files.first { $0.name == "SkerryKinds.swift" }).text
        let followers = kinds.split(separator: "\n").filter { $0.contains("SkerryFollower") }
        #expect(
            followers.map { $0.trimmingPrefix(while: \.isWhitespace) } == [
                "SkerryFollower<DryerPlugAttributes>(),", "SkerryFollower<WasherAttributes>(),",
            ]
        )
        for file in sources.files { #expect(file.text.contains(AppSources.mark)) }
    }
}
