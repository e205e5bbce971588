// The way of a report on a phone, which the stand-in of UIKit puts into the background and which grants it time there.

import Foundation
import UIKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@main
@MainActor
struct Uploads {
    private static var answers: [Int: SkerryAnswer] = [:]
    private static let uploads = SkerryUploads.shared

    static func main() async throws {
        uploads.answered = { answers[$1] = $0 }
        let phone = UIApplication.shared
        let closed = URL(string: "http://127.0.0.1:1/")!
        // It accepts connections and says nothing.
        let silent = listen().address
        let failed = SkerryAnswer.failed(retryAfter: 0)

        try send(1, to: closed)
        expect(phone.grants, [:])
        await answer(to: 1)
        expect(answers[1], failed)

        phone.applicationState = .background
        try send(2, to: closed)
        expect(phone.grants.count, 1)
        await answer(to: 2)
        expect(answers[2], failed)
        expect(phone.grants, [:])

        // A later attempt can wait, and the app must not be kept awake for it.
        try send(3, to: silent, notBefore: Date().addingTimeInterval(3600))
        expect(phone.grants, [:])
        uploads.cancel()

        // The time is up before the gateway has answered.
        try send(4, to: silent)
        expect(phone.grants.count, 1)
        phone.expire()
        expect(phone.grants, [:])
        await answer(to: 4)
        expect(answers[4], failed)

        // iOS grants nothing: the report takes the way that may take long.
        phone.grantsTime = false
        try send(5, to: closed)
        expect(phone.grants, [:])
        await answer(to: 5)
        expect(answers[5], failed)

        if failures == 0 { print("all is well") }
    }

    private static func send(_ number: Int, to address: URL, notBefore: Date = Date()) throws {
        let body = URL(fileURLWithPath: "report-\(number).json")
        try Data("{}".utf8).write(to: body)
        var request = URLRequest(url: address)
        request.httpMethod = "PUT"
        uploads.send(request, body: body, number: number, notBefore: notBefore)
    }

    private static func answer(to number: Int) async {
        while answers[number] == nil { await Task.yield() }
    }
}
