import SkerryDashboard
import SkerryValues
import Testing

/// Phones that belong to people.
@Suite struct PersonTests {
    @Test func `a code is for the phone of a person, who can be changed by the administrator alone`()
        async throws
    {
        try await RunningServer.use { server in
            let ada = try await server.pair("Ada's iPhone", person: "Ada")
            let phone = try await server.admin.asked("GET", "/v1/phones/\(ada.id)").json
            #expect(phone["person"].text == "Ada")
            let path = "/v1/phones/\(ada.id)/person"
            let body = Array(#"{"person":"Ben"}"#.utf8)
            #expect(try await server.client(ada.token).asked("PUT", path, body: body).status == 403)
            #expect(try await server.client().asked("PUT", path, body: body).status == 401)
            let changed = try await server.admin.asked("PUT", path, body: body)
            #expect(changed.status == 200 && changed.json["person"].text == "Ben")
            let none = Array(#"{"person":null}"#.utf8)
            #expect(try await server.admin.asked("PUT", path, body: none).json["person"].text == nil)
            for wrong in ["{}", #"{"person":""}"#, #"{"person":3}"#, #"{"person":"A\nB"}"#] {
                #expect(try await server.admin.asked("PUT", path, body: Array(wrong.utf8)).status == 400)
            }
            let unknown = try await server.admin.asked("PUT", "/v1/phones/x/person", body: body)
            #expect(unknown.problem == "unknown-phone")
        }
    }

    @Test func `a phone can't say whose it is`() async throws {
        try await RunningServer.use { server in
            let code = try #require(try await server.admin.asked("POST", "/v1/pairings").json["code"].text)
            let body = Array(#"{"code":"\#(code)","name":"x","person":"Ada"}"#.utf8)
            let paired = try await server.client().asked("POST", "/v1/pair", body: body).json
            let id = try #require(paired["phone"].text)
            #expect(try await server.admin.asked("GET", "/v1/phones/\(id)").json["person"].text == nil)
        }
    }

    @Test func `the form of the page names the person, too`() async throws {
        try await RunningServer.use { server in
            let form = "token=\(server.admin.token ?? "")&person=+Ada+"
            let page = try await server.client().asked("POST", "/pair", body: Array(form.utf8)).text
            let code = try #require(page.firstMatch(of: /class="code">([^<]+)</)).output.1
            let body = Array(#"{"code":"\#(code)"}"#.utf8)
            let paired = try await server.client().asked("POST", "/v1/pair", body: body).json
            let id = try #require(paired["phone"].text)
            #expect(try await server.admin.asked("GET", "/v1/phones/\(id)").json["person"].text == "Ada")
        }
    }

    @Test(
        arguments: [
            ("A%0AB", 400), (String(repeating: "a", count: 65), 400),
            (String(repeating: "%C3%A9", count: 33), 400),
            (String(repeating: "a", count: 64), 201), ("", 201), ("++", 201),
        ]
    )
    func `the form refuses what is no name of a person`(person: String, status: Int) async throws {
        try await RunningServer.use { server in
            let form = "token=\(server.admin.token ?? "")&person=\(person)"
            let page = try await server.client().asked("POST", "/pair", body: Array(form.utf8))
            #expect(page.status == status)
            #expect(page.text.contains("no name of a person") == (status == 400))
            #expect(page.text.contains("class=\"code\"") == (status == 201))
        }
    }
}
