import SkerryDashboard
import SkerryGateway
import SkerryValues
import Testing

/// Settings of single devices over HTTP: who may choose them, and which.
@Suite struct DeviceSettingsTests {
    @Test func `only an administrator chooses settings of devices, and only where that is wanted`()
        async throws
    {
        let body = Array(
            #"{"name":"Big washer","settings":{"threshold":20,"share":0.5,"rest":"5m","loud":true}}"#.utf8
        )
        let settings = [
            GivenSetting("threshold", "20", isText: false), GivenSetting("share", "0.5", isText: false),
            GivenSetting("rest", "5m", isText: true), GivenSetting("loud", "true", isText: false),
        ]
        let question = HouseQuestion.chooseSettings(
            DeviceKey(kind: "washer", name: "a b"),
            settings: settings,
            name: "Big washer"
        )
        for isAllowed in [false, true] {
            var options = RunningServer.options
            options.allowsEditing = isAllowed
            let house = NotedHouse()
            try await RunningServer.use(options: options, house: house) { server in
                let ada = try await server.pair("Ada")
                for (client, status) in [
                    (server.client(), 401), (server.client(ada.token), 403),
                    (server.admin, isAllowed ? 200 : 403),
                ] {
                    let answer = try await client.asked(
                        "PUT",
                        "/v1/devices/washer/a%20b/settings",
                        body: body
                    )
                    #expect(answer.status == status)
                }
                #expect(house.questions == (isAllowed ? [question] : []))
            }
        }
    }

    @Test func `settings of devices have bounds, and a problem names the setting`() async throws {
        var options = RunningServer.options
        options.allowsEditing = true
        let long = String(repeating: "x", count: 1025)
        let many = (0...100).map { "\"s\($0)\":1" }.joined(separator: ",")
        let problem = HouseProblem(.wrong, code: "wrong-setting", detail: "no", setting: "a/b~c")
        let house = NotedHouse { _ in .problem(problem) }
        try await RunningServer.use(options: options, house: house) { server in
            for (body, status, code, path) in [
                ("{}", 400, "missing", "/settings"), (#"{"name":7}"#, 400, "wrong-type", "/name"),
                (#"{"settings":[]}"#, 400, "wrong-type", "/settings"),
                (#"{"settings":{"a":null}}"#, 400, "wrong-type", "/settings/a"),
                (#"{"settings":{"a":[1]}}"#, 400, "wrong-type", "/settings/a"),
                (#"{"settings":{"a":"\#(long)"}}"#, 400, "too-long", "/settings/a"),
                (#"{"settings":{\#(many)}}"#, 400, "too-many", "/settings"),
                (#"{"settings":{"a":1}}"#, 400, "wrong-setting", "/settings/a~1b~0c"),
            ] {
                let answer = try await server.admin.asked(
                    "PUT",
                    "/v1/devices/washer/laundry/settings",
                    body: Array(body.utf8)
                )
                #expect(answer.status == status && answer.problem == code)
                #expect(answer.json["path"].text == path)
            }
        }
    }
}
