import Foundation
import Testing

@testable import SkerryDashboard

/// The files of the page.
@Suite struct PageTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/Adapters/CPage/page")

    @Test func `the program has every file of the page, code without its lines of comments`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let files = PageFiles.load()
        #expect(Set(files.keys) == Set(names))
        for (name, file) in files {
            let source = try Data(contentsOf: Self.folder.appendingPathComponent(name))
            guard name.hasSuffix(".js") || name.hasSuffix(".css") else {
                #expect(source == Data(file.bytes), "\(name)")
                continue
            }
            let text = String(decoding: source, as: UTF8.self)
            // Whole lines: `//` to their end, or from `/*` to the first `*/`.
            let comments = text.matches(of: #/(?m)^ *(?://[^\n]*|/\*(?s:.*?)\*/)$/#)
            var code = text
            for comment in comments.reversed() {
                code.replaceSubrange(comment.range, with: comment.output.filter(\.isNewline))
            }
            #expect(code == String(decoding: file.bytes, as: UTF8.self), "\(name)")
        }
    }

    @Test func `every file has its type, its tag and the rules for a browser`() async throws {
        let types = [
            "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
            "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
            "webmanifest": "application/manifest+json",
        ]
        try await RunningServer.use { server in
            for (name, file) in PageFiles.load() {
                let answer = try await server.stranger.asked("GET", "/page/\(name)")
                #expect(answer.status == 200 && answer.body == file.bytes, "\(name)")
                let ending = String(try #require(name.split(separator: ".").last))
                #expect(answer.fields["content-type"] == types[ending], "\(name)")
                #expect(answer.fields["etag"] == "\"\(file.tag)\"")
                #expect(answer.fields["content-security-policy"]?.contains("script-src 'self';") == true)
                #expect(answer.fields["x-content-type-options"] == "nosniff")
                #expect(answer.fields["referrer-policy"] == "no-referrer")
            }
            let page = try await server.stranger.asked("GET", "/")
            #expect(page.text.hasPrefix("<!doctype html>"))
            #expect(page.fields["content-security-policy"]?.contains("unsafe") == false)
            let head = try await server.stranger.asked("HEAD", "/page/app.css")
            #expect(head.body.isEmpty)
            let refusal = try await server.stranger.asked("POST", "/page/app.css").status
            #expect(refusal == 405)
        }
    }

    @Test func `a browser can keep all files, for the whole page, and sees when one has changed`()
        async throws
    {
        let files = PageFiles.load()
        try await RunningServer.use { server in
            let list = try await server.stranger.asked("GET", "/page/files.json")
            #expect(list.fields["content-type"] == "application/json")
            let named = list.json["files"].elements.map(\.text)
            #expect(named == files.keys.sorted())
            let worker = try await server.stranger.asked("GET", "/page/worker.js")
            #expect(worker.fields["service-worker-allowed"] == "../")
            #expect(worker.fields["content-security-policy"]?.contains("worker-src 'self';") == true)
            let other = try await server.stranger.asked("GET", "/page/app.js")
            #expect(other.fields["service-worker-allowed"] == nil)
        }
        var others = files
        others["app.js"] = files["app.css"]
        #expect(PageFiles.list(of: others).tag != PageFiles.list(of: files).tag)
    }

    @Test func `a file that is known is not sent again, and one that is packed is the same`() async throws {
        let file = try #require(PageFiles.load()["index.html"])
        try await RunningServer.use { server in
            for (fields, status, tag) in [
                (["If-None-Match: \"\(file.tag)\""], "304", "\"\(file.tag)\""),
                (["If-None-Match: \"other\""], "200", "\"\(file.tag)\""),
                (["Accept-Encoding: gzip"], "200", "\"\(file.tag)-gzip\""),
                (
                    ["Accept-Encoding: gzip", "If-None-Match: W/\"\(file.tag)-gzip\""], "304",
                    "\"\(file.tag)-gzip\""
                ),
                (["Accept-Encoding: gzip;q=0"], "200", "\"\(file.tag)\""),
                (["Accept-Encoding: identity"], "200", "\"\(file.tag)\""),
            ] {
                let connection = try RawConnection(server.address)
                let head = ["GET / HTTP/1.1", "Host: a", "Connection: close"] + fields
                connection.send(head.joined(separator: "\r\n") + "\r\n\r\n")
                let answer = await connection.rest()
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(fields)")
                #expect(answer.contains("ETag: \(tag)\r\n"), "\(fields)")
                #expect(
                    answer.contains("Content-Encoding: gzip") == (status == "200" && tag.contains("gzip"))
                )
            }
        }
        let packed = try #require(file.packed)
        #expect(packed.prefix(2) == [0x1F, 0x8B] && packed.count < file.bytes.count)
    }

    @Test func `the files of the page are not counted as requests`() async throws {
        var options = RunningServer.options
        options.requestsPerMinute = 1
        try await RunningServer.use(options: options) { server in
            for _ in 0..<20 {
                let status = try await server.stranger.asked("GET", "/page/app.css").status
                #expect(status == 200)
            }
            let first = try await server.stranger.asked("GET", "/healthz").status
            #expect(first == 200)
            let second = try await server.stranger.asked("GET", "/healthz").status
            #expect(second == 429)
        }
    }

    @Test(arguments: [
        (#"{"a":1,"at":[1,{"at":2}],"b":"\"at\":3"}"#, #"[1,{"at":2}]"#), (#"{"at":5}"#, "5"),
        (#"{"x":{"at":5}}"#, nil), (#"{"x":"at","y":["at"]}"#, nil), (#"{"\"at":1,"at":"}"}"#, #""}""#),
        ("", nil),
        ("{", nil), (#"{"at"#, nil),
    ])
    func `a member is found where it is`(json: String, value: String?) {
        let bytes = Array(json.utf8)
        let place = JSONMember.place(of: "at", in: bytes)
        #expect(place.map { String(decoding: bytes[$0], as: UTF8.self) } == value)
    }
}
