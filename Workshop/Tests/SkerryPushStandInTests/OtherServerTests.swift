import Foundation
import SkerryActivity
import SkerryPhones
import Testing

@testable import SkerryPush

/// The client against servers that were not written with it.
@Suite(
    .enabled(
        if: OtherServer.find("nghttpd") != nil && OtherServer.find("openssl") != nil,
        "needs nghttpd and openssl: scripts/install-dependencies --tests"
    )
)
struct OtherServerTests {
    @Test func nghttpdUnderstandsAPush() async throws {
        let server = try OtherServer("nghttpd") { address, key, certificate in
            ["-v", "--echo-upload", "-a", "127.0.0.1", address, key, certificate]
        }
        await server.output(contains: "listen")
        let client = try APNSClient(WebClientOptions(trusting: server.certificateFile))
        var sender = APNSSender(bundleID: Quay.bundleID)
        sender.production.push = "localhost:\(server.port)"
        let push = Quay.push()
        let request = APNSRequest(push, from: sender, token: "a.b.c")
        for _ in 0..<3 {
            let response = try await client.perform(request)
            #expect(response.status == 200 && response.body == push.payload)
        }
        await client.stop()
        await server.output(contains: "stream_id=5 closed")
        let log = server.output
        #expect(log.contains("The negotiated protocol: h2"))
        // Headers that no table of HPACK may keep are marked as sensitive.
        let marks = ["recv (stream_id=3) ", "recv (stream_id=3, sensitive) "]
        let sent = log.split(separator: "\n").compactMap { line in
            marks.lazy.compactMap { line.firstRange(of: $0) }.first.map { String(line[$0.upperBound...]) }
        }
        #expect(
            Set(sent) == [
                ":method: POST", ":path: /3/device/a1b2c3d4", ":scheme: https",
                ":authority: localhost:\(server.port)", "authorization: bearer a.b.c",
                "apns-push-type: liveactivity", "apns-topic: org.example.skerry.push-type.liveactivity",
                "apns-priority: 10", "apns-expiration: 1790000600", "apns-id: \(push.messageID)",
                "content-length: \(push.payload.count)",
            ]
        )
        #expect(sent.count == Set(sent).count)
        #expect(!log.contains("PRIORITY frame"))
    }

    @Test func aServerOfAnotherAgeIsRefused() async throws {
        let server = try OtherServer("openssl") { address, key, certificate in
            ["s_server", "-www", "-accept", "127.0.0.1:\(address)", "-key", key, "-cert", certificate]
        }
        await server.output(contains: "ACCEPT")
        let client = try APNSClient(WebClientOptions(trusting: server.certificateFile))
        let request = APNSRequest(.get, host: "localhost:\(server.port)", path: "/", headers: [])
        let first = await outcome(of: request, by: client).fault
        #expect(first?.kind == .notHTTP2, "\(String(describing: first))")
        var sender = APNSSender(bundleID: Quay.bundleID)
        sender.production.push = "localhost:\(server.port)"
        let push = APNSRequest(Quay.push(), from: sender, token: "a.b.c")
        let fault = await outcome(of: push, by: client).fault
        #expect(fault?.kind == .notHTTP2, "\(String(describing: fault))")
        #expect(fault?.mayHaveArrived == false)
    }
}

/// Another program that serves on a port of 127.0.0.1, gone when the object goes.
final class OtherServer: Sendable {
    let port: Int
    let certificateFile: String
    private let folder: URL
    private let process: Process
    private let log: URL

    static func find(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Starts it with arguments made of its port and the files of its key and certificate.
    init(_ name: String, _ arguments: (String, String, String) -> [String]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "skerry-server-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (key, certificate) = (
            folder.appending(path: "key.pem"), folder.appending(path: "certificate.pem")
        )
        log = folder.appending(path: "log")
        certificateFile = certificate.path
        let made = try Self.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-keyout", key.path, "-out", certificate.path, "-days", "1", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost",
            ],
            output: log
        )
        made.waitUntilExit()
        let address = try Quay.closedPort().split(separator: ":")[1]
        port = Int(address) ?? 0
        process = try Self.run(name, arguments(String(address), key.path, certificate.path), output: log)
    }

    deinit {
        // A thread that blocks SIGTERM hands that on to its processes.
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    /// What it has printed.
    var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// Returns once it has printed a word, or ended.
    func output(contains word: String) async {
        while !output.contains(word), process.isRunning { await Task.yield() }
    }

    private static func run(_ name: String, _ arguments: [String], output: URL) throws -> Process {
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        let process = Process()
        process.executableURL = URL(filePath: find(name) ?? name)
        process.arguments = arguments
        let file = try FileHandle(forWritingTo: output)
        process.standardOutput = file
        process.standardError = file
        process.standardInput = Pipe()
        try process.run()
        return process
    }
}
