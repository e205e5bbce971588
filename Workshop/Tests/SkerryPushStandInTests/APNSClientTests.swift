import SkerryActivity
import SkerryPhones
import SkerryPushStandIn
import SkerryPushTesting
import SkerryValues
import Testing

@testable import SkerryPush

@Suite struct APNSClientTests {
    @Test func aPushHasTheHeadersThatAppleDemands() async throws {
        let quay = try Quay()
        let client = try quay.client()
        var push = Quay.push(.start(token: "00ff"), event: .start)
        push.collapseID = "washer/laundry/1790000000"
        let response = try await client.perform(try quay.request(push))
        #expect(response == APNSResponse(status: 200, apnsID: push.messageID))
        let received = try #require(quay.standIn.received.first)
        #expect(received.method == "POST")
        #expect(received.path == "/3/device/00ff")
        #expect(received.body == push.payload)
        #expect(
            received.headers == [
                "authorization": "bearer \(received.providerToken ?? "")",
                "apns-push-type": "liveactivity",
                "apns-topic": "org.example.skerry.push-type.liveactivity",
                "apns-priority": "10",
                "apns-expiration": "1790000600",
                "apns-id": push.messageID,
                "apns-collapse-id": "washer/laundry/1790000000",
                "content-length": "\(push.payload.count)",
            ]
        )
    }

    @Test func channelsAreMadeReadListedUsedAndRemoved() async throws {
        let quay = try Quay()
        let client = try quay.client()
        let host = quay.sender.production
        let token = try quay.token()
        let made = try await client.perform(try quay.request(Quay.push(.createChannel, event: nil)))
        #expect(made.status == 201 && made.body.isEmpty)
        let id = try #require(made.channelID)
        #expect(made.answer == .channelCreated(id: id))
        let read = try await client.perform(.channel(.get, id: id, of: quay.sender, host, token: token))
        #expect(
            String(decoding: read.body, as: UTF8.self)
                == #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
        )
        let list = try await client.perform(.allChannels(of: quay.sender, host, token: token))
        #expect(list.channels == [id])
        let sent = try await client.perform(try quay.request(Quay.push(.channel(id: id))))
        #expect(sent.answer == .accepted)
        #expect(quay.standIn.received.last?.path == "/4/broadcasts/apps/org.example.skerry")
        #expect(quay.standIn.received.last?.headers["apns-topic"] == nil)
        let removed = try await client.perform(
            try quay.request(Quay.push(.deleteChannel(id: id), event: nil))
        )
        #expect(removed.status == 204 && removed.answer == .accepted)
        #expect(quay.standIn.channels.isEmpty)
        let late = try await client.perform(try quay.request(Quay.push(.channel(id: id))))
        #expect(late.answer == .channelGone(reason: "ChannelNotRegistered"))
    }

    @Test func allRequestsGoOverOneConnection() async throws {
        let quay = try Quay()
        let client = try quay.client()
        for _ in 0..<20 { _ = try await client.perform(try quay.request()) }
        #expect(quay.standIn.received.count == 20)
        #expect(quay.standIn.connectionCount == 1)
    }

    @Test(.enabled(if: CurlSession.sendsPings, "libcurl before 8.1 sends PINGs with the next request"))
    func anIdleConnectionIsAskedForASignOfLife() async throws {
        var quay = try Quay()
        quay.options.pingAfter = .milliseconds(200)
        let client = try quay.client()
        _ = try await client.perform(try quay.request())
        await quay.standIn.pinged(2)
        _ = try await client.perform(try quay.request())
        #expect(quay.standIn.connectionCount == 1)
    }

    /// REFUSED_STREAM and a GOAWAY of an earlier stream say so; all other ends leave it open.
    @Test(
        arguments: [
            (PushReply.refuse, false), (.goAway("Shutdown"), false),
            (.goAway("Shutdown", isTaken: true), true), (.close, true), (.reset, true),
        ],
        [0, 1]
    )
    func onlyWhatWasNotLookedAtIsNotSent(
        end: (reply: PushReply, mayHaveArrived: Bool),
        before: Int
    ) async throws {
        let quay = try Quay()
        let client = try quay.client()
        for _ in 0..<before { _ = try await client.perform(try quay.request()) }
        quay.standIn.answer(end.reply)
        let fault = try #require(await outcome(of: try quay.request(), by: client).fault)
        #expect(fault.kind == .connectionLost)
        #expect(fault.mayHaveArrived == end.mayHaveArrived)
        // libcurl does not send it once more behind our back.
        #expect(quay.standIn.received.count == before + 1)
        // The next one has a connection of its own.
        let next = try await client.perform(try quay.request())
        #expect(next.status == 200 && quay.standIn.connectionCount > 1)
    }

    @Test func requestsWithoutAnAnswerHoldNoOther() async throws {
        var quay = try Quay()
        quay.options.patience = .milliseconds(50)
        let client = try quay.client()
        let request = try quay.request()
        var waiting: [Task<Result<APNSResponse, WebFault>, Never>] = []
        for count in 1..<RequestLine.senderCount {
            quay.standIn.answer(.silence)
            waiting.append(Task { await outcome(of: request, by: client) })
            await quay.standIn.received(count)
        }
        for _ in 0..<3 { #expect(try await client.perform(request).status == 200) }
        await client.stop()
        for task in waiting { #expect(await task.value.fault != nil) }
    }

    @Test func silenceEndsAtTheLimit() async throws {
        var quay = try Quay()
        quay.options.requestLimit = .milliseconds(300)
        let client = try quay.client()
        quay.standIn.answer(.silence)
        let fault = try #require(await outcome(of: try quay.request(), by: client).fault)
        #expect(fault.kind == .timeout && fault.mayHaveArrived)
        guard case .noAnswer = PushAnswer(fault) else {
            Issue.record("a push that may have arrived is one without an answer: \(fault)")
            return
        }
        // The connection is not trusted any more. On a busy machine the next request may run into the limit, too.
        _ = await outcome(of: try quay.request(), by: client)
        #expect(quay.standIn.connectionCount > 1)
    }

    @Test func whatNeverLeftIsNotSent() async throws {
        let quay = try Quay()
        let client = try quay.client()
        for (host, kind, word) in [
            (try Quay.closedPort(), WebFault.Kind.unreachable, "no connection to 127.0.0.1"),
            ("nowhere.invalid:443", .unreachable, "unknown host nowhere.invalid"),
        ] {
            var request = try quay.request()
            request.host = host
            let fault = try #require(await outcome(of: request, by: client).fault)
            #expect(fault.kind == kind && !fault.mayHaveArrived)
            #expect(fault.message.hasPrefix(word))
            guard case .notSent = PushAnswer(fault) else {
                Issue.record("\(fault)")
                continue
            }
        }
    }

    @Test func aCertificateOfAStrangerIsRefused() async throws {
        let quay = try Quay()
        let client = try APNSClient()
        let fault = try #require(await outcome(of: try quay.request(), by: client).fault)
        #expect(fault.kind == .security && !fault.mayHaveArrived)
        #expect(quay.standIn.received.isEmpty)
    }

    @Test func aLineBreakBeginsNoHeader() async throws {
        let quay = try Quay()
        let client = try quay.client()
        let push = Quay.push(.channel(id: "a\r\nauthorization: other"))
        let fault = try #require(await outcome(of: try quay.request(push), by: client).fault)
        #expect(fault.kind == .request)
        #expect(quay.standIn.received.isEmpty)
    }

    @Test func aLongBodyIsCut() async throws {
        let quay = try Quay()
        let client = try quay.client()
        quay.standIn.answer(.raw(500, body: String(repeating: "<p>", count: 40_000)))
        let response = try await client.perform(try quay.request())
        #expect(response.body.count == WebClient.bodyLimit)
        #expect(response.answer == .unavailable(reason: "status 500 without a reason", retryAfter: nil))
    }

    @Test func whoeverWaitsMayGiveUp() async throws {
        let quay = try Quay()
        let client = try quay.client()
        quay.standIn.answer(.silence)
        let request = try quay.request()
        let waiting = Task { await outcome(of: request, by: client) }
        await quay.standIn.received(1)
        waiting.cancel()
        let fault = try #require(await waiting.value.fault)
        #expect(fault.kind == .cancelled && fault.mayHaveArrived)
        let next = try await client.perform(request)
        #expect(next.status == 200)
    }

    @Test func stoppingGivesUpWhatIsUnderWayAndWhatWaits() async throws {
        let quay = try Quay()
        let client = try quay.client()
        quay.standIn.answer(.silence)
        let request = try quay.request()
        async let first = outcome(of: request, by: client)
        await quay.standIn.received(1)
        async let second = outcome(of: request, by: client)
        await client.stop()
        #expect(await first.fault?.kind == .cancelled)
        #expect(await second.fault?.kind == .cancelled)
        #expect(await outcome(of: request, by: client).fault?.kind == .cancelled)
        #expect(quay.standIn.received.count == 1)
    }
}

/// What comes of a request.
func outcome(of request: APNSRequest, by client: APNSClient) async -> Result<APNSResponse, WebFault> {
    do throws(WebFault) {
        return .success(try await client.perform(request))
    } catch {
        return .failure(error)
    }
}

extension Result {
    var fault: Failure? {
        if case .failure(let fault) = self { fault } else { nil }
    }
}
