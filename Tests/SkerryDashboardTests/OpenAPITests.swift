import Foundation
import SkerryDashboard
import SkerryValues
import Testing

/// docs/openapi.yaml says what the server does.
@Suite struct OpenAPITests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8)
    }

    /// Methods and paths: two spaces before a path, four before a method.
    private static func operations() throws -> [(method: String, path: String)] {
        var operations: [(method: String, path: String)] = []
        var path: String?
        for line in try text("docs/openapi.yaml").split(separator: "\n") {
            if let match = line.wholeMatch(of: #/  (\/[^:]*):/#) {
                path = String(match.output.1)
            } else if line.first != " " {
                path = nil
            } else if let path, let match = line.wholeMatch(of: #/    (get|put|post|delete|patch):/#) {
                operations.append((match.output.1.uppercased(), path))
            }
        }
        return operations
    }

    /// The words of the list below a line, or on it.
    private static func list(after start: String) throws -> Set<String> {
        let page = try text("docs/openapi.yaml")
        let rest = page[try #require(page.firstRange(of: start)).upperBound...]
        let lines = rest.split(separator: "\n").prefix { $0.contains(/^ +- [a-z-]+$/) }
        return Set(lines.map { String($0.split(separator: "- ")[1]) })
    }

    @Test func describesWhatIsThere() async throws {
        let operations = try Self.operations()
        #expect(operations.count == 13)
        try await RunningServer.use { server in
            let ada = try await server.pair()
            for path in Set(operations.map(\.path)) {
                let described = Set(operations.filter { $0.path == path }.map(\.method))
                let asked = path.replacing("{phone}", with: ada.id).replacing("{kind}", with: "washer")
                    .replacing("{device}", with: "laundry").replacing("{pairing}", with: "none")
                let answer = try await server.admin.asked("PATCH", asked)
                #expect(answer.status == 405, "\(path)")
                let allowed = Set((answer.fields["allow"] ?? "").split(separator: ", ").map(String.init))
                #expect(allowed == described, "\(path)")
            }
        }
    }

    @Test func namesEveryKindOfProblem() throws {
        let folder = "Sources/SkerryDashboard/Desk"
        let files = try FileManager.default.contentsOfDirectory(
            atPath: Self.package.appendingPathComponent(folder).path
        )
        var codes: Set<String> = []
        for file in files {
            let text = try Self.text("\(folder)/\(file)")
            for match in text.matches(of: /(?:code: |wrongBody\(\s*)"([a-z-]+)"/) {
                codes.insert(String(match.output.1))
            }
        }
        #expect(
            try Self.list(after: "The kind of problem; never changes.\n          enum:\n") == codes
        )
    }
}
