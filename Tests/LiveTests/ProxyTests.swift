import Foundation
import SkerryTesting
import Testing

/// The programs that these tests need.
private enum ProxyTools {
    /// Where nginx is; nil where it can't be had.
    static let nginx: String? = {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["scripts/debian-tool", "nginx", "usr/sbin/nginx"]
        process.currentDirectoryURL = Files.package
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? text.split(separator: "\n").last.map(String.init) : nil
    }()

    static var areThere: Bool {
        nginx != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")
    }
}

/// The page behind nginx, with the lines of docs/how-to/reverse-proxy.md.
@Suite(
    "Behind a reverse proxy",
    .serialized,
    .enabled(if: Broker.isAvailable && ProxyTools.areThere, "needs mosquitto, curl, and nginx from Debian")
)
struct ProxyTests {
    /// A bridge behind nginx.
    private final class Scene {
        let broker: Broker
        let folder: URL
        let port: Int
        let token: String
        private let bridge: Program
        private let proxy = Process()

        init(location: (Int) throws -> String, _ environment: [String: String] = [:]) throws {
            broker = try Broker()
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-proxy-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let own = try Broker.findFreePort()
            let path = folder.appendingPathComponent("admin-token").path
            bridge = try Program(
                RunTests.arguments(broker),
                environment: environment.merging([
                    "SKERRY_HTTP_ADDRESS": "127.0.0.1:\(own)", "SKERRY_HTTP_PROXIES": "127.0.0.1",
                    "SKERRY_HTTP_ADMIN_TOKEN_FILE": path,
                ]) { $1 }
            )
            try bridge.waitForPage()
            token = try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .newlines)
            port = try Broker.findFreePort()
            let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
                .map { "\($0)_temp_path \(folder.path)/\($0);" }.joined(separator: "\n")
            let user = geteuid() == 0 ? "user root;\n" : ""
            try Data(
                """
                \(user)pid \(folder.path)/pid;
                error_log stderr;
                events {}
                http {
                access_log off;
                \(temporary)
                server { listen 127.0.0.1:\(port);
                \(try location(own))
                } }

                """.utf8
            ).write(to: folder.appendingPathComponent("nginx.conf"))
            proxy.executableURL = URL(fileURLWithPath: ProxyTools.nginx ?? "")
            proxy.arguments = ["-p", folder.path, "-c", "nginx.conf", "-g", "daemon off;"]
            proxy.standardError = FileHandle.nullDevice
            try proxy.run()
            // It takes a moment; curl asks again while nothing listens.
            _ = try curl("--retry", "20", "--retry-connrefused", "--retry-delay", "1", "/skerry/healthz")
        }

        deinit {
            proxy.terminate()
            proxy.waitUntilExit()
            try? FileManager.default.removeItem(at: folder)
        }

        /// Asks by curl until what has come is enough; the last word is the path. Returns head and body.
        func curl(_ words: String..., until isEnough: (String) -> Bool = { _ in false }) throws -> String {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
            process.arguments =
                ["--silent", "--include", "--no-buffer", "--max-time", "300"] + words.dropLast()
                + ["http://127.0.0.1:\(port)\(words.last ?? "")"]
            process.standardOutput = output
            try process.run()
            var bytes = Data()
            while !isEnough(String(decoding: bytes, as: UTF8.self)) {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { break }
                bytes += more
            }
            // The thread that started it may have blocked other signals.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The block of the page with another port, and for another path if one is given.
    private static func location(_ port: Int) throws -> String {
        let page = try String(
            contentsOf: Files.package.appendingPathComponent("docs/how-to/reverse-proxy.md"),
            encoding: .utf8
        )
        let block = String(try #require(page.firstMatch(of: #/(?s)```nginx\n(.*?)```/#)).1)
        #expect(block.contains("127.0.0.1:7537"))
        return block.replacing("127.0.0.1:7537", with: "127.0.0.1:\(port)")
    }

    /// Signs in, follows all links of the page, and reads the stream.
    private func use(_ scene: Scene, cookiePath: String) throws {
        let page = try scene.curl("/skerry/")
        #expect(page.hasPrefix("HTTP/1.1 200"), "\(page)")
        let links = page.matches(of: #/(?:href|src)="([^"#]+)"/#).map { String($0.1) }
        #expect(links.count > 10)
        for link in links {
            #expect(!link.hasPrefix("/"), "\(link)")
            #expect(try scene.curl("/skerry/\(link)").hasPrefix("HTTP/1.1 200"), "\(link)")
        }
        let bare = try scene.curl("/skerry")
        #expect(
            bare.contains(#/HTTP/1.1 30[18]/#) && bare.contains(#/(?i)location: \S*/skerry/\s/#),
            "\(bare)"
        )
        #expect(try scene.curl("/skerry/v1/session").contains(#""role":"none""#))
        func signIn(from origin: String) throws -> String {
            try scene.curl(
                "--header",
                "Origin: \(origin)",
                "--json",
                #"{"token":"\#(scene.token)"}"#,
                "/skerry/v1/session"
            )
        }
        #expect(try signIn(from: "http://evil.example").hasPrefix("HTTP/1.1 403"))
        let session = try signIn(from: "http://127.0.0.1:\(scene.port)")
        #expect(session.hasPrefix("HTTP/1.1 204") && session.contains("; Path=\(cookiePath);"), "\(session)")
        let cookie = try #require(session.firstMatch(of: /[Ss]et-[Cc]ookie: ([^;]+);/)).1
        let known = try scene.curl("--cookie", String(cookie), "/skerry/v1/session")
        #expect(known.contains(#""role":"admin""#), "\(known)")
        // The stream has no end: what comes while it is open was not held back.
        let stream = try scene.curl("--cookie", String(cookie), "/skerry/v1/stream") {
            $0.contains("event: snapshot")
        }
        #expect(stream.contains("event: snapshot"), "\(stream)")
    }

    @Test("below a prefix that nginx takes off")
    func stripped() throws {
        let scene = try Scene(location: Self.location)
        try use(scene, cookiePath: "/")
    }

    @Test("below a prefix that nginx leaves on, with http.base-path")
    func kept() throws {
        let scene = try Scene(
            location: {
                try Self.location($0).replacing("\($0)/;", with: "\($0);").replacing(
                    "/skerry/ {",
                    with: "/skerry {"
                )
            },
            ["SKERRY_HTTP_BASE_PATH": "/skerry"]
        )
        try use(scene, cookiePath: "/skerry/")
    }
}
