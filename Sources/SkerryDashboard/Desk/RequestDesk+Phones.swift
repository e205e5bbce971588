import Logging
import SkerryActivity
import SkerryGateway
import SkerryPhones
import SkerryValues

extension RequestDesk {
    /// The longest name of a kind, in bytes.
    private static let kindLimit = 256

    /// `GET /v1/phones`: all phones.
    func tellPhones(_ request: Request) throws(Problem) -> Response {
        try requireAdminOrLocal(request)
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("now")
        writer.seconds(now())
        writer.key("phones")
        writer.beginArray()
        for phone in phones.phones() { phone.write(to: &writer) }
        writer.endArray()
        writer.endObject()
        return Response(json: writer.bytes)
    }

    /// `GET /v1/phones/{phone}`: what is known of a phone.
    func tellPhone(_ request: Request) throws(Problem) -> Response {
        let phone = request.path[2]
        if caller(request) != .local { _ = try requirePhone(phone, request) }
        return try summary(of: phone)
    }

    /// `PUT /v1/phones/{phone}/tokens`: takes a report of a phone in.
    func takeReport(_ request: Request) throws(Problem) -> Response {
        let phone = request.path[2]
        guard try requirePhone(phone, request) != .admin else {
            throw .unauthorized(
                "only the phone itself reports its tokens, with the token that it got when it was paired"
            )
        }
        let now = now()
        let report = try ReportReader.report(request.body, at: now)
        let isKnown: Bool
        do throws(StoreFault) {
            isKnown = try phones.report(report, of: phone, at: now)
        } catch {
            throw Problem.notStored(error.message)
        }
        guard isKnown else { throw Self.unknownPhone }
        return try summary(of: phone)
    }

    /// `PUT /v1/phones/{phone}/person`: changes the person that a phone belongs to.
    func assign(_ request: Request) throws(Problem) -> Response {
        try requireAdmin(request)
        let phone = request.path[2]
        let object = try JSONObject(request.body)
        let person = try Self.name("person", in: object)
        guard person != nil || object.isNull("person") else {
            throw .wrongBody("missing", "the name of a person, or null for none", at: "/person")
        }
        let isKnown: Bool
        do throws(StoreFault) {
            isKnown = try phones.assign(person, to: phone)
        } catch {
            throw Problem.notStored(error.message)
        }
        guard isKnown else { throw Self.unknownPhone }
        return try summary(of: phone)
    }

    /// `POST /v1/phones/{phone}/test`: shows a test activity on a phone for a minute.
    func test(_ request: Request) throws(Problem) -> Reply {
        let phone = request.path[2]
        _ = try requirePhone(phone, request)
        let kind =
            request.body.isEmpty ? nil : try JSONObject(request.body).text("kind", limit: Self.kindLimit)
        return ask(.test(phone: phone, kind: kind), for: .unrestricted) { bytes in
            var response = Response(json: bytes)
            response.status = .accepted
            return response
        }
    }

    /// `DELETE /v1/phones/{phone}`: forgets a phone.
    func unpair(_ request: Request) throws(Problem) -> Response {
        let phone = request.path[2]
        let caller = try requirePhone(phone, request)
        let name = phones.phones().first { $0.id == phone }?.name ?? phone
        let wasKnown: Bool
        do throws(StoreFault) {
            wasKnown = try phones.unpair(phone, at: now())
        } catch {
            throw Problem.notStored(error.message)
        }
        guard wasKnown else { throw Self.unknownPhone }
        logger.notice("'\(name)' was removed\(caller == .admin ? "" : " by itself")")
        return Response(status: .noContent)
    }

    private static var unknownPhone: Problem {
        Problem(
            status: .notFound,
            code: "unknown-phone",
            detail: "there is no such phone; GET /v1/phones tells which there are"
        )
    }

    private func summary(of id: String) throws(Problem) -> Response {
        guard let phone = phones.phones().first(where: { $0.id == id }) else { throw Self.unknownPhone }
        var writer = JSONWriter()
        phone.write(to: &writer)
        return Response(json: writer.bytes)
    }
}

extension PhoneSummary {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("phone")
        writer.string(id)
        writer.key("name")
        writer.string(name)
        writer.key("person")
        writer.optional(person)
        writer.key("pairedAt")
        writer.seconds(pairedAt)
        writer.key("heardAt")
        writer.seconds(heardAt)
        writer.key("environment")
        writer.optional(environment?.name)
        writer.key("iosVersion")
        writer.optional(systemVersion)
        writer.key("frequentUpdates")
        writer.optional(allowsFrequentUpdates)
        writer.key("areActivitiesEnabled")
        writer.optional(allowsActivities)
        writer.key("notificationsConfirmedAt")
        if let notifiableSince { writer.seconds(notifiableSince) } else { writer.null() }
        writer.key("hides")
        writer.beginArray()
        for choice in hides { writer.string(choice) }
        writer.endArray()
        writer.key("pushToStart")
        writer.beginArray()
        for token in startTokens {
            writer.beginObject()
            writer.key("type")
            writer.string(token.type)
            writer.key("confirmedAt")
            writer.seconds(token.confirmedAt)
            writer.endObject()
        }
        writer.endArray()
        writer.key("activities")
        writer.beginArray()
        for activity in activities { activity.write(to: &writer) }
        writer.endArray()
        writer.key("budgets")
        writer.beginArray()
        for budget in budgets { budget.write(to: &writer) }
        writer.endArray()
        writer.key("pushes")
        writer.beginObject()
        for event in Push.Event.allCases {
            writer.key(event.name)
            counts[event].write(to: &writer)
        }
        writer.endObject()
        writer.endObject()
    }
}

extension PhoneSummary.Activity {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("id")
        writer.string(id)
        writer.key("instance")
        writer.int(Int64(instance))
        writer.key("tokenConfirmedAt")
        if let tokenConfirmedAt { writer.seconds(tokenConfirmedAt) } else { writer.null() }
        writer.key("end")
        writer.optional(end?.name)
        writer.key("muted")
        writer.bool(isSilent)
        writer.endObject()
    }
}

extension PhoneSummary.Budget {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("name")
        writer.string(name)
        writer.key("used")
        writer.int(Int64(used))
        writer.key("limit")
        writer.int(Int64(limit))
        writer.endObject()
    }
}

extension PushCounts.Count {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("sent")
        writer.int(Int64(clamping: sent))
        writer.key("accepted")
        writer.int(Int64(clamping: accepted))
        writer.key("refused")
        writer.int(Int64(clamping: refused))
        writer.endObject()
    }
}

extension JSONWriter {
    fileprivate mutating func optional(_ text: String?) {
        if let text { string(text) } else { null() }
    }

    fileprivate mutating func optional(_ truth: Bool?) {
        if let truth { bool(truth) } else { null() }
    }
}
