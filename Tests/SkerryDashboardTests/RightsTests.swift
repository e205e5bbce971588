import Foundation
import Logging
import SkerryGateway
import SkerryValues
import Testing

@testable import SkerryDashboard

/// One table says who may do what: the addresses, their description, the docs and the answers of a server go by it.
@Suite struct RightsTests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8)
    }

    /// An address of the description, with the roles that it names.
    private struct Operation {
        let method: String
        let path: String
        let roles: Set<String>

        /// The address with something in place of what is in braces.
        var target: String { path.replacing(/\{[a-z]+\}/, with: "x") }
    }

    /// All addresses of the description.
    private static func operations() throws -> [Operation] {
        var operations: [Operation] = []
        var path = ""
        var method = ""
        for line in try text("docs/openapi.yaml").split(separator: "\n") {
            if let match = line.wholeMatch(of: #/  (/\S*):/#) { path = String(match.output.1) }
            if let match = line.wholeMatch(of: #/    (get|put|post|delete):/#) {
                method = match.output.1.uppercased()
            }
            guard line.hasPrefix("      security: ") else { continue }
            let roles = line.matches(of: /\{ ([a-z]+): \[\] \}/).map { String($0.output.1) }
            operations.append(Operation(method: method, path: path, roles: Set(roles)))
        }
        return operations
    }

    private static func desk() -> RequestDesk {
        RequestDesk(
            options: RunningServer.options,
            of: ServedBridge(
                phones: NotedPhones(),
                log: EventLog { RunningServer.now },
                house: NotedHouse()
            ),
            admin: AdminSecret(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    @Test func `the description of each address names those who have its right`() throws {
        let desk = Self.desk()
        let operations = try Self.operations()
        #expect(operations.count > 50)
        for operation in operations {
            let head = RequestHead(method: operation.method, target: operation.target)
            let sender = RequestSender([:], peer: "10.0.0.1", isSecure: false, proxies: [])
            let routes = try desk.routes(of: Request(head, from: sender))
            let right = try #require(routes.first { $0.key == operation.method }?.value.right)
            // Where everybody may ask, nothing is asked for.
            let roles = right == .enter ? [] : Set(right.roles.map(\.rawValue))
            #expect(operation.roles == roles, "\(operation.method) \(operation.path)")
        }
    }

    @Test func `the table in the docs is this one`() throws {
        let columns: [(title: String, role: Role)] = [
            ("guest", .guest), ("viewer", .viewer), ("member", .member), ("phone", .phone),
            ("the gateway itself", .local), ("administrator", .administrator),
        ]
        let rows = Right.allCases.map { right in
            let marks = columns.map { right.roles.contains($0.role) ? "yes" : "–" }
            return "| \(right.entry.allows) | \(marks.joined(separator: " | ")) |"
        }
        let table = """
            | may | \(columns.map(\.title).joined(separator: " | ")) |
            |---|\(String(repeating: "---|", count: columns.count))
            \(rows.joined(separator: "\n"))
            """
        #expect(
            try Self.text("docs/page.md").contains(table),
            "docs/page.md has another table than:\n\(table)"
        )
    }

    @Test
    func `administrators have every right but that of phones, and each role has those of the one before`() {
        #expect(Right.allCases.filter { !$0.roles.contains(.administrator) } == [.report])
        for (less, more) in zip(Role.ofBrowsers, Role.ofBrowsers.dropFirst()) {
            let lost = Right.allCases.filter { $0.roles.contains(less) && !$0.roles.contains(more) }
            #expect(lost.isEmpty, "\(less) and \(more)")
        }
        #expect(Right.allCases.filter { $0.roles.contains(.stranger) } == [.enter])
    }

    @Test func `whatever a role may not do is refused, and nothing else`() async throws {
        var options = RunningServer.options
        options.requestsPerMinute = 100_000
        options.allowsEditing = true
        let log = EventLog { RunningServer.now }
        log.take(StreamTests.beginning(of: "laundry"))
        let house = NotedHouse()
        try await RunningServer.use(options: options, log: log, house: house) { server in
            let far = "X-Real-IP: 10.0.0.1"
            let ada = try await server.pair("Ada")
            let link = try await server.ask("POST", "/v1/guests", [], body: #"{"device":"washer/laundry"}"#)
            let secret = try #require(link.answer.firstMatch(of: /guest=([\w.-]+)/)).output.1
            let callers: [(role: Role, fields: [String])] = [
                (.stranger, [far]), (.guest, [far, "Cookie: skerry-guest=\(secret)"]), (.local, []),
                (.viewer, [far, try await server.signIn(#"{"role":"viewer"}"#)]),
                (.member, [far, try await server.signIn(#"{"role":"member"}"#)]),
                (.phone, [far, "Authorization: Bearer \(ada.token)"]),
                (.administrator, [far, try await server.signIn(#"{"role":"admin"}"#)]),
            ]
            var refused = 0
            for operation in try Self.operations() where operation.path != "/v1/stream" {
                let target = operation.target.replacing("phones/x", with: "phones/\(ada.id)")
                for (role, fields) in callers where operation.path != "/v1/session" || role == .stranger {
                    let isAllowed = operation.roles.isEmpty || operation.roles.contains(role.rawValue)
                    // The others would be gone for those who come after.
                    if isAllowed, operation.method == "DELETE" { continue }
                    let asked = house.questions.count
                    let (status, answer) = try await server.ask(
                        operation.method,
                        target,
                        fields,
                        body: operation.method == "GET" ? "" : "{}"
                    )
                    let what = "\(role): \(operation.method) \(target): \(status)"
                    if isAllowed {
                        // A guest sees one device, and a phone is asked for itself.
                        let isOfOthers =
                            role == .guest || role == .phone && operation.path.contains("{phone}")
                        #expect(!answer.contains("\"not-allowed\""), "\(what)")
                        #expect(status != "401" || isOfOthers, "\(what)")
                    } else {
                        refused += 1
                        #expect(status == (role.isProven ? "403" : "401"), "\(what)")
                        #expect(
                            answer.contains(role.isProven ? "\"not-allowed\"" : "\"unauthorized\""),
                            "\(what)"
                        )
                        #expect(house.questions.count == asked, "\(what)")
                    }
                }
            }
            #expect(refused >= 100)
        }
    }

    @Test func `a member chooses the name of a device, and none of its settings`() async throws {
        var options = RunningServer.options
        options.allowsEditing = true
        let house = NotedHouse()
        try await RunningServer.use(options: options, house: house) { server in
            let fields = ["X-Real-IP: 10.0.0.1", try await server.signIn(#"{"role":"member"}"#)]
            let path = "/v1/devices/washer/laundry/settings"
            for body in [#"{"settings":{}}"#, #"{"settings":{"limit":3},"name":"Washer"}"#] {
                #expect(try await server.ask("PUT", path, fields, body: body).status == "403")
            }
            #expect(house.questions.isEmpty)
            #expect(try await server.ask("PUT", path, fields, body: #"{"name":"Washer"}"#).status == "200")
            #expect(
                house.questions == [
                    .chooseSettings(DeviceKey(kind: "washer", name: "laundry"), settings: nil, name: "Washer")
                ]
            )
        }
    }

    @Test func `a viewer looks at the past of a device, and tries no text of its own`() async throws {
        try await RunningServer.use { server in
            let fields = ["X-Real-IP: 10.0.0.1", try await server.signIn(#"{"role":"viewer"}"#)]
            for (body, status) in [
                (#"{"device":"washer/laundry"}"#, "200"),
                (#"{"kind":"washer","device":"washer/laundry"}"#, "200"),
                (#"{"source":"kind: washer","device":"washer/laundry"}"#, "403"),
                (#"{"recording":""}"#, "403"),
            ] {
                #expect(
                    try await server.ask("POST", "/v1/replay", fields, body: body).status == status,
                    "\(body)"
                )
            }
        }
    }
}
