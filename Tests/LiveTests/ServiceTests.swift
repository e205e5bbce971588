import Foundation
import SkerryTesting
import Testing

/// `skerry run` as a service manager sees it.
@Suite("The bridge as a service", .serialized, .enabled(if: Broker.isAvailable, "needs a mosquitto binary"))
struct ServiceTests {
    static func program(_ port: Int, _ listener: NotifyListener) throws -> Program {
        try Program(
            ["run", "-h", "127.0.0.1", "-p", "\(port)", "--log-format", "json"] + Files.options,
            environment: ["NOTIFY_SOCKET": listener.name, "WATCHDOG_USEC": "200000"]
        )
    }

    @Test("it is ready before it connects, reports connection and loss, gives signs of life, and stops")
    func life() throws {
        let listener = try NotifyListener(isAbstract: true)
        let broker = try Broker()
        let program = try Self.program(broker.port, listener)
        let start = try listener.wait(for: "the connection") { $0.hasPrefix("STATUS=") }
        #expect(start.first == "READY=1")
        #expect(start.last == "STATUS=connected to 127.0.0.1:\(broker.port)")
        for _ in 0..<3 { try listener.wait(for: "a sign of life") { $0 == "WATCHDOG=1" } }
        broker.kill()
        try listener.wait(for: "the loss") { $0.hasPrefix("STATUS=not connected: ") }
        try listener.wait(for: "a sign of life without a broker") { $0 == "WATCHDOG=1" }
        program.signal(SIGTERM)
        try listener.wait(for: "the end") { $0 == "STOPPING=1" }
        #expect(try program.end() == 0, "\(program.errorText)")
        #expect(!program.errorText.contains("service manager"), "\(program.errorText)")
    }
}
