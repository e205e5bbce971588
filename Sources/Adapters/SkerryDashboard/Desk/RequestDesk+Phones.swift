import Logging
import SkerryActivity
import SkerryGateway
import SkerryPhones
import SkerryValues

extension RequestDesk {
    /// `GET /v1/phones`: all phones.
    func tellPhones(_ request: Request) throws(Problem) -> Response {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("now", phones.now)
        writer.array("phones", phones.phones()) { $1.write(to: &$0) }
        writer.endObject()
        return Response(json: writer.bytes)
    }

    /// `GET /v1/phones/{phone}`: what is known of a phone.
    func tellPhone(_ request: Request) throws(Problem) -> Response {
        let phone = request.path[2]
        _ = try requirePhone(phone, request)
        return try summary(of: phone)
    }

    /// `PUT /v1/phones/{phone}`: makes a phone known that another partition has paired.
    func introduce(_ request: Request) throws(Problem) -> Response {
        let object = try JSONObject(request.body)
        guard let name = try Self.name("name", in: object) else {
            throw .wrongBody("missing", "the name of the phone", at: "/name")
        }
        let text = try object.text("credential", limit: 64)
        guard let credential = text.flatMap({ Base64.bytes(of: $0) }), credential.count == admin.count,
            !Secret.areEqual(credential, admin)
        else {
            throw .wrongBody(
                "unknown-value",
                "the SHA-256 of the token of the phone, in base64",
                at: "/credential"
            )
        }
        let phone = request.path[2]
        guard phone.utf8.count <= 64 else { throw .unknownAddress }
        let person = try Self.name("person", in: object)
        guard phones.credential(of: phone) == nil else { return Response(status: .noContent) }
        do throws(StoreFault) {
            try phones.pair(
                NewPhone(id: phone, name: name, person: person, credential: credential),
                at: phones.now
            )
        } catch {
            throw Problem.notStored(error.message)
        }
        logger.notice(.phonePaired, "'\(name)' was paired with another partition")
        return Response(status: .noContent)
    }

    /// `PUT /v1/phones/{phone}/tokens`: takes a report of a phone in.
    func takeReport(_ request: Request) throws(Problem) -> Response {
        let phone = request.path[2]
        _ = try requirePhone(phone, request)
        let now = phones.now
        let report = try ReportReader.report(request.body, apps: phones.bundleIDs, at: now)
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

    /// `DELETE /v1/phones/{phone}`: forgets a phone.
    func unpair(_ request: Request) throws(Problem) -> Response {
        let phone = request.path[2]
        let caller = try requirePhone(phone, request)
        let name = phones.phones().first { $0.id == phone }?.name ?? phone
        let wasKnown: Bool
        do throws(StoreFault) {
            wasKnown = try phones.unpair(phone, at: phones.now)
        } catch {
            throw Problem.notStored(error.message)
        }
        guard wasKnown else { throw Self.unknownPhone }
        logger.notice(.phoneRemoved, "'\(name)' was removed\(caller.role == .phone ? " by itself" : "")")
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
        writer.member("phone", id)
        writer.member("name", name)
        writer.member("person", person)
        writer.member("pairedAt", pairedAt)
        writer.member("heardAt", heardAt)
        writer.member("bundleId", bundleID)
        writer.member("environment", environment?.name)
        writer.member("iosVersion", systemVersion)
        writer.member("frequentUpdates", allowsFrequentUpdates)
        writer.member("areActivitiesEnabled", allowsActivities)
        writer.member("notificationsConfirmedAt", notifiableSince)
        writer.key("widgets")
        if let widgets { widgets.write(to: &writer) } else { writer.null() }
        writer.member("hides", hides)
        writer.objects("pushToStart", startTokens) { writer, token in
            writer.member("type", token.type)
            writer.member("confirmedAt", token.confirmedAt)
        }
        writer.array("activities", activities) { $1.write(to: &$0) }
        writer.array("budgets", budgets) { $1.write(to: &$0) }
        writer.object("pushes") { writer in
            for event in Push.Event.allCases {
                writer.key(event.name)
                counts[event].write(to: &writer)
            }
        }
        writer.endObject()
    }
}

extension PhoneSummary.Widgets {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kinds", kinds.map { .list($0.map(Value.string)) } ?? .null)
        writer.member("confirmedAt", confirmedAt)
        writer.endObject()
    }
}

extension PhoneSummary.Activity {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("instance", Int64(instance))
        writer.member("tokenConfirmedAt", tokenConfirmedAt)
        writer.member("end", end?.name)
        writer.member("muted", isSilent)
        writer.endObject()
    }
}

extension PhoneSummary.Budget {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", name)
        writer.member("used", Int64(used))
        writer.member("limit", Int64(limit))
        writer.endObject()
    }
}

extension PushCounts.Count {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("sent", Int64(clamping: sent))
        writer.member("accepted", Int64(clamping: accepted))
        writer.member("refused", Int64(clamping: refused))
        writer.endObject()
    }
}
