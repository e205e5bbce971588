// The generated app at home and in other networks, with a keychain that a test locks.

import Foundation
import Security
import Synchronization

/// A web server that gives the same answer to each question until a test wants another one.
nonisolated final class Answering: Sendable {
    let address: URL
    private let answer = Mutex("")

    init() {
        let (server, address) = listen()
        self.address = address
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(server, nil, nil)
                var question: [UInt8] = []
                var part = [UInt8](repeating: 0, count: 4096)
                while !question.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                    let count = read(connection, &part, part.count)
                    guard count > 0 else { break }
                    question += part.prefix(count)
                }
                let text = answer.withLock { $0 }
                _ = Array(text.utf8).withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
                close(connection)
            }
        }
    }

    func say(_ status: String, _ body: String) {
        answer.withLock {
            $0 = """
                HTTP/1.1 \(status)\r
                Connection: close\r
                Content-Length: \(body.utf8.count)\r
                \r
                \(body)
                """
        }
    }
}

@main
@MainActor
struct Home {
    static func main() async {
        let server = Answering()
        let pairing = SkerryPairing(gateway: server.address, phone: "5f", token: "secret", name: "Ada")
        expect(SkerryKeychain.store(pairing))

        // iOS launches the app after a restart of the phone, before anybody has unlocked it.
        Keychain.shared.isLocked = true
        let house = House()
        house.wake()
        expect(house.pairing, nil)
        Keychain.shared.isLocked = false
        house.wake()
        expect(house.pairing, pairing)

        server.say("200 OK", #"{"activities":[{"id":"washer/laundry/1"}],"next":null}"#)
        await house.refresh()
        expect(house.activities.map(\.device), ["laundry"])
        expect(house.silence, nil)

        // In another network a router, or the gateway of a neighbour, has the address: nothing is forgotten.
        func hear(_ error: SkerryGatewayError) async {
            await house.refresh()
            expect(house.silence, error.errorDescription)
            expect(house.trouble, nil)
            expect(house.pairing, pairing)
            expect(SkerryKeychain.pairing(), pairing)
            expect(house.activities.count, 1)
        }
        // Without `WWW-Authenticate: Basic`, which a router would say, and after which Foundation on Linux never answers.
        server.say("401 Unauthorized", "<html>")
        await hear(.noBridge)
        server.say("401 Unauthorized", #"{"status":401,"message":"Unauthorized"}"#)
        await hear(.noBridge)
        server.say("401 Unauthorized", #"{"status":401,"code":"unauthorized"}"#)
        await hear(.unpaired)
        server.say("503 Service Unavailable", "")
        await hear(.unreachable)
        server.say("200 OK", #"{"activities":[],"next":null}"#)
        await house.refresh()
        expect(house.silence, nil)
        expect(house.activities, [])

        house.unpair()
        expect(house.pairing, nil)
        expect(SkerryKeychain.pairing(), nil)
        print(failures == 0 ? "all is well" : "\(failures) failures")
        exit(0)
    }
}
